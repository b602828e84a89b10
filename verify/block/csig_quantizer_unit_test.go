package block

import (
	"math/rand/v2"

	model "github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/wide"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
)

// Quantizer is a quantizer against the golden model's code, saturated at the block's width, as a unit. With every
// set, all operands are tried, once; otherwise they are drawn, at the edges of quotients. A step of 0 is not legal
// and becomes 1.
func Quantizer(name string, width, codeBits, interval int, every bool) *Unit {
	operands := atQuotientEdges(width, codeBits)
	if every {
		operands = Every(width, width, width)
	}
	m := rtl.Quantizer(name, width, codeBits, interval)
	legal := func(r *rand.Rand, n int64, op []wide.Uint128) bool {
		more := operands(r, n, op)
		op[2].Lo = max(op[2].Lo, 1)
		return more
	}
	return Pipeline(name, m, legal, func(op, out []wide.Uint128) {
		value, base, step := op[0].Lo, op[1].Lo, op[2].Lo
		code := uint64(0)
		if value >= base {
			code = min((value-base)/step, 1<<codeBits-1)
		}
		if codeBits == 20 {
			code = uint64(model.Quantizer{Base: base, Step: step}.Code(value))
		}
		out[0] = wide.From(code)
	})
}

// atQuotientEdges draws values at the edges of a quotient: an exact multiple of the step above the base, plus and
// minus one, also around the largest code, and below the base.
func atQuotientEdges(width, codeBits int) Operands {
	limit := wide.Mask(width)
	return func(r *rand.Rand, n int64, op []wide.Uint128) bool {
		base, step := draw(r, width).Lo, max(1, draw(r, width).Lo)
		if n%2 == 0 { // steps with which the largest code can be reached
			step = max(1, step>>r.IntN(width))
			base >>= r.IntN(width)
		}
		quot := draw(r, codeBits).Lo
		if r.IntN(3) == 0 {
			quot = 1<<codeBits - 2 + uint64(r.IntN(4))
		}
		value := base + step*quot + uint64(r.IntN(3)) - 1
		if r.IntN(8) == 0 {
			value = base + uint64(r.IntN(3)) - 1
		}
		if r.IntN(8) == 0 {
			value = draw(r, width).Lo
		}
		op[0], op[1], op[2] = wide.From(value&limit), wide.From(base&limit), wide.From(step&limit)
		return true
	}
}
