package lib

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// RoundHalfUp divides x by 2^shift and rounds half up. The result has the width of x less shift plus
// one, for the carry of the rounding.
func RoundHalfUp(name string, x vgen.Signal, shift int) vgen.Signal {
	if shift <= 0 {
		return x.Zext(x.Width() + 1).Named(name)
	}
	if shift > x.Width() {
		return vgen.Const(1, 0)
	}
	half := x.Bit(shift - 1)
	if shift == x.Width() {
		return half
	}
	kept := x.Slice(x.Width()-1, shift)
	w := kept.Width() + 1
	return kept.Zext(w).Add(half.Zext(w)).Named(name)
}

// Saturate narrows x to width bits; what does not fit becomes the largest value.
func Saturate(name string, x vgen.Signal, width int) vgen.Signal {
	if x.Width() <= width {
		return x.Zext(width)
	}
	over := x.Slice(x.Width()-1, width).AnyBit()
	return x.Trunc(width).Or(over.Repeat(width)).Named(name)
}

// RoundSaturated divides x by 2^shift, rounds half up and narrows to width bits; what does not fit becomes the
// largest value. A register ([Pipe.Step]) takes the rounded bits, and whether the bits above are all 0:
// after it, only the carry of the rounding joins them.
func (p *Pipe) RoundSaturated(name string, x Value, shift, width int) Value {
	if shift < 0 || x.Width() <= shift+width {
		v := p.Step(name+"_rounded", x.Stage, RoundHalfUp(name+"_rounding", x.Signal, shift))
		return p.Value(name, v.Stage, Saturate(name+"_saturated", v.Signal, width))
	}
	p.Hint(x.Stage+1, name+": rounded; whether it exceeds the format")
	over := p.Step(name+"_over", x.Stage, x.Slice(x.Width()-1, shift+width).AnyBit())
	low := p.Step(name+"_rounded", x.Stage, RoundHalfUp(name+"_rounding", x.Slice(shift+width-1, 0), shift))
	beyond := over.Or(low.Top()).Named(name + "_beyond")
	return p.Value(name, low.Stage, low.Trunc(width).Or(beyond.Repeat(width)).Named(name+"_saturated"))
}

// SaturatingAdd is a + b in the given width, the largest value when it does not fit.
func SaturatingAdd(name string, a, b vgen.Signal, width int) vgen.Signal {
	w := max(a.Width(), b.Width()) + 1
	return Saturate(name, a.Zext(w).Add(b.Zext(w)).Named(name+"_sum"), width)
}

// Less returns whether a < b, by the borrow of a subtraction: on a carry chain, where a comparison of the
// same width may become a tree of lookup tables.
func Less(name string, a, b vgen.Signal) vgen.Signal {
	w := max(a.Width(), b.Width()) + 1
	return a.Zext(w).Sub(b.Zext(w)).Named(name + "_difference").Top()
}

// Halves cuts x into x / 2^shift, rounded down, and the bit that decides the rounding half up.
func Halves(name string, x vgen.Signal, shift int) (kept, half vgen.Signal) {
	switch {
	case shift <= 0:
		return x, vgen.Const(1, 0)
	case shift < x.Width():
		return x.Slice(x.Width()-1, shift).Named(name), x.Bit(shift - 1)
	case shift == x.Width():
		return vgen.Const(1, 0), x.Top()
	default:
		return vgen.Const(1, 0), vgen.Const(1, 0)
	}
}

// AddCarry is a + b + carry, of the width of a and b, on one carry chain.
func AddCarry(name string, a, b, carry vgen.Signal) vgen.Signal {
	sum := vgen.Cat(a, vgen.Const(1, 1)).Add(vgen.Cat(b, carry)).Named(name)
	return sum.Slice(a.Width(), 1)
}

// Mul is the product of two unsigned values, exact, with the width of both together. The operands are
// cut into limbs that fit a multiplier block; partial products are registered, then added in a tree
// with a register at each level. Where items are further apart than there are partial products, one
// multiplier block takes them one after the other, by square limbs.
func (p *Pipe) Mul(name string, a, b Value, limbs Limbs) Value {
	square := min(limbs.A, limbs.B)
	if n := ceilDiv(a.Width(), square) * ceilDiv(b.Width(), square); n > 1 && n+2 < p.interval {
		return p.mulSerial(name, a, b, square)
	}
	return p.total(name, p.partialProducts(name, a, b, limbs), a.Width()+b.Width())
}

// MulApart is Mul with a register more between the multiplier blocks and the sums: blocks stand where the part has
// them.
func (p *Pipe) MulApart(name string, a, b Value, limbs Limbs) Value {
	if !p.fast {
		return p.Mul(name, a, b, limbs)
	}
	terms := p.partialProducts(name, a, b, limbs)
	for i, t := range terms {
		terms[i].v = p.Later(t.v, t.v.Stage+1)
	}
	return p.total(name, terms, a.Width()+b.Width())
}

// term is a summand times 2^low. Summands of neighbouring orders are added first.
type term struct {
	v          Value
	low, order int
}

// partialProducts are the products of the limbs, a register each.
func (p *Pipe) partialProducts(name string, a, b Value, limbs Limbs) []term {
	stage := max(a.Stage, b.Stage)
	as, bs := p.At(a, stage), p.At(b, stage)
	l := limbs.around(as.Width(), bs.Width())
	if l.blocks(as.Width(), bs.Width()) > 1 {
		p.Hint(stage+1, name+": the products of its limbs")
	} else {
		p.Hint(stage+1, name)
	}
	var terms []term
	for i := 0; i*l.A < as.Width(); i++ {
		x := as.Slice(min((i+1)*l.A, as.Width())-1, i*l.A)
		for j := 0; j*l.B < bs.Width(); j++ {
			y := bs.Slice(min((j+1)*l.B, bs.Width())-1, j*l.B)
			part := p.Reg(fmt.Sprintf("%s_p%d%d", name, i, j), stage, x.Mul(y))
			terms = append(terms, term{part, i*l.A + j*l.B, i*l.A + j*l.B})
		}
	}
	return terms
}

// total is the sum of terms of one stage, in width bits, with a register after each addition.
func (p *Pipe) total(name string, terms []term, width int) Value {
	stage := terms[0].v.Stage - 1
	for level := 1; len(terms) > 1; level++ {
		stage++
		p.Hint(stage+1, fmt.Sprintf("%s: sums, level %d", name, level))
		var next []term
		// Neighbours in weight are added first, so that sums stay narrow.
		for i := 1; i < len(terms); i++ {
			for j := i; j > 0 && terms[j].order < terms[j-1].order; j-- {
				terms[j], terms[j-1] = terms[j-1], terms[j]
			}
		}
		for i := 0; i+1 < len(terms); i += 2 {
			lo, hi := terms[i], terms[i+1]
			shift := hi.low - lo.low
			ls, hs := p.At(lo.v, stage), p.At(hi.v, stage)
			w := min(max(ls.Width(), hs.Width()+shift)+1, width-lo.low)
			var sum vgen.Signal
			if shift == 0 || shift >= ls.Width() {
				sum = shifted(hs, shift).Fit(w).Add(ls.Fit(w))
			} else {
				// The bits below the higher term pass unchanged.
				up := w - shift
				top := hs.Fit(up).Add(ls.Slice(ls.Width()-1, shift).Fit(up))
				sum = vgen.Cat(top, ls.Slice(shift-1, 0))
			}
			v := p.Reg(fmt.Sprintf("%s_l%d_%d", name, level, i/2), stage, sum)
			next = append(next, term{v, lo.low, lo.order})
		}
		if len(terms)%2 == 1 {
			next = append(next, terms[len(terms)-1])
		}
		terms = next
	}
	last := terms[0].v
	s := p.At(last, stage+1)
	return p.Value(name, stage+1, s.Fit(width).Named(name))
}

// ScaledSum is a * b / 2^shift, rounded half up, plus c, exact. c is asked for at the stage at which it is added; the
// last addition passes a register. Where the clock is near the limit of blocks, c and the half that rounds are added
// between the products of the limbs: a stage less than after them.
func (p *Pipe) ScaledSum(name string, a, b Value, c func(stage int) vgen.Signal, shift int, limbs Limbs) Value {
	if !p.fast || p.interval > 1 {
		product := p.Mul(name+"_product", a, b, limbs)
		whole, half := Halves(name+"_whole", product.Signal, shift)
		term := c(product.Stage)
		w := max(whole.Width(), term.Width()) + 1
		return p.Reg(name, product.Stage, AddCarry(name+"_sum", whole.Zext(w), term.Zext(w), half))
	}
	// Products of limbs next to each other in both factors are next to each other in the sum: no addition.
	l := limbs.around(a.Width(), b.Width())
	na, nb := ceilDiv(a.Width(), l.A), ceilDiv(b.Width(), l.B)
	products := p.partialProducts(name, a, b, limbs)
	var terms []term
	for start, first := range products {
		i, j := start/nb, start%nb
		if i > 0 && j > 0 {
			continue
		}
		row := []vgen.Signal{first.v.Signal}
		for i, j = i+1, j+1; i < na && j < nb; i, j = i+1, j+1 {
			row = append([]vgen.Signal{products[i*nb+j].v.Signal}, row...)
		}
		if len(row) > 1 {
			whole := fmt.Sprintf("%s_row%d", name, start/nb-start%nb+nb-1)
			first.v = p.Value(whole, first.v.Stage, vgen.Cat(row...).Named(whole))
		}
		terms = append(terms, first)
	}
	stage := terms[0].v.Stage
	addend, low := c(stage), 0
	if shift > 0 {
		addend, low = vgen.Cat(addend, vgen.Const(1, 1)), shift-1
	}
	terms = append(terms, term{p.Value(name+"_addend", stage, addend), low, 0})
	width := max(a.Width()+b.Width(), low+addend.Width()) + 1
	sum := p.total(name, terms, width)
	return p.Value(name, sum.Stage, sum.Slice(width-1, shift))
}

func shifted(s vgen.Signal, n int) vgen.Signal {
	if n == 0 {
		return s
	}
	return vgen.Cat(s, vgen.Const(n, 0))
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
