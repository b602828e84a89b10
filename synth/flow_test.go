package synth

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// needs skips a test without the tools of a family. Those for the iCE40 must be there in continuous integration.
func needs(t *testing.T, f Family) {
	t.Helper()
	for _, tool := range []toolchain.Tool{toolchain.Yosys, f.Router(), f.Packer()} {
		_, err := tool.Find()
		if err == nil {
			continue
		}
		if os.Getenv("CI") == "true" && f == ICE40 {
			t.Fatal(err)
		}
		t.Skip("skipped:", err)
	}
}

// blinker is a counter of some bits on a board's pins: an adder as long as the counter.
func blinker(bits int) []vgen.File {
	return []vgen.File{{Name: "blinker.v", Text: fmt.Appendf(nil, `
module counter (input wire clk, output wire [%[1]d:0] q);
    reg [%[1]d:0] count;
    assign q = count;
    always @(posedge clk) count <= count + 1'b1;
endmodule
module blinker (input wire clk_osc, input wire uart_rx, output reg uart_tx, output reg led);
    wire [%[1]d:0] u_counter_q;
    counter u_counter (.clk(clk_osc), .q(u_counter_q));
    always @(posedge clk_osc) led <= ^u_counter_q;
    always @(posedge clk_osc) uart_tx <= uart_rx;
endmodule
`, bits-1)}}
}

const hx8kPins = "set_io clk_osc J3\nset_io uart_rx B10\nset_io uart_tx B12\nset_io led C3\n"

func TestRun(t *testing.T) {
	needs(t, ICE40)
	cache, dir := t.TempDir(), t.TempDir()
	var steps []string
	j := Job{
		Design: "blinker", Top: "blinker", Files: blinker(24), Part: HX8K, Constraints: []byte(hx8kPins), ClockMHz: 48,
		CacheDir: cache, Dir: dir,
		Step: func(s string) { steps = append(steps, s) },
	}
	rep, err := Run(context.Background(), j)
	require.NoError(t, err)
	assert.Equal(t, []string{"synthesizing blinker with Yosys", "placing and routing blinker with nextpnr",
		"packing the bitstream"}, steps)
	assert.Equal(t, filepath.Join(dir, "blinker.bin"), rep.Bitstream)
	assert.FileExists(t, rep.Bitstream)
	assert.Equal(t, 26, rep.Cells.FF.Used)
	assert.Equal(t, 7680, rep.Cells.Logic.Available)
	assert.GreaterOrEqual(t, rep.Cells.Logic.Used, 25)
	assert.Equal(t, Use{0, 32}, rep.Cells.RAM)
	require.Contains(t, rep.Fmax, "clk_osc")
	assert.Equal(t, 48.0, rep.Fmax["clk_osc"].Target)
	assert.True(t, rep.Met())
	p, found := rep.PathOf("clk_osc")
	require.True(t, found)
	assert.Contains(t, p.Route(), "counter (u_counter)", "the carry chain, or the parity behind it")
	assert.Contains(t, rep.Tools["yosys"], "Yosys")
	for _, log := range []string{"yosys.log", "nextpnr.log", "pack.log"} {
		assert.FileExists(t, filepath.Join(dir, "logs", log))
	}

	// The same again is in the cache; what went into it decides.
	again := func(change func(*Job)) *Report {
		j := j
		change(&j)
		rep, err := Run(context.Background(), j)
		require.NoError(t, err)
		return rep
	}
	same := again(func(*Job) {})
	assert.Equal(t, []string{"yosys", "nextpnr"}, same.Cached)
	assert.Equal(t, rep.Fmax, same.Fmax)
	assert.FileExists(t, same.Bitstream)
	assert.Equal(t, []string{"yosys"}, again(func(j *Job) { j.Seed = 2 }).Cached)
	assert.Equal(t, []string{"yosys"}, again(func(j *Job) { j.ClockMHz = 50 }).Cached)
	assert.Equal(t, []string{"yosys"}, again(func(j *Job) { j.Constraints = []byte(hx8kPins + "\n") }).Cached)
	assert.Empty(t, again(func(j *Job) { j.Files = blinker(25) }).Cached)
	packed := again(func(j *Job) { j.Until = StagePack })
	assert.Empty(t, packed.Fmax)
	assert.GreaterOrEqual(t, packed.Cells.Logic.Used, 25)
}

// Whatever fails, no bitstream is left, not one of an earlier run either.
func TestFailures(t *testing.T) {
	needs(t, ICE40)
	cache := t.TempDir()
	run := func(t *testing.T, change func(*Job)) (*Report, string, error) {
		dir := t.TempDir()
		stale := filepath.Join(dir, "blinker.bin")
		require.NoError(t, os.WriteFile(stale, []byte("of yesterday"), 0o666))
		j := Job{Design: "blinker", Top: "blinker", Files: blinker(24), Part: HX8K, Constraints: []byte(hx8kPins),
			ClockMHz: 48, CacheDir: cache, Dir: dir}
		change(&j)
		rep, err := Run(context.Background(), j)
		assert.NoFileExists(t, stale)
		require.NotNil(t, rep)
		assert.Empty(t, rep.Bitstream)
		return rep, dir, err
	}
	t.Run("too slow", func(t *testing.T) {
		rep, _, err := run(t, func(j *Job) { j.ClockMHz = 900 })
		var slow *TimingFailure
		require.ErrorAs(t, err, &slow)
		assert.Equal(t, "clk_osc", slow.Clock)
		assert.Regexp(t,
			`^blinker in ice40 hx8k ct256: timing not met: clock clk_osc reaches [0-9.]+ MHz of 900.00 MHz; its critical path takes [0-9.]+ ns \([0-9.]+ ns of it wires\): .*counter \(u_counter\)`, err.Error())
		assert.False(t, rep.Met())
	})
	t.Run("too large", func(t *testing.T) {
		part := Part{Family: ICE40, Device: "lp384", Package: "qn32"}
		rep, dir, err := run(t, func(j *Job) { j.Files, j.Part, j.Constraints = blinker(500), part, nil })
		var large *TooLarge
		require.ErrorAs(t, err, &large)
		assert.Regexp(t, `^blinker is too large for ice40 lp384 qn32: it needs \d+ logic cells of 384$`, err.Error())
		assert.Equal(t, 384, rep.Cells.Logic.Available)
		assert.Greater(t, rep.Cells.Logic.Used, 500)
		assert.FileExists(t, filepath.Join(dir, "logs", "nextpnr.log"))
	})
	t.Run("wrong Verilog", func(t *testing.T) {
		_, dir, err := run(t, func(j *Job) {
			j.Files = []vgen.File{{Name: "blinker.v", Text: []byte("module blinker (input wire clk_osc; endmodule\n")}}
		})
		var failed *ToolFailed
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, "yosys", failed.Tool)
		assert.Contains(t, failed.Said, "blinker.v:1: ERROR: syntax error")
		assert.Equal(t, filepath.Join(dir, "logs", "yosys.log"), failed.Log)
		assert.FileExists(t, failed.Log)
	})
	t.Run("wrong pins", func(t *testing.T) {
		_, dir, err := run(t, func(j *Job) { j.Constraints = []byte("set_io clk_osc ZZ9\n") })
		var failed *ToolFailed
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, "nextpnr-ice40", failed.Tool)
		assert.FileExists(t, filepath.Join(dir, "logs", "nextpnr.log"))
	})
	t.Run("tool missing", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		t.Setenv("HPCCGEN_TOOLS", t.TempDir())
		_, _, err := run(t, func(*Job) {})
		var missing toolchain.Missing
		require.ErrorAs(t, err, &missing)
		assert.Equal(t, "nextpnr-ice40", missing.Tool)
	})
	t.Run("stopped", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := Run(ctx, Job{Design: "blinker", Top: "blinker", Files: blinker(26), Part: HX8K, CacheDir: cache})
		assert.ErrorIs(t, err, context.Canceled)
	})
	_, err := Run(context.Background(), Job{Part: Part{Family: "spartan"}})
	assert.EqualError(t, err, `no family is called "spartan"; families: [ice40 ecp5 gowin]`)
}

// The other families, where their tools are.
func TestFamilies(t *testing.T) {
	for _, board := range []string{"ulx3s", "tangnano9k"} {
		t.Run(board, func(t *testing.T) {
			if board == "tangnano9k" && os.Getenv("HPCCGEN_LONG") == "" {
				t.Skip("skipped: nextpnr-gowin reads its database for half a minute; with HPCCGEN_LONG=1")
			}
			b, err := BoardByName(board)
			require.NoError(t, err)
			needs(t, b.Part.Family)
			rep, err := Run(context.Background(), Job{Design: "blinker", Top: "blinker", Files: blinker(24),
				Part: b.Part, ClockMHz: 25, CacheDir: t.TempDir(), Dir: t.TempDir()})
			require.NoError(t, err)
			assert.FileExists(t, rep.Bitstream)
			assert.Equal(t, 26, rep.Cells.FF.Used)
			assert.Greater(t, rep.Cells.Logic.Available, 8000)
			assert.Len(t, rep.Fmax, 1)
		})
	}
}

// Measure subtracts the cells of the wrapper.
func TestMeasure(t *testing.T) {
	needs(t, ICE40)
	m := Module{Top: "counter", Files: blinker(24),
		Ports: []vgen.PortInfo{{Name: "clk", Dir: "in", Width: 1, Role: "clock"}, {Name: "q", Dir: "out", Width: 24}}}
	o := Options{Part: HX8K, ClockMHz: 500, CacheDir: t.TempDir()}
	rep, err := Measure(context.Background(), m, o)
	require.NoError(t, err, "a target that is missed is no error")
	assert.False(t, rep.Met())
	assert.Equal(t, 24, rep.Cells.FF.Used)
	assert.InDelta(t, 25, rep.Cells.Logic.Used, 2)
	assert.InDelta(t, 24, rep.Cells.LUT.Used, 1)
	o.Until = StageNetlist
	rep, err = Measure(context.Background(), m, o)
	require.NoError(t, err)
	assert.Zero(t, rep.Cells.Logic.Used)
	assert.Empty(t, rep.Fmax)
}
