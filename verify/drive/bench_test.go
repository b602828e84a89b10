package drive

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// BenchmarkCompare is the comparison of a batch of an engine's size in which nothing differs.
func BenchmarkCompare(b *testing.B) {
	l := &vgen.Layout{OutWords: 48}
	f := Frame{Layout: l, Words: 48, Streams: []Stream{{Valid: -1}, {Valid: 0}}}
	for i := range 48 {
		l.Outputs = append(l.Outputs, vgen.Slot{Offset: i, Words: 1})
		f.Streams[i/24].Ports = append(f.Streams[i/24].Ports, i)
	}
	var batch Batch
	batch.Size(l, BatchCycles)
	batch.want = make([]uint64, BatchCycles*f.Words)
	for i := range batch.want {
		batch.want[i] = uint64(i * 7)
	}
	copy(batch.Out, batch.want)
	for b.Loop() {
		require.Nil(b, f.compare(&batch, nil))
	}
	b.ReportMetric(float64(b.N)*BatchCycles/b.Elapsed().Seconds(), "cycles/s")
}
