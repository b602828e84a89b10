package block

import (
	"fmt"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
)

// smallDividers are shapes of every kind, small enough to try all operands.
func smallDividers() []DividerCase {
	shapes := []lib.DividerShape{
		{NumBits: 1, DenBits: 1, QuotBits: 1, Shift: 0},
		{NumBits: 4, DenBits: 1, QuotBits: 3, Shift: 1},
		{NumBits: 3, DenBits: 2, QuotBits: 6, Shift: 3},
		{NumBits: 5, DenBits: 4, QuotBits: 3, Shift: 0},
		{NumBits: 5, DenBits: 5, QuotBits: 7, Shift: 2},
		{NumBits: 4, DenBits: 7, QuotBits: 4, Shift: 5},
	}
	kinds := []config.Divider{
		{Kind: config.RestoringSerial},
		{Kind: config.RestoringPipelined},
		{Kind: config.ReciprocalTable, Eps: 0.25, IndexBits: 4, EntryBits: 5},
		{Kind: config.ReciprocalTable, Eps: 0.05, IndexBits: 6, EntryBits: 8},
		{Kind: config.NewtonRaphson, TableBits: 2, SeedBits: 4, Iterations: 1, RecipBits: 4},
		{Kind: config.NewtonRaphson, TableBits: 3, SeedBits: 5, Iterations: 2, RecipBits: 4},
	}
	var list []DividerCase
	for i, k := range kinds {
		for j, s := range shapes {
			list = append(list, DividerCase{Name: fmt.Sprintf("small%d_%s%d", j, k.Kind, i), Config: k, Shape: s,
				Limbs: lib.Limbs{A: 4, B: 3}})
		}
	}
	for j, s := range shapes {
		s.Signed = true
		list = append(list, DividerCase{Name: fmt.Sprintf("small%d_signed", j),
			Config: config.Divider{Kind: config.RestoringPipelined}, Shape: s})
	}
	// Folded: the quotient done within a stage, with the last bit of one, in one stage.
	for _, gap := range []int{2, 3, 4, 9} {
		for j, s := range shapes {
			s.Gap = gap
			list = append(list, DividerCase{Name: fmt.Sprintf("small%d_folded%d", j, gap),
				Config: config.Divider{Kind: config.RestoringPipelined}, Shape: s})
		}
	}
	return list
}

// nicDividers are the dividers of an engine's configuration, with the shapes that they have there.
func nicDividers(c *config.NIC) []DividerCase {
	limbs, gap := lib.LimbsOf(c.Multiplier), 1
	if c.Serial {
		limbs, gap = lib.Square(16), 6
	}
	f := c.Formats
	return []DividerCase{
		{Name: c.Name + "_hop_divider", Config: c.HopDivider, Limbs: limbs, Shape: lib.DividerShape{
			NumBits: c.Telemetry.TxBits + f.InvB.Width(), DenBits: c.Telemetry.TSBits - 1, QuotBits: f.U.Width(),
			Shift: f.U.Frac - f.InvB.Frac, Gap: gap, Signed: !c.Serial}},
		{Name: c.Name + "_quotient_divider", Config: c.QuotientDivider, Limbs: limbs, Shape: lib.DividerShape{
			NumBits: f.Eta.Width(), DenBits: f.U.Width(), QuotBits: f.Quot.Width(), Shift: f.Quot.Frac, Signed: !c.Serial}},
	}
}

// SerialMultiplier is a serial multiplier with steps cycles for a product, against the exact product.
func SerialMultiplier(name string, aBits, bBits, steps, shift int, every bool) *Unit {
	operands := Drawn(aBits, bBits)
	if every {
		operands = Every(aBits, bBits)
	}
	return Pipeline(name, lib.SerialMultiplier(name, aBits, bBits, steps, shift), operands, func(op, out []wide.Uint128) {
		p := op[0].Mul(op[1].Lo)
		if shift > 0 {
			p = p.Add(wide.From(1).Lsh(shift - 1)).Rsh(shift)
		}
		out[0] = p
	})
}

// EWMA is the moving average against the golden model's.
func EWMA(name string, valueBits, frac int, limbs lib.Limbs, every bool) *Unit {
	one := wide.From(1).Lsh(frac)
	operands := Drawn(frac+1, valueBits, valueBits)
	if every {
		operands = Every(frac+1, valueBits, valueBits)
	}
	limited := func(r *rand.Rand, n int64, op []wide.Uint128) bool {
		more := operands(r, n, op)
		if op[0].Cmp(one) > 0 { // a weight is at most one
			op[0] = one
		}
		return more
	}
	return Pipeline(name, lib.EWMA(name, valueBits, frac, limbs), limited, func(op, out []wide.Uint128) {
		out[0] = wide.From(hpcc.EWMA(op[1].Lo, op[2].Lo, op[0].Lo, frac))
	})
}

// CompareTree is the search for the maximum against the golden model's. Random values are often equal.
func CompareTree(name string, n, valueBits int, every bool) *Unit {
	widths, all := make([]int, n), make([]bool, n)
	for i := range n {
		widths[i], all[i] = valueBits, true
	}
	operands := Operands(func(r *rand.Rand, _ int64, op []wide.Uint128) bool {
		for i := range op {
			op[i] = draw(r, valueBits)
			if i > 0 && r.IntN(3) == 0 {
				op[i] = op[r.IntN(i)]
			}
		}
		return true
	})
	if every {
		operands = Every(widths...)
	}
	u := make([]uint64, n)
	return Pipeline(name, lib.CompareTree(name, n, valueBits), operands, func(op, out []wide.Uint128) {
		for i := range op {
			u[i] = op[i].Lo
		}
		arg, top := hpcc.MaxHop(u, all)
		out[0], out[1] = wide.From(top), wide.From(uint64(arg))
	})
}

// StageCounter is the step of incStage against the golden model's.
func StageCounter(name string, stageBits int) *Unit {
	forever := func(r *rand.Rand, n int64, op []wide.Uint128) bool {
		Every(stageBits, stageBits, 1)(r, n%Combinations(stageBits, stageBits, 1), op)
		return true
	}
	return Pipeline(name, lib.StageCounter(name, stageBits), forever, func(op, out []wide.Uint128) {
		u, eta := uint64(0), uint64(1)
		if op[2].Lo == 1 {
			u = 1
		}
		multiply, next := hpcc.StageStep(u, eta, uint32(op[0].Lo), uint32(op[1].Lo), 1<<stageBits-1)
		out[0], out[1] = bit(multiply), wide.From(uint64(next))
	})
}

// MultiplyAdd is the saturating multiply-add against the golden model's.
func MultiplyAdd(name string, aBits, bBits, cBits, shift int, limbs lib.Limbs, every bool) *Unit {
	operands := Drawn(aBits, bBits, cBits)
	if every {
		operands = Every(aBits, bBits, cBits)
	}
	limit := wide.Mask(cBits)
	m := lib.MultiplyAdd(name, aBits, bBits, cBits, shift, limbs)
	return Pipeline(name, m, operands, func(op, out []wide.Uint128) {
		out[0] = wide.From(hpcc.MulAddSat(op[0].Lo, op[1].Lo, shift, op[2].Lo, limit))
	})
}

// FastDelayLine is a delay of n cycles, with an output register on its memory.
func FastDelayLine(name string, n, width int) *Unit {
	return Pipeline(name, lib.FastDelayLine(n, width), Drawn(width), func(op, out []wide.Uint128) { out[0] = op[0] })
}

// DelayLine is a delay of n cycles.
func DelayLine(name string, n, width int) *Unit {
	return Pipeline(name, lib.DelayLine(n, width), Drawn(width), func(op, out []wide.Uint128) { out[0] = op[0] })
}

// Combinations is the number of operands that Every returns.
func Combinations(widths ...int) int64 {
	n := int64(1)
	for _, w := range widths {
		n <<= w
	}
	return n
}

// Drawn returns an endless source of random operands of the given widths, often the ends of the ranges.
func Drawn(widths ...int) Operands {
	return func(r *rand.Rand, _ int64, operands []wide.Uint128) bool {
		for i, w := range widths {
			operands[i] = draw(r, w)
		}
		return true
	}
}
