package hpcc

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// flow is what the generator believes of a flow: what its last stored records were, and where its
// sequence numbers stand.
type flow struct {
	*stimulus.Flow
	ack, nxt uint64
	mark     uint64 // lastUpdateSeq, or lastUpdateTime
	now      uint64
	path     uint32
	nhop     int
	load     int // of its links, in 256ths
	hop      [hpcc.MaxHops]hop
}

// hop is the stored record of a hop, and the rate code that its next record will have.
type hop struct {
	link, code uint32
	ts, tx     uint64
	qlen       uint32
}

// flow is the state of a flow of the episode.
func (d *draw) flow(of *stimulus.Flow) *flow {
	for len(d.flows) <= of.Number {
		d.flows = append(d.flows, flow{})
	}
	f := &d.flows[of.Number]
	f.Flow = of
	return f
}

// Refresh copies the engine's stored state.
func (d *draw) Refresh(of *stimulus.Flow) {
	f, c := d.flow(of), d.peek(of.Index)
	f.Open, f.Generation = c.Open, c.Generation
	f.Profile = int(c.Profile)
	f.mark = c.Seq
	if !c.HasTelemetry {
		return
	}
	f.now = c.LastTime
	f.path, f.nhop = c.PathID, int(c.Nhop)
	for i := range f.nhop {
		h, l := &f.hop[i], &c.L[i]
		h.link, h.ts, h.tx, h.qlen = l.LinkID, l.TS, l.Tx, l.Qlen
	}
}

// newPath gives the flow a path of its own: links, rates, counters that start anywhere.
func (d *draw) newPath(f *flow) {
	r, tel := &d.g.R, &d.cfg.Telemetry
	f.nhop = 1 + r.N(d.cfg.MaxHops)
	if !r.OneIn(4) {
		f.nhop = d.cfg.MaxHops
	}
	f.path = uint32(r.Next() & random.Mask(tel.PathIDBits))
	f.load = r.N(320)
	f.now = r.Next() & random.Mask(d.cfg.ClockBits)
	f.ack = r.Next() & random.Mask(d.cfg.SeqBits)
	if r.OneIn(4) { // about to wrap
		f.now = random.Mask(d.cfg.ClockBits) - r.UpTo(1000)
		f.ack = random.Mask(d.cfg.SeqBits) - r.UpTo(20000)
	}
	f.nxt = f.ack
	for i := range f.hop[:d.cfg.MaxHops] {
		h := &f.hop[i]
		h.link = uint32(r.Next() & random.Mask(tel.LinkIDBits))
		h.code = d.someCode()
		h.ts = r.Bits(tel.TSBits)
		h.tx = r.Bits(tel.TxBits)
		h.qlen = 0
	}
}

// advance moves the flow to its next ACK as a network would: dt ticks later, with traffic according to the
// load of its links.
func (d *draw) advance(f *flow, dt uint64) {
	r, tel := &d.g.R, &d.cfg.Telemetry
	f.now = (f.now + dt + r.UpTo(3)) & random.Mask(d.cfg.ClockBits)
	f.load = min(max(f.load+r.N(33)-16, 0), 400)
	for i := range f.hop[:f.nhop] {
		h := &f.hop[i]
		dts := dt
		if r.OneIn(2) { // queueing moves the timestamps of neighbouring ACKs against each other
			dts = max(1, dts+r.UpTo(dt/4+1)-dt/8)
		}
		dts = min(dts, 1<<(tel.TSBits-1)-1)
		h.ts = (h.ts + dts) & random.Mask(tel.TSBits)
		h.tx = (h.tx + d.units(dts, f.load, h.code) + r.UpTo(1)) & random.Mask(tel.TxBits)
		switch r.N(8) {
		case 0, 1, 2:
			h.qlen = 0
		case 3:
			h.qlen = uint32(r.Bits(tel.QlenBits))
		default:
			h.qlen = uint32((uint64(h.qlen) + r.UpTo(40)) & random.Mask(tel.QlenBits))
		}
	}
	f.ack = (f.ack + r.UpTo(4000)) & random.Mask(d.cfg.SeqBits)
	f.nxt = (f.ack + r.UpTo(60000)) & random.Mask(d.cfg.SeqBits)
}

// units is how much a link with the given load, in 256ths, sends in dts ticks.
func (d *draw) units(dts uint64, load int, code uint32) uint64 {
	perUnit := d.invB[code] // ticks, with InvB's fraction bits
	if perUnit == 0 {
		return d.g.R.Bits(d.cfg.Telemetry.TxBits)
	}
	// InvB may have more fraction bits than a word.
	frac := d.cfg.Formats.InvB.Frac
	shift := min(frac, 63)
	perUnit = max(perUnit>>(frac-shift), 1)
	high, low := bits.Mul64(dts*uint64(load), 1<<shift)
	if high >= perUnit { // more than any width of tx
		return random.Mask(64)
	}
	units, _ := bits.Div64(high, low, perUnit)
	return units >> 8
}

// interval is a plausible time between two ACKs of the flow.
func (d *draw) interval(f *flow) uint64 {
	t := max(d.rtt[f.Profile&(len(d.rtt)-1)], 8)
	switch d.g.R.N(8) {
	case 0:
		return 1 + d.g.R.UpTo(2*t)
	case 1:
		return 1 + d.g.R.UpTo(7)
	}
	return 1 + d.g.R.UpTo(t/8)
}
