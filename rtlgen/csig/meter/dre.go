package meter

import (
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// dreMeter is the discounting rate estimator: a port's count of bytes decays by the same share in each tick.
func dreMeter(name string, c *block.Shape) *vgen.Module {
	t := newMeter(name, "Discounting rate estimator of the bytes that each port sends", c)
	if c.TickShift > 0 {
		t.m.Ignore(t.ports.Now.Trunc(c.TickShift), "below a tick")
	}
	// Bytes count from the update before on, and decay with the Value.
	weight := func(_ update, halvings, before, _ lib.Value) (h, j lib.Value) {
		return t.curve("up", upCurve(), before), halvings
	}
	return t.average(averaging{
		now: t.ports.Now.Slice(c.TimeBits-1, c.TickShift), lateShift: c.DecayShift + lateShift,
		phaseBits: dreRateBits, rate: dreRate(c.DecayShift), pends: true, weight: weight,
	})
}
