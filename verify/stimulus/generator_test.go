package stimulus

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
)

// lineTiming is what a line-rate design could have; the stimulus must not depend on the figures.
var lineTiming = hpcc.Timing{Latency: 80, Interval: 1, Hazard: 83, Credits: 128, Sweep: 1024, InputDepth: 2}

var serialTiming = hpcc.Timing{Latency: 110, Interval: 5, Hazard: 112, Credits: 32, Sweep: 64, InputDepth: 1}

func preset(t testing.TB, name string) *config.NIC {
	t.Helper()
	cfg, err := config.Load(name)
	require.NoError(t, err)
	return cfg
}

// loop runs a generator closed loop with the golden model.
type loop struct {
	model *hpcc.Clocked
	gen   *Generator
	src   Source
	cov   *Coverage
	in    hpcc.Inputs
	out   hpcc.Outputs
}

func newLoop(t testing.TB, cfg *config.NIC, timing hpcc.Timing, seed uint64) *loop {
	m, err := hpcc.NewClocked(cfg, timing)
	require.NoError(t, err)
	l := &loop{model: m, cov: NewCoverage(cfg)}
	l.gen = New(cfg, timing, seed, m.Model().Context, l.cov)
	l.src = l.gen
	m.OnAck = func(_ int64, a *hpcc.Ack, r *hpcc.Result) { l.gen.Issued(a, r) }
	m.OnReact = func(_ int64, taps *hpcc.Taps) { l.gen.Reacted(taps) }
	return l
}

func (l *loop) step() {
	l.src.Next(&l.in)
	l.model.Cycle(&l.in, &l.out)
	l.src.Seen(&l.in, &l.out)
}

func TestEveryRowIsCovered(t *testing.T) {
	for _, c := range []struct {
		preset string
		timing hpcc.Timing
		cycles int
	}{{"nic-line", lineTiming, 1_000_000}, {"nic-serial", serialTiming, 2_000_000}} {
		t.Run(c.preset, func(t *testing.T) {
			l := newLoop(t, preset(t, c.preset), c.timing, 1)
			for range c.cycles {
				l.step()
			}
			assert.Empty(t, l.cov.Holes(), "rows never reached; all:\n%s", l.cov)
			if testing.Verbose() {
				t.Log("\n" + l.cov.String())
			}
		})
	}
}

func BenchmarkCycle(b *testing.B) {
	l := newLoop(b, preset(b, "nic-line"), lineTiming, 1)
	b.ReportAllocs()
	for b.Loop() {
		l.step()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cycles/s")
}
