package hpcc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// lineTiming is a possible timing of a line-rate design; the stimulus must not depend on the figures.
var lineTiming = hpcc.Timing{
	Latency: 80, Interval: 1, Hazard: 83, Credits: 128,
	Sweep: 1024, InputDepth: 2, Told: 1, ToldRead: 1, Count: 80, Output: 2,
}

var serialTiming = hpcc.Timing{
	Latency: 206, Interval: 35, Credits: 8,
	Sweep: 128, Hold: 29, HoldRead: 1, Count: 29, Output: 1,
}

func preset(t testing.TB, name string) *config.NIC {
	t.Helper()
	cfg, err := config.Load(name)
	require.NoError(t, err)
	return cfg
}

// loop runs a generator closed loop with the golden model.
type loop struct {
	model *hpcc.Clocked
	gen   *generator
	src   stimulus.Source[hpcc.Ack, hpcc.ContextWrite]
	in    hpcc.Inputs
	out   hpcc.Outputs
}

func newLoop(t testing.TB, cfg *config.NIC, timing hpcc.Timing, seed uint64) *loop {
	m, err := hpcc.NewClocked(cfg, timing)
	require.NoError(t, err)
	law, err := New(cfg)
	require.NoError(t, err)
	l := &loop{model: m}
	l.gen = law.NewGenerator(timing, seed, m.Model().Context)
	l.src = l.gen
	m.OnEvent = func(_ int64, a *hpcc.Ack, r *hpcc.Result) {
		of := hpcc.Context{}
		if int(a.Flow) < cfg.Flows {
			of = m.Model().Context(a.Flow)
		}
		law.Count(l.gen, a, r, &of)
	}
	m.OnReact = func(_ int64, taps *hpcc.Taps) { law.React(l.gen.Cov, taps) }
	return l
}

func (l *loop) step() {
	l.src.Next(&l.in)
	l.model.Cycle(&l.in, &l.out)
	l.src.Seen(&l.in, stimulus.AnswerOf(&l.out))
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
			assert.Empty(t, l.gen.Cov.Holes(), "rows never reached; all:\n%s", l.gen.Cov)
			if testing.Verbose() {
				t.Log("\n" + l.gen.Cov.String())
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

// TestEpisodesStandAlone requires that an episode is the same whether or not those before it have run: replay and
// shrinking rely on it.
func TestEpisodesStandAlone(t *testing.T) {
	cfg := preset(t, "nic-serial")
	whole := newLoop(t, cfg, serialTiming, 3)
	var want []Script
	var rec *stimulus.Recorder[hpcc.Ack, hpcc.ContextWrite]
	episode := -1
	for cycle := range int64(400_000) {
		if e := stimulus.Episodes(cfg.Flows, serialTiming, setup(cfg), 3).At(episode + 1); cycle == e.Start {
			if rec != nil {
				want = append(want, rec.Script)
			}
			episode++
			rec = stimulus.Record[hpcc.Ack, hpcc.ContextWrite](whole.gen)
			whole.src = rec
		}
		whole.step()
	}
	require.Greater(t, len(want), 4)
	for i, script := range want {
		e := stimulus.Episodes(cfg.Flows, serialTiming, setup(cfg), 3).At(i)
		alone := newLoop(t, cfg, serialTiming, 3)
		require.Equal(t, e.Start, alone.gen.GoTo(e.Start+e.Length-1, 0))
		rec := stimulus.Record[hpcc.Ack, hpcc.ContextWrite](alone.gen)
		alone.src = rec
		for range e.Length {
			alone.step()
		}
		require.True(t, assert.ObjectsAreEqual(script, rec.Script), "episode %d:\n%.4000s\nalone:\n%.4000s", i,
			script.String(), rec.Script.String())
	}
}

// TestStreamsKeepTheirRules requires that an element stays on offer, unchanged, until it is taken.
func TestStreamsKeepTheirRules(t *testing.T) {
	l := newLoop(t, preset(t, "nic-line"), lineTiming, 5)
	var last hpcc.Inputs
	var out hpcc.Outputs
	for c := range 200_000 {
		l.step()
		if c > 0 && !last.Rst && !l.in.Rst {
			if last.S.Valid && !out.SReady {
				require.Equal(t, last.S, l.in.S, "cycle %d", c)
			}
			if last.CW.Valid && !out.CWReady {
				require.Equal(t, last.CW, l.in.CW, "cycle %d", c)
			}
			if last.CR.Valid && !out.CRReady {
				require.Equal(t, last.CR, l.in.CR, "cycle %d", c)
			}
			if last.TW.Valid && !out.TWReady {
				require.Equal(t, last.TW, l.in.TW, "cycle %d", c)
			}
		}
		last, out = l.in, l.out
	}
}

// TestScriptsReplay requires that a recorded script, played again, gives the model the same ACKs at the same times.
func TestScriptsReplay(t *testing.T) {
	cfg := preset(t, "nic-line")
	type event struct {
		cycle int64
		ack   hpcc.Ack
		res   hpcc.Result
	}
	run := func(l *loop, cycles int) (events []event) {
		prev := l.model.OnEvent
		l.model.OnEvent = func(c int64, a *hpcc.Ack, r *hpcc.Result) {
			events = append(events, event{c, *a, *r})
			if prev != nil {
				prev(c, a, r)
			}
		}
		for range cycles {
			l.step()
		}
		return events
	}
	first := newLoop(t, cfg, lineTiming, 8)
	rec := stimulus.Record[hpcc.Ack, hpcc.ContextWrite](first.gen)
	first.src = rec
	want := run(first, 60_000)
	second := newLoop(t, cfg, lineTiming, 8)
	second.model.OnEvent, second.model.OnReact = nil, nil
	second.src = stimulus.NewPlayer(&rec.Script)
	got := run(second, 60_000)
	require.NotEmpty(t, want)
	require.Equal(t, len(want), len(got))
	require.True(t, assert.ObjectsAreEqual(want, got))
}
