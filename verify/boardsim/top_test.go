package boardsim_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/board/pll"
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
	"bare":  {Name: "bare", OscillatorHz: 4e6, ClockHz: 4e6},
	"ice40": {Name: "ice40", OscillatorHz: 12e6, ClockHz: 4e6, ICE40: &pll.ICE40{DivF: 63, DivQ: 5, FilterRange: 1}, PLLFromPad: true, LEDLow: true, Button: "low"},
	"core":  {Name: "core", OscillatorHz: 12e6, ClockHz: 5e6, ICE40: &pll.ICE40{DivF: 63, DivQ: 5, FilterRange: 1}, Button: "high"},
	"ecp5":  {Name: "ecp5", OscillatorHz: 25e6, ClockHz: 5e6, ECP5: &pll.ECP5{CLKIDiv: 1, CLKFBDiv: 3, CLKOPDiv: 8}, Button: "high"},
	"gowin": {Name: "gowin", OscillatorHz: 27e6, ClockHz: 6e6, Gowin: &pll.Gowin{ODivSel: 8}, GowinPart: "GW1NR-9C", LEDLow: true, Button: "low"},
}

// serve puts a configuration on a board behind a pseudo-terminal.
func serve(t *testing.T, c config.Design, platform string, edit func([]vgen.File)) *boardsim.Terminal {
	t.Helper()
	needs(t, "verilator", "g++")
	top, err := board.Build(c, platforms[platform], board.Options{Idle: 8})
	require.NoError(t, err)
	b, err := boardsim.New(top, boardsim.Options{Edit: edit})
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
	}{{"nic-serial", "ice40", 3000}, {"csig-4p", "ecp5", 3000}, {"int-switch", "gowin", 600}} {
		t.Run(c.preset, func(t *testing.T) {
			if c.preset == "int-switch" && os.Getenv("HPCCGEN_LONG") == "" {
				t.Skip("set HPCCGEN_LONG=1 for the wide design, which takes long to build")
			}
			d := load(t, c.preset)
			term := serve(t, d, c.platform, nil)
			rep, err := cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: engine.Hardware{Port: term.Name}, Cycles: c.cycles, Seed: 1})
			require.NoError(t, err)
			require.Zero(t, rep.Mismatches, "%+v", rep.Divergence)
			assert.EqualValues(t, c.cycles, rep.Cycles)
			assert.Positive(t, rep.Acks+rep.Packets)
			t.Logf("%d ACKs, %d packets, %.0f cycles/s", rep.Acks, rep.Packets, rep.CyclesPerSecond)
		})
	}
}

// A design on the board that is not the configuration's is noticed, and so is a board that goes away.
func TestBoardIsNotTrusted(t *testing.T) {
	d := load(t, "csig-4p")
	changed := 0
	term := serve(t, d, "core", func(files []vgen.File) {
		for i := range files {
			if files[i].Name == "csig_counters.v" || files[i].Name == "csig_update.v" || files[i].Name == "csig_compare.v" {
				text := bytes.Replace(files[i].Text, []byte(" < "), []byte(" <= "), 1)
				if !bytes.Equal(text, files[i].Text) {
					files[i].Text = text
					changed++
				}
			}
		}
	})
	require.Positive(t, changed)
	hardware := engine.Hardware{Port: term.Name}
	rep, err := cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: hardware, Cycles: 20_000, Seed: 1, NoShrink: true})
	require.NoError(t, err)
	require.Positive(t, rep.Mismatches)
	assert.Contains(t, rep.Divergence.Command, "--engine board --port "+term.Name+" --seed ")
	assert.NotContains(t, rep.Divergence.Command, "--vcd")

	_, err = cosim.RunDesign(load(t, "nic-serial"), cosim.Options{Engine: "board", Hardware: hardware, Cycles: 100, Seed: 1})
	var wrong link.WrongDesign
	require.ErrorAs(t, err, &wrong)
	assert.ErrorContains(t, err, term.Name+": the board has the configuration "+d.DesignHash()+", expected is "+load(t, "nic-serial").DesignHash()+" (nic_serial)")

	term.Halt()
	hardware.Timeout = 20 * time.Millisecond
	_, err = cosim.RunDesign(d, cosim.Options{Engine: "board", Hardware: hardware, Cycles: 100, Seed: 1})
	var timeout link.Timeout
	require.ErrorAs(t, err, &timeout)
	assert.Zero(t, timeout.Confirmed)
}
