package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/synth"
)

// What cannot be built is refused, with the status that scripts go by. That nothing of an earlier run is left is tested
// in package synth too.
func TestSynthRefused(t *testing.T) {
	dir := t.TempDir()
	stale := filepath.Join(dir, "o", "csig_4p_hx8k.bin")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "o"), 0o777))
	none := []string{"PATH=" + t.TempDir(), "HPCCGEN_TOOLS=" + t.TempDir(), "YOSYS=", "NEXTPNR_ICE40="}
	for _, c := range []struct {
		args   string
		status int
		stderr string
		stays  bool // what is there is not touched: nothing has begun
	}{
		{"synth --config csig-4p --out o", 2, "hpccgen: missing flags: --board=NAME\n" + tryHelp, true},
		{"synth --config csig-4p --board arty --out o", 2,
			"hpccgen: --board must be one of \"hx8k\",\"icebreaker\",\"tinyfpga-bx\",\"ulx3s\",\"orangecrab\",\"colorlight-i5\",\"tangnano9k\" but got \"arty\"\n" + tryHelp, true},
		{"synth --config csig-4p --board hx8k --out o --clock 10", 2,
			"hpccgen: --clock: a clock of 10 MHz on the board hx8k: the iCE40 PLL gives 16 MHz to 275 MHz, not 10 MHz; without its PLL it has 12 MHz\n" + tryHelp, true},
		{"synth --config csig-4p --board hx8k --out o --clock -5", 2,
			"hpccgen: --clock: \"-5\" is no frequency; legal are MHz above 0, such as 25 or 12.5\n" + tryHelp, true},
		{"synth --config csig-4p --board hx8k --out o --clock NaN", 2,
			"hpccgen: --clock: \"NaN\" is no frequency; legal are MHz above 0, such as 25 or 12.5\n" + tryHelp, true},
		{"synth --config csig-4p --board hx8k --out o --clock Inf", 2,
			"hpccgen: --clock: \"Inf\" is no frequency; legal are MHz above 0, such as 25 or 12.5\n" + tryHelp, true},
		{"synth --config csig-4p --board hx8k --out o --clock 0", 2,
			"hpccgen: --clock: \"0\" is no frequency; legal are MHz above 0, such as 25 or 12.5\n" + tryHelp, true},
		{"synth --config csig-4p --board hx8k --out o --seed 0", 2,
			"hpccgen: synth: --seed: 0 is below 1; legal are whole numbers of 1 or more\n" + tryHelp, true},
		{"synth --config csig-4p --board hx8k --out o --baud 20000000", 1,
			"hpccgen: a bit rate of 20000000: the clock of 48 MHz has fewer than 4 cycles a bit; the highest rate is 12000000\n", true},
		{"synth --config csig-4p --board hx8k --out o --json no/j", 1,
			"hpccgen: --json no/j: there is no folder no; create it first\n", true},
		{"synth --config csig-4p --board hx8k --out o", 3,
			"hpccgen: nextpnr-ice40 is not installed or not on PATH; it is needed for boards with an iCE40; install it with: apt-get install nextpnr-ice40 fpga-icestorm\n", false},
	} {
		t.Run(c.args, func(t *testing.T) {
			require.NoError(t, os.WriteFile(stale, []byte("of yesterday"), 0o666))
			r := hpccgen(t, dir, none, strings.Fields(c.args)...)
			assert.Equal(t, c.stderr, r.errOut)
			assert.Equal(t, c.status, r.status)
			if c.stays {
				assert.FileExists(t, stale)
			} else {
				assert.NoFileExists(t, stale)
			}
		})
	}
}

// Each failure of synthesis has a status of its own.
func TestSynthStatuses(t *testing.T) {
	path := synth.Path{DelayNs: 12.5, RoutingNs: 7.25,
		Modules: []synth.Stay{{Module: "csig_meter", Instance: "u_design.u_meter"}}, Hops: []synth.Hop{{}}}
	for _, c := range []struct {
		err    error
		status int
		stderr string
	}{
		{&synth.TooLarge{Design: "nic_line", Part: synth.UP5K,
			Over: []synth.Shortage{{Resource: "logic cells", Use: synth.Use{Used: 20000, Available: 5280}}}}, 4,
			"hpccgen: nic_line is too large for ice40 up5k sg48: it needs 20000 logic cells of 5280\n"},
		{&synth.TimingFailure{Design: "csig_4p", Part: synth.HX8K, Clock: "dut_clk",
			Fmax: synth.Fmax{Reached: 52, Target: 80}, Path: path}, 5,
			"hpccgen: csig_4p in ice40 hx8k ct256: timing not met: clock dut_clk reaches 52.00 MHz of 80.00 MHz; its critical path takes 12.50 ns (7.25 ns of it wires): csig_meter (u_design.u_meter)\n"},
		{toolchain.Missing{Tool: "yosys", Needed: "synthesis", Install: "apt-get install yosys"}, 3,
			"hpccgen: yosys is not installed or not on PATH; it is needed for synthesis; install it with: apt-get install yosys\n"},
		{&synth.ToolFailed{Tool: "yosys", Err: fmt.Errorf("exit status 1"), Said: "ERROR: x", Log: "o/logs/yosys.log"}, 1,
			"hpccgen: yosys failed (exit status 1):\nERROR: x\nthe whole log: o/logs/yosys.log\n"},
		{context.Canceled, 1, "hpccgen: stopped\n"},
	} {
		var b bytes.Buffer
		assert.Equal(t, c.status, report(&b, fmt.Errorf("%w", c.err)))
		assert.Equal(t, c.stderr, b.String())
	}
}
