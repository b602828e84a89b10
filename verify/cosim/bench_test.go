package cosim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/drive"
)

// BenchmarkModelSide is what runs beside the engine: stimulus, golden model, and the words of a batch.
func BenchmarkModelSide(b *testing.B) {
	for _, name := range []string{"nic-line", "nic-serial"} {
		b.Run(name, func(b *testing.B) {
			cfg := presetConfig(b, name)
			l, err := drive.RandomLeg(mustNIC(b, cfg, true), "", 1)
			require.NoError(b, err)
			for b.Loop() {
				l.RunTo(l.Cycle()+drive.BatchCycles, nil)
			}
			b.ReportMetric(float64(b.N)*drive.BatchCycles/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}

// BenchmarkSwitchModelSide is the same for a switch.
func BenchmarkSwitchModelSide(b *testing.B) {
	for _, name := range []string{"csig-64p", "csig-4p", "int-switch"} {
		b.Run(name, func(b *testing.B) {
			d, err := config.LoadDesign(name)
			require.NoError(b, err)
			s, err := newSubject(d, true)
			require.NoError(b, err)
			l, err := drive.RandomLeg(s, "", 1)
			require.NoError(b, err)
			for b.Loop() {
				l.RunTo(l.Cycle()+drive.BatchCycles, nil)
			}
			b.ReportMetric(float64(b.N)*drive.BatchCycles/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}
