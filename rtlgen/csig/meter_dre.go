package csig

import (
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// dreMeter is the discounting rate estimator: Value and Pending decay together, by a factor from a table for the number of ticks
// that have passed.
func dreMeter(name string, c *config.CSIG) *vgen.Module {
	t := newMeter(name, "Discounting rate estimator of the bytes that each port sends", c)
	m, p, w := t.m, t.p, measuredBits(c)
	if c.TickShift > 0 {
		m.Ignore(t.ports.Now.Trunc(c.TickShift), "below a tick")
	}
	u := t.updates(t.ports.Now.Slice(c.TimeBits-1, c.TickShift), 1)

	m.Section("decay")
	value := t.memory("value", "each port's counter after its last decay", w)
	old := value.early("value_old", t.pendingStage)
	inside, ticks := t.below(u, c.DecayShift+decayedBits)
	factors := m.ROM("decay_factor", c.RecipBits, decayFactors(c))
	factor := p.Value("factor", t.pendingStage+1, factors.Read("factor_q", ticks))
	sum := p.Reg("counter_sum", t.pendingStage, old.Zext(w+1).Add(t.scaledPending(u, t.pendingStage).Zext(w+1)))
	counter := p.Reg("counter", sum.Stage, lib.Saturate("counter_saturated", sum.Signal, w))
	product := p.Mul("decayed", counter, factor, limbBits)
	at := product.Stage
	left := p.Reg("left", at, lib.RoundHalfUp("decayed_rounded", product.Signal, c.RecipBits).Trunc(w).And(p.At(inside, at).Repeat(w)))
	after := t.settle(value, u, left)

	m.Section("what is measured")
	at = after.Stage
	changed := p.At(u.starts, at).Or(p.At(u.updates, at))
	more := t.scaledPending(u, at).And(changed.Not().Repeat(w))
	total := p.Reg("total", at, after.Zext(w+1).Add(more.Zext(w+1)))
	out := p.Reg("measured", total.Stage, lib.Saturate("total_saturated", total.Signal, w))
	m.SetTiming(out.Stage, 1)
	m.Assign(t.ports.Value, out.Signal)
	return m
}

// decayedBits: after 2^(DecayShift + decayedBits) ticks nothing is left.
const decayedBits = 4

// decayFactors is F(n) = rhu((1 - 2^-DecayShift)^n * 2^Recip) for the numbers of ticks after which something is left. F(0) has
// no use, and is 0 since it does not fit.
func decayFactors(c *config.CSIG) []*big.Int {
	table := make([]*big.Int, 1<<(c.DecayShift+decayedBits))
	table[0] = new(big.Int)
	keep := big.NewInt(1<<c.DecayShift - 1)
	power := big.NewInt(1) // (2^DecayShift - 1)^n
	for n := 1; n < len(table); n++ {
		power.Mul(power, keep)
		shift := uint(n * c.DecayShift)
		f := new(big.Int).Lsh(power, uint(c.RecipBits)+1)
		f.Add(f, new(big.Int).Lsh(big.NewInt(1), shift))
		table[n] = f.Rsh(f, shift+1)
	}
	return table
}
