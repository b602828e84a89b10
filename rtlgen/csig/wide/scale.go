package wide

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type scalePorts struct {
	Start    vgen.Signal `port:"s_start" dir:"in" width:"start" role:"valid" doc:"a product is wanted"`
	X        vgen.Signal `port:"s_x" dir:"in" width:"x" doc:"value"`
	Mantissa vgen.Signal `port:"s_mantissa" dir:"in" width:"mantissa" doc:"mantissa of the factor"`
	Shift    vgen.Signal `port:"s_shift" dir:"in" width:"6" doc:"its shift"`
	Out      vgen.Signal `port:"m_scaled" dir:"out" width:"scaled" doc:"the product, saturated"`
}

// scaleBlock builds a block that multiplies by a factor: x * mantissa / 2^shift, exact, then rounded half up once and
// saturated (docs/csig.md, Factors). One product a cycle, or with half a multiplier one every other cycle.
func scaleBlock(c *block.Shape, name string, xBits, outBits int) *vgen.Module {
	half := c.TagsApart()
	m := vgen.NewModule(name, "Multiplies by a factor of mantissa and shift, rounds half up, saturates")
	m.Doc(fmt.Sprintf("m_scaled = min(floor(s_x * s_mantissa / 2^s_shift + 1/2), 2^%d - 1)", outBits))
	ports := vgen.Ports[scalePorts](m, vgen.Widths{"x": xBits, "mantissa": c.RecipBits, "scaled": outBits,
		"start": bit(half)})
	p := c.Pipe(m)
	distance := p.Value("distance", 0, ports.Shift)
	var product lib.Value
	if half {
		product = productInHalves(m, p, ports, c.Limbs())
	} else {
		product = p.Mul("product", p.Operand(p.Reg("x", 0, ports.X)), p.Operand(p.Reg("mantissa", 0, ports.Mantissa)),
			c.Limbs())
	}

	// Below the product there is a bit for the half; behind the shift it is what rounds.
	wide := vgen.Cat(product.Signal, vgen.Const(1, 0)).Named("doubled")
	s := product.Stage
	m.StageDoc(s, "x * mantissa, exact")
	v := p.Value("doubled", s, wide)
	for _, part := range []struct{ high, low int }{{5, 4}, {3, 2}, {1, 0}} {
		by := p.At(distance, s).Slice(part.high, part.low)
		step := 1 << part.low
		var cases []vgen.Signal
		for n := range 4 {
			cases = append(cases, v.Shr(n*step))
		}
		m.StageDoc(s+1, fmt.Sprintf("divided by 2^shift: bits %d and %d of it", part.high, part.low))
		v = p.Reg(fmt.Sprintf("shifted%d", step), s, vgen.Select(by, cases[:3], cases[3]))
		s++
	}
	rounded := lib.RoundHalfUp("rounded", v.Signal, 1)
	var saturated vgen.Signal
	if w := rounded.Width(); c.At.Scaled && w > outBits { // whether it fits has a stage of its own
		m.StageDoc(s+1, "rounded half up by the bit below the quotient's last")
		m.StageDoc(s+2, "whether it exceeds the format")
		whole := p.Reg("rounded", s, rounded)
		over := p.Reg("too_large", s+1, whole.Slice(w-1, outBits).AnyBit())
		s += 2
		saturated = p.At(whole, s).Trunc(outBits).Or(over.Repeat(outBits))
	} else {
		saturated = lib.Saturate("saturated", rounded, outBits)
	}
	out := p.Reg("scaled", s, saturated)
	m.StageDoc(out.Stage, "the quotient, rounded, saturated")
	m.Assign(ports.Out, out.Signal)
	m.SetTiming(out.Stage, 1+bit(half))
	return m
}

// productInHalves multiplies by the lower half of the mantissa, and in the next cycle by the upper one.
func productInHalves(m *vgen.Module, p *lib.Pipe, ports *scalePorts, limbs lib.Limbs) lib.Value {
	m.Doc("The mantissa's halves go through one multiplier in two cycles.")
	low := (ports.Mantissa.Width() + 1) / 2
	again := m.StateNext("upper_half", ports.Start)
	upper := m.RegNext("mantissa_upper", ports.Mantissa.Slice(ports.Mantissa.Width()-1, low)).Zext(low)
	x := p.Reg("x", 0, vgen.Mux(again, m.RegNext("x_again", ports.X), ports.X))
	mantissa := p.Reg("mantissa", 0, vgen.Mux(again, upper, ports.Mantissa.Trunc(low)))
	part := p.Mul("part", x, mantissa, limbs)
	first := p.Reg("lower_product", part.Stage, part.Signal)
	width := ports.X.Width() + ports.Mantissa.Width()
	// part is that of the upper half by now
	sum := vgen.Cat(part.Signal, vgen.Const(low, 0)).Fit(width).Add(first.Zext(width))
	return p.Reg("product", first.Stage, sum)
}
