package cosim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// BenchmarkModelSide is what runs beside the engine: stimulus, golden model, and the words of a batch.
func BenchmarkModelSide(b *testing.B) {
	for _, name := range []string{"nic-line", "nic-serial"} {
		b.Run(name, func(b *testing.B) {
			cfg := presetConfig(b, name)
			l, err := randomLeg(mustNIC(b, cfg), &Options{}, 1, true)
			require.NoError(b, err)
			var batch batch
			for b.Loop() {
				l.fill(&batch, batchCycles)
			}
			b.ReportMetric(float64(b.N)*batchCycles/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}

// BenchmarkSwitchModelSide is the same for a switch.
func BenchmarkSwitchModelSide(b *testing.B) {
	for _, name := range []string{"csig-64p", "csig-4p", "int-switch"} {
		b.Run(name, func(b *testing.B) {
			d, err := config.LoadDesign(name)
			require.NoError(b, err)
			var s subject
			switch c := d.(type) {
			case *config.CSIG:
				s, err = newCSIG(c, true)
			case *config.INT:
				s, err = newINT(c)
			}
			require.NoError(b, err)
			l, err := randomLeg(s, &Options{}, 1, true)
			require.NoError(b, err)
			var batch batch
			for b.Loop() {
				l.fill(&batch, batchCycles)
			}
			b.ReportMetric(float64(b.N)*batchCycles/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}

// BenchmarkCompare is the comparison of a batch in which nothing differs.
func BenchmarkCompare(b *testing.B) {
	cfg := presetConfig(b, "nic-line")
	n := mustNIC(b, cfg)
	l, err := randomLeg(n, &Options{}, 1, true)
	require.NoError(b, err)
	var batch batch
	for range 8 { // past the reset and the sweep
		l.fill(&batch, batchCycles)
	}
	check := newChecker(n.frame())
	words, stride := n.f.words, n.f.layout.OutWords
	for c := range batch.cycles {
		copy(batch.got[c*stride:(c+1)*stride], batch.want[c*words:(c+1)*words])
	}
	for _, e := range batch.taps {
		batch.got[int(e.cycle-batch.start)*stride+check.taps[e.tap]] = e.want
	}
	for b.Loop() {
		require.Nil(b, check.check(&batch))
	}
	b.ReportMetric(float64(b.N)*batchCycles/b.Elapsed().Seconds(), "cycles/s")
}
