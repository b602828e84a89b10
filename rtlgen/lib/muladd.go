package lib

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// MulAdd is a * b / 2^shift, rounded half up, plus c, saturated at the width of c. c may be of a later
// stage: the product waits for it.
func (p *Pipe) MulAdd(name string, a, b, c Value, shift int, limbs Limbs) Value {
	width := c.Width()
	product := p.Mul(name+"_product", a, b, limbs)
	if shift > product.Width() {
		p.m.Ignore(product.Signal, "the largest product is below half an ulp of c: it never counts")
	}
	p.Hint(product.Stage+1, name+": the product, rounded")
	rounded := p.Step(name+"_rounded", product.Stage, RoundHalfUp(name+"_rounding", product.Signal, shift))
	term := rounded
	if rounded.Width() > width {
		p.Hint(rounded.Stage+1, name+": whether the product exceeds the format")
		over := p.Step(name+"_over", rounded.Stage, rounded.Slice(rounded.Width()-1, width).AnyBit())
		low := p.At(rounded, over.Stage).Trunc(width)
		term = p.Value(name+"_saturated", over.Stage, low.Or(over.Repeat(width)).Named(name+"_saturated"))
	}
	p.Hint(term.Stage+1, name+": the product, or the largest value")
	term = p.Reg(name+"_term", term.Stage, term.Signal.Fit(width))
	stage := max(term.Stage, c.Stage)
	return p.Value(name, stage, SaturatingAdd(name, p.At(term, stage), p.At(c, stage), width))
}

// MulAddPorts are the ports of a stand-alone saturating multiply-add.
type MulAddPorts struct {
	Valid    vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"operands are valid"`
	A        vgen.Signal `port:"s_a" dir:"in" width:"a" doc:"factor"`
	B        vgen.Signal `port:"s_b" dir:"in" width:"b" doc:"factor"`
	C        vgen.Signal `port:"s_c" dir:"in" width:"c" doc:"term"`
	OutValid vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"result is valid"`
	Out      vgen.Signal `port:"m_sum" dir:"out" width:"c" doc:"result, saturated"`
}

// MultiplyAdd is a saturating multiply-add as a module of its own.
func MultiplyAdd(name string, aBits, bBits, cBits, shift int, limbs Limbs) *vgen.Module {
	m := vgen.NewModule(name, "Saturating multiply-add")
	m.Doc(fmt.Sprintf("m_sum = s_a * s_b / 2^%d, rounded half up, plus s_c, saturated at %d bits.", shift, cBits))
	ports := vgen.Ports[MulAddPorts](m, vgen.Widths{"a": aBits, "b": bBits, "c": cBits})
	p := NewPipe(m)
	sum := p.MulAdd("sum", p.Value("a", 0, ports.A), p.Value("b", 0, ports.B), p.Value("c", 0, ports.C), shift, limbs)
	out := p.Reg("sum", sum.Stage, sum.Signal)
	m.SetTiming(out.Stage, 1)
	m.Assign(ports.Out, out.Signal)
	m.Assign(ports.OutValid, m.Delay("valid", ports.Valid, out.Stage, vgen.Reset(0)))
	return m
}
