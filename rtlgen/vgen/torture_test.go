package vgen_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

var tortureWidths = []int{1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 63, 64, 65, 100, 128}

// operators builds a module with every operator at every width, and gives the
// expression of each output.
func operators() (*vgen.Module, map[string]vgen.Signal) {
	m := vgen.NewModule("operators", "Every operator at every width")
	exprs := map[string]vgen.Signal{}
	var order []string
	add := func(name string, s vgen.Signal) {
		order = append(order, name)
		exprs[name] = s
	}
	one := m.Input("one", 1, "selector")
	ins := map[int][2]vgen.Signal{}
	for _, w := range tortureWidths {
		ins[w] = [2]vgen.Signal{m.Input(fmt.Sprintf("a%d", w), w, ""), m.Input(fmt.Sprintf("b%d", w), w, "")}
	}
	for _, w := range tortureWidths {
		a, b := ins[w][0], ins[w][1]
		op := func(name string, s vgen.Signal) { add(fmt.Sprintf("%s_%d", name, w), s) }
		op("add", a.Add(b))
		op("sub", a.Sub(b))
		op("and", a.And(b))
		op("or", a.Or(b))
		op("xor", a.Xor(b))
		op("not", a.Not())
		op("eq", a.Eq(b))
		op("ne", a.Ne(b))
		op("lt", a.Lt(b))
		op("le", a.Le(b))
		op("gt", a.Gt(b))
		op("ge", a.Ge(b))
		op("lts", a.LtS(b))
		op("les", a.LeS(b))
		op("gts", a.GtS(b))
		op("ges", a.GeS(b))
		op("mul", a.Mul(b))
		op("muls", a.MulS(b))
		op("anybit", a.AnyBit())
		op("allbits", a.AllBits())
		op("parity", a.Parity())
		op("mux", vgen.Mux(one, a, b))
		op("cat", vgen.Cat(a, b, one))
		op("rep", a.Repeat(3))
		op("zext", a.Zext(w+1))
		op("zext2", a.Zext(w+70))
		op("sext", a.Sext(w+1))
		op("sext2", a.Sext(w+70))
		op("top", a.Top())
		for i, n := range []int{1, w / 2, w - 1, w, w + 3} {
			if n < 1 || n == 1 && i > 0 {
				continue
			}
			op(fmt.Sprintf("shl%d", n), a.Shl(n))
			op(fmt.Sprintf("shr%d", n), a.Shr(n))
			op(fmt.Sprintf("sra%d", n), a.Sra(n))
		}
		// Parts of a vector, from a place that is a multiple of them all or not.
		for _, part := range []int{1, 2, 3, 8} {
			for _, bits := range []int{1, 2, 3} {
				for _, first := range []int{0, part, part << bits} {
					if first+part<<bits > w {
						continue
					}
					var parts []vgen.Signal
					for i := range 1 << bits {
						parts = append(parts, a.Slice(first+part*(i+1)-1, first+part*i))
					}
					op(fmt.Sprintf("pick%d_%d_%d", part, bits, first), vgen.Select(ins[bits][1], parts, b.Trunc(part)))
				}
			}
		}
		if w > 2 {
			op("slice", a.Slice(w-2, 1))
			op("trunc", a.Add(b).Trunc(w-1))
		}
		for _, d := range []int{1, 3, 7, 9, 33, 65} {
			by := ins[d][1]
			op(fmt.Sprintf("shlby%d", d), a.ShlBy(by))
			op(fmt.Sprintf("shrby%d", d), a.ShrBy(by))
			op(fmt.Sprintf("sraby%d", d), a.SraBy(by))
			op(fmt.Sprintf("mulby%d", d), a.Mul(by))
			op(fmt.Sprintf("mulsby%d", d), a.MulS(by))
		}
		op("select", vgen.Select(ins[3][0], []vgen.Signal{a, b, a.Not(), vgen.Const(w, 1), a.Xor(b)}, b.Not()))
		op("selectall", vgen.Select(ins[2][0], []vgen.Signal{a, b, a.Not(), b.Not()}, a))
	}
	outs := map[string]vgen.Signal{}
	for _, name := range order {
		e := exprs[name]
		o := m.Output("o_"+name, e.Width(), "")
		m.Assign(o, e)
		outs["o_"+name] = e
	}
	return m, outs
}

func bigOf(words []uint64) *big.Int {
	v := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(words[i]))
	}
	return v
}

// checkReference compares a run of the interpreter with the plain definition.
func checkReference(t *testing.T, top *vgen.Module, exprs map[string]vgen.Signal, cycles int, in, out []uint64) {
	t.Helper()
	l := vgen.NewLayout(top, false)
	for c := range cycles {
		inputs := map[string]*big.Int{}
		for _, s := range l.Inputs {
			inputs[s.Name] = bigOf(in[c*l.InWords+s.Offset:][:s.Words])
		}
		for _, s := range l.Outputs {
			want := vgen.EvalBig(exprs[s.Name], inputs)
			got := bigOf(out[c*l.OutWords+s.Offset:][:s.Words])
			if want.Cmp(got) != 0 {
				require.FailNow(t, "difference", "interpreter, cycle %d, output %s: want %x, got %x", c, s.Name, want, got)
			}
		}
	}
}

func TestEveryOperatorInAllEngines(t *testing.T) {
	top, exprs := operators()
	const cycles = 150
	in := stimulus(top, cycles, 1)
	out := allLegs(t, top, false, cycles, 0, in)
	checkReference(t, top, exprs, cycles, in, out)
}

// expressions builds random trees of operators, to see what printing one operator
// inside another does.
func expressions(seed uint64, count int) (*vgen.Module, map[string]vgen.Signal) {
	r := rand.New(rand.NewPCG(seed, 2))
	m := vgen.NewModule("expressions", "Random expressions")
	widths := []int{1, 2, 5, 8, 13, 32, 40, 64, 70}
	var pool []vgen.Signal
	for _, w := range widths {
		for i := range 2 {
			pool = append(pool, m.Input(fmt.Sprintf("i%d_%d", w, i), w, ""))
		}
	}
	inputs := len(pool)
	fit := func(s vgen.Signal, w int) vgen.Signal {
		switch {
		case s.Width() == w:
			return s
		case s.Width() > w:
			lo := r.IntN(s.Width() - w + 1)
			return s.Slice(lo+w-1, lo)
		case r.IntN(2) == 0:
			return s.Sext(w)
		default:
			return s.Zext(w)
		}
	}
	named := 0
	var tree func(depth, w int) vgen.Signal
	tree = func(depth, w int) vgen.Signal {
		if depth == 0 {
			if r.IntN(8) == 0 {
				return randomConst(r, w)
			}
			return fit(pool[r.IntN(len(pool))], w)
		}
		some := func() vgen.Signal { return tree(depth-1, widths[r.IntN(len(widths))]) }
		same := func() vgen.Signal { return tree(depth-1, w) }
		var s vgen.Signal
		switch r.IntN(24) {
		case 0, 1:
			s = same().Add(same())
		case 2, 3:
			s = same().Sub(same())
		case 4:
			s = same().And(same())
		case 5:
			s = same().Or(same())
		case 6:
			s = same().Xor(same())
		case 7:
			s = same().Not()
		case 8:
			s = fit(some().Mul(some()), w)
		case 9:
			s = fit(some().MulS(some()), w)
		case 10, 11:
			x := some()
			y := tree(depth-1, x.Width())
			c := []func(vgen.Signal) vgen.Signal{x.Eq, x.Ne, x.Lt, x.Le, x.Gt, x.Ge, x.LtS, x.LeS, x.GtS, x.GeS}
			s = fit(c[r.IntN(len(c))](y), w)
		case 12:
			s = same().Shl(r.IntN(w + 1))
		case 13:
			s = same().Shr(r.IntN(w + 1))
		case 14:
			s = same().Sra(r.IntN(w + 1))
		case 15:
			s = same().ShlBy(tree(depth-1, 5))
		case 16:
			s = same().ShrBy(tree(depth-1, 5))
		case 17:
			s = same().SraBy(tree(depth-1, 40))
		case 18:
			s = fit(vgen.Cat(some(), some(), some()), w)
		case 19:
			x := some()
			s = fit([]func() vgen.Signal{x.AnyBit, x.AllBits, x.Parity}[r.IntN(3)](), w)
		case 20, 21:
			s = vgen.Mux(tree(depth-1, 1), same(), same())
		case 22:
			s = vgen.Select(tree(depth-1, 2), []vgen.Signal{same(), same(), same()}, same())
		default:
			s = fit(some().Repeat(1+r.IntN(3)), w)
		}
		if _, fixed := s.IsConst(); fixed {
			return s
		}
		switch r.IntN(12) {
		case 0:
			s = s.Named(fmt.Sprintf("n%d", named))
			named++
			pool = append(pool, s)
		case 1:
			pool = append(pool, s)
		}
		return s
	}
	exprs := map[string]vgen.Signal{}
	for i := range count {
		e := tree(1+r.IntN(5), widths[r.IntN(len(widths))])
		name := fmt.Sprintf("o%d", i)
		m.Assign(m.Output(name, e.Width(), ""), e)
		exprs[name] = e
	}
	for _, s := range pool[:inputs] {
		m.Ignore(s, "whatever the trees leave over")
	}
	return m, exprs
}

func randomConst(r *rand.Rand, w int) vgen.Signal {
	v := new(big.Int)
	for range w {
		v.Lsh(v, 1).Or(v, big.NewInt(r.Int64N(2)))
	}
	return vgen.ConstBig(w, v)
}

func TestRandomExpressionsInAllEngines(t *testing.T) {
	top, exprs := expressions(7, 50)
	const cycles = 100
	in := stimulus(top, cycles, 3)
	out := allLegs(t, top, false, cycles, 0, in)
	checkReference(t, top, exprs, cycles, in, out)
}

// Random comparisons can be decided by bounds that no generator would write; that
// warning says nothing about the printing.
func TestRandomExpressionsAreLintClean(t *testing.T) {
	for seed := range uint64(4) {
		top, _ := expressions(100+seed, 40)
		lint(t, top, vgen.EmitOptions{}, "-Wno-UNSIGNED", "-Wno-CMPCONST")
	}
}

func TestRandomExpressionsInTheInterpreter(t *testing.T) {
	for seed := range uint64(12) {
		top, exprs := expressions(seed, 40)
		const cycles = 40
		in := stimulus(top, cycles, seed)
		sim, err := vgen.NewSim(top)
		require.NoError(t, err)
		out := make([]uint64, cycles*sim.Layout().OutWords)
		require.NoError(t, sim.Run(cycles, in, out))
		checkReference(t, top, exprs, cycles, in, out)
	}
}
