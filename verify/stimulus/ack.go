package stimulus

import (
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// makeAck makes the next ACK of stream s and says what it is meant to be. While no flow is open it mostly makes none.
func (g *Generator) makeAck(a *hpcc.Ack) (Scenario, bool) {
	r := &g.r
	scenario := Plain
	if g.corners > 0 && r.OneIn(g.corners) {
		scenario = Scenario(r.N(int(scenarios)))
		if !g.cov.possible[scenario] {
			scenario = Plain
		}
	}
	f := g.pick()
	if f == nil {
		if !r.OneIn(16) {
			return Plain, false
		}
		scenario = BadFlow
	}
	if scenario == BadFlow {
		g.badFlow(a)
		return BadFlow, true
	}
	if g.cycle-f.made > int64(g.settled) {
		c := g.peek(f.index)
		f.refresh(&c)
	}
	f.made = g.cycle
	if scenario == Noise {
		g.noise(a)
		a.Flow = f.index
		return Noise, true
	}
	last := *f
	g.advance(f, g.interval(f))
	stored := g.bend(f, &last, scenario)
	g.compose(a, f)
	g.bendAck(a, scenario)
	if !stored {
		*f = last
		return scenario, true
	}
	for i := range f.hop[:f.nhop] {
		if f.hop[i].ts == last.hop[i].ts { // such a record is not stored
			f.hop[i].tx, f.hop[i].qlen = last.hop[i].tx, last.hop[i].qlen
		}
	}
	if d := (f.ack - f.mark) & random.Mask(g.cfg.SeqBits); d >= 1 && d>>(g.cfg.SeqBits-1) == 0 {
		f.mark = f.nxt
	}
	return scenario, true
}

// bend turns the flow's next state into what the scenario asks for. It returns whether the engine will
// store the records, as far as the generator knows.
func (g *Generator) bend(f, last *flow, s Scenario) (stored bool) {
	r, tel := &g.r, &g.cfg.Telemetry
	half := uint64(1) << (tel.TSBits - 1)
	tsAt := func(dts uint64) {
		for i := range f.hop[:f.nhop] {
			f.hop[i].ts = (last.hop[i].ts + dts) & random.Mask(tel.TSBits)
		}
	}
	some := r.N(f.nhop) // one hop that the scenario surely concerns
	stored = true
	switch s {
	case LongGap:
		*f = *last
		g.advance(f, min(g.rtt[f.profile&(len(g.rtt)-1)]+r.UpTo(2000), half/2))
	case ExactlyT:
		if t := g.rtt[f.profile&(len(g.rtt)-1)]; t > 0 && t < half {
			tsAt(t)
		}
	case SomeHopsStill:
		for i := range f.hop[:f.nhop] {
			if i == some || r.OneIn(3) {
				f.hop[i].ts = last.hop[i].ts
			}
		}
	case AllHopsStill:
		tsAt(0)
		stored = false
	case OneTick:
		tsAt(1)
	case LastForward:
		tsAt(half - 1)
		f.now = (last.now + half - r.UpTo(100)) & random.Mask(g.cfg.ClockBits)
	case FirstStale, Stale:
		d := half
		if s == Stale {
			d = half + 1 + r.UpTo(half-2)
		}
		f.hop[some].ts = (last.hop[some].ts + d) & random.Mask(tel.TSBits)
		stored = false
	case Tie:
		// Twice the bytes in twice the time: equal u', but another tau.
		l0 := last.hop[some]
		dts, dtx := (f.hop[some].ts-l0.ts)&random.Mask(tel.TSBits), (f.hop[some].tx-l0.tx)&random.Mask(tel.TxBits)
		code := f.hop[some].code
		for i := range f.hop[:f.nhop] {
			h, l := &f.hop[i], &last.hop[i]
			k := 1 + r.UpTo(2)
			if k*dts >= half || k*dtx > random.Mask(tel.TxBits) {
				k = 1
			}
			h.code, h.qlen = code, 0
			h.ts, h.tx = (l.ts+k*dts)&random.Mask(tel.TSBits), (l.tx+k*dtx)&random.Mask(tel.TxBits)
		}
	case EmptyQueues, FullQueues:
		for i := range f.hop[:f.nhop] {
			f.hop[i].qlen = 0
			if s == FullQueues {
				f.hop[i].qlen = uint32(random.Mask(tel.QlenBits))
			}
		}
	case Flood:
		for i := range f.hop[:f.nhop] {
			if i == some || r.OneIn(2) {
				f.hop[i].ts = (last.hop[i].ts + 1 + r.UpTo(2)) & random.Mask(tel.TSBits)
				f.hop[i].tx = (last.hop[i].tx - 1 - r.UpTo(3)) & random.Mask(tel.TxBits)
				f.hop[i].qlen = uint32(random.Mask(tel.QlenBits))
			}
		}
	case Silence:
		for i := range f.hop[:f.nhop] {
			f.hop[i].tx, f.hop[i].qlen = last.hop[i].tx, 0
		}
	case PathChange:
		f.path = uint32((uint64(f.path) ^ 1<<r.N(tel.PathIDBits)) & random.Mask(tel.PathIDBits))
	case LinkChange:
		f.hop[some].link ^= 1 << r.N(tel.LinkIDBits)
	case HopsChange:
		f.nhop = 1 + (f.nhop+r.N(g.cfg.MaxHops-1))%g.cfg.MaxHops
	case IdleEdge:
		f.now = (last.now + half) & random.Mask(g.cfg.ClockBits)
	case Idle:
		asleep := half + 1 + r.UpTo(3)
		switch r.N(3) {
		case 0:
			asleep = half + 1 + r.UpTo(random.Mask(g.cfg.ClockBits)-half-1)
		case 1: // what a narrower clock would take for no sleep at all
			asleep = 1<<(tel.TSBits+r.N(g.cfg.ClockBits-tel.TSBits)) + r.UpTo(half/2)
		}
		f.now = (last.now + asleep) & random.Mask(g.cfg.ClockBits)
	case AckAtMark, AckPastMark, AckFarPast, AckTooFar:
		g.atMark(f, s)
	case UnknownRate, NoRecords, TooManyHops, FormerLife:
		stored = false
	}
	return stored
}

// atMark puts the ACK next to where it starts or stops being a commit.
func (g *Generator) atMark(f *flow, s Scenario) {
	if g.cfg.CommitByTime {
		t := g.rtt[f.profile&(len(g.rtt)-1)]
		f.now = f.mark + t
		if s == AckPastMark || s == AckFarPast {
			f.now++
		}
		f.now &= random.Mask(g.cfg.ClockBits)
		return
	}
	half := uint64(1) << (g.cfg.SeqBits - 1)
	d := map[Scenario]uint64{AckAtMark: 0, AckPastMark: 1, AckFarPast: half - 1, AckTooFar: half}[s]
	f.ack = (f.mark + d) & random.Mask(g.cfg.SeqBits)
	f.nxt = (f.ack + g.r.UpTo(60000)) & random.Mask(g.cfg.SeqBits)
}

// compose writes the flow's state as an ACK.
func (g *Generator) compose(a *hpcc.Ack, f *flow) {
	a.Flow, a.AckSeq, a.SndNxt, a.Now = f.index, uint32(f.ack), uint32(f.nxt), f.now
	a.Generation, a.Tag = f.generation, g.tag()
	a.Nhop, a.PathID = f.nhop, f.path
	clear(a.Hop[g.cfg.MaxHops:])
	for i := range a.Hop[:g.cfg.MaxHops] {
		h := &f.hop[i]
		a.Hop[i] = hpcc.Record{LinkID: h.link, RateCode: h.code, TS: h.ts, Tx: h.tx, Qlen: h.qlen}
	}
}

// bendAck applies the scenarios that do not show in the flow's state.
func (g *Generator) bendAck(a *hpcc.Ack, s Scenario) {
	switch s {
	case NoRecords:
		a.Nhop = 0
	case TooManyHops:
		a.Nhop = g.cfg.MaxHops + 1 + g.r.N(15-g.cfg.MaxHops)
	case FormerLife:
		a.Generation = (a.Generation - 1 - uint8(g.r.N(1<<g.cfg.GenBits-1))) & uint8(random.Mask(g.cfg.GenBits))
	case UnknownRate:
		a.Hop[g.r.N(a.Nhop)].RateCode = g.unknownCode()
	}
}

// badFlow is an ACK of a flow that is not open or beyond the contexts.
func (g *Generator) badFlow(a *hpcc.Ack) {
	g.noise(a)
	if beyond := 1<<g.cfg.FlowBits() - g.cfg.Flows; beyond > 0 && g.r.OneIn(2) {
		a.Flow = uint32(g.cfg.Flows + g.r.N(beyond))
		return
	}
	for range 4 {
		a.Flow = uint32(g.r.N(g.cfg.Flows))
		if !g.peek(a.Flow).Open {
			return
		}
	}
}

// tag is one that no other ACK is likely to have.
func (g *Generator) tag() uint64 {
	if g.cfg.TagBits == 0 {
		return 0
	}
	return g.r.Next() & random.Mask(g.cfg.TagBits)
}

// noise fills every field of an ACK with random bits.
func (g *Generator) noise(a *hpcc.Ack) {
	r, tel := &g.r, &g.cfg.Telemetry
	a.Flow = uint32(r.Next() & random.Mask(g.cfg.FlowBits()))
	a.Generation, a.Tag = uint8(r.Next()&random.Mask(g.cfg.GenBits)), g.tag()
	a.AckSeq = uint32(r.Next() & random.Mask(g.cfg.SeqBits))
	a.SndNxt = uint32(r.Next() & random.Mask(g.cfg.SeqBits))
	a.Now = r.Bits(g.cfg.ClockBits)
	a.Nhop = r.N(16)
	a.PathID = uint32(r.Next() & random.Mask(tel.PathIDBits))
	clear(a.Hop[g.cfg.MaxHops:])
	for i := range a.Hop[:g.cfg.MaxHops] {
		v := r.Next()
		a.Hop[i] = hpcc.Record{
			LinkID:   uint32(v & random.Mask(tel.LinkIDBits)),
			RateCode: uint32(v >> 32 & random.Mask(tel.RateCodeBits)),
			TS:       r.Next() & random.Mask(tel.TSBits),
			Tx:       r.Next() & random.Mask(tel.TxBits),
			Qlen:     uint32(v >> 24 & random.Mask(tel.QlenBits)),
		}
	}
}
