package budget

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

const folder = "../../budgets"

// Designs stay within their budgets: changes are printed, old and new.
func TestBudgets(t *testing.T) {
	for _, p := range Plans {
		t.Run(p.Preset+" "+p.Part, func(t *testing.T) {
			needs(t, "yosys")
			file, err := Read(filepath.Join(folder, p.File))
			require.NoError(t, err)
			budgets := slices.DeleteFunc(file.Rows, func(r Row) bool { return r.Preset != p.Preset || r.Part != p.Part })
			require.NotEmpty(t, budgets, "make budgets writes them")
			today, tools, err := p.Measure(context.Background(), RouteNone, 1, nil)
			require.NoError(t, err)
			changes, added, gone := Compare(budgets, today)
			for _, c := range changes {
				t.Log(c)
			}
			if then, now := file.Tools.Counted, tools.Counted; now != then {
				require.NotEqual(t, "true", os.Getenv("CI"),
					"budgets/%s is of %s, this is %s: make budgets writes it anew", p.File, then, now)
				t.Skipf("skipped: the figures are of %s, this is %s", then, now)
			}
			assert.Empty(t, Worse(changes), "beyond budgets/%s; where that is meant: make budgets", p.File)
			for _, r := range added {
				t.Errorf("%s has no budget in budgets/%s: make budgets", r.Module, p.File)
			}
			for _, r := range gone {
				t.Errorf("budgets/%s has a module that is not there: %s; make budgets", p.File, r.Module)
			}
		})
	}
}

func needs(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing", tool)
		}
		t.Skipf("skipped: %s is missing", tool)
	}
}

// What grows is noticed, and what shrinks is no failure.
func TestCompare(t *testing.T) {
	row := func(module string, lut, ff int, fmax float64) Row {
		return Row{Preset: "p", Part: "hx8k", Module: module, Cells: map[string]int{"lut": lut, "ff": ff}, Fmax: fmax}
	}
	changes, added, gone := Compare(
		[]Row{row("a", 100, 50, 80), row("b", 10, 5, 0), row("c", 1, 1, 0)},
		[]Row{row("a", 101, 49, 79), row("b", 10, 5, 90), row("d", 1, 1, 0)},
	)
	var said []string
	for _, c := range changes {
		said = append(said, c.String())
	}
	assert.Equal(t, []string{
		"p on hx8k: a: lut 100 -> 101 (+1)", "p on hx8k: a: ff 50 -> 49 (-1)", "p on hx8k: a: fmax_mhz 80 -> 79 (-1)",
	}, said)
	assert.Len(t, Worse(changes), 2)
	assert.Equal(t, "d", added[0].Module)
	assert.Equal(t, "c", gone[0].Module)
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.csv")
	f := File{Tools: Tools{"Yosys 0.23 (git sha1 7ce5011c24b)", []string{"Yosys 0.52", "nextpnr-ecp5 0.7"}}, Rows: []Row{
		{Preset: "nic-serial", Part: "hx8k", Module: "m", Cells: map[string]int{"lut": 1, "ff": 2, "carry": 3, "ram": 4,
			"lut_ram": 5, "dsp": 6}, Logic: 7, Fmax: 80.25},
		{Preset: "nic-serial", Part: "hx8k", Module: "n", Cells: map[string]int{"lut": 1, "ff": 0, "carry": 0, "ram": 0,
			"lut_ram": 0, "dsp": 0}},
	}}
	require.NoError(t, f.Write(path))
	got, err := Read(path)
	require.NoError(t, err)
	assert.Equal(t, f, got)
	require.NoError(t, os.WriteFile(path, []byte("preset,part\n"), 0o666))
	_, err = Read(path)
	assert.ErrorContains(t, err, "the first row must be preset,part,module,lut,ff,")
}

// Every preset is held to a budget somewhere.
func TestPlans(t *testing.T) {
	for _, preset := range config.Presets() {
		assert.True(t, slices.ContainsFunc(Plans, func(p Plan) bool { return p.Preset == preset.Name }), preset.Name)
	}
}
