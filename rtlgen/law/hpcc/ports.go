package hpcc

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Event is the content of an acknowledgement.
type Event struct {
	Header AckHeader
	Hop    []HopRecord `port:"hop%d_" count:"hops"`
}

// AckHeader is an acknowledgement without its telemetry records.
type AckHeader struct {
	AckSeq vgen.Signal `port:"ack_seq" width:"ackseq" doc:"cumulative acknowledgement"`
	SndNxt vgen.Signal `port:"snd_nxt" width:"ackseq" doc:"next sequence number to send"`
	Now    vgen.Signal `port:"now" width:"clock" doc:"local clock, ticks"`
	Nhop   vgen.Signal `port:"nhop" width:"nhop" doc:"telemetry records that follow, in path order"`
	PathID vgen.Signal `port:"path_id" width:"path" doc:"path identifier"`
}

// HopRecord is the telemetry of one hop.
type HopRecord struct {
	LinkID   vgen.Signal `port:"link_id" width:"link" doc:"identifier of the egress link"`
	RateCode vgen.Signal `port:"rate_code" width:"code" doc:"code of the egress link's rate"`
	TS       vgen.Signal `port:"ts" width:"ts" doc:"timestamp, ticks"`
	Tx       vgen.Signal `port:"tx" width:"tx" doc:"bytes sent, units"`
	Qlen     vgen.Signal `port:"qlen" width:"qlen" doc:"queue, units"`
}

// ContextWrite is what software writes of a context.
type ContextWrite struct {
	Profile vgen.Signal `port:"profile" width:"profile" doc:"profile of the flow"`
	U       vgen.Signal `port:"u" width:"u" doc:"U"`
	Wc      vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
	W       vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Stage   vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
	Seq     vgen.Signal `port:"seq" width:"seq" doc:"lastUpdateSeq"`
}

// HeldWrite is a ContextWrite while it passes the core.
type HeldWrite struct {
	Profile vgen.Signal `port:"profile" width:"profile" doc:"profile, held"`
	U       vgen.Signal `port:"u" width:"u" doc:"U, held"`
	Wc      vgen.Signal `port:"wc" width:"w" doc:"reference window, held"`
	W       vgen.Signal `port:"w" width:"w" doc:"window, held"`
	Stage   vgen.Signal `port:"stage" width:"stage" doc:"incStage, held"`
	Seq     vgen.Signal `port:"seq" width:"seq" doc:"lastUpdateSeq, held"`
}

// The fields of a ContextWrite by their bits in the mask; start and close follow.
const (
	setProfile = iota
	setU
	setWc
	setW
	setStage
	setSeq
)

// Decision is the decision on an ACK.
type Decision struct {
	U     vgen.Signal `port:"u" width:"u" doc:"U"`
	W     vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Wc    vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
	Rate  vgen.Signal `port:"rate" width:"rate" doc:"pacing rate, bytes a tick"`
	Stage vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
}

// Context is what software reads of a context.
type Context struct {
	Open         vgen.Signal `port:"open" width:"1" doc:"the flow is open"`
	HasTelemetry vgen.Signal `port:"has_telemetry" width:"1" doc:"records are stored"`
	Profile      vgen.Signal `port:"profile" width:"profile" doc:"profile of the flow"`
	U            vgen.Signal `port:"u" width:"u" doc:"U"`
	Wc           vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
	W            vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Stage        vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
	Seq          vgen.Signal `port:"seq" width:"seq" doc:"lastUpdateSeq"`
	PathID       vgen.Signal `port:"path_id" width:"path" doc:"stored path identifier"`
	Nhop         vgen.Signal `port:"nhop" width:"nhop" doc:"stored number of hops"`
	Generation   vgen.Signal `port:"generation" width:"generation" doc:"generation of the flow"`
}

// Counters count the ACKs that did not change a flow's window for a reason worth knowing; they wrap.
type Counters struct {
	RejectedHops vgen.Signal `port:"rejected_hops" width:"count" doc:"ACKs with more hops than the engine has; wraps"`
	RejectedRate vgen.Signal `port:"rejected_rate" width:"count" doc:"ACKs with an unknown rate code; wraps"`
	RejectedFlow vgen.Signal `port:"rejected_flow" width:"count" doc:"ACKs of flows that are not open, or of another generation of their flow; wraps"`
	Stale        vgen.Signal `port:"stale" width:"count" doc:"ACKs with telemetry older than stored; wraps"`
	NoTelemetry  vgen.Signal `port:"no_telemetry" width:"count" doc:"ACKs without telemetry; wraps"`
	PathChanged  vgen.Signal `port:"path_changed" width:"count" doc:"ACKs that came over another path; wraps"`
}
