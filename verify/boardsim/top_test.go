package boardsim_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/board/pll"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/boardsim"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/link"
)

// needs skips a test without the tools, but not in CI.
func needs(t *testing.T, tools ...string) {
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

// platforms have clocks of every family, LEDs and buttons of either polarity, and 4 to 6 cycles a bit, which is
// fast to simulate.
var platforms = map[string]board.Platform{
	"none": boardsim.Platform,
	"ice40": {Name: "ice40", OscillatorHz: 12e6, ClockHz: 4e6, ICE40: &pll.ICE40{DivF: 63, DivQ: 5, FilterRange: 1},
		PLLFromPad: true, LEDLow: true, Button: "low"},
	"core": {Name: "core", OscillatorHz: 12e6, ClockHz: 5e6, ICE40: &pll.ICE40{DivF: 63, DivQ: 5, FilterRange: 1},
		Button: "high"},
	"ecp5": {Name: "ecp5", OscillatorHz: 25e6, ClockHz: 5e6, ECP5: &pll.ECP5{CLKIDiv: 1, CLKFBDiv: 3, CLKOPDiv: 8},
		Button: "high"},
	"gowin": {Name: "gowin", OscillatorHz: 27e6, ClockHz: 6e6, Gowin: &pll.Gowin{ODivSel: 8}, GowinPart: "GW1NR-9C",
		LEDLow: true, Button: "low"},
}

// serve runs a configuration on a board attached to a pseudo-terminal.
func serve(t *testing.T, c config.Design, platform string, faults ...vgen.Fault) *boardsim.Terminal {
	t.Helper()
	return serveWith(t, c, platform, board.Options{}, faults...)
}

func serveWith(t *testing.T, c config.Design, platform string, o board.Options,
	faults ...vgen.Fault) *boardsim.Terminal {
	t.Helper()
	needs(t, "verilator", "g++")
	top, err := board.Build(c, platforms[platform], o)
	require.NoError(t, err)
	for _, f := range faults {
		broken, err := vgen.Broken(top.Design, f)
		require.NoError(t, err)
		files, err := output.Verilog(c, broken)
		require.NoError(t, err)
		copy(top.Files, files) // those of the design come first
	}
	b, err := boardsim.New(top, boardsim.Options{})
	require.NoError(t, err)
	term, err := boardsim.Serve(b)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, term.Close()) })
	return term
}

func load(t *testing.T, name string) config.Design {
	t.Helper()
	c, err := config.LoadDesign(name)
	require.NoError(t, err)
	return c
}

// Everything but silicon: golden model, host, pseudo-terminal, the bits of the line, the whole board top.
func TestCosimOnBoard(t *testing.T) {
	for _, c := range []struct {
		preset, platform string
		cycles           int64
		long             bool
	}{{"nic-serial", "none", 3000, false}, {"csig-4p", "ecp5", 3000, false}, {"nic-serial", "ice40", 1000,
		true}, {"int-switch", "gowin", 600, true}} {
		t.Run(c.preset+" "+c.platform, func(t *testing.T) {
			if c.long && os.Getenv("HPCCGEN_LONG") == "" {
				t.Skip("takes long to build; set HPCCGEN_LONG=1")
			}
			d := load(t, c.preset)
			term := serve(t, d, c.platform)
			rep, err := cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: engine.Hardware{Port: term.Name},
				Cycles: c.cycles, Seed: 1})
			require.NoError(t, err)
			require.Zero(t, rep.Mismatches, "%+v", rep.Divergence)
			assert.EqualValues(t, c.cycles, rep.Cycles)
			assert.Positive(t, rep.Acks+rep.Packets)
			t.Logf("%d ACKs, %d packets, %.0f cycles/s", rep.Acks, rep.Packets, rep.CyclesPerSecond)
		})
	}
}

// An asynchronous reset of a serial engine, low when the link says reset: no bit that passes through the chain reaches
// it.
func TestAsynchronousResetOnBoard(t *testing.T) {
	d := changed(t, load(t, "nic-serial"), "\nreset: sync\n", "\nreset: async_low\n", "\nflows: 32\n", "\nflows: 4\n")
	require.True(t, d.ResetAsync())
	term := serve(t, d, "none")
	rep, err := cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: engine.Hardware{Port: term.Name},
		Cycles: 1500, Seed: 1})
	require.NoError(t, err)
	assert.Zero(t, rep.Mismatches, "%+v", rep.Divergence)
	assert.Positive(t, rep.Acks)
	t.Logf("%d ACKs", rep.Acks)
}

// With the taps as further outputs: they are compared too, and a host that does not ask for them does without.
func TestTapsOnBoard(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") == "" {
		t.Skip("a design of its own takes long to build; set HPCCGEN_LONG=1")
	}
	d := load(t, "nic-serial")
	term := serveWith(t, d, "none", board.Options{Taps: true})
	hardware := engine.Hardware{Port: term.Name, Taps: true}
	rep, err := cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: hardware, Cycles: 8000, Seed: 3})
	require.NoError(t, err)
	assert.Zero(t, rep.Mismatches, "%+v", rep.Divergence)
	assert.Positive(t, rep.TapsCompared)
	hardware.Taps = false
	rep, err = cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: hardware, Cycles: 1000, Seed: 3})
	require.NoError(t, err)
	assert.Zero(t, rep.Mismatches)
	assert.Zero(t, rep.TapsCompared)
}

// A faulty design on the board is detected.
func TestChangedDesignOnBoard(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") == "" {
		t.Skip("a design of its own takes long to build; set HPCCGEN_LONG=1")
	}
	d := load(t, "csig-4p")
	term := serve(t, d, "core", vgen.Fault{Name: "equal codes replaced", Module: "csig_compare", At: "replaces",
		Change: vgen.Inside("Lt", vgen.Operator(vgen.Signal.Le))})
	rep, err := cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: engine.Hardware{Port: term.Name},
		Cycles: 20_000, Seed: 1, NoShrink: true})
	require.NoError(t, err)
	require.Positive(t, rep.Mismatches)
	assert.Contains(t, rep.Divergence.Command, "--engine board --port "+term.Name+" --seed ")
	assert.NotContains(t, rep.Divergence.Command, "--vcd")
}

// A board with another design is refused before anything runs; one that goes away ends in a timeout.
func TestWrongBoardAndDeadBoard(t *testing.T) {
	d := load(t, "nic-serial")
	term := serve(t, d, "none")
	hardware := engine.Hardware{Port: term.Name}
	_, err := cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: engine.Hardware{Port: term.Name, Taps: true},
		Cycles: 100, Seed: 1})
	require.EqualError(t, err, term.Name+": the board was built without taps; build it with them, or compare without")
	_, err = cosim.RunDesign(load(t, "csig-4p"), cosim.Options{Engine: "board", Hardware: hardware, Cycles: 100, Seed: 1})
	var wrong link.WrongDesign
	require.ErrorAs(t, err, &wrong)
	assert.EqualError(t, err, term.Name+": the board has the configuration "+d.DesignHash()+", expected is "+load(t,
		"csig-4p").DesignHash()+
		" (csig_4p); build the bitstream of this configuration and load it")

	hardware.Timeout = 50 * time.Millisecond
	_, err = cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: hardware, Cycles: 1_000_000, Seed: 1,
		Progress: func(done, _ int64) { term.Halt() }})
	var timeout link.Timeout
	require.ErrorAs(t, err, &timeout)
	assert.GreaterOrEqual(t, timeout.Confirmed, int64(4096), "the batch that was compared")
	assert.ErrorContains(t, err, fmt.Sprintf("%d cycles were confirmed", timeout.Confirmed))
}
