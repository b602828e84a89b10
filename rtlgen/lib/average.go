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
// cannot overflow, and the low bits of all sums are enough. old and sample are of one stage, at which the
// step begins; alpha is needed one stage later. Where moves exists and is 0, old stays, if alpha is 0 then, whatever
// sample is: also in a simulator that knows of unknown values.
//
// The product is unsigned. It takes a negative distance for one that is 2^width more, and so is
// alpha * 2^width too large; that is subtracted from old meanwhile.
func (p *Pipe) MovingAverage(name string, moves, alpha, old, sample Value, frac int, limbs Limbs) Value {
	start := max(old.Stage, sample.Stage)
	width := old.Width()
	from, to := p.At(old, start).Zext(width+1), p.At(sample, start).Zext(width+1)
	dist := p.Reg(name+"_distance", start, to.Sub(from).Named(name+"_difference"))
	low, falls := p.Part(name+"_distance_low", dist, width-1, 0), p.Part(name+"_falls", dist, width, width)
	step := p.Mul(name+"_step", p.Operand(alpha), p.Operand(low), limbs)

	at := max(dist.Stage, alpha.Stage)
	base := old
	if frac <= width {
		// In units of old the excess is a whole number.
		excess := p.At(alpha, at)
		if frac < width {
			excess = vgen.Cat(excess, vgen.Const(width-frac, 0)).Named(name + "_excess")
		}
		excess = excess.Trunc(width).And(p.At(falls, at).Repeat(width))
		base = p.Reg(name+"_base", at, p.At(old, at).Sub(excess))
		p.Hint(base.Stage, "the product takes the distance as unsigned: where it is negative, alpha * 2^width too much "+
			"comes out, taken off here")
	} else {
		s := step.Stage
		excess := p.At(alpha, s).And(p.At(falls, s).Repeat(frac + 1)).Named(name + "_excess")
		high := step.Slice(step.Width()-1, width).Sub(excess).Named(name + "_high")
		step = p.Reg(name+"_signed", s, vgen.Cat(high, step.Slice(width-1, 0)))
	}
	carry := vgen.Const(1, 0)
	if frac > 0 {
		carry = step.Bit(frac - 1)
	}
	move := step.Slice(frac+width-1, frac)
	if moves.Exists() {
		on := p.At(moves, step.Stage)
		move, carry = move.And(on.Repeat(width)), carry.And(on)
	}
	return p.Reg(name, step.Stage, AddCarry(name+"_sum", p.At(base, step.Stage), move, carry))
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
func EWMA(name string, valueBits, frac int, limbs Limbs) *vgen.Module {
	m := vgen.NewModule(name, "Exponentially weighted moving average")
	m.Doc(fmt.Sprintf("m_average = s_old + s_alpha * (s_sample - s_old) / 2^%d, rounded half up.", frac))
	ports := vgen.Ports[EWMAPorts](m, vgen.Widths{"alpha": frac + 1, "value": valueBits})
	p := NewPipe(m)
	alpha := p.Value("alpha", 0, ports.Alpha)
	next := p.MovingAverage("average", Value{}, alpha, p.Value("old", 0, ports.Old), p.Value("sample", 0, ports.Sample),
		frac, limbs)
	m.SetTiming(next.Stage, 1)
	m.Assign(ports.Out, next.Signal)
	m.Assign(ports.OutValid, m.Delay("valid", ports.Valid, next.Stage, vgen.Reset(0)))
	return m
}
