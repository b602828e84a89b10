package stimulus

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

const statuses = int(hpcc.StatusClampedMax) + 1

// Coverage counts what a run has exercised, by what the golden model did, not by what was intended.
// Rows that the configuration cannot reach are left out. Not safe for concurrent use.
type Coverage struct {
	cfg      *config.NIC
	possible [scenarios]bool

	effect  [scenarios][statuses]uint64 // ACKs by scenario and status
	kinds   [4]uint64
	nhop    [16]uint64
	events  [events]uint64
	mask    [8]uint64 // context writes by field
	tables  [16]uint64
	idle    [random.PatternKinds]uint64 // phases
	sinkM   [random.PatternKinds]uint64
	sinkCD  [random.PatternKinds]uint64
	mixes   [flowMixes]uint64
	tempers [tempers]uint64

	lastFlow uint32
}

// An event is something that a reaction or a cycle showed.
type event int

const (
	eventUHopSaturated event = iota
	eventUZero
	eventTieForMax
	eventLaterHopWins
	eventTauBelowT
	eventAlphaOne
	eventQuotientSaturated
	eventStageKept
	eventStageReset
	eventStageAtLimit
	eventRateSaturated
	eventSameFlow
	eventCommitWraps
	eventFormerLife
	eventFormerLifeFirst
	eventLifeEnds
	eventWithdrawn
	eventAckRefused
	eventResultWaits
	eventDataWaits
	eventAllStreams
	eventReset
	eventResetWithResult
	events
)

var eventNames = [events]string{
	"u_hop_saturated", "u_zero", "tie_for_max", "later_hop_wins", "alpha_below_one", "alpha_one", "quotient_saturated",
	"stage_counts", "stage_returns_to_zero", "stage_at_limit", "rate_saturated", "same_flow_twice", "sequence_wraps",
	"ack_of_a_former_life", "ack_of_a_former_life_before_the_first", "flow_opened_while_open", "ack_withdrawn",
	"ack_refused", "result_waits", "context_data_waits", "four_streams_at_once", "reset", "reset_with_result_waiting",
}

// NewCoverage starts from nothing.
func NewCoverage(cfg *config.NIC) *Coverage {
	c := &Coverage{cfg: cfg, lastFlow: ^uint32(0)}
	for s := range scenarios {
		switch s {
		case FormerLife:
			c.possible[s] = cfg.GenBits > 0
		case PathChange:
			c.possible[s] = cfg.Telemetry.PathIDBits > 0
		case LinkChange:
			c.possible[s] = cfg.Telemetry.LinkIDBits > 0
		case HopsChange, SomeHopsStill, Tie:
			c.possible[s] = cfg.MaxHops > 1
		default:
			c.possible[s] = true
		}
	}
	return c
}

func (c *Coverage) hit(e event, when bool) {
	if when {
		c.events[e]++
	}
}

// ack counts an issued ACK. of is the context of its flow, which an ACK that was rejected has left as it was.
func (c *Coverage) ack(s Scenario, a *hpcc.Ack, r *hpcc.Result, of hpcc.Context) {
	if r.Status == hpcc.StatusRejectedFlow && of.Open {
		c.hit(eventFormerLife, true)
		c.hit(eventFormerLifeFirst, !of.HasTelemetry)
	}
	c.effect[s][r.Status]++
	c.kinds[r.Kind]++
	c.nhop[a.Nhop&15]++
	c.hit(eventSameFlow, a.Flow == c.lastFlow)
	c.hit(eventCommitWraps, r.Kind == hpcc.KindUpdate && a.SndNxt < a.AckSeq)
	c.lastFlow = a.Flow
}

// react counts a reaction.
func (c *Coverage) react(t *hpcc.Taps) {
	f := &c.cfg.Formats
	ties := 0
	for i, u := range t.UHop {
		if t.HopValid[i] {
			c.hit(eventUHopSaturated, u == random.Mask(f.U.Width()))
			if u == t.UMax && u > 0 {
				ties++
			}
		}
	}
	one := uint64(1) << f.Alpha.Frac
	limit := uint32(random.Mask(c.cfg.StageBits))
	c.hit(eventTieForMax, ties > 1)
	c.hit(eventUZero, t.UMax == 0)
	c.hit(eventLaterHopWins, t.ArgMax > 0)
	c.hit(eventTauBelowT, t.Alpha > 0 && t.Alpha < one)
	c.hit(eventAlphaOne, t.Alpha == one)
	c.hit(eventQuotientSaturated, t.Quotient == random.Mask(f.Quot.Width()))
	c.hit(eventRateSaturated, t.Rate == random.Mask(f.Rate.Width()))
	if t.Kind == hpcc.KindUpdate {
		c.hit(eventStageKept, t.Stage > 0)
		c.hit(eventStageReset, t.Stage == 0)
		c.hit(eventStageAtLimit, t.Stage == limit)
	}
}

// cycle counts what the streams did.
func (c *Coverage) cycle(in *hpcc.Inputs, out *hpcc.Outputs) {
	if in.Rst {
		c.events[eventReset]++
		c.hit(eventResetWithResult, out.M.Valid)
		return
	}
	c.hit(eventAckRefused, in.S.Valid && !out.SReady)
	c.hit(eventResultWaits, out.M.Valid && !in.MReady)
	c.hit(eventDataWaits, out.CD.Valid && !in.CDReady)
	if in.TW.Valid {
		if out.TWReady {
			c.tables[in.TW.Payload.Table&15]++
		}
		c.hit(eventAllStreams, in.S.Valid && in.CW.Valid && in.CR.Valid)
	}
}

func (c *Coverage) contextWrite(w *hpcc.ContextWrite, open bool) {
	c.hit(eventLifeEnds, open && w.Mask&hpcc.MaskStart != 0)
	for i := range c.mask {
		if w.Mask>>i&1 == 1 {
			c.mask[i]++
		}
	}
}

func (c *Coverage) phase(g *Generator) {
	c.idle[g.idle.Kind()]++
	c.sinkM[g.sinkM.Kind()]++
	c.sinkCD[g.sinkCD.Kind()]++
	c.mixes[g.mix]++
	c.tempers[g.temper]++
}

// Rows lists everything that this configuration can reach with how often it was.
func (c *Coverage) Rows() []cover.Row {
	var rows []cover.Row
	add := func(format string, n uint64, args ...any) {
		rows = append(rows, cover.Row{Name: fmt.Sprintf(format, args...), Count: n})
	}
	for s := range scenarios {
		if !c.possible[s] {
			continue
		}
		hits := want[s]
		if hits == nil {
			hits = reactions
		}
		if s == Noise {
			hits = []hpcc.Status{hpcc.StatusRejectedHops, hpcc.StatusPathChanged, hpcc.StatusStale, hpcc.StatusIdle, hpcc.StatusRejectedRate, hpcc.StatusFirst}
		}
		n := uint64(0)
		for _, h := range hits {
			n += c.effect[s][h]
		}
		add("scenario %s", n, s)
	}
	for st := range statuses {
		if hpcc.Status(st) == hpcc.StatusPathChanged && !c.possible[PathChange] && !c.possible[LinkChange] && !c.possible[HopsChange] {
			continue
		}
		n := uint64(0)
		for s := range scenarios {
			n += c.effect[s][st]
		}
		add("status %s", n, hpcc.Status(st))
	}
	for k, n := range c.kinds {
		add("kind %s", n, hpcc.Kind(k))
	}
	for n, count := range c.nhop {
		add("nhop %d", count, n)
	}
	for e, n := range c.events {
		if !c.unreachable(event(e)) {
			add("event %s", n, eventNames[e])
		}
	}
	for i, n := range c.mask {
		if i != 0 || c.cfg.Profiles > 1 {
			add("context write %s", n, [...]string{"profile", "u", "wc", "w", "stage", "seq", "start", "close"}[i])
		}
	}
	for t, n := range c.tables[:10] {
		name := fmt.Sprint("table ", t)
		if t == 9 {
			name, n = "table that does not exist", c.absentTables()
		}
		add("%s", n, name)
	}
	for k := range random.PatternKinds {
		add("idle %s", c.idle[k], k)
		add("result sink %s", c.sinkM[k], k)
		add("context data sink %s", c.sinkCD[k], k)
	}
	return rows
}

func (c *Coverage) absentTables() uint64 {
	n := uint64(0)
	for _, v := range c.tables[9:] {
		n += v
	}
	return n
}

// unreachable events depend on the number of hops, or on formats that the stimulus does not fill by design.
func (c *Coverage) unreachable(e event) bool {
	switch e {
	case eventTieForMax, eventLaterHopWins:
		return c.cfg.MaxHops < 2
	case eventCommitWraps:
		return c.cfg.CommitByTime
	case eventWithdrawn:
		return !c.cfg.Serial
	case eventFormerLife, eventFormerLifeFirst:
		return c.cfg.GenBits == 0
	}
	return false
}

// Holes names the rows that were never reached.
func (c *Coverage) Holes() []string { return cover.Holes(c.Rows()) }

// Merge adds what another run has exercised.
func (c *Coverage) Merge(o *Coverage) {
	for s := range c.effect {
		sum(c.effect[s][:], o.effect[s][:])
	}
	sum(c.kinds[:], o.kinds[:])
	sum(c.nhop[:], o.nhop[:])
	sum(c.events[:], o.events[:])
	sum(c.mask[:], o.mask[:])
	sum(c.tables[:], o.tables[:])
	sum(c.idle[:], o.idle[:])
	sum(c.sinkM[:], o.sinkM[:])
	sum(c.sinkCD[:], o.sinkCD[:])
	sum(c.mixes[:], o.mixes[:])
	sum(c.tempers[:], o.tempers[:])
}

func sum(to, from []uint64) {
	for i := range to {
		to[i] += from[i]
	}
}

// String is a table of all rows, the least reached first.
func (c *Coverage) String() string { return cover.Table(c.Rows()) }
