package transit

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// timing is what a design could have; the stimulus must not depend on the figures.
func timing(c *config.CSIG) csig.Timing {
	sweep := 16
	for sweep < 16*c.Ports {
		sweep *= 2
	}
	g := csig.Timing{
		Lookup: 5, Meter: 7, Scale: 13, Code: 22, Count: 46, Stacked: 46, Decision: 48,
		Commit: 1, CommitAnswer: 3, Buckets: 1, BucketsAnswer: 36, Absent: 1,
	}
	g.Spacing, g.Credits, g.Sweep = 1, 64, sweep
	if c.Folded {
		g.Spacing, g.Stacked, g.Commit, g.CommitAnswer = 8, 48, 18, 28
	}
	g.Offer, g.Return, g.Enter, g.Leave, g.Act, g.Answer = 3, 1, 1, 1, 2, 3
	return g
}

func parse(t testing.TB, text string) *config.CSIG {
	t.Helper()
	d, err := config.ParseDesign("test.yaml", []byte(text))
	require.NoError(t, err)
	return d.(*config.CSIG)
}

func preset(t testing.TB, name string) *config.CSIG {
	t.Helper()
	d, err := config.LoadDesign(name)
	require.NoError(t, err)
	return d.(*config.CSIG)
}

// loop runs a source closed loop with the golden model.
type loop struct {
	model *csig.Clocked
	gen   *Generator
	src   Source
	cov   *Coverage
	in    csig.Inputs
	out   csig.Outputs
}

func newLoop(t testing.TB, cfg *config.CSIG, seed uint64) *loop {
	m, err := csig.NewClocked(cfg, timing(cfg))
	require.NoError(t, err)
	l := &loop{model: m, cov: NewCoverage(cfg)}
	l.gen = New(cfg, timing(cfg), seed, l.cov)
	l.gen.Meter = m.Meter
	l.src = l.gen
	m.OnDecision = func(_ int64, ev *csig.Event) { l.gen.Decided(ev) }
	return l
}

func (l *loop) step() {
	l.src.Next(&l.in)
	l.model.Cycle(&l.in, &l.out)
	l.src.Seen(&l.in, &l.out)
}

const smallUEC = `
design: csig
name: csig_uec
ports: 5
stream_bits: 128
widths: {time: 32, bytes: 16, fraction: 0, reciprocal: 18, ratio: 14, queue: 20}
tags: {split: uec}
bandwidth: {method: raw, window: 4us}
port_defaults: {capacity: 10G}
`

func TestEveryRowIsCovered(t *testing.T) {
	for _, c := range []struct {
		name   string
		cfg    *config.CSIG
		cycles int
	}{
		{"csig-4p", preset(t, "csig-4p"), 3_000_000},
		{"csig-64p", preset(t, "csig-64p"), 2_000_000},
		{"uec", parse(t, smallUEC), 3_000_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLoop(t, c.cfg, 1)
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

// TestPipelineTakesABeatEachCycle requires, for each mix of packets, that a beat is accepted in every cycle in which
// one is offered, as long as the sink is ready, and that nothing is lost on the way but what a removed tag leaves
// free. A folded pipeline does so where all packets have eight beats.
func TestPipelineTakesABeatEachCycle(t *testing.T) {
	full := *preset(t, "csig-4p")
	full.Folded = false
	for name, cfg := range map[string]*config.CSIG{"csig-4p": preset(t, "csig-4p"), "csig-4p, full": &full,
		"csig-64p": preset(t, "csig-64p")} {
		l := newLoop(t, cfg, 2)
		for range 600_000 {
			l.step()
		}
		for _, row := range l.cov.Throughput() {
			f := row.Free
			switch row.Mix {
			case "minimum", "imix", "jumbo", "tagged", "one_port", "all_ports":
			case "runts":
				if cfg.Folded { // a beat each, and eight cycles
					assert.InDelta(t, float64(f.Cycles)/8, f.In, float64(f.Cycles)/100, "%s %s", name, row.Mix)
				}
				fallthrough
			default:
				if cfg.Folded {
					continue
				}
			}
			require.Positive(t, f.Cycles, "%s %s", name, row.Mix)
			assert.Equal(t, f.Cycles, f.Offered, "%s %s", name, row.Mix)
			assert.Equal(t, f.Cycles, f.In, "%s %s", name, row.Mix)
			assert.InDelta(t, f.In, f.Out+f.Gone, float64(f.Cycles)/1000+4, "%s %s: %+v", name, row.Mix, f)
		}
	}
}

func BenchmarkCycle(b *testing.B) {
	for _, name := range []string{"csig-4p", "csig-64p"} {
		b.Run(name, func(b *testing.B) {
			l := newLoop(b, preset(b, name), 1)
			b.ReportAllocs()
			for b.Loop() {
				l.step()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}

// TestEpisodesStandAlone requires that an episode is the same whether or not those before it have run: replay and
// shrinking rely on it.
func TestEpisodesStandAlone(t *testing.T) {
	cfg := preset(t, "csig-4p")
	whole := newLoop(t, cfg, 3)
	var want []Script
	var rec *Recorder
	episode := -1
	for range 300_000 {
		if e := Episodes(cfg, timing(cfg), 3).At(episode + 1); whole.gen.Cycle() == e.Start {
			if rec != nil {
				want = append(want, rec.Script)
			}
			episode++
			rec = Record(whole.gen, cfg.DataBits/8)
			whole.src = rec
		}
		whole.step()
	}
	require.Greater(t, len(want), 4)
	for i, script := range want {
		e := Episodes(cfg, timing(cfg), 3).At(i)
		alone := newLoop(t, cfg, 3)
		require.Equal(t, e.Start, alone.gen.GoTo(e.Start+e.Length-1, 0))
		rec := Record(alone.gen, cfg.DataBits/8)
		alone.src = rec
		for range e.Length {
			alone.step()
		}
		require.True(t, assert.ObjectsAreEqual(script, rec.Script), "episode %d:\n%.4000s\nalone:\n%.4000s", i,
			script.String(), rec.Script.String())
	}
}

// TestScriptsPlayAsRecorded requires that a script has everything that matters: played again, the device answers the
// same in every cycle.
func TestScriptsPlayAsRecorded(t *testing.T) {
	for _, cfg := range []*config.CSIG{preset(t, "csig-4p"), parse(t, smallUEC)} {
		for n := range 6 {
			l := newLoop(t, cfg, 20)
			e := Episodes(cfg, timing(cfg), 20).At(n)
			l.gen.GoTo(e.Start, 0)
			rec := Record(l.gen, cfg.DataBits/8)
			l.src = rec
			var want []csig.Outputs
			for range e.Length {
				l.step()
				want = append(want, l.out)
			}
			text, err := rec.Script.JSON()
			require.NoError(t, err)
			require.NotEmpty(t, text)
			again, err := csig.NewClocked(cfg, timing(cfg))
			require.NoError(t, err)
			p := NewPlayer(rec.Script.Clone())
			var in csig.Inputs
			var out csig.Outputs
			for c := range want {
				p.Next(&in)
				again.Cycle(&in, &out)
				p.Seen(&in, &out)
				requireSame(t, c, &want[c], &out)
			}
		}
	}
}

// requireSame compares outputs as far as they mean something.
func requireSame(t *testing.T, cycle int, want, got *csig.Outputs) {
	t.Helper()
	mean := func(o csig.Outputs) csig.Outputs {
		if !o.Valid {
			o.Beat, o.EgressPort, o.Status = csig.Beat{}, 0, 0
		}
		clear(o.Beat.Data[o.Beat.Len:])
		if !o.Bus.BValid {
			o.Bus.BError = false
		}
		if !o.Bus.RValid {
			o.Bus.RError, o.Bus.RData = false, 0
		}
		return o
	}
	if w, g := mean(*want), mean(*got); w != g {
		require.Equal(t, w, g, "cycle %d", cycle)
	}
}

// TestStreamsKeepTheirRules requires that an element stays on offer, unchanged, until it is taken.
func TestStreamsKeepTheirRules(t *testing.T) {
	l := newLoop(t, preset(t, "csig-4p"), 5)
	var last csig.Inputs
	var out csig.Outputs
	for c := range 200_000 {
		l.step()
		if c > 0 && !last.Rst && !l.in.Rst {
			if last.Valid && !out.Ready {
				require.True(t, l.in.Valid, "cycle %d", c)
				require.Equal(t, last.Beat, l.in.Beat, "cycle %d", c)
				require.Equal(t, last.Meta, l.in.Meta, "cycle %d", c)
			}
			u, v := &last.Bus, &l.in.Bus
			if u.AWValid && !out.Bus.AWReady {
				require.Equal(t, [2]any{true, u.AWAddr}, [2]any{v.AWValid, v.AWAddr}, "cycle %d", c)
			}
			if u.WValid && !out.Bus.WReady {
				require.Equal(t, [3]any{true, u.WData, u.WStrb}, [3]any{v.WValid, v.WData, v.WStrb}, "cycle %d", c)
			}
			if u.ARValid && !out.Bus.ARReady {
				require.Equal(t, [2]any{true, u.ARAddr}, [2]any{v.ARValid, v.ARAddr}, "cycle %d", c)
			}
		}
		if l.in.Valid && l.in.Beat.Last {
			require.Positive(t, l.in.Beat.Len)
			require.LessOrEqual(t, l.in.Beat.Len, 8)
		}
		last, out = l.in, l.out
	}
}

// TestBindingIsExact writes inputs to words and reads them back, and names every port that does not fit.
func TestBindingIsExact(t *testing.T) {
	for _, name := range []string{"csig-4p", "csig-64p"} {
		cfg := preset(t, name)
		layout := SizesOf(cfg).Table().Layout()
		b, err := Bind(SizesOf(cfg), layout)
		require.NoError(t, err)
		b.Noise = true
		l := newLoop(t, cfg, 8)
		words := make([]uint64, layout.InWords)
		mask := csig.Meta{
			IngressPort: 1<<PortBits(cfg) - 1, EgressPort: 1<<PortBits(cfg) - 1,
			IngressNs: 1<<cfg.TimeBits - 1, EgressNs: 1<<cfg.TimeBits - 1, QlenBytes: 1<<cfg.QlenBits - 1,
		}
		for range 20_000 {
			l.step()
			var back csig.Inputs
			b.PutInputs(words, &l.in)
			b.Inputs(words, &back)
			want := l.in
			clear(want.Beat.Data[cfg.DataBits/8:])
			if !want.Beat.Last {
				want.Beat.Len = cfg.DataBits / 8
			}
			m := &want.Meta
			*m = csig.Meta{
				IngressPort: m.IngressPort & mask.IngressPort, EgressPort: m.EgressPort & mask.EgressPort,
				IngressNs: m.IngressNs & mask.IngressNs, EgressNs: m.EgressNs & mask.EgressNs,
				QlenBytes: m.QlenBytes & mask.QlenBytes,
			}
			require.Equal(t, want, back)
		}
	}
	cfg := preset(t, "csig-4p")
	layout := SizesOf(cfg).Table().Layout()
	layout.Inputs[1].Name = "s_axis_valid"
	layout.Outputs[1].Width = 2
	_, err := Bind(SizesOf(cfg), layout)
	assert.EqualError(t, err,
		"input port s_axis_valid is not one of the device's (docs/csig.md)\ninput port s_axis_tvalid (1 bits) is missing\n"+
			"output port m_axis_tvalid has 2 bits; the configuration gives 1")
}

// TestPlacesAreThoseOfTheDraft counts what the walk finds in generated packets.
func TestPlacesAreThoseOfTheDraft(t *testing.T) {
	cfg := preset(t, "csig-4p")
	g := New(cfg, timing(cfg), 4, nil)
	g.mix = Tagged
	tags := telemetry.Tags{Compact: cfg.CompactTPID, Expanded: cfg.ExpandedTPID, VLAN: cfg.VLANTPIDs}
	found := map[telemetry.Find]int{}
	for range 20_000 {
		g.makePacket()
		found[tags.Walk(g.packet.Bytes).Find]++
	}
	assert.Greater(t, found[telemetry.FindTag], 15_000)
	assert.Positive(t, found[telemetry.FindHidden])
	assert.Positive(t, found[telemetry.FindNone], "a fifth VLAN tag, a second SecTAG")
	assert.Zero(t, found[telemetry.FindShort])
}
