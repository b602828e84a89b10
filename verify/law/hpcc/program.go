package hpcc

import (
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// setup draws how many rates are known at the start of an episode.
func setup(cfg *config.NIC) stimulus.Setup {
	return func(r *random.Rand) (rates, writes int) {
		rates = 1 + r.N(min(cfg.RateCodes()-1, 6))
		if r.OneIn(8) {
			rates = cfg.RateCodes() // none unknown
		}
		return rates, 3*(rates+7) + rates
	}
}

// leaves reports whether an episode leaves an entry unwritten. Rates are always written, since telemetry of an unknown
// rate has no effect.
func leaves(e *stimulus.Episode, w config.TableWrite) bool {
	one := 12 // of the seven entries of each profile: more would leave few profiles whole
	if w.Table == config.TableQueue {
		one = 3
	}
	return w.Table != config.TableRate && stimulus.Leaves(e, w, one)
}

// Program queues the table writes with which an episode starts.
func (d *draw) Program(rates int) {
	r := &d.g.R
	clear(d.invB)
	clear(d.rtt)
	d.flows = nil
	codes := r.Perm(d.cfg.RateCodes())
	d.known = d.known[:0]
	for _, c := range codes[:rates] {
		d.known = append(d.known, uint32(c))
	}
	d.g.Used = 1 + r.N(min(d.cfg.Profiles, 3))
	for p := range d.g.Used {
		d.queueProfile(p)
	}
	for _, c := range d.known {
		d.queueRate(c)
	}
	if d.g.Temper == stimulus.Wild {
		for range 20 {
			d.g.Queue(d.WildWrite())
		}
	}
}

// Open gives a flow a new path.
func (d *draw) Open(of *stimulus.Flow) hpcc.ContextWrite {
	f := d.flow(of)
	d.newPath(f)
	return d.opening(f)
}

// profile draws the constants of a profile.
func (d *draw) profile() config.Profile {
	r := &d.g.R
	lowest, highest := d.cfg.MinRTTTicks, d.cfg.MaxRTTTicks
	t := lowest + r.UpTo(highest-lowest)
	if r.OneIn(2) {
		t = lowest + r.UpTo((highest-lowest)/16)
	}
	p := config.Profile{
		BaseRTTNs: t * d.cfg.Telemetry.TickNs,
		Eta:       big.NewRat(95, 100),
		MaxStage:  r.N(min(6, 1<<d.cfg.StageBits)),
		Fast:      !r.OneIn(6),
	}
	if r.OneIn(4) { // so that the stage counter can reach its end
		p.MaxStage = 1<<d.cfg.StageBits - 1
	}
	rate := d.cfg.RatesBps[r.N(len(d.cfg.RatesBps))]
	top := min(float64(rate)*float64(p.BaseRTTNs)/8e9, float64(random.Mask(d.cfg.Formats.Window.Int)))
	bytes := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	p.WAI, p.WMin, p.WMax = bytes(top*0.05/16), bytes(top/1024), bytes(top)
	if d.g.Temper == stimulus.Tight {
		p.Eta = big.NewRat(1+int64(r.N(100)), 100)
		switch r.N(3) {
		case 0:
			p.WMin = p.WMax
		case 1:
			p.WMin, p.WMax = bytes(top*0.4), bytes(top*0.5)
		}
	}
	return p
}

func (d *draw) queueProfile(index int) {
	p := d.profile()
	d.profiles[index] = p
	slack, crossed := d.g.R.OneIn(3), d.g.R.OneIn(8)
	writes, err := d.cfg.ProfileEntries(index, p)
	if err != nil { // a value beyond its format: leave the table to random entries
		for t := config.TableRTT; t <= config.TableWMax; t++ {
			writes = append(writes, config.TableWrite{Table: t, Index: index, Data: d.g.R.Bits(d.cfg.TableEntryBits(t))})
		}
	}
	for _, w := range writes {
		switch {
		case crossed && w.Table == config.TableWMin: // limits the wrong way round
			w.Table = config.TableWMax
		case crossed && w.Table == config.TableWMax:
			w.Table = config.TableWMin
		}
		if slack && w.Table == config.TableInvRTT {
			// Less than 1/T: the weight of tau = T then differs from the product.
			w.Data -= d.g.R.UpTo(w.Data / 4)
		}
		d.queue(w)
	}
}

// queue queues a write, except for an entry that the episode leaves unwritten.
func (d *draw) queue(w config.TableWrite) {
	if !leaves(&d.g.Episode, w) {
		d.g.Queue(w)
	}
}

// queueRate queues the rate's entry and its queue entries for the profiles in use.
func (d *draw) queueRate(code uint32) {
	bps := d.cfg.RatesBps[d.g.R.N(len(d.cfg.RatesBps))]
	if w, err := d.cfg.RateEntry(int(code), bps, 1); err == nil {
		d.queue(w)
	}
	for p := range d.g.Used {
		if w, err := d.cfg.QueueEntry(int(code), p, bps, 1, d.profiles[p]); err == nil {
			d.queue(w)
		}
	}
}

// WildWrite is a table write with any index and any data.
func (d *draw) WildWrite() config.TableWrite {
	r := &d.g.R
	return config.TableWrite{
		Table: config.Table(r.N(10)), Index: int(r.Next() & random.Mask(d.cfg.TableIndexBits())),
		Data: r.Bits(d.cfg.TableDataBits()),
	}
}

// Rewrite is a table write while ACKs are in flight.
func (d *draw) Rewrite() config.TableWrite {
	r := &d.g.R
	if d.g.Temper == stimulus.Wild || r.OneIn(8) {
		w := d.WildWrite()
		if d.g.Temper != stimulus.Wild && w.Table < 9 && r.OneIn(2) {
			w.Table += 9 - config.TableRate // no such table: no effect
			w.Table = min(w.Table, 15)
		}
		return w
	}
	switch r.N(4) {
	case 0: // a rate becomes unknown for a while
		code := d.known[r.N(len(d.known))]
		if w, err := d.cfg.ForgetRate(int(code)); err == nil {
			d.queueRate(code)
			return w
		}
	case 1:
		d.queueProfile(r.N(d.g.Used))
	default:
		d.queueRate(d.known[r.N(len(d.known))])
	}
	if w, ok := d.g.Unqueue(); ok {
		return w
	}
	return d.WildWrite()
}

// opening is the context write that opens a flow.
func (d *draw) opening(f *flow) hpcc.ContextWrite {
	r, fm := &d.g.R, &d.cfg.Formats
	w := uint64(0)
	if top, ok := fm.Window.Raw(d.profiles[f.Profile].WMax); ok {
		w = top.Uint64()
	}
	return hpcc.ContextWrite{
		Flow: f.Index, Mask: ^hpcc.MaskClose, Profile: uint8(f.Profile),
		Generation: d.g.NextLife(f.Generation), U: 1 << fm.U.Frac, Wc: w, W: w, Seq: r.Next() & random.Mask(d.markBits()),
	}
}

// Write is a context write while ACKs are in flight.
func (d *draw) Write() hpcc.ContextWrite {
	r, fm := &d.g.R, &d.cfg.Formats
	w := hpcc.ContextWrite{
		Flow:       uint32(r.Next() & random.Mask(d.cfg.FlowBits())),
		Mask:       uint8(1) << r.N(8),
		Generation: uint8(r.Next() & random.Mask(d.cfg.GenBits)),
		Profile:    uint8(r.N(max(d.g.Used, 1))),
		U:          r.Bits(fm.U.Width()),
		Wc:         r.Bits(fm.Window.Width()),
		W:          r.Bits(fm.Window.Width()),
		Stage:      uint32(r.Bits(d.cfg.StageBits)),
		Seq:        r.Next() & random.Mask(d.markBits()),
	}
	if r.OneIn(3) {
		w.Mask = uint8(r.Next())
	}
	if r.OneIn(2) {
		w.U = min(1<<fm.U.Frac+r.UpTo(64)-32, random.Mask(fm.U.Width()))
	}
	if r.OneIn(4) {
		w.Stage = uint32(random.Mask(d.cfg.StageBits)) - 1
		w.U = r.UpTo(random.Mask(fm.U.Frac)) / 2 // below eta, so that the stage continues to count
	}
	of := d.g.Pick()
	if of == nil || r.OneIn(8) {
		return w
	}
	f := d.flow(of)
	w.Flow = f.Index
	if w.Mask&(hpcc.MaskClose|hpcc.MaskStart) != 0 && r.OneIn(2) {
		d.newPath(f)
		f.Profile = r.N(d.g.Used)
		return d.opening(f)
	}
	return w
}

// someCode is a rate code that the episode makes known.
func (d *draw) someCode() uint32 { return d.known[d.g.R.N(len(d.known))] }

// unknownCode is a rate code that the episode does not know, if there is one.
func (d *draw) unknownCode() uint32 {
	for range 8 {
		c := uint32(d.g.R.N(d.cfg.RateCodes()))
		if !d.isKnown(c) {
			return c
		}
	}
	return d.someCode()
}

func (d *draw) isKnown(code uint32) bool {
	for _, k := range d.known {
		if k == code {
			return true
		}
	}
	return false
}

// AnyWrite is a context write that changes all but whether the flow is closed.
func (d *draw) AnyWrite() hpcc.ContextWrite {
	return hpcc.ContextWrite{
		Flow: uint32(d.g.R.N(d.cfg.Flows)), Mask: ^hpcc.MaskClose, W: d.g.R.Bits(d.cfg.Formats.Window.Width()),
	}
}

// ScribbleWrite changes a context write that has no meaning.
func (d *draw) ScribbleWrite(w *hpcc.ContextWrite) {
	w.Flow, w.Mask, w.U = w.Flow^1, w.Mask+0x41, w.U+0x10001
	w.Generation++
}

// Scope is the frame's part of a context write.
func (d *draw) Scope(w *hpcc.ContextWrite) (s engine.Scope, mask uint8) { return d.scope(w), w.Mask }

// Written notes where a flow's next commit is.
func (d *draw) Written(of *stimulus.Flow, w *hpcc.ContextWrite) {
	if w.Mask&hpcc.MaskSeq != 0 {
		d.flow(of).mark = w.Seq
	}
}

// TableWritten notes rates and round-trip times, from which plausible traffic is derived.
func (d *draw) TableWritten(w config.TableWrite) {
	switch w.Table {
	case config.TableRate:
		d.invB[w.Index&(len(d.invB)-1)] = w.Data & random.Mask(d.cfg.Formats.InvB.Width())
	case config.TableRTT:
		d.rtt[w.Index&(len(d.rtt)-1)] = w.Data & random.Mask(d.cfg.RTTBits)
	}
}

// markBits is the width of lastUpdateSeq, in receiver mode of lastUpdateTime.
func (d *draw) markBits() int {
	if d.cfg.CommitByTime {
		return d.cfg.ClockBits
	}
	return d.cfg.SeqBits
}
