package vgen_test

import (
	"bufio"
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

// command runs a tool in a folder and gives what it printed on standard output.
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

// wiring is the part of a test bench that connects a design to one vector of inputs
// and one of outputs, both laid out as vgen.Layout says.
func wiring(top *vgen.Module, async bool) (l vgen.Layout, in, out int, text string) {
	l = vgen.NewLayout(top, false)
	in, out = max(l.InWords, 2)*64, max(l.OutWords, 2)*64
	var b strings.Builder
	var conns []string
	if top.HasState() {
		conns = append(conns, ".clk (clk)")
	}
	for _, s := range l.Inputs {
		lo := s.Offset * 64
		bits := fmt.Sprintf("cur[%d:%d]", lo+s.Width-1, lo)
		if s.Name == "rst" && async {
			conns = append(conns, fmt.Sprintf(".rst_n (~%s)", bits))
		} else {
			conns = append(conns, fmt.Sprintf(".%s (%s)", s.Name, bits))
		}
	}
	fmt.Fprintf(&b, "assign out = {%d'd0", out-l.OutWords*64+1)
	for i := len(l.Outputs) - 1; i >= 0; i-- {
		s := l.Outputs[i]
		if p := s.Words*64 - s.Width; p > 0 {
			fmt.Fprintf(&b, ", %d'd0", p)
		}
		fmt.Fprintf(&b, ", o_%s", s.Name)
	}
	fmt.Fprintf(&b, "};\n")
	decl := ""
	for _, s := range l.Outputs {
		decl += fmt.Sprintf("wire [%d:0] o_%s;\n", s.Width-1, s.Name)
		conns = append(conns, fmt.Sprintf(".%s (o_%s)", s.Name, s.Name))
	}
	text = decl + b.String() + fmt.Sprintf("%s dut (\n%s);\n", top.Name(), strings.Join(conns, ",\n"))
	return l, in, out + 1, text
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
func icarus(t testing.TB, top *vgen.Module, dir string, sources []string, async bool, cycles int, in []uint64) []uint64 {
	t.Helper()
	l, inBits, outBits, text := wiring(top, async)
	var hex strings.Builder
	for c := range cycles {
		row := in[c*l.InWords : (c+1)*l.InWords]
		for w := inBits/64 - 1; w >= 0; w-- {
			if w < len(row) {
				fmt.Fprintf(&hex, "%016x", row[w])
			} else {
				hex.WriteString("0000000000000000")
			}
		}
		hex.WriteByte('\n')
	}
	writeFile(t, dir, "stim.hex", hex.String())
	writeFile(t, dir, "tb.v", fmt.Sprintf(`module tb;
reg clk;
reg [%d:0] stim [0:%d];
reg [%d:0] cur;
wire [%d:0] out;
integer i;
%s
initial begin
    $readmemh("stim.hex", stim);
    clk = 0;
    for (i = 0; i < %d; i = i + 1) begin
        cur = stim[i];
        #1 $display("%%h", out);
        #1 clk = 1;
        #1 clk = 0;
        #1;
    end
    $finish;
end
endmodule
`, inBits-1, cycles-1, inBits-1, outBits-1, text, cycles))
	command(t, dir, tool(t, "iverilog"), append([]string{"-g2005", "-s", "tb", "-o", "tb.vvp", "tb.v"}, sources...)...)
	return parseRows(t, command(t, dir, tool(t, "vvp"), "-n", "tb.vvp"), cycles, l.OutWords)
}

// parseRows reads one hexadecimal number per cycle.
func parseRows(t testing.TB, text string, cycles, words int) []uint64 {
	t.Helper()
	out := make([]uint64, 0, cycles*words)
	sc := bufio.NewScanner(strings.NewReader(text))
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		line := strings.TrimSpace(sc.Text())
		line = strings.NewReplacer("x", "0", "z", "0", "X", "0", "Z", "0").Replace(line)
		for w := range words {
			hi := len(line) - 16*w
			v, err := strconv.ParseUint(line[max(hi-16, 0):hi], 16, 64)
			require.NoError(t, err, "%s", line)
			out = append(out, v)
		}
	}
	require.Len(t, out, cycles*words)
	return out
}

// netlist has Yosys read and write the RTL, for Icarus to run.
func netlist(t testing.TB, top *vgen.Module, dir string, sources []string) []string {
	t.Helper()
	command(t, dir, tool(t, "yosys"), "-q", "-p", fmt.Sprintf(
		"read_verilog %s; prep -top %s; check -assert; write_verilog -noattr netlist.v", strings.Join(sources, " "), top.Name()))
	return []string{"netlist.v"}
}

// verilate builds the design with Verilator and runs it.
func verilate(t testing.TB, top *vgen.Module, dir string, sources []string, async bool, cycles int, in []uint64) []uint64 {
	t.Helper()
	l, inBits, outBits, text := wiring(top, async)
	writeFile(t, dir, "tbw.v", fmt.Sprintf("module tbw (input wire clk, input wire [%d:0] cur, output wire [%d:0] out);\n%s\nendmodule\n",
		inBits-1, outBits-1, text))
	writeFile(t, dir, "main.cpp", fmt.Sprintf(`#include "Vtbw.h"
#include "verilated.h"
#include <cstdio>
#include <cstdint>
int main() {
    VerilatedContext ctx;
    Vtbw top{&ctx};
    FILE* f = fopen("stim.bin", "rb");
    uint64_t row[%d];
    for (long c = 0; c < %d; ++c) {
        if (fread(row, 8, %d, f) != %d) return 1;
        for (int i = 0; i < %d; ++i) {
            top.cur[2 * i] = (uint32_t)row[i];
            top.cur[2 * i + 1] = (uint32_t)(row[i] >> 32);
        }
        top.clk = 0;
        top.eval();
        for (int i = %d - 1; i >= 0; --i) printf("%%08x%%08x", top.out[2 * i + 1], top.out[2 * i]);
        printf("\n");
        top.clk = 1;
        top.eval();
    }
    return 0;
}
`, l.InWords, cycles, l.InWords, l.InWords, l.InWords, l.OutWords))
	var stim bytes.Buffer
	for _, w := range in[:cycles*l.InWords] {
		for i := range 8 {
			stim.WriteByte(byte(w >> (8 * i)))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stim.bin"), stim.Bytes(), 0o666))
	command(t, dir, tool(t, "verilator"), append([]string{
		"--cc", "--exe", "--build", "-Wno-fatal", "-O3", "-CFLAGS", "-O0", "--top-module", "tbw", "main.cpp", "tbw.v"}, sources...)...)
	return parseRows(t, command(t, dir, filepath.Join(dir, "obj_dir", "Vtbw")), cycles, l.OutWords)
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

// sameRows compares two legs from a cycle on and names the first difference.
func sameRows(t testing.TB, top *vgen.Module, leg string, from int, want, got []uint64) {
	t.Helper()
	l := vgen.NewLayout(top, false)
	for c := from; c < len(want)/l.OutWords; c++ {
		for _, s := range l.Outputs {
			a := want[c*l.OutWords+s.Offset:][:s.Words]
			b := got[c*l.OutWords+s.Offset:][:s.Words]
			for i := range a {
				if a[i] != b[i] {
					require.FailNow(t, "difference", "%s, cycle %d, output %s: want %x, got %x", leg, c, s.Name, a, b)
				}
			}
		}
	}
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
		sameRows(t, top, "verilator", from, want, verilate(t, top, dir, sources, async, cycles, in))
	})
	return want
}
