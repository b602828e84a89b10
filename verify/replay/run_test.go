package replay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

const traces = "../../testdata/traces"

var allTraces = []string{
	"s_solo_mi0", "s_solo_mi5", "a_incast2_mi0", "a_incast2_mi5", "b_incast16_mi0", "c_fair8_mi5", "d_hetero_mi0", "w_wrap_mtu4000_mi5",
}

func tracePath(name string) string { return filepath.Join(traces, name+".trace.csv.gz") }

func preset(t testing.TB, name string) *config.NIC {
	t.Helper()
	cfg, err := config.Load(name)
	require.NoError(t, err)
	return cfg
}

// TestModelAgainstReference replays every trace on the golden model and holds the errors that the project promises.
func TestModelAgainstReference(t *testing.T) {
	cfg := preset(t, "nic-line")
	for _, name := range allTraces {
		t.Run(name, func(t *testing.T) {
			rep, err := Run(cfg, Options{Trace: tracePath(name), Resync: true})
			require.NoError(t, err)
			s := rep.Stats
			t.Logf("resync: %+v", *s)
			assert.Less(t, s.MaxU, 1.0/(1<<16), "U, row %d", s.MaxURow)
			assert.Less(t, s.MaxR, 1.0/(1<<14), "R, row %d", s.MaxRRow)
			assert.Zero(t, s.KindsOther)

			rep, err = Run(cfg, Options{Trace: tracePath(name)})
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

// TestModelGivesDesignsBytes compares the output files of the model and the interpreted design.
func TestModelGivesDesignsBytes(t *testing.T) {
	cfg := preset(t, "nic-line")
	for _, resync := range []bool{false, true} {
		for _, name := range []string{"s_solo_mi5", "d_hetero_mi0"} {
			files := map[string]string{}
			for _, eng := range []string{"model", "go"} {
				out := filepath.Join(t.TempDir(), "out.csv")
				rep, err := Run(cfg, Options{Trace: tracePath(name), Engine: eng, Out: out, Limit: 300, Resync: resync})
				require.NoError(t, err)
				t.Logf("%s %s: %d cycles, %.0f rows/s", name, eng, rep.Cycles, rep.RowsPerSecond)
				b, err := os.ReadFile(out)
				require.NoError(t, err)
				files[eng] = string(b)
			}
			assert.Equal(t, files["model"], files["go"])
		}
	}
}
