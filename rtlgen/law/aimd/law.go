// Package aimd generates the smallest law that an engine can have: once a round trip the window halves if an ACK has
// echoed congestion, else grows by W_ai. Its numeric contract is that of model/law/aimd.
package aimd

import (
	"maps"
	"math/bits"

	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Design is the law's part of a configuration.
type Design struct {
	ClockBits, SeqBits int
	Profiles           int
	Window             fixed.Format // W, W_ai, W_min, W_max: bytes
	InvT               fixed.Format // 1/T, per tick
	Rate               fixed.Format // R: bytes a tick
}

func (d Design) profileBits() int { return bits.Len(uint(d.Profiles - 1)) }

// Event is what an acknowledgement says.
type Event struct {
	Now    vgen.Signal `port:"now" width:"clock" doc:"local clock, ticks"`
	AckSeq vgen.Signal `port:"ack_seq" width:"seq" doc:"cumulative acknowledgement"`
	SndNxt vgen.Signal `port:"snd_nxt" width:"seq" doc:"next sequence number to send"`
	Mark   vgen.Signal `port:"mark" width:"1" doc:"the ACK echoes ECN congestion"`
}

// Write is what software writes of a context.
type Write struct {
	Profile vgen.Signal `port:"profile" width:"profile" doc:"profile of the flow"`
	W       vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Seq     vgen.Signal `port:"seq" width:"seq" doc:"snd_nxt of the last update"`
}

// The fields of a Write by their bits in the mask.
const (
	setProfile = iota
	setW
	setSeq
)

// Context is what is stored of a flow, all of it in one group.
type Context struct {
	Open       vgen.Signal `port:"open" width:"1" doc:"the flow is open"`
	Started    vgen.Signal `port:"started" width:"1" doc:"an ACK has come"`
	Marked     vgen.Signal `port:"marked" width:"1" doc:"an ACK since the last update has echoed congestion"`
	Profile    vgen.Signal `port:"profile" width:"profile" doc:"profile of the flow"`
	W          vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Seq        vgen.Signal `port:"seq" width:"seq" doc:"snd_nxt of the last update"`
	Generation vgen.Signal `port:"generation" width:"generation" doc:"life that the flow is in"`
}

// Decision is the decision on an ACK.
type Decision struct {
	W    vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Rate vgen.Signal `port:"rate" width:"rate" doc:"pacing rate, bytes a tick"`
}

// Counters count the ACKs that met no flow.
type Counters struct {
	RejectedFlow vgen.Signal `port:"rejected_flow" width:"count" doc:"ACKs of flows that are not open, or of another life of their flow; wraps"`
}

type groups struct {
	Flow engine.GroupPorts[Context] `port:"fc_"`
}

// Statuses of a decision.
const (
	statusBits         = 4
	statusOK           = 0
	statusFirst        = 1
	statusRejectedFlow = 5
	statusNoCommit     = 10
	statusClampedMin   = 11
	statusClampedMax   = 12
)

func code(status uint64) vgen.Signal { return vgen.Const(statusBits, status) }

// Tables by their numbers.
const (
	tableWAI = iota
	tableWMin
	tableWMax
	tableInvT
)

// New is the law in a frame.
func New(f engine.Frame, d Design) *engine.Law {
	w, window := f.Widths(), d.Window.Width()
	maps.Copy(w, vgen.Widths{
		"clock": d.ClockBits, "seq": d.SeqBits, "profile": d.profileBits(), "w": window, "rate": d.Rate.Width(),
	})
	l := &engine.Law{
		Name: "aimd", Title: "AIMD",
		Purpose:  "engine: from congestion marks of acknowledgements to windows and pacing rates",
		Core:     "per-ACK logic: from mark and context to context and decision",
		Widths:   w,
		Event:    new(Event),
		Write:    new(Write),
		Writable: []string{"profile", "w", "seq"},
		Context:  new(Context),
		Decision: new(Decision),
		Counters: new(Counters),
		Statuses: []uint64{statusRejectedFlow},
		KindBits: 2, StatusBits: statusBits,
		Kinds:    "0 none, 1 first, 2 update",
		IndexDoc: "entry: profile",
		Taps:     []engine.Tap{{Field: "rate", Doc: "R, " + d.Rate.String()}},
		Form: engine.Pipelined{
			Interval: 1,
			Groups:   new(groups),
			Memories: func(g any) []engine.Memory {
				return []engine.Memory{g.(*groups).Flow.Memory("flow_context", "window, marks, sequence, flags, profile")}
			},
			Build: func(k *engine.Core) { build(k, d) },
		},
	}
	for _, t := range []struct {
		name string
		bits int
	}{{"W_ai", window}, {"W_min", window}, {"W_max", window}, {"1/T", d.InvT.Width()}} {
		l.Tables = append(l.Tables, engine.TableShape{Name: t.name, Entries: d.Profiles, Bits: t.bits})
	}
	return l
}
