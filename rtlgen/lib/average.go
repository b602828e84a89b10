package lib

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// MovingAverage moves old towards sample by the part alpha of their distance (draft Figure 4, line 9):
//
//	old + rhu(alpha * (sample - old) / 2^frac), alpha <= 2^frac
//
// rhu rounds half up, towards the larger value. The result lies between old and sample, so that it
// cannot overflow. old and sample are of one stage, at which the step begins; alpha is needed one
// stage later. The sign of the distance is kept apart, so that the product is unsigned. Where moves
// exists and is 0, old stays, whatever the other operands are: also in a simulator that knows of
// unknown values.
func (p *Pipe) MovingAverage(name string, moves, alpha, old, sample Value, frac, limb int) Value {
	start := max(old.Stage, sample.Stage)
	width := old.Width()
	from, to := p.At(old, start), p.At(sample, start)
	falls := to.Lt(from).Named(name + "_falls")
	down := p.Reg(name+"_down", start, falls)
	between := vgen.Mux(falls, from.Sub(to), to.Sub(from))
	if moves.Exists() {
		between = between.And(p.At(moves, start).Repeat(width))
	}
	dist := p.Reg(name+"_distance", start, between)
	step := p.Mul(name+"_step", alpha, dist, limb)

	// Going down, exactly half is not a step: half up is towards the larger value.
	carry := vgen.Const(1, 0)
	if frac > 0 {
		steps := p.At(down, step.Stage).Not()
		if frac > 1 {
			steps = steps.Or(step.Slice(frac-2, 0).AnyBit())
		}
		carry = step.Bit(frac - 1).And(steps)
	}
	whole := p.Reg(name+"_whole", step.Stage, fit(step.Slice(step.Width()-1, frac), width))
	inc := p.Reg(name+"_carry", step.Stage, carry)
	move := p.Reg(name+"_move", whole.Stage, whole.Add(inc.Zext(width)))
	was, sign := p.At(old, move.Stage), p.At(down, move.Stage)
	return p.Reg(name, move.Stage, vgen.Mux(sign, was.Sub(move.Signal), was.Add(move.Signal)))
}

// EWMAPorts are the ports of a stand-alone moving average.
type EWMAPorts struct {
	Valid    vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"operands are valid"`
	Alpha    vgen.Signal `port:"s_alpha" dir:"in" width:"alpha" doc:"weight of the sample, at most one"`
	Old      vgen.Signal `port:"s_old" dir:"in" width:"value" doc:"average so far"`
	Sample   vgen.Signal `port:"s_sample" dir:"in" width:"value" doc:"sample"`
	OutValid vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"average is valid"`
	Out      vgen.Signal `port:"m_average" dir:"out" width:"value" doc:"new average"`
}

// EWMA is a moving average as a module of its own: values of valueBits bits, a weight with frac
// fraction bits and one integer bit.
func EWMA(name string, valueBits, frac, limb int) *vgen.Module {
	m := vgen.NewModule(name, "Exponentially weighted moving average")
	m.Doc(fmt.Sprintf("m_average = s_old + s_alpha * (s_sample - s_old) / 2^%d, rounded half up.", frac))
	ports := vgen.Ports[EWMAPorts](m, vgen.Widths{"alpha": frac + 1, "value": valueBits})
	p := NewPipe(m)
	alpha := p.Value("alpha", 0, ports.Alpha)
	next := p.MovingAverage("average", Value{}, alpha, p.Value("old", 0, ports.Old), p.Value("sample", 0, ports.Sample), frac, limb)
	m.SetTiming(next.Stage, 1)
	m.Assign(ports.Out, next.Signal)
	m.Assign(ports.OutValid, m.Delay("valid", ports.Valid, next.Stage, vgen.Reset(0)))
	return m
}
