// Package aimd generates the smallest law that an engine can have: once a round trip the window halves if an ACK has
// echoed congestion, otherwise it grows by W_ai. Its numeric contract is docs/aimd.md.
package aimd

import (
	"maps"
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Event is the content of an acknowledgement.
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

// Context is the stored state of a flow, all of it in one group.
type Context struct {
	Open       vgen.Signal `port:"open" width:"1" doc:"the flow is open"`
	Started    vgen.Signal `port:"started" width:"1" doc:"an ACK has come"`
	Marked     vgen.Signal `port:"marked" width:"1" doc:"an ACK since the last update has echoed congestion"`
	Profile    vgen.Signal `port:"profile" width:"profile" doc:"profile of the flow"`
	W          vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Seq        vgen.Signal `port:"seq" width:"seq" doc:"snd_nxt of the last update"`
	Generation vgen.Signal `port:"generation" width:"generation" doc:"generation of the flow"`
}

// Decision is the decision on an ACK.
type Decision struct {
	W    vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Rate vgen.Signal `port:"rate" width:"rate" doc:"pacing rate, bytes a tick"`
}

// Counters count the ACKs that met no flow.
type Counters struct {
	RejectedFlow vgen.Signal `port:"rejected_flow" width:"count" doc:"ACKs of flows that are not open, or of another generation; wraps"`
}

type groups struct {
	Flow engine.GroupPorts[Context] `port:"fc_"`
}

// Tables by their numbers.
const (
	tableWAI = iota
	tableWMin
	tableWMax
	tableInvT
)

// New is the law as a configuration asks for it.
func New(c *config.AIMD) *engine.Law {
	w := engine.Widths(c.Engine)
	maps.Copy(w, vgen.Widths{
		"clock": c.ClockBits, "seq": c.SeqBits, "profile": c.ProfileBits(), "w": c.Window.Width(), "rate": c.Rate.Width(),
	})
	return &engine.Law{
		Name: "aimd", Title: "AIMD", Software: c.Software(),
		Purpose:  "engine: from congestion marks of acknowledgements to windows and pacing rates",
		Core:     "per-ACK logic: from mark and context to context and decision",
		Widths:   w,
		Event:    new(Event),
		Write:    new(Write),
		Context:  new(Context),
		Decision: new(Decision),
		Counters: new(Counters),
		Counted:  []uint64{engine.StatusRejectedFlow},
		KindBits: 2, StatusBits: engine.StatusBits,
		IndexDoc: "entry: profile",
		Taps:     []engine.Tap{{Field: "rate", Doc: "R, " + c.Rate.String()}},
		Guide:    guide(c),
		Form: engine.Pipelined{
			Interval: 1,
			Groups:   new(groups),
			Memories: func(g any) []engine.Memory {
				return []engine.Memory{g.(*groups).Flow.Memory("flow_context", "window, marks, sequence, flags, profile")}
			},
			Build: func(k *engine.Core) { build(k, c) },
		},
	}
}

// guide returns the law's part of the documents.
func guide(c *config.AIMD) engine.Guide {
	g := engine.Guide{
		TickNs:  c.TickNs,
		Setup:   "every entry of the profiles in use",
		Opening: "w = W_init, seq = snd_nxt.\n   The flow's first ACK then only begins a round trip.",
		Applied: "W and R", Forgets: "marks and the round trip",
		Terms: "T is the base round-trip time in ticks,\n",
		Formats: map[string]string{"w": c.Window.String() + ", bytes", "rate": c.Rate.String() + ", bytes per tick",
			"now": "ticks; not looked at"},
		Kinds: []engine.Code{
			{Value: 0, Name: "none", Doc: "nothing changed, but that a mark is kept"},
			{Value: 1, Name: "first", Doc: "the first round trip begins"},
			{Value: 2, Name: "update", Doc: "a round trip is over: the window has changed"},
		},
		Statuses: []engine.Code{
			{Value: engine.StatusOK, Name: "ok", Doc: "the window has changed"},
			{Value: engine.StatusFirst, Name: "first", Doc: "the flow's first ACK"},
			{Value: engine.StatusRejectedFlow, Name: "rejected_flow",
				Doc: "no such flow, or not open, or another generation of it; counted"},
			{Value: engine.StatusNoCommit, Name: "no_commit", Doc: "within a round trip"},
			{Value: engine.StatusClampedMin, Name: "clamped_min", Doc: "the window has changed and was raised to W_min"},
			{Value: engine.StatusClampedMax, Name: "clamped_max", Doc: "the window has changed and was lowered to W_max"},
		},
	}
	bytes := c.Window.Max()
	p := config.Profile{BaseRTTNs: 10_000, WAI: big.NewRat(1500, 1), WMin: big.NewRat(1500, 1), WMax: bytes}
	if entries, err := c.ProfileEntries(0, p); err == nil {
		g.Profile = entries
		g.Example = "A profile with T = 10 us, W_ai = W_min = 1500 bytes, W_max as large as it can be"
	}
	return g
}
