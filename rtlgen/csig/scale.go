package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type scalePorts struct {
	X        vgen.Signal `port:"s_x" dir:"in" width:"x" doc:"value"`
	Mantissa vgen.Signal `port:"s_mantissa" dir:"in" width:"mantissa" doc:"mantissa of the factor"`
	Shift    vgen.Signal `port:"s_shift" dir:"in" width:"6" doc:"its shift"`
	Out      vgen.Signal `port:"m_scaled" dir:"out" width:"scaled" doc:"the product, saturated"`
}

// scaleBlock builds a block that multiplies by a factor: x * mantissa / 2^shift, exact, then rounded half up once and saturated
// (docs/csig.md, Factors). One product a cycle.
func scaleBlock(name string, xBits, mantissaBits, outBits int) *vgen.Module {
	m := vgen.NewModule(name, "Multiplies by a factor of mantissa and shift, rounds half up, saturates")
	m.Doc(fmt.Sprintf("m_scaled = min(floor(s_x * s_mantissa / 2^s_shift + 1/2), 2^%d - 1)", outBits))
	ports := vgen.Ports[scalePorts](m, vgen.Widths{"x": xBits, "mantissa": mantissaBits, "scaled": outBits})
	p := lib.NewPipe(m)
	x, mantissa := p.Reg("x", 0, ports.X), p.Reg("mantissa", 0, ports.Mantissa)
	distance := p.Value("distance", 0, ports.Shift)
	product := p.Mul("product", x, mantissa, limbBits)

	// Below the product there is a bit for the half; behind the shift it is what rounds.
	wide := vgen.Cat(product.Signal, vgen.Const(1, 0))
	s := product.Stage
	v := p.Value("doubled", s, wide)
	for _, part := range []struct{ high, low int }{{5, 4}, {3, 2}, {1, 0}} {
		by := p.At(distance, s).Slice(part.high, part.low)
		step := 1 << part.low
		var cases []vgen.Signal
		for n := range 4 {
			cases = append(cases, v.Shr(n*step))
		}
		v = p.Reg(fmt.Sprintf("shifted%d", step), s, vgen.Select(by, cases, cases[3]))
		s++
	}
	rounded := lib.RoundHalfUp("rounded", v.Signal, 1)
	out := p.Reg("scaled", s, lib.Saturate("saturated", rounded, outBits))
	m.Assign(ports.Out, out.Signal)
	m.SetTiming(out.Stage, 1)
	return m
}
