package wide

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// quantizerPorts are the ports of csig_quantizer. s_valid exists where values are some cycles apart.
type quantizerPorts struct {
	Valid vgen.Signal `port:"s_valid" dir:"in" width:"valid" role:"valid" doc:"a value to encode; the next one at least an initiation interval later"`
	Value vgen.Signal `port:"s_value" dir:"in" width:"value" doc:"signal value"`
	Base  vgen.Signal `port:"s_base" dir:"in" width:"value" doc:"base of the value's type"`
	Step  vgen.Signal `port:"s_step" dir:"in" width:"value" doc:"step of the value's type, at least 1"`
	Code  vgen.Signal `port:"m_code" dir:"out" width:"code" doc:"code of the value"`
}

// Apart is how many cycles at least lie between the headers of packets of so many bytes: such a packet has that many
// beats, and its header is complete with its last one at the latest.
func apart(c *block.Shape, bytes int) int { return (bytes + c.BeatBytes() - 1) / c.BeatBytes() }

// quantizerBlock builds csig_quantizer, the coder of expanded tags.
func quantizerBlock(c *block.Shape) *vgen.Module {
	return Quantizer("csig_quantizer", block.ValueBits, block.CodeBits, apart(c, block.SmallestTagged+4))
}

// Quantizer codes values uniformly (docs/csig.md, Codes): 0 below base, else floor((value - base) / step), saturated at
// the code's width, exact for any step from 1 on. Values, base and step have width bits; the code must be narrower,
// also when its width is rounded up to a multiple of the interval.
//
// It is a restoring division of value - base in a row of units. A unit makes a quotient bit a cycle, and hands over to
// the next after interval cycles. That the quotient does not fit is known before the first step: the divisor is then
// replaced by 0, against which every step succeeds.
func Quantizer(name string, width, quotBits, interval int) *vgen.Module {
	units := (quotBits + interval - 1) / interval
	begin := 1 // stage in which the first unit is loaded
	found := "Stage 0: distance. Stage 1: a quotient that does not fit is found, its divisor becomes 0."
	if interval == 1 {
		begin, found = 3, "Stage 0: distance. Stage 1: a quotient that does not fit is detected. Stage 2: its divisor becomes 0."
	}
	// may be more than the code has bits; the first ones then give zeros, or ones that nobody sees
	steps := units * interval
	m := vgen.NewModule(name, "Quantizer of expanded tags: distance from base in steps, rounded down")
	m.Doc(fmt.Sprintf("m_code = 0 when s_value < s_base, else min((s_value - s_base) / s_step, 2^%d - 1), exact.",
		quotBits),
		found,
		"Subtrahends are kept inverted: a - b is a + ~b + 1.",
		fmt.Sprintf("Stages %d to %d: restoring division, a quotient bit a stage, in %d units of %d.", begin+1, begin+steps,
			units, interval))
	w := vgen.Widths{"value": width, "code": quotBits}
	w["valid"] = bit(interval > 1)
	ports := vgen.Ports[quantizerPorts](m, w)
	p := lib.NewPipe(m)
	var valid lib.Value
	if interval > 1 {
		valid = p.Value("valid", 0, ports.Valid)
	}

	distance := p.Reg("distance", 0, ports.Value.Zext(width+1).Sub(ports.Base.Zext(width+1)))
	stepN := p.Reg("step_n", 0, ports.Step.Not())
	step := stepN.Signal
	below := distance.Top()
	top := distance.Slice(width-1, quotBits)
	_, reaches := block.Minus("top_less_step", top, step.Trunc(width-quotBits))
	small := step.Slice(width-1, width-quotBits).AllBits() // the step
	saturates := and(below.Not(), reaches, small)
	dividend := distance.Trunc(width).And(below.Not().Repeat(width)).Named("dividend")

	var divisor vgen.Signal
	if interval > 1 {
		divisor = step.Or(saturates.Named("saturates").Repeat(width))
	} else {
		saturates = and(p.At(distance, 2).Top().Not(), p.Reg("reaches", 1, reaches).Signal,
			p.Reg("small_step", 1, small).Signal).Named("saturates")
		divisor = p.At(stepN, 2).Or(saturates.Repeat(width))
		dividend, divisor = p.At(p.Reg("dividend", 1, dividend), begin), p.Reg("divisor_n", 2, divisor).Signal
	}

	m.Section("Division")
	head := width - steps // bits of the dividend that no step brings in
	rem, shift := dividend.Slice(width-1, steps), dividend.Slice(steps-1, 0)
	for u := range units {
		stage := begin + u*interval // in which the unit is loaded
		// The remainder has as many bits as the part of the dividend that has been divided; a divisor with a one above them
		// does not go.
		wide := head + (u+1)*interval
		reg := func(what string, width int, opts ...vgen.RegOption) vgen.Signal {
			return m.Reg(fmt.Sprintf("%s_u%d", what, u), width, opts...)
		}
		load := vgen.Const(1, 1)
		var hold []vgen.RegOption
		if interval > 1 {
			load = p.At(valid, stage, vgen.Reset(0))
			hold = append(hold, vgen.Enable(load))
		}
		div := reg("divisor_n", width, hold...)
		m.Next(div, divisor)
		r, s := reg("rem", wide-1), reg("shift", steps)
		part := vgen.Cat(r, s.Top()).Named(fmt.Sprintf("part_u%d", u))
		var trial, goes vgen.Signal
		name := fmt.Sprintf("trial_u%d", u)
		switch {
		case wide == width:
			trial, goes = block.Minus(name, part, div)
		case interval == 1: // what the divisor has above is known when the unit is loaded
			fits := reg("fits", 1)
			m.Next(fits, divisor.Slice(width-1, wide).AllBits())
			trial, goes = block.MinusIf(name, fits, part, div.Trunc(wide))
		default:
			trial, goes = block.Minus(name, part, div.Trunc(wide))
			goes = goes.And(div.Slice(width-1, wide).AllBits())
		}
		goes = goes.Named(fmt.Sprintf("goes_u%d", u))
		left := vgen.Mux(goes, trial, part)
		quot := goes
		if steps > 1 {
			quot = vgen.Cat(s.Trunc(steps-1), goes)
		}
		if interval > 1 {
			left, quot = left.Named(fmt.Sprintf("left_u%d", u)), quot.Named(fmt.Sprintf("quotient_u%d", u))
			m.Next(r, vgen.Mux(load, rem.Zext(wide-1), left.Trunc(wide-1)))
			m.Next(s, vgen.Mux(load, shift, quot))
		} else {
			m.Next(r, rem)
			m.Next(s, shift)
		}
		rem, shift, divisor = left, quot, div
	}
	m.Ignore(rem, "what is left is not needed")
	code := m.RegNext("code_q", shift.Trunc(quotBits))
	m.SetTiming(begin+1+steps, interval)
	m.Assign(ports.Code, code)
	return m
}
