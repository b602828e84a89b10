package stimulus

import (
	"slices"

	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Bins are the coverage bins of a law.
type Bins struct {
	Scenarios []Scenario // in the order in which they are drawn; four of them are the frame's
	Statuses  []engine.Status
	Kinds     []string // by code
	Fields    []string // of a context write, by bit of its mask
	Tables    []string // by number; those above do not exist
	Events    []string // of the law's own
	// Unreachable are the rows of a report that the configuration cannot reach, such as "event tie".
	Unreachable []string

	plain, badFlow, formerLife, noise int
}

// Scenario is the intended kind of an event. Coverage counts whether it has that effect: a write to the flow's
// context may come between.
type Scenario struct {
	Name       string
	Impossible bool            // with the configuration
	Want       []engine.Status // statuses that show the effect; any of them will do
}

// The scenarios that a generator knows by their names.
const (
	Plain      = "plain"       // an event as a network would produce it
	BadFlow    = "bad_flow"    // of a flow that is not open, or does not exist
	FormerLife = "former_life" // of another generation than that of its flow
	Noise      = "noise"       // every field random
)

// find notes where the frame's scenarios are.
func (b *Bins) find() {
	for name, at := range map[string]*int{
		Plain: &b.plain, BadFlow: &b.badFlow, FormerLife: &b.formerLife, Noise: &b.noise,
	} {
		*at = slices.IndexFunc(b.Scenarios, func(s Scenario) bool { return s.Name == name })
	}
}

// Coverage counts what a run has exercised, by the golden model's behaviour, not by intention. Rows that the
// configuration cannot reach are left out. Not safe for concurrent use.
type Coverage struct {
	cover.Bins

	bins                                            *Bins
	scenarios, statuses, kinds, own, events, fields cover.Counts
	tables                                          cover.Counts // the last row is for those that do not exist
	idle, sinkM, sinkCD                             cover.Counts // phases

	lastFlow uint32
}

// Things that the frame showed.
const (
	eventSameFlow = iota
	eventFormerLife
	eventLifeEnds
	eventWithdrawn
	eventRefused
	eventResultWaits
	eventDataWaits
	eventAllStreams
	eventReset
	eventResetWithResult
)

// NewCoverage starts from nothing, for an engine with the given timing.
func (l *Law[E, C, W, D, R, T, P]) NewCoverage(timing engine.Timing) *Coverage {
	b := &l.Bins
	b.find()
	c := &Coverage{bins: b, lastFlow: ^uint32(0)}
	group := func(kind string, names ...string) cover.Counts {
		for i, name := range names {
			if slices.Contains(b.Unreachable, kind+" "+name) {
				names[i] = ""
			}
		}
		return c.Group(kind, names...)
	}
	var scenarios []string
	for _, s := range b.Scenarios {
		name := s.Name
		if s.Impossible {
			name = ""
		}
		scenarios = append(scenarios, name)
	}
	c.scenarios = group("scenario", scenarios...)
	statuses := make([]string, engine.Statuses)
	for _, status := range b.Statuses {
		statuses[status] = status.String()
	}
	c.statuses = group("status", statuses...)
	c.kinds = group("kind", slices.Clone(b.Kinds)...)
	c.own = group("event", slices.Clone(b.Events)...)
	events := []string{
		"same_flow_twice", "ack_of_a_former_life", "flow_opened_while_open", "ack_withdrawn", "ack_refused", "result_waits",
		"context_data_waits", "four_streams_at_once", "reset", "reset_with_result_waiting",
	}
	if !timing.Slotted() {
		events[eventWithdrawn] = ""
	}
	if l.Engine.GenBits == 0 {
		events[eventFormerLife] = ""
	}
	c.events = group("event", events...)
	c.fields = group("context write", append(slices.Clone(b.Fields), make([]string, 8-len(b.Fields))...)...)
	c.tables = group("table", append(slices.Clone(b.Tables), "that does not exist")...)
	c.idle = group("idle", random.PatternNames()...)
	c.sinkM = group("result sink", random.PatternNames()...)
	c.sinkCD = group("context data sink", random.PatternNames()...)
	return c
}

// Hit counts an event of the law's own, by its index in Bins.
func (c *Coverage) Hit(event int, when bool) { c.own.Hit(event, when) }

// decided counts a decision on an issued event that was made for a scenario.
func (c *Coverage) decided(scenario int, flow uint32, kind, status uint8, open bool) {
	c.scenarios.Hit(scenario, slices.Contains(c.bins.Scenarios[scenario].Want, engine.Status(status)))
	c.statuses[status]++
	c.kinds[kind]++
	c.events.Hit(eventFormerLife, open && engine.Status(status) == engine.StatusRejectedFlow)
	c.events.Hit(eventSameFlow, flow == c.lastFlow)
	c.lastFlow = flow
}

// cycleBins counts the activity of the streams in a cycle.
func cycleBins[E, W any](c *Coverage, in *engine.Inputs[E, W], out Answer) {
	if in.Rst {
		c.events[eventReset]++
		c.events.Hit(eventResetWithResult, out.M)
		return
	}
	c.events.Hit(eventRefused, in.S.Valid && !out.S)
	c.events.Hit(eventResultWaits, out.M && !in.MReady)
	c.events.Hit(eventDataWaits, out.CD && !in.CDReady)
	if in.TW.Valid {
		if out.TW {
			c.tables[min(int(in.TW.Payload.Table&15), len(c.tables)-1)]++
		}
		c.events.Hit(eventAllStreams, in.S.Valid && in.CW.Valid && in.CR.Valid)
	}
}

func (c *Coverage) contextWrite(s engine.Scope, mask uint8, open bool) {
	c.events.Hit(eventLifeEnds, open && s.Start)
	for i := range c.fields {
		c.fields[i] += uint64(mask >> i & 1)
	}
}

func (c *Coverage) phase(g, m, cd random.PatternKind) {
	c.idle[g]++
	c.sinkM[m]++
	c.sinkCD[cd]++
}
