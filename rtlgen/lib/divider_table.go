package lib

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// normalised is a denominator written as m * 2^e with 1 <= m < 2.
type normalised struct {
	mant  Value // m with DenBits-1 fraction bits; its top bit is 0 only for a denominator of 0
	lead  Value // leading zeros of the denominator: DenBits-1-e
	fracs int   // DenBits-1
}

// normalise shifts the leading one of den to the top, one power of two a stage.
func normalise(p *Pipe, den vgen.Signal) normalised {
	w := den.Width()
	levels := bits.Len(uint(w - 1))
	cur := p.Value("norm", 0, den)
	var shifts []Value // one bit a level, the largest shift first
	for stage := range levels {
		by := 1 << (levels - 1 - stage)
		s := p.At(cur, stage)
		empty := s.Slice(w-1, max(0, w-by)).AnyBit().Not().Named(fmt.Sprintf("top_%d_empty", by))
		shifts = append(shifts, p.Reg(fmt.Sprintf("shift_%d", by), stage, empty))
		cur = p.Reg("norm", stage, vgen.Mux(empty, s.Shl(by), s))
		p.Hint(stage+1, fmt.Sprintf("the denominator, moved up by %s where these are 0", bitsText(by)))
	}
	lead := vgen.Const(1, 0)
	if levels > 0 {
		parts := make([]vgen.Signal, levels)
		for i, v := range shifts {
			parts[i] = p.At(v, levels)
		}
		lead = vgen.Cat(parts...).Named("leading_zeros")
	}
	return normalised{mant: cur, lead: p.Value("leading_zeros", levels, lead), fracs: w - 1}
}

// fraction is the topmost n fraction bits of the mantissa, zero bits below where it has fewer.
func (n normalised) fraction(mant vgen.Signal, count int) vgen.Signal {
	switch {
	case n.fracs == 0:
		return vgen.Const(count, 0)
	case n.fracs >= count:
		return mant.Slice(n.fracs-1, n.fracs-count)
	default:
		return vgen.Cat(mant.Slice(n.fracs-1, 0), vgen.Const(count-n.fracs, 0)).Named(fmt.Sprintf("fraction%d", count))
	}
}

// bitsText is "1 bit", "2 bits".
func bitsText(n int) string {
	if n == 1 {
		return "1 bit"
	}
	return fmt.Sprintf("%d bits", n)
}

// finish multiplies the numerator by the reciprocal x (xFrac fraction bits), undoes the
// normalisation, rounds and saturates.
func finish(p *Pipe, s DividerShape, num vgen.Signal, x Value, xFrac int, n normalised, limbs Limbs) Value {
	product := p.Mul("product", p.Value("num", 0, num), x, limbs)
	stage := product.Stage
	// One bit below the quotient's last is kept for the rounding.
	drop := xFrac - s.Shift - 1
	cur := product.Signal
	if drop > 0 {
		cur = cur.Slice(cur.Width()-1, drop)
	} else if drop < 0 {
		cur = vgen.Cat(cur, vgen.Const(-drop, 0))
	}
	zero := p.Reg("zero", n.mant.Stage, n.mant.Top().Not())
	if n.fracs == 0 {
		p.Hold("held", stage, zero)
	} else {
		// The exponent is fracs minus the leading zeros.
		expBits := bits.Len(uint(n.fracs))
		exp := p.Reg("exponent", n.lead.Stage, vgen.Const(expBits, uint64(n.fracs)).Sub(n.lead.Signal.Fit(expBits)))
		p.Hold("held", stage, exp, zero)
		v := p.Value("scaled", stage, cur.Named("scaled"))
		for k := expBits - 1; k >= 0; k-- {
			by := 1 << k
			here := p.At(v, stage)
			moved := vgen.Const(here.Width(), 0)
			if by < here.Width() {
				moved = here.Shr(by)
			}
			v = p.Reg("scaled", stage, vgen.Mux(p.At(exp, stage).Bit(k), moved, here))
			stage++
			p.Hint(stage, fmt.Sprintf("the product, shifted right by %s if the exponent asks for it", bitsText(by)))
		}
		cur = v.Signal
	}
	wide := max(cur.Width(), s.QuotBits+1)
	if cur.Width() < wide {
		cur = cur.Zext(wide).Named("quotient_wide")
	}
	q := Saturate("quotient_saturated", RoundHalfUp("quotient_rounded", cur, 1), s.QuotBits)
	p.Hint(stage+1, "the quotient, rounded half up; saturated, also when the divisor is 0")
	return p.Reg("quot", stage, q.Or(p.At(zero, stage).Repeat(s.QuotBits)))
}

// geometric is the published reciprocal table over one octave: neighbouring entries differ by eps.
type geometric struct {
	indexBits int
	bounds    []uint64 // 2^indexBits * 2^(j/K), rounded up
	entries   []uint64 // reciprocals, entryBits fraction bits
}

func newGeometric(cfg config.Divider) geometric {
	k := int(math.Ceil(math.Ln2 / math.Log1p(cfg.Eps)))
	g := geometric{indexBits: cfg.IndexBits, bounds: make([]uint64, k+1), entries: make([]uint64, k)}
	for j := range g.bounds {
		g.bounds[j] = uint64(math.Ceil(math.Exp2(float64(cfg.IndexBits) + float64(j)/float64(k))))
	}
	g.bounds[k] = 1 << (cfg.IndexBits + 1)
	for j := range g.entries {
		sum := g.bounds[j] + g.bounds[j+1]
		num := uint64(1) << (cfg.EntryBits + cfg.IndexBits + 1)
		g.entries[j] = (2*num + sum) / (2 * sum)
	}
	return g
}

// cells groups the index so that no group holds more than one boundary in its inside: the width of a
// group's number, and for each group the offset from which the second entry holds.
func (g geometric) cells() (cellBits int, offset, low, high []uint64) {
	for cellBits = 0; cellBits <= g.indexBits; cellBits++ {
		size := uint64(1) << (g.indexBits - cellBits)
		offset, low, high = nil, nil, nil
		ok := true
		j := 0
		for c := uint64(0); c < 1<<cellBits && ok; c++ {
			start := uint64(1)<<g.indexBits + c*size
			for j+1 < len(g.entries) && g.bounds[j+1] <= start {
				j++
			}
			lo, hi, off := g.entries[j], g.entries[j], uint64(0)
			if j+1 < len(g.entries) && g.bounds[j+1] < start+size {
				off, hi = g.bounds[j+1]-start, g.entries[j+1]
				ok = j+2 >= len(g.entries) || g.bounds[j+2] >= start+size
			}
			offset, low, high = append(offset, off), append(low, lo), append(high, hi)
		}
		if ok {
			return cellBits, offset, low, high
		}
	}
	return g.indexBits, offset, low, high
}

// tableDivider multiplies by a reciprocal read from the geometric table.
func tableDivider(name string, cfg config.Divider, s DividerShape, limbs Limbs) *vgen.Module {
	g := newGeometric(cfg)
	m := vgen.NewModule(name, "Divider by multiplication with a reciprocal from a table of geometric spacing")
	s.doc(m, "the product rounded half up")
	m.Doc(fmt.Sprintf("The table has %d reciprocals over one octave, neighbours %g%% apart, %d fraction bits each;",
		len(g.entries), cfg.Eps*100, cfg.EntryBits),
		"a row holds the two reciprocals that its range of denominators needs and the offset that separates them.")
	ports := s.ports(m, false)
	p := NewPipe(m)
	p.Fast()
	n := normalise(p, ports.Den)

	cellBits, offset, low, high := g.cells()
	cellBits = max(cellBits, 1)
	within := g.indexBits - cellBits
	offBits := max(within, 1)
	entryBits := cfg.EntryBits + 1
	rows := make([]vgen.Signal, len(offset)) // up to 82 bits each
	for c := range rows {
		rows[c] = vgen.Cat(vgen.Const(offBits, offset[c]), vgen.Const(entryBits, low[c]), vgen.Const(entryBits, high[c]))
	}
	rom := m.ROM("reciprocal", offBits+2*entryBits, rows)
	frac := n.fraction(n.mant.Signal, g.indexBits)
	p.Hint(n.mant.Stage+1, "the row of the table, indexed by the top bits of the mantissa; the exponent")
	p.Hint(n.mant.Stage+3, "the reciprocal: the row's second one from its offset on")
	// An output register of its own for the ROM: block RAM has one inside, and is slow without it.
	row := p.Reg("row", n.mant.Stage+1, rom.Read("row_q", frac.Slice(g.indexBits-1, within)))
	rowLow := row.Slice(2*entryBits-1, entryBits)
	rowHigh := row.Slice(entryBits-1, 0)
	x := rowLow
	if within > 0 {
		inCell := p.Reg("in_cell", n.mant.Stage, frac.Slice(within-1, 0))
		x = vgen.Mux(p.At(inCell, row.Stage).Ge(row.Slice(2*entryBits+offBits-1, 2*entryBits)), rowHigh, rowLow)
	}
	recip := p.Reg("recip", row.Stage, x)
	quot := finish(p, s, ports.Num, recip, cfg.EntryBits, n, limbs)
	return s.close(m, ports, quot)
}
