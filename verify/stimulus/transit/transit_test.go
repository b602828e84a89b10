package transit_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/csig"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// subjects are packet pipelines of each kind.
func subjects(t testing.TB) map[string]*transit.Subject {
	t.Helper()
	list := map[string]*transit.Subject{}
	for _, name := range []string{"csig-4p", "csig-64p", "int-switch"} {
		d, err := config.LoadDesign(name)
		require.NoError(t, err)
		if c, ok := d.(*config.CSIG); ok {
			list[name], err = csig.NewSubject(c, false)
		} else {
			list[name], err = inband.NewSubject(d.(*config.INT), false)
		}
		require.NoError(t, err)
	}
	return list
}

// run prints the cycles of a side: inputs and outputs.
func run(s *transit.Subject, side drive.Side, cycles int64, see func(cycle int64, in model.Inputs, out model.Outputs)) {
	drive.NewLeg(s.Frame(), side, "").RunTo(cycles, func(cycle int64, words, want []uint64) {
		var in model.Inputs
		var out model.Outputs
		s.Binding.Inputs(words, &in)
		s.Binding.Outputs(want, &out)
		see(cycle, in, out)
	})
}

// meant is the outputs that are defined.
func meant(o model.Outputs) model.Outputs {
	if !o.Valid {
		o.Beat, o.EgressPort, o.Status = model.Beat{}, 0, 0
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

// Each episode is the same alone as after others, and a script has everything that matters: recorded alone and played,
// the device answers as in the whole run. Replay and shrinking rely on both.
func TestEpisodesStandAloneAndScriptsPlayAsRecorded(t *testing.T) {
	const seed, cycles = 3, 200_000
	for name, s := range subjects(t) {
		t.Run(name, func(t *testing.T) {
			side, err := s.Random(seed)
			require.NoError(t, err)
			var whole []model.Outputs
			run(s, side, cycles, func(_ int64, _ model.Inputs, out model.Outputs) { whole = append(whole, meant(out)) })
			n := 0
			for e := s.Episodes(seed).At(0); e.Start+e.Length <= cycles; e = s.Episodes(seed).Next(e) {
				script, start, err := s.Record(seed, e.Start+e.Length-1, 0)
				require.NoError(t, err)
				require.Equal(t, e.Start, start)
				text, err := json.Marshal(script)
				require.NoError(t, err)
				require.NotEmpty(t, text)
				side, err := s.Play(script.Copy())
				require.NoError(t, err)
				run(s, side, e.Length, func(cycle int64, _ model.Inputs, out model.Outputs) {
					if want := whole[e.Start+cycle]; cycle >= int64(e.Resets) && want != meant(out) {
						require.Equal(t, want, meant(out), "cycle %d of episode %d", cycle, e.Index)
					}
				})
				n++
			}
			assert.Greater(t, n, 4)
		})
	}
}

// An element stays on offer, unchanged, until it is taken.
func TestStreamsKeepTheirRules(t *testing.T) {
	for name, s := range subjects(t) {
		side, err := s.Random(5)
		require.NoError(t, err)
		var last model.Inputs
		var out model.Outputs
		run(s, side, 200_000, func(c int64, in model.Inputs, now model.Outputs) {
			if c > 0 && !last.Rst && !in.Rst {
				if last.Valid && !out.Ready {
					last.MReady, last.Bus = in.MReady, in.Bus
					require.Equal(t, last, in, "%s, cycle %d", name, c)
				}
				u, v := &last.Bus, &in.Bus
				if u.AWValid && !out.Bus.AWReady {
					require.Equal(t, [2]any{true, u.AWAddr}, [2]any{v.AWValid, v.AWAddr}, "%s, cycle %d", name, c)
				}
				if u.WValid && !out.Bus.WReady {
					require.Equal(t, [3]any{true, u.WData, u.WStrb}, [3]any{v.WValid, v.WData, v.WStrb}, "%s, cycle %d", name, c)
				}
				if u.ARValid && !out.Bus.ARReady {
					require.Equal(t, [2]any{true, u.ARAddr}, [2]any{v.ARValid, v.ARAddr}, "%s, cycle %d", name, c)
				}
			}
			if in.Valid && in.Beat.Last {
				require.Positive(t, in.Beat.Len)
				require.LessOrEqual(t, in.Beat.Len, s.Width())
			}
			last, out = in, now
		})
	}
}

// TestBindingIsExact writes inputs to words and reads them back, and names every port that does not fit.
func TestBindingIsExact(t *testing.T) {
	for _, s := range subjects(t) {
		side, err := s.Random(8)
		require.NoError(t, err)
		again := make([]uint64, s.Binding.Layout.InWords)
		drive.NewLeg(s.Frame(), side, "").RunTo(20_000, func(_ int64, words, _ []uint64) {
			var in model.Inputs
			s.Binding.Inputs(words, &in)
			s.Binding.PutInputs(again, &in)
			require.Equal(t, words, again)
		})
	}
	sizes := subjects(t)["csig-4p"].Sizes
	layout := sizes.Table().Layout()
	layout.Inputs = slices.Clone(layout.Inputs)
	layout.Inputs[1].Name = "s_axis_valid"
	layout.Outputs[1].Width = 2
	_, err := transit.Bind(sizes, layout)
	assert.EqualError(t, err,
		"input port s_axis_valid is not one of the device's (docs/csig.md)\ninput port s_axis_tvalid (1 bits) is missing\n"+
			"output port m_axis_tvalid has 2 bits; the configuration gives 1")
}

func BenchmarkCycle(b *testing.B) {
	for name, s := range subjects(b) {
		b.Run(name, func(b *testing.B) {
			side, err := s.Random(1)
			require.NoError(b, err)
			leg := drive.NewLeg(s.Frame(), side, "")
			b.ReportAllocs()
			for b.Loop() {
				leg.RunTo(leg.Cycle()+drive.BatchCycles, nil)
			}
			b.ReportMetric(float64(b.N*drive.BatchCycles)/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}
