package hpcc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

const traces = "../../../testdata/traces"

var allTraces = []string{
	"s_solo_mi0", "s_solo_mi5", "a_incast2_mi0", "a_incast2_mi5", "b_incast16_mi0", "c_fair8_mi5", "d_hetero_mi0",
	"w_wrap_mtu4000_mi5",
}

// replayed is the replay of a trace on the engine of a configuration.
func replayed(cfg *config.NIC, o replay.Options) (*replay.Report, error) {
	l, err := New(cfg)
	if err != nil {
		return nil, err
	}
	return l.Replay(o)
}

func tracePath(name string) string { return filepath.Join(traces, name+".trace.csv.gz") }

// TestModelAgainstReference replays every trace on the golden model and holds the errors that the project promises.
func TestModelAgainstReference(t *testing.T) {
	cfg := preset(t, "nic-line")
	for _, name := range allTraces {
		t.Run(name, func(t *testing.T) {
			rep, err := replayed(cfg, replay.Options{Trace: tracePath(name), Resync: true})
			require.NoError(t, err)
			s := rep.Stats
			t.Logf("resync: %+v", *s)
			assert.Less(t, s.MaxU, 1.0/(1<<16), "U, row %d", s.MaxURow)
			assert.Less(t, s.MaxR, 1.0/(1<<14), "R, row %d", s.MaxRRow)
			assert.Zero(t, s.KindsOther)

			rep, err = replayed(cfg, replay.Options{Trace: tracePath(name)})
			require.NoError(t, err)
			t.Logf("free: %+v", *rep.Stats)
			limit := 2e-4
			if name == "d_hetero_mi0" {
				limit = 1e-3
			}
			assert.Less(t, rep.Stats.P99R, limit)
		})
	}
}

// needs skips a test whose tools are missing, naming them; in CI it fails.
func needs(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is missing", tool)
			}
			t.Skipf("skipped: %s is missing", tool)
		}
	}
}

// output replays a trace and returns the bytes of the output file.
func output(t *testing.T, cfg *config.NIC, o replay.Options) string {
	t.Helper()
	o.Out = filepath.Join(t.TempDir(), "out.csv")
	rep, err := replayed(cfg, o)
	require.NoError(t, err)
	if rep.Cycles > 0 {
		t.Logf("%s on %s, resync %v: %d rows, %d cycles, %.0f rows/s, %.0f cycles/s", rep.Trace, rep.Engine, o.Resync,
			rep.Rows, rep.Cycles, rep.RowsPerSecond, float64(rep.Cycles)/rep.Seconds)
	}
	b, err := os.ReadFile(o.Out)
	require.NoError(t, err)
	return string(b)
}

// TestAllEnginesGiveTheSameBytes replays all traces on the model, the interpreted design, and the design in Verilator.
// Resynchronised rows wait for a context write each, so they are many cycles apart; only with HPCCGEN_LONG=1 all of
// them run.
func TestAllEnginesGiveTheSameBytes(t *testing.T) {
	cfg := preset(t, "nic-line")
	long := os.Getenv("HPCCGEN_LONG") == "1"
	for _, eng := range []struct {
		name   string
		resync int // rows
	}{{"go", 200}, {"verilator", 2500}} {
		t.Run(eng.name, func(t *testing.T) {
			if eng.name == "verilator" {
				needs(t, "verilator", "g++")
			}
			for _, name := range allTraces {
				t.Run(name, func(t *testing.T) {
					o := replay.Options{Trace: tracePath(name), Engine: eng.name}
					m := replay.Options{Trace: tracePath(name)}
					assert.True(t, output(t, cfg, m) == output(t, cfg, o), "free running")
					o.Resync, m.Resync = true, true
					if !long {
						o.Limit, m.Limit = eng.resync, eng.resync
					}
					assert.True(t, output(t, cfg, m) == output(t, cfg, o), "resynchronised")
				})
			}
		})
	}
}

// TestPresetsReplay replays what fits the small preset and the published table.
func TestPresetsReplay(t *testing.T) {
	for _, p := range []string{"nic-serial", "nic-table"} {
		t.Run(p, func(t *testing.T) {
			cfg := preset(t, p)
			for _, resync := range []bool{false, true} {
				m := replay.Options{Trace: tracePath("a_incast2_mi5"), Limit: 400, Resync: resync}
				o := m
				o.Engine = "go"
				assert.Equal(t, output(t, cfg, m), output(t, cfg, o))
			}
		})
	}
}

// withDividers is the line-rate preset with other dividers.
func withDividers(t testing.TB, divider string) *config.NIC {
	t.Helper()
	text, err := config.PresetYAML("nic-line")
	require.NoError(t, err)
	block := regexp.MustCompile(`(?s)\ndividers:.*?\n\n`)
	require.Len(t, block.FindAll(text, -1), 1)
	cfg, err := config.Parse("nic-line.yaml",
		block.ReplaceAll(text, fmt.Appendf(nil, "\ndividers:\n  hop: %s\n  quotient: %s\n\n", divider, divider)))
	require.NoError(t, err)
	return cfg
}

// TestDividers replays with each kind of divider against the bound that the kind states, and the design with each
// against the model.
func TestDividers(t *testing.T) {
	for _, d := range []string{
		"{kind: restoring_serial}", "{kind: restoring_pipelined}", "{kind: reciprocal_table}", "{kind: newton_raphson}",
	} {
		t.Run(d, func(t *testing.T) {
			cfg := withDividers(t, d)
			bound := cfg.HopDivider.RelBound()
			if cfg.HopDivider.Kind != config.ReciprocalTable {
				assert.Less(t, bound, 1e-4)
			}
			for _, name := range allTraces {
				rep, err := replayed(cfg, replay.Options{Trace: tracePath(name), Resync: true})
				require.NoError(t, err)
				s := rep.Stats
				t.Logf("%s: bound %.3g, U %.3g, R %.3g, %d near ties", name, bound, s.MaxU, s.MaxR, s.NearTies)
				// No u' in the traces exceeds 8; eta/U divides once more.
				assert.Less(t, s.MaxU, 1.0/(1<<16)+8*bound, "U, row %d", s.MaxURow)
				assert.Less(t, s.MaxR, 1.0/(1<<14)+2.5*bound, "R, row %d", s.MaxRRow)
			}
			m := replay.Options{Trace: tracePath("d_hetero_mi0"), Limit: 1500}
			o := m
			o.Engine = "go"
			assert.True(t, output(t, cfg, m) == output(t, cfg, o))
		})
	}
}

// TestFaultsShow puts faults into the design's way; each must end in an error or in other bytes.
func TestFaultsShow(t *testing.T) {
	cfg := preset(t, "nic-line")
	base := replay.Options{Trace: tracePath("s_solo_mi0"), Engine: "go", Limit: 50}
	good := output(t, cfg, base)
	for _, c := range []struct {
		name string
		port string
		edit func(at int, v uint64) uint64
		want string // of the error; "": other bytes
	}{
		{"not ready", "s_ready", func(int, uint64) uint64 { return 0 }, "s_ready is low in cycle"},
		{"results lost", "m_valid", func(int, uint64) uint64 { return 0 }, "50 results are missing after cycle"},
		{"another flow", "m_flow", func(_ int, v uint64) uint64 { return v ^ 1 }, "row 1: the result is of flow 1, not 0"},
		{"one ulp of U", "m_u", func(_ int, v uint64) uint64 { return v + 1 }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := base
			o.Out = filepath.Join(t.TempDir(), "out.csv")
			o.Open = func(name string, d engine.Design, eo engine.Options) (engine.Engine, error) {
				e, err := engine.Open(name, d, eo)
				return &edited{e, c.port, c.edit}, err
			}
			_, err := replayed(cfg, o)
			if c.want != "" {
				require.ErrorContains(t, err, c.want)
				assert.NoFileExists(t, o.Out)
				return
			}
			require.NoError(t, err)
			b, err := os.ReadFile(o.Out)
			require.NoError(t, err)
			assert.NotEqual(t, good, string(b))
		})
	}
}

// edited changes one output of an engine.
type edited struct {
	engine.Engine
	port string
	edit func(at int, v uint64) uint64
}

func (e *edited) Run(cycles int, in, out []uint64) error {
	err := e.Engine.Run(cycles, in, out)
	l := e.Layout()
	for _, s := range l.Outputs {
		if s.Name == e.port {
			for c := range cycles {
				w := &out[c*l.OutWords+s.Offset]
				*w = e.edit(c, *w)
			}
		}
	}
	return err
}

// TestCompareNotices shows that the statistics can fail: results that are off by little are beyond the limits.
func TestCompareNotices(t *testing.T) {
	cfg := preset(t, "nic-line")
	tr, err := OpenTrace(tracePath("s_solo_mi0"), "")
	require.NoError(t, err)
	p, err := newPlan(cfg, tr, true, 0)
	require.NoError(t, err)
	c := newComparison(cfg, tr)
	p.Compare = func(it *item, r *hpcc.Result) {
		r.U += 1 << (cfg.Formats.U.Frac - 15)
		r.Rate += r.Rate >> 13
		c.add(it, r)
	}
	l, err := New(cfg)
	require.NoError(t, err)
	_, err = replay.Run(&l.law, &p.Plan, replay.Options{})
	require.NoError(t, err)
	s := c.stats()
	assert.Greater(t, s.MaxU, 1.0/(1<<16))
	assert.Greater(t, s.MaxR, 1.0/(1<<14))
}
