package lint

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/configtest"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// checkers are the tools that are installed. In CI a missing one is a failure.
func checkers(t *testing.T) []string {
	var names []string
	for _, name := range Tools() {
		_, err := find(name)
		var missing toolchain.Missing
		switch {
		case err == nil:
			names = append(names, name)
		case !errors.As(err, &missing) || os.Getenv("CI") == "true":
			require.NoError(t, err)
		default:
			t.Logf("skipped: %v", err)
		}
	}
	if len(names) == 0 {
		t.Skip("skipped: lint of emitted designs, no tool is installed")
	}
	return names
}

// source is one configuration to be linted.
type source struct {
	name, yaml string
}

// lintAll lints many configurations on all processors.
func lintAll(t *testing.T, sources []source) {
	names := checkers(t)
	begin := time.Now()
	work := make(chan source)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for s := range work {
				top, files, err := Generate(s.name, []byte(s.yaml))
				if !assert.NoError(t, err, "%s is valid, its design must build:\n%s", s.name, s.yaml) {
					continue
				}
				messages, err := Check(top, files, names...)
				assert.NoError(t, err)
				assert.Empty(t, messages, "%s:\n%s", s.name, s.yaml)
			}
		})
	}
	for _, s := range sources {
		work <- s
	}
	close(work)
	wait.Wait()
	t.Logf("%d designs, %s: %v", len(sources), strings.Join(names, ", "), time.Since(begin).Round(time.Second))
}

func TestPresetsAreClean(t *testing.T) {
	var list []source
	for _, p := range config.Presets() {
		text, err := config.PresetYAML(p.Name)
		require.NoError(t, err)
		list = append(list, source{p.Name, string(text)})
	}
	require.NotEmpty(t, list)
	lintAll(t, list)
}

// TestDrawnDesignsAreClean lints designs drawn at random from all configuration choices, so that most pairs of choices
// occur.
func TestDrawnDesignsAreClean(t *testing.T) {
	seed := seedOf(t)
	usual := map[string]uint64{config.KindNIC: 12, config.KindCSIG: 6}
	for _, name := range config.Names() {
		n := usual[name]
		if n == 0 {
			n = 8
		}
		t.Run(name, func(t *testing.T) { lintAll(t, draw(name, seed, int(designs(200, n, 2)))) })
	}
}

// draw returns random designs as sources.
func draw(kind string, seed uint64, n int) (list []source) {
	for i, d := range configtest.Draw(kind, seed, n) {
		list = append(list, source{fmt.Sprintf("%s %d of seed %d", kind, i, seed), d.YAML})
	}
	return list
}

// designs is how many random designs are linted: all of them for make lint-long, otherwise fewer, or a few.
func designs(all, usual, few uint64) uint64 {
	switch {
	case os.Getenv("HPCCGEN_LONG") != "":
		return all
	case testing.Short():
		return few
	}
	return usual
}

// seedOf is HPCCGEN_SEED, or 1: CI repeats itself, a longer campaign goes elsewhere.
func seedOf(t *testing.T) uint64 {
	seed := uint64(1)
	if text := os.Getenv("HPCCGEN_SEED"); text != "" {
		_, err := fmt.Sscan(text, &seed)
		require.NoError(t, err, "HPCCGEN_SEED")
	}
	t.Logf("seed %d (HPCCGEN_SEED chooses another)", seed)
	return seed
}

// No checker writes a file. Icarus Verilog changes the mode of the file that -o names: run by root with /dev/null, it
// would make /dev/null unwritable for all other users.
func TestCheckersWriteNothing(t *testing.T) {
	for _, c := range tools {
		args := c.args("m", []string{"m.v"})
		assert.NotContains(t, args, "-o", c.name)
		assert.NotContains(t, args, os.DevNull, c.name)
	}
}

// Each tool reports faults.
func TestFaultsAreSeen(t *testing.T) {
	names := checkers(t)
	for _, fault := range []struct {
		name, text string
		tools      []string // that must report it
	}{
		{"clean", "module m(input wire clk, input wire d, output reg q);\n always @(posedge clk) q <= d;\nendmodule\n", nil},
		{"a width that does not fit", "module m(input wire [3:0] a, output wire [7:0] y);\n assign y = a;\nendmodule\n",
			[]string{"verilator"}},
		{"an unused input", "module m(input wire a, input wire b, output wire y);\n assign y = a;\nendmodule\n",
			[]string{"verilator"}},
		{"an undriven output", "module m(input wire a, output wire y, output wire z);\n assign y = a;\nendmodule\n",
			[]string{"verilator", "yosys"}},
		{"an implicit net", "module m(input wire a, output wire y);\n assign t = a;\n assign y = t;\nendmodule\n",
			[]string{"verilator", "iverilog", "yosys"}},
		{"two drivers",
			"module m(input wire a, input wire b, output wire y);\n assign y = a;\n assign y = b;\nendmodule\n",
			[]string{"yosys"}},
		{"a latch", "module m(input wire e, input wire d, output reg q);\n always @* if (e) q = d;\nendmodule\n",
			[]string{"verilator"}},
		{"a loop",
			"module m(input wire a, output wire y);\n wire t;\n assign t = ~(y & a);\n assign y = t;\nendmodule\n",
			[]string{"yosys"}},
		{"a loop across modules",
			"module m(input wire a, output wire y);\n wire t;\n n u(.a(a), .b(y), .z(t));\n assign y = t;\nendmodule\n" +
				"module n(input wire a, input wire b, output wire z);\n assign z = ~(a & b);\nendmodule\n", []string{"yosys"}},
		{"an initial value",
			"module m(input wire clk, input wire d, output reg q);\n initial q = 1'b1;\n always @(posedge clk) q <= d;\nendmodule\n", []string{"yosys"}},
		{"no Verilog", "modul m;\n", []string{"verilator", "iverilog", "yosys"}},
	} {
		t.Run(fault.name, func(t *testing.T) {
			messages, err := Check("m", []vgen.File{{Name: "m.v", Text: []byte(fault.text)}}, names...)
			require.NoError(t, err)
			said := map[string]string{}
			for _, m := range messages {
				said[m.Tool] = m.Text
			}
			if fault.tools == nil {
				assert.Empty(t, said)
			}
			for _, name := range fault.tools {
				for _, have := range names {
					if have == name {
						assert.NotEmpty(t, said[name], "%s must see it", name)
					}
				}
			}
		})
	}
}

func TestMissingChecker(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Check("m", []vgen.File{{Name: "m.v", Text: []byte("module m; endmodule\n")}})
	var missing toolchain.Missing
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, "verilator", missing.Tool)
	assert.Contains(t, missing.Install, "apt-get install verilator")
}
