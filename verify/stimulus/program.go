package stimulus

import (
	"math/big"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
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
	codes := r.perm(g.cfg.RateCodes())
	g.known = g.known[:0]
	for _, c := range codes[:rates] {
		g.known = append(g.known, uint32(c))
	}
	g.used = 1 + r.n(min(g.cfg.Profiles, 3))
	for p := range g.used {
		g.queueProfile(p)
	}
	for _, c := range g.known {
		g.queueRate(c)
	}
	if r.oneIn(4) { // entries that nobody writes are zero, whatever they were before the reset
		g.tables = slices.DeleteFunc(g.tables, func(w config.TableWrite) bool {
			return w.Table == config.TableQueue && r.oneIn(3)
		})
	}
	if g.temper == wild {
		for range 20 {
			g.tables = append(g.tables, g.wildWrite())
		}
	}
	indices := map[uint32]bool{}
	for range flows {
		i := uint32(r.n(g.cfg.Flows))
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
		f := &flow{index: i, profile: r.n(g.used), made: -1 << 40}
		g.flows = append(g.flows, f)
	}
	for _, f := range g.flows {
		g.newPath(f)
		g.writes = append(g.writes, g.opening(f))
	}
}

// perm is a random permutation of 0 to n-1.
func (r *random) perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.n(i + 1)
		p[i], p[j] = p[j], i
	}
	return p
}

// profile draws the constants of a profile.
func (g *Generator) profile() config.Profile {
	r := &g.r
	lowest, highest := g.cfg.MinRTTTicks, g.cfg.MaxRTTTicks
	t := lowest + r.upTo(highest-lowest)
	if r.oneIn(2) {
		t = lowest + r.upTo((highest-lowest)/16)
	}
	p := config.Profile{
		BaseRTTNs: t * g.cfg.Telemetry.TickNs,
		Eta:       big.NewRat(95, 100),
		MaxStage:  r.n(min(6, 1<<g.cfg.StageBits)),
		Fast:      !r.oneIn(6),
	}
	if r.oneIn(4) { // so that the stage counter can reach its end
		p.MaxStage = 1<<g.cfg.StageBits - 1
	}
	rate := g.cfg.RatesBps[r.n(len(g.cfg.RatesBps))]
	top := min(float64(rate)*float64(p.BaseRTTNs)/8e9, float64(mask(g.cfg.Formats.Window.Int)))
	bytes := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	p.WAI, p.WMin, p.WMax = bytes(top*0.05/16), bytes(top/1024), bytes(top)
	if g.temper == tight {
		p.Eta = big.NewRat(1+int64(r.n(100)), 100)
		switch r.n(3) {
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
	writes, err := g.cfg.ProfileEntries(index, p)
	if err != nil { // a value beyond its format: leave the table to random entries
		for t := config.TableRTT; t <= config.TableWMax; t++ {
			writes = append(writes, config.TableWrite{Table: t, Index: index, Data: g.r.bits(g.cfg.TableEntryBits(t))})
		}
	}
	g.tables = append(g.tables, writes...)
}

// queueRate queues the rate's entry and its queue entries for the profiles in use.
func (g *Generator) queueRate(code uint32) {
	bps := g.cfg.RatesBps[g.r.n(len(g.cfg.RatesBps))]
	if w, err := g.cfg.RateEntry(int(code), bps, 1); err == nil {
		g.tables = append(g.tables, w)
	}
	for p := range g.used {
		if w, err := g.cfg.QueueEntry(int(code), p, bps, 1, g.profiles[p]); err == nil {
			g.tables = append(g.tables, w)
		}
	}
}

// wildWrite is a table write with any index and any data.
func (g *Generator) wildWrite() config.TableWrite {
	r := &g.r
	return config.TableWrite{
		Table: config.Table(r.n(10)), Index: int(r.next() & mask(g.cfg.TableIndexBits())), Data: r.bits(g.cfg.TableDataBits()),
	}
}

// rewrite is a table write while ACKs are in flight.
func (g *Generator) rewrite() config.TableWrite {
	r := &g.r
	if g.temper == wild || r.oneIn(8) {
		w := g.wildWrite()
		if g.temper != wild && w.Table < 9 && r.oneIn(2) {
			w.Table += 9 - config.TableRate // no such table: no effect
			w.Table = min(w.Table, 15)
		}
		return w
	}
	switch r.n(4) {
	case 0: // a rate becomes unknown for a while
		code := g.known[r.n(len(g.known))]
		if w, err := g.cfg.ForgetRate(int(code)); err == nil {
			g.queueRate(code)
			return w
		}
	case 1:
		g.queueProfile(r.n(g.used))
	default:
		g.queueRate(g.known[r.n(len(g.known))])
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
		U: 1 << fm.U.Frac, Wc: w, W: w, Seq: r.next() & mask(markBits(g.cfg)),
	}
}

// someWrite is a context write while ACKs are in flight.
func (g *Generator) someWrite() hpcc.ContextWrite {
	r, fm := &g.r, &g.cfg.Formats
	w := hpcc.ContextWrite{
		Flow:    uint32(r.next() & mask(g.cfg.FlowBits())),
		Mask:    uint8(1) << r.n(8),
		Profile: uint8(r.n(max(g.used, 1))),
		U:       r.bits(fm.U.Width()),
		Wc:      r.bits(fm.Window.Width()),
		W:       r.bits(fm.Window.Width()),
		Stage:   uint32(r.bits(g.cfg.StageBits)),
		Seq:     r.next() & mask(markBits(g.cfg)),
	}
	if r.oneIn(3) {
		w.Mask = uint8(r.next())
	}
	if r.oneIn(2) {
		w.U = min(1<<fm.U.Frac+r.upTo(64)-32, mask(fm.U.Width()))
	}
	if r.oneIn(4) {
		w.Stage = uint32(mask(g.cfg.StageBits)) - 1
		w.U = r.upTo(mask(fm.U.Frac)) / 2 // below eta, so that it counts on
	}
	f := g.pick()
	if f == nil || r.oneIn(8) {
		return w
	}
	w.Flow = f.index
	if w.Mask&(hpcc.MaskClose|hpcc.MaskStart) != 0 && r.oneIn(2) {
		g.newPath(f)
		f.profile = r.n(g.used)
		return g.opening(f)
	}
	return w
}

// someCode is a rate code that the episode makes known.
func (g *Generator) someCode() uint32 { return g.known[g.r.n(len(g.known))] }

// unknownCode is one that it does not, when there is one.
func (g *Generator) unknownCode() uint32 {
	for range 8 {
		c := uint32(g.r.n(g.cfg.RateCodes()))
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
