package testbench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/configtest"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// needs skips a test whose tools are missing, and says which; in CI it fails.
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

var simulators = []struct {
	target string
	tools  []string
}{{"icarus", []string{"make", "iverilog", "vvp"}}, {"verilator", []string{"make", "verilator", "g++"}}}

func preset(t testing.TB, name string) config.Design {
	t.Helper()
	c, err := config.LoadDesign(name)
	require.NoError(t, err)
	return c
}

// written has the files of a design, with a fault in its Verilog if one is given.
func written(t testing.TB, c config.Design, faults ...vgen.Fault) (dir string) {
	t.Helper()
	d, err := output.Build(c, Files)
	require.NoError(t, err)
	dir = t.TempDir()
	require.NoError(t, d.Write(dir))
	for _, f := range faults {
		top, err := output.Module(c)
		require.NoError(t, err)
		top, err = vgen.Broken(top, f)
		require.NoError(t, err)
		files, err := output.Verilog(c, top)
		require.NoError(t, err)
		for _, f := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "rtl", f.Name), f.Text, 0o666))
		}
	}
	return dir
}

// run makes a target of the benches' Makefile.
func run(dir string, args ...string) (said string, err error) {
	cmd := exec.Command("make", append([]string{"--no-print-directory", "-s", "-C", filepath.Join(dir, "tb")}, args...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// faults are one for each preset, with what the benches say of it first.
var faults = map[string]struct {
	fault vgen.Fault
	says  string // first
}{
	"nic-line": {vgen.Fault{Module: "hpcc_average", At: "whole_s*", Change: vgen.StuckAt(1)},
		`^ACK 3: m_u: expected \d+ \(0x[0-9a-f]+\), got \d+ `},
	"nic-table": {vgen.Fault{Module: "hpcc_average", At: "whole_s*", Change: vgen.StuckAt(1)},
		`^ACK 3: m_u: expected \d+ \(0x[0-9a-f]+\), got \d+ `},
	"nic-serial": {vgen.Fault{Module: "hpcc_average", At: "step_sum", Change: vgen.Operand(1, vgen.StuckAt(0))},
		`^ACK 3: m_u: expected \d+ \(0x[0-9a-f]+\), got \d+ `},
	"nic-aimd": {vgen.Fault{Module: "aimd_core", At: "fc_wr_marked", Change: vgen.StuckAt(0)},
		`^ACK 7: m_w: expected \d+ \(0x[0-9a-f]+\), got \d+ `},
	"csig-64p": {vgen.Fault{Module: "csig_compare", At: "replaces", Change: vgen.Inverted},
		`^packet 2: m_axis_tuser, status: expected 4 \(0x4\), got 5 \(0x5\)\n`},
	"csig-4p": {vgen.Fault{Module: "csig_signal", At: "m_value", Change: vgen.StuckAt(0)},
		`^packet 2: CSIG tag: expected \d+ \(0x[0-9a-f]+\), got \d+ `},
	"int-switch": {vgen.Fault{Module: "int_source", At: "udp_checksum_s*", Change: vgen.Off(1)},
		`^packet 2: UDP checksum: expected \d+ \(0x[0-9a-f]+\), got \d+ `},
}

// The benches of every preset pass in both simulators, and with a fault in the Verilog they name what is wrong first.
func TestPresets(t *testing.T) {
	for _, s := range simulators {
		for _, p := range config.Presets() {
			t.Run(s.target+"/"+p.Name, func(t *testing.T) {
				t.Parallel()
				needs(t, s.tools...)
				said, err := run(written(t, preset(t, p.Name)), s.target)
				require.NoError(t, err, said)
				assert.Regexp(t, `^building .*\nPASS: \w+: \d{2,} checks\n$`, said)

				if s.target == "verilator" && p.Name != "nic-serial" && p.Name != "csig-4p" && os.Getenv("HPCCGEN_LONG") == "" {
					return // builds take long
				}
				f := faults[p.Name]
				said, err = run(written(t, preset(t, p.Name), f.fault), s.target)
				assert.Error(t, err)
				_, list, _ := strings.Cut(said, "\n")
				assert.Regexp(t, f.says, list)
				assert.Regexp(t, `\nFAIL: \w+: \d+ of \d+ checks failed\n`, said)
			})
		}
	}
}

// A design that does nothing is not waited for without end.
func TestDeadDesign(t *testing.T) {
	for _, c := range []struct {
		preset string
		fault  vgen.Fault
		says   string
	}{
		{"nic-serial", vgen.Fault{Module: "hpcc_nic", At: "m_valid", Change: vgen.StuckAt(0)},
			"FAIL: ACK 1: no m_valid within "},
		{"csig-4p", vgen.Fault{Module: "csig_switch", At: "s_axil_awready", Change: vgen.StuckAt(0)},
			"FAIL: registers: no s_axil_awready, s_axil_wready within "},
	} {
		t.Run(c.preset, func(t *testing.T) {
			t.Parallel()
			needs(t, simulators[0].tools...)
			said, err := run(written(t, preset(t, c.preset), c.fault), "icarus")
			assert.Error(t, err)
			assert.Contains(t, said, c.says)
		})
	}
}

// TestRandomDesigns runs the Icarus bench of designs that are drawn from all that a file can say: 40 of every kind with
// HPCCGEN_LONG=1, otherwise a few that are small.
func TestRandomDesigns(t *testing.T) {
	needs(t, "make", "iverilog", "vvp")
	n, large := 3, 3000
	if os.Getenv("HPCCGEN_LONG") != "" {
		n, large = 40, 8000
	}
	for _, kind := range append(config.Laws(), config.KindCSIG, config.KindINT) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			set := configtest.New(kind, 1)
			for i, done := 0, 0; done < n; i++ {
				d := set.Next()
				design, err := output.Build(d.Design)
				require.NoError(t, err, d.YAML)
				if patience(design.Timing)-patience(nil) > large {
					continue
				}
				done++
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					said, err := run(written(t, d.Design), "icarus")
					if err != nil || !strings.Contains(said, "\nPASS: ") {
						t.Errorf("%v: %s\n%s", err, said, d.YAML)
					}
				})
			}
		})
	}
}

// What make does without a target is what the tools that are there can do, and with other Verilog that is what runs.
func TestMakefile(t *testing.T) {
	needs(t, "make", "iverilog", "vvp")
	dir := written(t, preset(t, "nic-serial"))
	said, err := run(dir, "VERILATOR=no_verilator")
	require.NoError(t, err, said)
	assert.Equal(t, 1, strings.Count(said, "PASS: "), said)
	said, err = run(dir, "VERILATOR=no_verilator", "IVERILOG=no_icarus")
	assert.Error(t, err)
	assert.Contains(t, said, "neither no_verilator nor no_icarus is installed")
	said, err = run(dir, "icarus", "RTL=none.v")
	assert.Error(t, err, said)
	said, err = run(dir, "icarus", "ARGS=+vcd")
	require.NoError(t, err, said)
	assert.FileExists(t, filepath.Join(dir, "tb", "nic_serial_tb.vcd"))
	_, err = run(dir, "clean")
	require.NoError(t, err)
	left, err := os.ReadDir(filepath.Join(dir, "tb"))
	require.NoError(t, err)
	assert.Len(t, left, 3)
}

// The benches are for people: lines that fit, no path of a machine, the same steps in both languages.
func TestText(t *testing.T) {
	step := regexp.MustCompile(`(?m)^ +step = .*$`)
	for _, p := range config.Presets() {
		d, err := output.Build(preset(t, p.Name), Files)
		require.NoError(t, err)
		steps := map[string][]string{}
		for _, f := range d.Files {
			if !strings.HasPrefix(f.Path, "tb/") {
				continue
			}
			text := string(f.Data)
			for line := range strings.Lines(text) {
				assert.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 120, "%s: %s", f.Path, line)
			}
			assert.NotRegexp(t, `/[\w.~+@-]+/`, text, f.Path)
			assert.NotRegexp(t, `[ \t]\n`, text, f.Path)
			for _, s := range step.FindAllString(text, -1) {
				steps[filepath.Ext(f.Path)] = append(steps[filepath.Ext(f.Path)], strings.TrimSpace(s))
			}
		}
		assert.GreaterOrEqual(t, len(steps[".v"]), 5)
		assert.Equal(t, steps[".v"], steps[".cpp"], p.Name)
	}
}

// Ten ACKs, of which some react; the word that a bench expects is that of the model.
func TestStory(t *testing.T) {
	d, err := output.Build(preset(t, "nic-line"), Files)
	require.NoError(t, err)
	require.IsType(t, timing.Engine{}, d.Timing)
	for _, f := range d.Files {
		if f.Path != "tb/nic_line_tb.v" {
			continue
		}
		for _, kind := range []string{"none", "first", "update", "fast"} {
			assert.Regexp(t, `check\("m_kind", m_kind, 2'd\d\); // `+kind+"\n", string(f.Data))
		}
		for _, status := range []string{"ok", "first", "no_telemetry", "path_changed", "rejected_flow"} {
			assert.Regexp(t, `check\("m_status", m_status, 4'd\d\); // `+status+"\n", string(f.Data))
		}
	}
}
