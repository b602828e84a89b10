package stimulus

import (
	"slices"

	"github.com/hdlpkg/hpccgen/config"
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

// Scenario is what an event is made to be. Whether it has that effect is what Coverage counts: a write to the flow's
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

// Coverage counts what a run has exercised, by what the golden model did, not by what was intended. Not safe for
// concurrent use.
type Coverage struct {
	cfg  *config.Engine
	bins *Bins

	slotted bool // events can be withdrawn

	effect [][engine.Statuses]uint64 // events by scenario and status
	kinds  []uint64
	own    []uint64 // events of the law
	events [events]uint64
	mask   [8]uint64 // context writes by field
	tables [16]uint64
	idle   [random.PatternKinds]uint64 // phases
	sinkM  [random.PatternKinds]uint64
	sinkCD [random.PatternKinds]uint64

	lastFlow uint32
}

// An event is something that the frame showed.
type event int

const (
	eventSameFlow event = iota
	eventFormerLife
	eventLifeEnds
	eventWithdrawn
	eventRefused
	eventResultWaits
	eventDataWaits
	eventAllStreams
	eventReset
	eventResetWithResult
	events
)

var eventNames = [events]string{
	"same_flow_twice", "ack_of_a_former_life", "flow_opened_while_open", "ack_withdrawn", "ack_refused", "result_waits",
	"context_data_waits", "four_streams_at_once", "reset", "reset_with_result_waiting",
}

// NewCoverage starts from nothing.
func (l *Law[E, C, W, D, R, T, P]) NewCoverage() *Coverage {
	l.Bins.find()
	return &Coverage{
		cfg: l.Engine, bins: &l.Bins, lastFlow: ^uint32(0), effect: make([][engine.Statuses]uint64, len(l.Bins.Scenarios)),
		kinds: make([]uint64, len(l.Bins.Kinds)), own: make([]uint64, len(l.Bins.Events)),
	}
}

// Hit counts an event of the law's own, by its index in Bins.
func (c *Coverage) Hit(event int, when bool) {
	if when {
		c.own[event]++
	}
}

func (c *Coverage) hit(e event, when bool) {
	if when {
		c.events[e]++
	}
}

// decided counts a decision on an issued event that was made for a scenario.
func (c *Coverage) decided(scenario int, flow uint32, kind, status uint8, open bool) {
	c.effect[scenario][status]++
	c.kinds[kind]++
	c.hit(eventFormerLife, open && engine.Status(status) == engine.StatusRejectedFlow)
	c.hit(eventSameFlow, flow == c.lastFlow)
	c.lastFlow = flow
}

// cycleBins counts what the streams did in a cycle.
func cycleBins[E, W any](c *Coverage, in *engine.Inputs[E, W], out Answer) {
	if in.Rst {
		c.events[eventReset]++
		c.hit(eventResetWithResult, out.M)
		return
	}
	c.hit(eventRefused, in.S.Valid && !out.S)
	c.hit(eventResultWaits, out.M && !in.MReady)
	c.hit(eventDataWaits, out.CD && !in.CDReady)
	if in.TW.Valid {
		if out.TW {
			c.tables[in.TW.Payload.Table&15]++
		}
		c.hit(eventAllStreams, in.S.Valid && in.CW.Valid && in.CR.Valid)
	}
}

func (c *Coverage) contextWrite(s engine.Scope, mask uint8, open bool) {
	c.hit(eventLifeEnds, open && s.Start)
	for i := range c.mask {
		c.mask[i] += uint64(mask >> i & 1)
	}
}

func (c *Coverage) phase(g, m, cd random.PatternKind) {
	c.idle[g]++
	c.sinkM[m]++
	c.sinkCD[cd]++
}

// Rows lists everything that this configuration can reach with how often it was.
func (c *Coverage) Rows() []cover.Row {
	var rows []cover.Row
	add := func(kind, name string, n uint64) {
		if row := kind + " " + name; !slices.Contains(c.bins.Unreachable, row) {
			rows = append(rows, cover.Row{Name: row, Count: n})
		}
	}
	for i, s := range c.bins.Scenarios {
		n := uint64(0)
		for _, status := range s.Want {
			n += c.effect[i][status]
		}
		if !s.Impossible {
			add("scenario", s.Name, n)
		}
	}
	for _, status := range c.bins.Statuses {
		n := uint64(0)
		for s := range c.effect {
			n += c.effect[s][status]
		}
		add("status", status.String(), n)
	}
	list := func(kind string, names []string, counts []uint64) {
		for i, name := range names {
			add(kind, name, counts[i])
		}
	}
	list("kind", c.bins.Kinds, c.kinds)
	list("event", c.bins.Events, c.own)
	for e, n := range c.events {
		if (event(e) != eventWithdrawn || c.slotted) && (event(e) != eventFormerLife || c.cfg.GenBits > 0) {
			add("event", eventNames[e], n)
		}
	}
	list("context write", c.bins.Fields, c.mask[:])
	list("table", c.bins.Tables, c.tables[:])
	absent := uint64(0)
	for _, n := range c.tables[len(c.bins.Tables):] {
		absent += n
	}
	add("table", "that does not exist", absent)
	for k := range random.PatternKinds {
		add("idle", k.String(), c.idle[k])
		add("result sink", k.String(), c.sinkM[k])
		add("context data sink", k.String(), c.sinkCD[k])
	}
	return rows
}

// Holes names the rows that were never reached.
func (c *Coverage) Holes() []string { return cover.Holes(c.Rows()) }

// Merge adds what another run has exercised.
func (c *Coverage) Merge(o *Coverage) {
	c.slotted = c.slotted || o.slotted
	for s := range c.effect {
		sum(c.effect[s][:], o.effect[s][:])
	}
	sum(c.kinds, o.kinds)
	sum(c.own, o.own)
	sum(c.events[:], o.events[:])
	sum(c.mask[:], o.mask[:])
	sum(c.tables[:], o.tables[:])
	sum(c.idle[:], o.idle[:])
	sum(c.sinkM[:], o.sinkM[:])
	sum(c.sinkCD[:], o.sinkCD[:])
}

func sum(to, from []uint64) {
	for i := range to {
		to[i] += from[i]
	}
}

// String is a table of all rows, the least reached first.
func (c *Coverage) String() string { return cover.Table(c.Rows()) }
