package vgen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// pipeline is a design of about the given number of operations, of the kind the
// generator makes: narrow arithmetic, muxes, comparisons, registers.
func pipeline(ops int) *vgen.Module {
	m := vgen.NewModule("pipeline", "Benchmark")
	a, b := m.Input("a", 24, ""), m.Input("b", 24, "")
	valid := m.Input("v", 1, "")
	for i := range ops / 10 {
		sum := a.Zext(25).Add(b.Zext(25))
		less := a.Lt(b)
		x := vgen.Mux(less, sum.Slice(24, 1), b.Sub(a))
		y := vgen.Cat(x.Slice(11, 0), a.Slice(23, 12)).Xor(vgen.Mux(valid, a, b))
		if i%3 == 0 {
			y = y.Mul(x).Slice(30, 7)
		}
		a = m.RegNext(fmt.Sprintf("a%d_q", i), x, vgen.Enable(valid))
		b = m.RegNext(fmt.Sprintf("b%d_q", i), y)
		valid = m.RegNext(fmt.Sprintf("v%d_q", i), valid.Or(less), vgen.Reset(0), vgen.Control())
	}
	m.Assign(m.Output("x", 24, ""), a.Xor(b))
	m.Assign(m.Output("xv", 1, ""), valid)
	return m
}

func BenchmarkRun(b *testing.B) {
	for _, ops := range []int{1000, 10000, 50000} {
		b.Run(fmt.Sprint(ops), func(b *testing.B) {
			top := pipeline(ops)
			sim, err := vgen.NewSim(top)
			require.NoError(b, err)
			const batch = 100
			l := sim.Layout()
			in := stimulus(top, batch, 1)
			for c := range batch {
				in[c*l.InWords] = 0
			}
			out := make([]uint64, batch*l.OutWords)
			cycles := 0
			for b.Loop() {
				if err := sim.Run(batch, in, out); err != nil {
					b.Fatal(err)
				}
				cycles += batch
			}
			b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}

func BenchmarkBuildCheckEmit(b *testing.B) {
	for b.Loop() {
		if _, err := vgen.Emit(pipeline(10000), vgen.EmitOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
