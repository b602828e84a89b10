package folded

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// signalPorts are the ports of csig_signal of a folded pipeline. Stage 0 is the cycle of s_start.
type signalPorts struct {
	Start    vgen.Signal `port:"s_start" dir:"in" width:"1" role:"valid" doc:"a packet; the next one not before the initiation interval"`
	X        vgen.Signal `port:"s_x" dir:"in" width:"x" doc:"operand: estimate of the meter, or the queue depth"`
	Mantissa vgen.Signal `port:"s_mantissa" dir:"in" width:"recip" doc:"mantissa of the factor; 0: nothing is subtracted from the base"`
	Shift    vgen.Signal `port:"s_shift" dir:"in" width:"shift" doc:"its shift, from stage 0 until that of the next packet"`
	Base     vgen.Signal `port:"s_base" dir:"in" width:"value" doc:"capacity, one, or the delay; all ones without a base. In the last stage but one"`
	NoBase   vgen.Signal `port:"s_no_base" dir:"in" width:"1" doc:"the signal is the product itself, likewise"`
	Value    vgen.Signal `port:"m_value" dir:"out" width:"value" doc:"the signal's value, kept until the next: kbit/s, 2^-n of the capacity, or ns"`
}

// What a folded multiplication is made of: digits of the mantissa, one a cycle, and shifts by whole bytes, then by
// bits, one a cycle too.
const (
	foldedDigits = 6
	shiftSteps   = 1<<(block.ShiftBits/2) - 1 // at most, of either kind
)

// signalBlock builds csig_signal of a folded pipeline: the signal of the tag's type (docs/csig.md, Signals). The
// product takes foldedDigits cycles; it then moves through two registers that shift it.
func signalBlock(c *block.Shape) *vgen.Module {
	m := vgen.NewModule("csig_signal", "Computes the signal of the tag's type for the egress port")
	w := c.PortWidths()
	xBits := max(c.MeasuredBits(), c.QlenBits)
	w["x"] = xBits
	ports := vgen.Ports[signalPorts](m, w)
	p := lib.NewPipe(m)
	start := p.Value("start", 0, ports.Start)
	at := func(stage int) vgen.Signal { return p.At(start, stage, vgen.Reset(0), vgen.Control()) }

	digit := (c.RecipBits + foldedDigits - 1) / foldedDigits
	mantissaBits := digit * foldedDigits
	loaded := 1 + foldedDigits // stage in which the product is there
	bytewise, bitwise := loaded+1, loaded+1+shiftSteps+1
	last := bitwise + shiftSteps
	m.Doc(block.TypesDoc(", as its complement to all ones.")...)
	m.Doc(
		fmt.Sprintf(
			"Stages 1 to %d: the product, %d bits of the mantissa a cycle, the lowest first. %d to %d: the shift by eights, %d to %d: by ones.", foldedDigits, digit,
			bytewise, bytewise+shiftSteps-1, bitwise, bitwise+shiftSteps-1),
		fmt.Sprintf("Stage %d: base less product, rounded half up; 0 where negative", last))

	m.StageDoc(2, fmt.Sprintf("x * mantissa, %d bits of the mantissa a cycle, the lowest first; the product is there in stage %d",
		digit, loaded))
	m.StageDoc(loaded+1, "the product, with a bit below it for the half that rounds, is shifted right by multiples of 8")
	m.StageDoc(bitwise, "and by ones")
	m.StageDoc(last+1, "base - floor((product + 1) / 2), computed as floor((2 base - product) / 2); 0 where it is negative")

	// The sum moves down by a digit a cycle, into the place that the mantissa leaves.
	m.Section("Product")
	x := m.RegNext("x_q", ports.X, vgen.Enable(ports.Start))
	rest := m.Reg("mantissa_q", mantissaBits)
	sumBits := xBits + digit
	sum := m.Reg("sum", xBits)
	total := sum.Zext(sumBits)
	for i := range digit {
		part := x.And(rest.Bit(i).Repeat(xBits))
		if i > 0 {
			part = vgen.Cat(part, vgen.Const(i, 0))
		}
		total = total.Add(part.Zext(sumBits)).Named(fmt.Sprintf("sum%d", i))
	}
	m.Next(rest, vgen.Mux(ports.Start, ports.Mantissa.Zext(mantissaBits),
		vgen.Cat(total.Trunc(digit), rest.Slice(mantissaBits-1, digit))))
	m.Next(sum, total.Slice(sumBits-1, digit).And(ports.Start.Not().Repeat(xBits)))
	product := vgen.Cat(sum, rest)

	// Below the product there is a bit for the half; behind the shift it is what rounds.
	m.Section("Shift")
	width := product.Width() + 1
	shifted := func(name string, load int, from, by vgen.Signal, n int) vgen.Signal {
		left := m.Reg(name+"_left", block.ShiftBits/2)
		loads := at(load)
		some := left.AnyBit().Named(name + "_moves")
		m.Next(left, vgen.Mux(loads, by, left.Sub(some.Zext(block.ShiftBits/2))))
		q := m.Reg(name, width, vgen.Enable(loads.Or(some)))
		m.Next(q, vgen.Mux(loads, from, q.Shr(n)))
		return q
	}
	byEights := shifted("by_eights", loaded, vgen.Cat(product, vgen.Const(1, 0)),
		ports.Shift.Slice(block.ShiftBits-1, block.ShiftBits/2), 1<<(block.ShiftBits/2))
	ones := m.RegNext("shift_ones", ports.Shift.Trunc(block.ShiftBits/2), vgen.Enable(at(loaded)))
	byOnes := shifted("by_ones", bitwise-1, byEights, ones, 1)

	// base - floor((product + 1) / 2) is floor((2 base - product) / 2), where the product has the bit for the half.
	m.Section("What is left")
	n := width + 1
	left := vgen.Cat(ports.Base, flag(false)).Zext(n).Sub(byOnes.Zext(n)).Named("left")
	value := left.Slice(block.ValueBits,
		1).And(left.Top().Not().Repeat(block.ValueBits)).Xor(ports.NoBase.Repeat(block.ValueBits))
	m.Assign(ports.Value, m.RegNext("value_q", value, vgen.Enable(at(last))))
	m.SetTiming(last+1, block.FoldedCycles)
	return m
}
