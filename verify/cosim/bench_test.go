package cosim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// BenchmarkModelSide is what runs beside the engine: stimulus, golden model, and the words of a batch.
func BenchmarkModelSide(b *testing.B) {
	for _, name := range []string{"nic-line", "nic-serial"} {
		b.Run(name, func(b *testing.B) {
			cfg := presetConfig(b, name)
			l, err := randomLeg(mustTarget(b, cfg), &Options{}, 1, stimulus.NewCoverage(cfg))
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
	t := mustTarget(b, cfg)
	l, err := randomLeg(t, &Options{}, 1, stimulus.NewCoverage(cfg))
	require.NoError(b, err)
	var batch batch
	for range 8 { // past the reset and the sweep
		l.fill(&batch, batchCycles)
	}
	check := newChecker(t)
	for c := range batch.cycles {
		copy(batch.got[c*check.stride:(c+1)*check.stride], batch.want[c*check.words:(c+1)*check.words])
	}
	for _, e := range batch.taps {
		batch.got[int(e.cycle-batch.start)*check.stride+check.taps[e.tap]] = e.want
	}
	for b.Loop() {
		require.Nil(b, check.check(&batch))
	}
	b.ReportMetric(float64(b.N)*batchCycles/b.Elapsed().Seconds(), "cycles/s")
}
