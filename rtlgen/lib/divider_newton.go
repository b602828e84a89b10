package lib

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// newtonDivider multiplies by a reciprocal that starts from a small table and is refined by
// Newton-Raphson steps x (2 - m x).
func newtonDivider(name string, cfg config.Divider, s DividerShape, limbs Limbs) *vgen.Module {
	m := vgen.NewModule(name, "Divider by multiplication with a reciprocal from a seed table and Newton-Raphson steps")
	s.doc(m, "the product rounded half up")
	m.Doc(fmt.Sprintf("%d seeds of %d fraction bits, refined by %d step(s) to %d fraction bits.", 1<<cfg.TableBits,
		cfg.SeedBits, cfg.Iterations, cfg.RecipBits))
	ports := s.ports(m, false)
	p := NewPipe(m)
	p.Fast()
	n := normalise(p, ports.Den)

	seeds := make([]uint64, 1<<cfg.TableBits)
	for j := range seeds {
		den := uint64(2*(len(seeds)+j) + 1)
		num := uint64(1) << (cfg.SeedBits + cfg.TableBits + 1)
		seeds[j] = min((2*num+den)/(2*den), 1<<cfg.SeedBits-1)
	}
	rom := m.ROM("seed", cfg.SeedBits, seeds)
	// An output register of its own for the ROM, as in the divider with a table.
	x := p.Reg("x0", n.mant.Stage+1, rom.Read("x0_q", n.fraction(n.mant.Signal, cfg.TableBits)))
	frac := cfg.SeedBits
	for i := 1; i <= cfg.Iterations; i++ {
		x = newtonStep(p, i, n, x, frac, cfg.RecipBits, limbs)
		frac = cfg.RecipBits
	}
	return s.close(m, ports, finish(p, s, ports.Num, x, frac, n, limbs))
}

// newtonStep refines x, which has b fraction bits, to r fraction bits.
func newtonStep(p *Pipe, step int, n normalised, x Value, b, r int, limbs Limbs) Value {
	tag := func(s string) string { return fmt.Sprintf("%s%d", s, step) }
	t := p.Mul(tag("mx"), n.mant, x, limbs)
	w := n.fracs + b + 2
	two := vgen.Cat(vgen.Const(1, 1), vgen.Const(w-1, 0))
	rest := p.Reg(tag("rest"), t.Stage, two.Sub(t.Signal.Fit(w)))
	// 2 - m x lies between 0 and 2: r fraction bits and one integer bit, one more for m x = 0.
	c := p.Value(tag("c"), rest.Stage, rest.Slice(w-1, n.fracs+b-r).Named(tag("c")))
	product := p.Mul(tag("xc"), x, c, limbs)
	rounded := p.Step(tag("near"), product.Stage, RoundHalfUp(tag("xc_rounded"), product.Signal, b))
	one := vgen.Cat(vgen.Const(1, 1), vgen.Const(r, 0))
	wide := max(rounded.Width(), r+1)
	over := rounded.Zext(wide).Gt(one.Zext(wide))
	return p.Reg(tag("x"), rounded.Stage, vgen.Mux(over, one, rounded.Signal.Fit(r+1)))
}
