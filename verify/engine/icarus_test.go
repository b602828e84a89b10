package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

func TestIcarusMatchesModel(t *testing.T) {
	needTools(t, toolchain.Iverilog, toolchain.VVP)
	path := filepath.Join(t.TempDir(), "wave form.vcd")
	e := mustOpen(t, "icarus", sampleSource(), Options{VCD: path})
	const cycles = 1000
	in, want := sampleRecords(cycles, 1)
	got := make([]uint64, len(want))
	for c, n := 0, 0; c < cycles; c += n {
		n = min(1+c/3, cycles-c)
		require.NoError(t, e.Run(n, in[c*5:(c+n)*5], got[c*9:]))
	}
	require.Equal(t, want, got)
	require.NoError(t, e.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, name := range []string{"u_core", "count_q", "s_data", "m_fold", "clk", "#9995\n0", "#10000\n"} {
		assert.Contains(t, string(text), name)
	}
}

func TestIcarusLargeBatch(t *testing.T) {
	needTools(t, toolchain.Iverilog, toolchain.VVP)
	// Far more than a pipe holds, in both directions.
	e := mustOpen(t, "icarus", sampleSource(), Options{})
	in, want := sampleRecords(5000, 7)
	got := make([]uint64, len(want))
	require.NoError(t, e.Run(5000, in, got))
	require.Equal(t, want, got)
}

func TestIcarusCache(t *testing.T) {
	needTools(t, toolchain.Iverilog, toolchain.VVP)
	dir := t.TempDir()
	before := compilerRuns.Load()
	mustOpen(t, "icarus", sampleSource(), Options{CacheDir: dir})
	mustOpen(t, "icarus", sampleSource(), Options{CacheDir: dir})
	assert.Equal(t, int64(1), compilerRuns.Load()-before)
}

func TestIcarusMissingTool(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := OpenSource("icarus", sampleSource(), Options{CacheDir: t.TempDir()})
	var missing toolchain.Missing
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, "iverilog", missing.Tool)
}

func TestIcarusUnknownOutputs(t *testing.T) {
	needTools(t, toolchain.Iverilog, toolchain.VVP)
	in := make([]uint64, 5*5)
	in[0] = 1 // reset in the first cycle
	out := make([]uint64, 5*9)

	e := mustOpen(t, "icarus", sampleSource(), Options{Start: StartUnknown}).(*Icarus)
	err := e.Run(5, in, out)
	var unknown UnknownBits
	require.ErrorAs(t, err, &unknown)
	assert.Equal(t, UnknownBits{Port: "m_data", Cycle: 1, Value: "100'b" + strings.Repeat("x", 100)}, unknown)
	assert.Contains(t, err.Error(), "icarus: m_data is unknown in cycle 1: 100'bxxx")
	assert.Equal(t, uint64(1<<36-1), e.Unknown()[9+2], "the mask shows the unknown bits")
	assert.Zero(t, out[9+2], "which are 0 in the outputs")
	assert.Equal(t, []uint64{0, 0}, []uint64{out[9+3], e.Unknown()[9+3]}, "m_count was reset")
	require.ErrorAs(t, e.Run(1, in, out), &unknown, "it goes on")
	assert.Equal(t, 5, unknown.Cycle)

	lenient := func(slot vgen.Slot, record, mask []uint64) bool { return true }
	e = mustOpen(t, "icarus", sampleSource(), Options{Start: StartUnknown, UnknownOK: lenient}).(*Icarus)
	require.NoError(t, e.Run(5, in, out))
}

func TestPayloadMayBeUnknown(t *testing.T) {
	l := &vgen.Layout{}
	l.Outputs = slots(&l.OutWords, "m_valid", 1, "m_x", 8, "m_sub_tvalid", 1, "m_sub_y", 8, "count", 8)
	l.Taps = slots(&l.OutWords, "m_tap", 8)
	rule := PayloadMayBeUnknown(l)
	none := make([]uint64, l.OutWords)
	x := map[string]vgen.Slot{}
	for _, s := range append(append([]vgen.Slot{}, l.Outputs...), l.Taps...) {
		x[s.Name] = s
	}
	assert.True(t, rule(x["m_x"], none, none))
	assert.False(t, rule(x["m_x"], []uint64{1, 0, 0, 0, 0, 0}, none), "valid")
	assert.False(t, rule(x["m_x"], none, []uint64{1, 0, 0, 0, 0, 0}), "valid unknown")
	assert.True(t, rule(x["m_sub_y"], []uint64{1, 0, 0, 0, 0, 0}, none), "the nearest stream counts")
	assert.False(t, rule(x["m_sub_y"], []uint64{0, 0, 1, 0, 0, 0}, none))
	assert.False(t, rule(x["m_valid"], none, none))
	assert.False(t, rule(x["count"], none, none))
	assert.True(t, rule(x["m_tap"], none, none))
}

func TestIcarusDesignThatEnds(t *testing.T) {
	needTools(t, toolchain.Iverilog, toolchain.VVP)
	s := sampleSource()
	edit(s, 1, "endmodule",
		"  always @(posedge clk) if (m_count == 33'd5) begin $display(\"enough\"); $finish; end\nendmodule")
	e := mustOpen(t, "icarus", s, Options{})
	in := make([]uint64, 20*5)
	for c := range 20 {
		in[c*5+1] = 1
	}
	err := e.Run(20, in, make([]uint64, 20*9))
	require.ErrorContains(t, err,
		"icarus: the simulation of sample failed after 6 cycles of the batch: the simulator ended\nenough")
	require.Equal(t, err, e.Run(1, in, make([]uint64, 9)))
	require.NoError(t, e.Close())
}

func TestIcarusBrokenSource(t *testing.T) {
	needTools(t, toolchain.Iverilog, toolchain.VVP)
	s := sampleSource()
	edit(s, 1, "assign m_odd", "assign m_even")
	_, err := OpenSource("icarus", s, Options{CacheDir: sharedCache})
	require.ErrorContains(t, err, "compiling sample with Icarus Verilog: iverilog failed")
	require.ErrorContains(t, err, "m_even")
}

func TestSetAtStart(t *testing.T) {
	const text = `module a (
  input wire clk, output reg [3:0] x, output reg y, input wire z);
  // reg commented;
  reg signed [7:0] p, q [0:15], r = 8'd3;
  (* ram_style = "block" *) reg [A+B-1:0] mem [0:DEPTH-1];
  reg \esc[0] ;
  function f; input i; reg local; begin f = i; end endfunction
endmodule
module b (input wire i); reg u; initial u = 1; endmodule
module c (input wire i); wire w; endmodule
`
	got := string(setAtStart([]byte(text), StartZero))
	assert.Contains(t, got, `  initial begin : hpccgen_start
    integer i;
    x = 0;
    y = 0;
    p = 0;
    for (i = 0; i <= 15; i = i + 1) q[i] = 0;
    for (i = 0; i <= DEPTH - 1; i = i + 1) mem[i] = 0;
    \esc[0]  = 0;
  end
`)
	assert.Equal(t, 1, strings.Count(got, "hpccgen_start"))
	assert.Contains(t, string(setAtStart([]byte(text), StartOnes)), "    x = ~0;\n")
	assert.Equal(t, text, string(setAtStart([]byte(text), StartUnknown)))
}
