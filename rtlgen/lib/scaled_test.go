package lib_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type scaledPorts struct {
	A   vgen.Signal `port:"a" dir:"in" width:"a" doc:"factor"`
	B   vgen.Signal `port:"b" dir:"in" width:"b" doc:"factor"`
	C   vgen.Signal `port:"c" dir:"in" width:"c" doc:"term"`
	Sum vgen.Signal `port:"sum" dir:"out" width:"sum" doc:"a b / 2^shift + c"`
	Sat vgen.Signal `port:"sat" dir:"out" width:"sat" doc:"a b / 2^shift, saturated"`
}

// Scaled sums and saturated products are exact in each width, with and without registers between blocks, and are
// there at the stage that they tell.
func TestScaledSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		wa, wb, wc, narrow := width("a", 40), width("b", 40), width("c", 50), width("sat", 40)
		limbs := lib.Limbs{A: rapid.IntRange(8, 26).Draw(t, "limb_a"), B: rapid.IntRange(8, 18).Draw(t, "limb_b")}
		shift := rapid.IntRange(0, wa+wb-1).Draw(t, "shift")
		m := vgen.NewModule("scaled", "scaled sum")
		p := lib.NewPipe(m)
		if rapid.Bool().Draw(t, "fast") {
			p.Fast()
		}
		// The outputs are wide enough for any result: narrower ones are extended.
		sumBits := max(wa+wb, shift+wc) + 3
		ports := vgen.Ports[scaledPorts](m, vgen.Widths{"a": wa, "b": wb, "c": wc, "sum": sumBits, "sat": narrow})
		a, b, c := p.Value("a", 0, ports.A), p.Value("b", 0, ports.B), p.Value("c", 0, ports.C)
		sum := p.ScaledSum("scaled_sum", a, b, func(stage int) vgen.Signal { return p.At(c, stage) }, shift, limbs)
		sat := p.RoundSaturated("narrowed", p.MulApart("product", a, b, limbs), shift, narrow)
		m.Ignore(sum.Signal, "low bits may be dropped")
		m.Assign(ports.Sum, sum.Zext(sumBits))
		m.Assign(ports.Sat, sat.Signal)
		sim, err := vgen.NewSim(m)
		require.NoError(t, err)
		sim.Set("rst", 1) // for the pointers of delay lines
		sim.Step()
		sim.Set("rst", 0)

		value := func(name string, bits int) *big.Int {
			v := new(big.Int)
			for range (bits + 31) / 32 {
				v.Lsh(v, 32).Or(v, big.NewInt(int64(rapid.Uint32().Draw(t, name))))
			}
			limit := new(big.Int).Lsh(big.NewInt(1), uint(bits))
			if rapid.IntRange(0, 3).Draw(t, name+" at its end") == 0 {
				return limit.Sub(limit, big.NewInt(1))
			}
			return v.Mod(v, limit)
		}
		type operands struct{ a, b, c *big.Int }
		var given []operands
		for cycle := range sum.Stage + sat.Stage + 4 {
			o := operands{value("a", wa), value("b", wb), value("c", wc)}
			given = append(given, o)
			sim.SetBig("a", o.a)
			sim.SetBig("b", o.b)
			sim.SetBig("c", o.c)
			sim.Eval()
			scaled := func(o operands) *big.Int {
				v := new(big.Int).Mul(o.a, o.b)
				if shift > 0 {
					v.Rsh(v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(shift-1))), uint(shift))
				}
				return v
			}
			if from := cycle - sum.Stage; from >= 0 {
				want := scaled(given[from])
				require.Equal(t, want.Add(want, given[from].c).String(), sim.GetBig("sum").String())
			}
			if from := cycle - sat.Stage; from >= 0 {
				want, most := scaled(given[from]), new(big.Int).Lsh(big.NewInt(1), uint(narrow))
				if want.Cmp(most) >= 0 {
					want = most.Sub(most, big.NewInt(1))
				}
				require.Equal(t, want.String(), sim.GetBig("sat").String())
			}
			sim.Step()
		}
		require.NoError(t, sim.Err())
	})
}
