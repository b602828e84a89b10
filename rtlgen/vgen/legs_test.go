package vgen_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// tool finds an external program, or skips the test; with CI=true a missing one is a
// failure.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("skipped: %s is not installed", name)
	return ""
}

// command runs a tool in a folder and returns its standard output.
func command(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s %s\n%s%s", name, strings.Join(args, " "), stderr.String(), out)
	return string(out)
}

func writeFile(t testing.TB, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}

func writeRTL(t testing.TB, top *vgen.Module, dir string, async bool) []string {
	t.Helper()
	opt := vgen.EmitOptions{}
	if async {
		opt.Reset = vgen.AsyncLow
	}
	files, err := vgen.Emit(top, opt)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		writeFile(t, dir, f.Name, string(f.Text))
		names = append(names, f.Name)
	}
	return names
}

// icarus runs RTL with Icarus Verilog. Bits that are x come back as 0.
func icarus(t testing.TB, top *vgen.Module, dir string, sources []string, async bool, cycles int,
	in []uint64) []uint64 {
	t.Helper()
	l := vgen.NewLayout(top, false)
	var hex strings.Builder
	for c := range cycles {
		for w := l.InWords - 1; w >= 0; w-- {
			fmt.Fprintf(&hex, "%016x", in[c*l.InWords+w])
		}
		hex.WriteByte('\n')
	}
	writeFile(t, dir, "stim.hex", hex.String())
	var decls, show strings.Builder
	var conns, outs []string
	if top.HasState() {
		conns = append(conns, ".clk (clk)")
	}
	for _, s := range l.Inputs {
		bits := fmt.Sprintf("cur[%d:%d]", s.Offset*64+s.Width-1, s.Offset*64)
		if s.Name == "rst" && async {
			conns = append(conns, fmt.Sprintf(".rst_n (~%s)", bits))
		} else {
			conns = append(conns, fmt.Sprintf(".%s (%s)", s.Name, bits))
		}
	}
	for _, s := range l.Outputs {
		fmt.Fprintf(&decls, "wire [%d:0] o_%s;\n", s.Width-1, s.Name)
		conns = append(conns, fmt.Sprintf(".%s (o_%s)", s.Name, s.Name))
		show.WriteString(" %h")
		outs = append(outs, "o_"+s.Name)
	}
	writeFile(t, dir, "tb.v", fmt.Sprintf(`module tb;
reg clk;
reg [%d:0] stim [0:%d];
reg [%d:0] cur;
integer i;
%s
%s dut (
%s);
initial begin
    $readmemh("stim.hex", stim);
    clk = 0;
    for (i = 0; i < %d; i = i + 1) begin
        cur = stim[i];
        #1 $display("%s", %s);
        #1 clk = 1;
        #1 clk = 0;
        #1;
    end
    $finish;
end
endmodule
`, l.InWords*64-1, cycles-1, l.InWords*64-1, decls.String(), top.Name(), strings.Join(conns, ",\n"), cycles,
		strings.TrimSpace(show.String()), strings.Join(outs, ", ")))
	command(t, dir, tool(t, "iverilog"), append([]string{"-g2005", "-s", "tb", "-o", "tb.vvp", "tb.v"}, sources...)...)
	return parseRows(t, command(t, dir, tool(t, "vvp"), "-n", "tb.vvp"), cycles, l)
}

// parseRows reads one line of hexadecimal numbers per cycle, one number per output.
func parseRows(t testing.TB, text string, cycles int, l vgen.Layout) []uint64 {
	t.Helper()
	out := make([]uint64, 0, cycles*l.OutWords)
	for line := range strings.Lines(text) {
		line = strings.NewReplacer("x", "0", "z", "0", "X", "0", "Z", "0").Replace(line)
		fields := strings.Fields(line)
		require.Len(t, fields, len(l.Outputs))
		for i, s := range l.Outputs {
			for w := range s.Words {
				hi := max(len(fields[i])-16*w, 0)
				v, err := strconv.ParseUint("0"+fields[i][max(hi-16, 0):hi], 16, 64)
				require.NoError(t, err, "%s", line)
				out = append(out, v)
			}
		}
	}
	require.Len(t, out, cycles*l.OutWords)
	return out
}

// netlist has Yosys read and write the RTL, for Icarus to run.
func netlist(t testing.TB, top *vgen.Module, dir string, sources []string) []string {
	t.Helper()
	command(t, dir, tool(t, "yosys"), "-q", "-p", fmt.Sprintf(
		"read_verilog %s; prep -top %s; check -assert; write_verilog -noattr netlist.v", strings.Join(sources,
			" "), top.Name()))
	return []string{"netlist.v"}
}

// verilate builds the design with Verilator and runs it.
func verilate(t testing.TB, top *vgen.Module, dir string, sources []string, async bool, cycles int,
	in []uint64) []uint64 {
	t.Helper()
	l := vgen.NewLayout(top, false)
	var set, get, low, high strings.Builder
	for _, s := range l.Inputs {
		if s.Name == "rst" && async {
			fmt.Fprintf(&set, "        top.rst_n = !row[%d];\n", s.Offset)
		} else {
			fmt.Fprintf(&set, "        set(top.%s, row + %d);\n", s.Name, s.Offset)
		}
	}
	for _, s := range l.Outputs {
		fmt.Fprintf(&get, "        get(top.%s);\n", s.Name)
	}
	if top.HasState() {
		low.WriteString("top.clk = 0;")
		high.WriteString("top.clk = 1; top.eval();")
	}
	writeFile(t, dir, "main.cpp", fmt.Sprintf(`#include "V%[1]s.h"
#include "verilated.h"
#include <cstdio>
#include <cstdint>
template <class T> void set(T& p, const uint64_t* v) { p = (T)v[0]; }
template <std::size_t N> void set(VlWide<N>& p, const uint64_t* v) {
    for (std::size_t i = 0; i < N; ++i) p[i] = (uint32_t)(v[i / 2] >> (32 * (i %% 2)));
}
template <class T> void get(const T& p) { printf("%%llx ", (unsigned long long)p); }
template <std::size_t N> void get(const VlWide<N>& p) {
    for (std::size_t i = N; i-- > 0;) printf("%%08x", p[i]);
    printf(" ");
}
int main() {
    VerilatedContext ctx;
    V%[1]s top{&ctx};
    FILE* f = fopen("stim.bin", "rb");
    static uint64_t row[%[2]d];
    for (long c = 0; c < %[3]d; ++c) {
        if (fread(row, 8, %[2]d, f) != %[2]d) return 1;
%[4]s
        %[5]s
        top.eval();
%[6]s
        printf("\n");
        %[7]s
    }
    return 0;
}
`, top.Name(), l.InWords, cycles, set.String(), low.String(), get.String(), high.String()))
	var stim bytes.Buffer
	for _, w := range in[:cycles*l.InWords] {
		for i := range 8 {
			stim.WriteByte(byte(w >> (8 * i)))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stim.bin"), stim.Bytes(), 0o666))
	command(t, dir, tool(t, "verilator"), append([]string{
		"--cc", "--exe", "--build", "-Wno-fatal", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "--top-module", top.Name(), "main.cpp"}, sources...)...)
	return parseRows(t, command(t, dir, filepath.Join(dir, "obj_dir", "V"+top.Name())), cycles, l)
}

// stimulus fills the inputs of a batch with values, corners included.
func stimulus(top *vgen.Module, cycles int, seed uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 1))
	l := vgen.NewLayout(top, false)
	in := make([]uint64, cycles*l.InWords)
	for c := range cycles {
		for _, s := range l.Inputs {
			words := in[c*l.InWords+s.Offset:][:s.Words]
			kind := r.IntN(8)
			for i := range words {
				switch kind {
				case 0: // zero
				case 1: // all ones
					words[i] = ^uint64(0)
				case 2: // largest positive
					words[i] = ^uint64(0)
					if i == len(words)-1 {
						words[i] = ^uint64(0) >> (65 - uint((s.Width-1)%64+1))
					}
				case 3: // smallest negative
					if i == len(words)-1 {
						words[i] = 1 << ((s.Width - 1) % 64)
					}
				case 4: // small
					if i == 0 {
						words[i] = r.Uint64N(8)
					}
				default:
					words[i] = r.Uint64()
				}
			}
			if s.Width%64 != 0 {
				words[len(words)-1] &= 1<<(s.Width%64) - 1
			}
		}
	}
	return in
}

func sameRows(t testing.TB, top *vgen.Module, leg string, from int, want, got []uint64) {
	t.Helper()
	require.Empty(t, difference(top, from, want, got), leg)
}

// difference compares two engines from a cycle on and returns the first difference.
func difference(top *vgen.Module, from int, want, got []uint64) string {
	l := vgen.NewLayout(top, false)
	for c := from; c < len(want)/l.OutWords; c++ {
		for _, s := range l.Outputs {
			a := want[c*l.OutWords+s.Offset:][:s.Words]
			b := got[c*l.OutWords+s.Offset:][:s.Words]
			for i := range a {
				if a[i] != b[i] {
					return fmt.Sprintf("cycle %d, output %s: want %x, got %x", c, s.Name, a, b)
				}
			}
		}
	}
	return ""
}

// allLegs runs a design in the interpreter, Verilator, Icarus and Yosys and wants
// the same outputs from cycle from on. It gives those of the interpreter.
func allLegs(t *testing.T, top *vgen.Module, async bool, cycles, from int, in []uint64) []uint64 {
	t.Helper()
	l := vgen.NewLayout(top, false)
	sim, err := vgen.NewSim(top)
	require.NoError(t, err)
	want := make([]uint64, cycles*l.OutWords)
	require.NoError(t, sim.Run(cycles, in, want))
	dir := t.TempDir()
	sources := writeRTL(t, top, dir, async)
	t.Run("icarus", func(t *testing.T) {
		sameRows(t, top, "icarus", from, want, icarus(t, top, dir, sources, async, cycles, in))
	})
	t.Run("yosys", func(t *testing.T) {
		sameRows(t, top, "yosys", from, want, icarus(t, top, dir, netlist(t, top, dir, sources), async, cycles, in))
	})
	t.Run("verilator", func(t *testing.T) {
		if testing.Short() {
			t.Skip("skipped: building with Verilator takes seconds")
		}
		sameRows(t, top, "verilator", from, want, verilate(t, top, dir, sources, async, cycles, in))
	})
	return want
}
