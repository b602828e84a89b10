package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// ewmaMeter measures an average that each update moves by the share of the time constant that it covers:
//
//	Value = Value - rhu(Value * d / 2^TimeShift) + Pending * 2^Frac
func ewmaMeter(name string, c *config.CSIG) *vgen.Module {
	t := newMeter(name, "Exponentially weighted average of the bytes that each port sends", c)
	m, p, w := t.m, t.p, measuredBits(c)
	u := t.updates(t.ports.Now, 1<<c.GapShift)

	m.Section("average")
	value := t.memory("value", "each port's average", w)
	old := value.early("value_old", t.pendingStage)
	inside, d := t.below(u, c.TimeShift)
	product := p.Mul("share", old, p.Value("share_of_time", t.pendingStage, d), limbBits)
	at := product.Stage
	lost := p.Reg("lost", at, lib.RoundHalfUp("share_rounded", product.Signal, c.TimeShift).Trunc(w))
	at++
	kept := p.Reg("kept", at, p.At(old, at).Sub(lost.Signal).And(p.At(inside, at).Repeat(w)))
	at++
	sum := p.Reg("average", at, lib.SaturatingAdd("average_saturated", kept.Signal, t.scaledPending(u, at), w))
	out := t.settle(value, u, sum)
	m.SetTiming(out.Stage, 1)
	m.Assign(t.ports.Value, out.Signal)
	return m
}
