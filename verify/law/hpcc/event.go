package hpcc

import (
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Event makes the next ACK of a flow.
func (d *draw) Event(of *stimulus.Flow, scenario int, a *hpcc.Ack) {
	f := d.flow(of)
	last := *f
	d.advance(f, d.interval(f))
	stored := d.bend(f, &last, Scenario(scenario))
	d.compose(a, f)
	d.bendAck(a, Scenario(scenario))
	if !stored {
		*f = last
		return
	}
	for i := range f.hop[:f.nhop] {
		if f.hop[i].ts == last.hop[i].ts { // such a record is not stored
			f.hop[i].tx, f.hop[i].qlen = last.hop[i].tx, last.hop[i].qlen
		}
	}
	if ahead := (f.ack - f.mark) & random.Mask(d.cfg.SeqBits); ahead >= 1 && ahead>>(d.cfg.SeqBits-1) == 0 {
		f.mark = f.nxt
	}
}

// bend changes the flow's next state to fit the scenario. It reports whether the engine is expected to store the
// records.
func (d *draw) bend(f, last *flow, s Scenario) (stored bool) {
	r, tel := &d.g.R, &d.cfg.Telemetry
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
		d.advance(f, min(d.rtt[f.Profile&(len(d.rtt)-1)]+r.UpTo(2000), half/2))
	case ExactlyT:
		if t := d.rtt[f.Profile&(len(d.rtt)-1)]; t > 0 && t < half {
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
		f.now = (last.now + half - r.UpTo(100)) & random.Mask(d.cfg.ClockBits)
	case FirstStale, Stale:
		back := half
		if s == Stale {
			back = half + 1 + r.UpTo(half-2)
		}
		f.hop[some].ts = (last.hop[some].ts + back) & random.Mask(tel.TSBits)
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
		f.nhop = 1 + (f.nhop+r.N(d.cfg.MaxHops-1))%d.cfg.MaxHops
	case IdleEdge:
		f.now = (last.now + half) & random.Mask(d.cfg.ClockBits)
	case Idle:
		asleep := half + 1 + r.UpTo(3)
		switch r.N(3) {
		case 0:
			asleep = half + 1 + r.UpTo(random.Mask(d.cfg.ClockBits)-half-1)
		case 1: // a time that a narrower clock would take for no idle time at all
			asleep = 1<<(tel.TSBits+r.N(d.cfg.ClockBits-tel.TSBits)) + r.UpTo(half/2)
		}
		f.now = (last.now + asleep) & random.Mask(d.cfg.ClockBits)
	case AckAtMark, AckPastMark, AckFarPast, AckTooFar:
		d.atMark(f, s)
	case UnknownRate, NoRecords, TooManyHops, FormerLife:
		stored = false
	}
	return stored
}

// atMark puts the ACK next to where it starts or stops being a commit.
func (d *draw) atMark(f *flow, s Scenario) {
	if d.cfg.CommitByTime {
		t := d.rtt[f.Profile&(len(d.rtt)-1)]
		f.now = f.mark + t
		if s == AckPastMark || s == AckFarPast {
			f.now++
		}
		f.now &= random.Mask(d.cfg.ClockBits)
		return
	}
	half := uint64(1) << (d.cfg.SeqBits - 1)
	ahead := map[Scenario]uint64{AckAtMark: 0, AckPastMark: 1, AckFarPast: half - 1, AckTooFar: half}[s]
	f.ack = (f.mark + ahead) & random.Mask(d.cfg.SeqBits)
	f.nxt = (f.ack + d.g.R.UpTo(60000)) & random.Mask(d.cfg.SeqBits)
}

// compose writes the flow's state as an ACK.
func (d *draw) compose(a *hpcc.Ack, f *flow) {
	a.AckSeq, a.SndNxt, a.Now = uint32(f.ack), uint32(f.nxt), f.now
	a.Nhop, a.PathID = f.nhop, f.path
	clear(a.Hop[d.cfg.MaxHops:])
	for i := range a.Hop[:d.cfg.MaxHops] {
		h := &f.hop[i]
		a.Hop[i] = hpcc.Record{LinkID: h.link, RateCode: h.code, TS: h.ts, Tx: h.tx, Qlen: h.qlen}
	}
}

// bendAck applies the scenarios that do not show in the flow's state.
func (d *draw) bendAck(a *hpcc.Ack, s Scenario) {
	switch s {
	case NoRecords:
		a.Nhop = 0
	case TooManyHops:
		a.Nhop = d.cfg.MaxHops + 1 + d.g.R.N(15-d.cfg.MaxHops)
	case UnknownRate:
		a.Hop[d.g.R.N(a.Nhop)].RateCode = d.unknownCode()
	}
}

// Noise fills every field of an ACK with random bits.
func (d *draw) Noise(a *hpcc.Ack) {
	r, tel := &d.g.R, &d.cfg.Telemetry
	a.Flow = uint32(r.Next() & random.Mask(d.cfg.FlowBits()))
	a.Generation, a.Tag = uint8(r.Next()&random.Mask(d.cfg.GenBits)), d.g.AnyTag()
	a.AckSeq = uint32(r.Next() & random.Mask(d.cfg.SeqBits))
	a.SndNxt = uint32(r.Next() & random.Mask(d.cfg.SeqBits))
	a.Now = r.Bits(d.cfg.ClockBits)
	a.Nhop = r.N(16)
	a.PathID = uint32(r.Next() & random.Mask(tel.PathIDBits))
	clear(a.Hop[d.cfg.MaxHops:])
	for i := range a.Hop[:d.cfg.MaxHops] {
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

// Header is where the frame's fields of an ACK are.
func (d *draw) Header(a *hpcc.Ack) (flow *uint32, generation *uint8, tag *uint64) {
	return &a.Flow, &a.Generation, &a.Tag
}

// Scribble changes a few fields of an ACK that has no meaning.
func (d *draw) Scribble(a *hpcc.Ack) {
	v := d.g.R.Next()
	a.Flow = uint32(v & random.Mask(d.cfg.FlowBits()))
	a.Nhop = int(v >> 60)
	a.Generation, a.Tag = uint8(v>>24), v
	h := &a.Hop[v>>57&7%uint64(d.cfg.MaxHops)]
	h.TS = v >> 16 & random.Mask(d.cfg.Telemetry.TSBits)
	h.RateCode = uint32(v >> 8 & random.Mask(d.cfg.Telemetry.RateCodeBits))
}
