package stimulus

import (
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// temper is the kind of constants that an episode writes.
type temper int

const (
	sane  temper = iota // as a network would have them
	tight               // windows between narrow or equal limits, eta at the ends of its range
	wild                // any bits in any table
	tempers
)

// program queues the table and context writes with which an episode starts.
func (g *Generator) program(rates, flows int) {
	r := &g.r
	codes := r.Perm(g.cfg.RateCodes())
	g.known = g.known[:0]
	for _, c := range codes[:rates] {
		g.known = append(g.known, uint32(c))
	}
	g.used = 1 + r.N(min(g.cfg.Profiles, 3))
	for p := range g.used {
		g.queueProfile(p)
	}
	for _, c := range g.known {
		g.queueRate(c)
	}
	if g.temper == wild {
		for range 20 {
			g.tables = append(g.tables, g.wildWrite())
		}
	}
	indices := map[uint32]bool{}
	for range flows {
		i := uint32(r.N(g.cfg.Flows))
		switch len(indices) { // the ends of the range, always
		case 0:
			i = 0
		case 1:
			i = uint32(g.cfg.Flows - 1)
		}
		if indices[i] {
			continue
		}
		indices[i] = true
		f := &flow{index: i, profile: r.N(g.used), made: -1 << 40}
		g.flows = append(g.flows, f)
	}
	for _, f := range g.flows {
		g.newPath(f)
		g.writes = append(g.writes, g.opening(f))
	}
}

// profile draws the constants of a profile.
func (g *Generator) profile() config.Profile {
	r := &g.r
	lowest, highest := g.cfg.MinRTTTicks, g.cfg.MaxRTTTicks
	t := lowest + r.UpTo(highest-lowest)
	if r.OneIn(2) {
		t = lowest + r.UpTo((highest-lowest)/16)
	}
	p := config.Profile{
		BaseRTTNs: t * g.cfg.Telemetry.TickNs,
		Eta:       big.NewRat(95, 100),
		MaxStage:  r.N(min(6, 1<<g.cfg.StageBits)),
		Fast:      !r.OneIn(6),
	}
	if r.OneIn(4) { // so that the stage counter can reach its end
		p.MaxStage = 1<<g.cfg.StageBits - 1
	}
	rate := g.cfg.RatesBps[r.N(len(g.cfg.RatesBps))]
	top := min(float64(rate)*float64(p.BaseRTTNs)/8e9, float64(random.Mask(g.cfg.Formats.Window.Int)))
	bytes := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	p.WAI, p.WMin, p.WMax = bytes(top*0.05/16), bytes(top/1024), bytes(top)
	if g.temper == tight {
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

func (g *Generator) queueProfile(index int) {
	p := g.profile()
	g.profiles[index] = p
	slack, crossed := g.r.OneIn(3), g.r.OneIn(8)
	writes, err := g.cfg.ProfileEntries(index, p)
	if err != nil { // a value beyond its format: leave the table to random entries
		for t := config.TableRTT; t <= config.TableWMax; t++ {
			writes = append(writes, config.TableWrite{Table: t, Index: index, Data: g.r.Bits(g.cfg.TableEntryBits(t))})
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
			// Less than 1/T: what tau = T weighs is then not what the product says.
			w.Data -= g.r.UpTo(w.Data / 4)
		}
		g.queue(w)
	}
}

// queue queues a write, but for an entry that the episode leaves unwritten.
func (g *Generator) queue(w config.TableWrite) {
	if !leaves(&g.episode, w) {
		g.tables = append(g.tables, w)
	}
}

// queueRate queues the rate's entry and its queue entries for the profiles in use.
func (g *Generator) queueRate(code uint32) {
	bps := g.cfg.RatesBps[g.r.N(len(g.cfg.RatesBps))]
	if w, err := g.cfg.RateEntry(int(code), bps, 1); err == nil {
		g.queue(w)
	}
	for p := range g.used {
		if w, err := g.cfg.QueueEntry(int(code), p, bps, 1, g.profiles[p]); err == nil {
			g.queue(w)
		}
	}
}

// wildWrite is a table write with any index and any data.
func (g *Generator) wildWrite() config.TableWrite {
	r := &g.r
	return config.TableWrite{
		Table: config.Table(r.N(10)), Index: int(r.Next() & random.Mask(g.cfg.TableIndexBits())), Data: r.Bits(g.cfg.TableDataBits()),
	}
}

// rewrite is a table write while ACKs are in flight.
func (g *Generator) rewrite() config.TableWrite {
	r := &g.r
	if g.temper == wild || r.OneIn(8) {
		w := g.wildWrite()
		if g.temper != wild && w.Table < 9 && r.OneIn(2) {
			w.Table += 9 - config.TableRate // no such table: no effect
			w.Table = min(w.Table, 15)
		}
		return w
	}
	switch r.N(4) {
	case 0: // a rate becomes unknown for a while
		code := g.known[r.N(len(g.known))]
		if w, err := g.cfg.ForgetRate(int(code)); err == nil {
			g.queueRate(code)
			return w
		}
	case 1:
		g.queueProfile(r.N(g.used))
	default:
		g.queueRate(g.known[r.N(len(g.known))])
	}
	if len(g.tables) == 0 {
		return g.wildWrite()
	}
	w := g.tables[0]
	g.tables = g.tables[1:]
	return w
}

// opening is the context write that opens a flow.
func (g *Generator) opening(f *flow) hpcc.ContextWrite {
	r, fm := &g.r, &g.cfg.Formats
	w := uint64(0)
	if top, ok := fm.Window.Raw(g.profiles[f.profile].WMax); ok {
		w = top.Uint64()
	}
	return hpcc.ContextWrite{
		Flow: f.index, Mask: ^hpcc.MaskClose, Profile: uint8(f.profile),
		Generation: g.nextLife(f.generation), U: 1 << fm.U.Frac, Wc: w, W: w, Seq: r.Next() & random.Mask(markBits(g.cfg)),
	}
}

// nextLife is a generation for a flow that was in the given one: mostly the next, as software would count.
func (g *Generator) nextLife(last uint8) uint8 {
	next := last + 1
	if g.r.OneIn(4) {
		next = uint8(g.r.Next())
	}
	return next & uint8(random.Mask(g.cfg.GenBits))
}

// someWrite is a context write while ACKs are in flight.
func (g *Generator) someWrite() hpcc.ContextWrite {
	r, fm := &g.r, &g.cfg.Formats
	w := hpcc.ContextWrite{
		Flow:       uint32(r.Next() & random.Mask(g.cfg.FlowBits())),
		Mask:       uint8(1) << r.N(8),
		Generation: uint8(r.Next() & random.Mask(g.cfg.GenBits)),
		Profile:    uint8(r.N(max(g.used, 1))),
		U:          r.Bits(fm.U.Width()),
		Wc:         r.Bits(fm.Window.Width()),
		W:          r.Bits(fm.Window.Width()),
		Stage:      uint32(r.Bits(g.cfg.StageBits)),
		Seq:        r.Next() & random.Mask(markBits(g.cfg)),
	}
	if r.OneIn(3) {
		w.Mask = uint8(r.Next())
	}
	if r.OneIn(2) {
		w.U = min(1<<fm.U.Frac+r.UpTo(64)-32, random.Mask(fm.U.Width()))
	}
	if r.OneIn(4) {
		w.Stage = uint32(random.Mask(g.cfg.StageBits)) - 1
		w.U = r.UpTo(random.Mask(fm.U.Frac)) / 2 // below eta, so that it counts on
	}
	f := g.pick()
	if f == nil || r.OneIn(8) {
		return w
	}
	w.Flow = f.index
	if w.Mask&(hpcc.MaskClose|hpcc.MaskStart) != 0 && r.OneIn(2) {
		g.newPath(f)
		f.profile = r.N(g.used)
		return g.opening(f)
	}
	return w
}

// someCode is a rate code that the episode makes known.
func (g *Generator) someCode() uint32 { return g.known[g.r.N(len(g.known))] }

// unknownCode is one that it does not, when there is one.
func (g *Generator) unknownCode() uint32 {
	for range 8 {
		c := uint32(g.r.N(g.cfg.RateCodes()))
		if !g.isKnown(c) {
			return c
		}
	}
	return g.someCode()
}

func (g *Generator) isKnown(code uint32) bool {
	for _, k := range g.known {
		if k == code {
			return true
		}
	}
	return false
}
