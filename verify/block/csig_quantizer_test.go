package block

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	model "github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
)

// quantizer is a quantizer against the golden model's code, saturated at the block's width; a step of 0 is not legal and becomes 1.
func quantizer(width, codeBits int, operands Operands) *Unit {
	name := fmt.Sprintf("quantizer_%d_%d", width, codeBits)
	legal := func(r *rand.Rand, n int64, op []wide.Uint128) bool {
		more := operands(r, n, op)
		op[2].Lo = max(op[2].Lo, 1)
		return more
	}
	return Pipeline(name, csig.Quantizer(name, width, codeBits), legal, func(op, out []wide.Uint128) {
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

// atQuotientEdges draws values at the edges of a quotient: an exact multiple of the step above the base, plus and minus one, also
// around the largest code, and below the base.
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

func TestQuantizer(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			small := []*Unit{
				quantizer(2, 1, Every(2, 2, 2)), quantizer(4, 1, Every(4, 4, 4)), quantizer(4, 3, Every(4, 4, 4)),
				quantizer(5, 2, Every(5, 5, 5)), quantizer(5, 4, Every(5, 5, 5)), quantizer(6, 3, Every(6, 6, 6)),
			}
			cycles, wideCycles := int64(900_000), int64(400_000)
			if e == "go" || testing.Short() {
				small, cycles, wideCycles = small[:5], 120_000, 20_000
			}
			run(t, small, Options{Engine: e, Cycles: cycles, Seed: 1})
			for _, u := range small {
				assert.True(t, u.Finished(), "%s: not every operand was tried", u.Name)
			}
			run(t, []*Unit{quantizer(32, 20, atQuotientEdges(32, 20)), quantizer(20, 12, atQuotientEdges(20, 12))},
				Options{Engine: e, Cycles: wideCycles, Seed: 2, Resets: true})
		})
	}
}
