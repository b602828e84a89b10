package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
)

// BenchmarkEngines runs the line-rate engine in batches, in each engine, and the
// verilated model alone, on the same inputs. Compare the cycles/s.
func BenchmarkEngines(b *testing.B) {
	c, err := config.Load("nic-line")
	require.NoError(b, err)
	e, err := law.Build(c)
	require.NoError(b, err)
	for _, taps := range []bool{false, true} {
		d := Design{Top: e.Top, Taps: taps}
		suffix := ""
		if taps {
			suffix = "-taps"
		}
		for _, name := range append(Simulators(), "bare") {
			b.Run(name+suffix, func(b *testing.B) {
				engine := name
				if name == "bare" {
					engine = "verilator"
				}
				x := openDesign(b, engine, d, Options{})
				const batch = 1024
				in := stimulus(x.Layout(), batch, 1)
				for i := range batch {
					in[i*x.Layout().InWords] = 0
				}
				in[0] = 1
				out := make([]uint64, batch*x.Layout().OutWords)
				for b.Loop() {
					if name == "bare" {
						err = x.(*Verilator).BareLoop(batch, in)
					} else {
						err = x.Run(batch, in, out)
					}
					require.NoError(b, err)
				}
				b.ReportMetric(float64(b.N)*batch/b.Elapsed().Seconds(), "cycles/s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
