package nic

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

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

// Ack is the payload of stream s.
type Ack struct {
	Flow   vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Header AckHeader
	Hop    []HopRecord `port:"hop%d_" count:"hops"`
}

// ContextWrite is the payload of stream cw.
type ContextWrite struct {
	Flow    vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Mask    vgen.Signal `port:"mask" width:"mask" doc:"fields to write, from bit 0: profile, u, wc, w, stage, seq, start, close"`
	Profile vgen.Signal `port:"profile" width:"profile" doc:"profile of the flow"`
	U       vgen.Signal `port:"u" width:"u" doc:"U"`
	Wc      vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
	W       vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Stage   vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
	Seq     vgen.Signal `port:"seq" width:"seq" doc:"lastUpdateSeq"`
}

// ContextRead is the payload of stream cr.
type ContextRead struct {
	Flow vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
}

// TableWrite is the payload of stream tw.
type TableWrite struct {
	Table vgen.Signal `port:"table" width:"table" doc:"0 rate, 1 queue, 2 T, 3 1/T, 4 eta, 5 stage, 6 W_ai, 7 W_min, 8 W_max"`
	Index vgen.Signal `port:"index" width:"tindex" doc:"entry: rate code, rate code and profile, or profile"`
	Data  vgen.Signal `port:"data" width:"tdata" doc:"value, in the low bits"`
}

// Result is the payload of stream m.
type Result struct {
	Flow   vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Kind   vgen.Signal `port:"kind" width:"kind" doc:"0 none, 1 first, 2 update, 3 fast"`
	Status vgen.Signal `port:"status" width:"status" doc:"what was unusual, 0 for nothing"`
	U      vgen.Signal `port:"u" width:"u" doc:"U"`
	W      vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Wc     vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
	Rate   vgen.Signal `port:"rate" width:"rate" doc:"pacing rate, bytes a tick"`
	Stage  vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
}

// ContextData is the payload of stream cd.
type ContextData struct {
	Flow         vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
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
}
