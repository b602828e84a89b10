package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// quantizerPorts are the ports of csig_quantizer.
type quantizerPorts struct {
	Value vgen.Signal `port:"s_value" dir:"in" width:"value" doc:"signal value"`
	Base  vgen.Signal `port:"s_base" dir:"in" width:"value" doc:"base of the value's type"`
	Step  vgen.Signal `port:"s_step" dir:"in" width:"value" doc:"step of the value's type, at least 1"`
	Code  vgen.Signal `port:"m_code" dir:"out" width:"code" doc:"code of the value"`
}

// quantizerBlock builds csig_quantizer, the coder of expanded tags.
func quantizerBlock(*config.CSIG) *vgen.Module {
	return Quantizer("csig_quantizer", valueBits, codeBits)
}

// Quantizer codes values uniformly (docs/csig.md, Codes): 0 below base, else floor((value - base) / step), saturated at
// the code's width, exact for any step from 1 on. Values, base and step have width bits, the code fewer.
//
// It is a restoring division of value - base, a quotient bit a stage. That the quotient does not fit is known before
// the first step: the divisor is then replaced by 0, against which every step succeeds.
func Quantizer(name string, width, quotBits int) *vgen.Module {
	m := vgen.NewModule(name, "Quantizer of expanded tags: distance from base in steps, rounded down")
	m.Doc(fmt.Sprintf("m_code = 0 when s_value < s_base, else min((s_value - s_base) / s_step, 2^%d - 1), exact.", quotBits),
		"Stage 0: distance. Stage 1: a quotient that does not fit is found, its divisor becomes 0.",
		fmt.Sprintf("Stages 2 to %d: restoring division, a quotient bit a stage.", quotBits+1))
	ports := vgen.Ports[quantizerPorts](m, vgen.Widths{"value": width, "code": quotBits})
	p := lib.NewPipe(m)
	head := width - quotBits

	distance := p.Reg("distance", 0, ports.Value.Zext(width+1).Sub(ports.Base.Zext(width+1)))
	step := p.Value("step", 0, ports.Step)
	above := distance.Top().Not().Named("not_below")
	top := distance.Slice(width-1, quotBits)
	fits := top.Zext(width).Lt(p.At(step, 1)).Named("fits")
	keep := fits.Or(distance.Top())

	m.Section("division")
	rem := p.Reg("rem", 1, top.And(above.Repeat(head)))
	shift := p.Reg("shift", 1, distance.Slice(quotBits-1, 0).And(above.Repeat(quotBits)))
	divisor := p.Reg("divisor", 1, p.At(step, 1).And(keep.Repeat(width)))
	for k := 1; k <= quotBits; k++ {
		stage := k + 1
		// The remainder has as many bits as the part of the distance that has been divided; a divisor with a one above them
		// does not go.
		w := head + k
		div := p.At(divisor, stage)
		part := vgen.Cat(rem.Signal, shift.Top())
		trial := part.Zext(w + 1).Sub(div.Trunc(w).Zext(w + 1)).Named(fmt.Sprintf("trial_s%d", stage))
		goes := trial.Top().Not()
		if w < width {
			goes = goes.And(div.Slice(width-1, w).AnyBit().Not())
		}
		goes = goes.Named(fmt.Sprintf("goes_s%d", stage))
		if k < quotBits {
			rem = p.Reg("rem", stage, vgen.Mux(goes, trial.Trunc(w), part))
		}
		next := goes
		if quotBits > 1 {
			next = vgen.Cat(shift.Slice(quotBits-2, 0), goes)
		}
		shift = p.Reg("shift", stage, next)
	}
	m.SetTiming(shift.Stage, 1)
	m.Assign(ports.Code, shift.Signal)
	return m
}
