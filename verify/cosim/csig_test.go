package cosim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// smallSwitch builds and runs fast, with everything that the larger ones have.
const smallSwitch = `
design: csig
name: csig_small
ports: 3
stream_bits: 64
widths: {time: 32, bytes: 20, fraction: 0, reciprocal: 18, ratio: 14, queue: 20}
tags: {split: ietf, compact: 0x88b5, expanded: 0x88b6, vlan: [0x8100, 0x88a8], decrypted: false}
bandwidth: {method: raw, window: 4us, overhead: 24B}
bucketizer: search
port_defaults: {capacity: 10G}
`

func switchConfig(t testing.TB, edits ...string) *config.CSIG {
	t.Helper()
	text := strings.NewReplacer(edits...).Replace(smallSwitch)
	d, err := config.ParseDesign("small.yaml", []byte(text))
	require.NoError(t, err)
	return d.(*config.CSIG)
}

func checkSwitch(t *testing.T, cfg *config.CSIG, o Options) *Report {
	t.Helper()
	rep, err := RunDesign(cfg, o)
	require.NoError(t, err)
	if d := rep.Divergence; d != nil {
		t.Errorf(
			"%s on %s: %s is %s, the model says %s, cycle %d of seed %d\npacket %s, header cycle %d\n%s\nalso %v\n%s\n%s\n%s", rep.Design, rep.Engine, d.Path, d.Actual, d.Expected, d.Cycle, d.Seed, d.Packet, d.PacketHeader, d.Result, d.Also, strings.Join(d.Inputs, "\n"), d.Command, d.Shrunk)
	}
	t.Logf("%s on %s: %d cycles, %d packets, %d beats in, %d out, %d taps, %.0f cycles/s, holes %v", rep.Design,
		rep.Engine, rep.Cycles, rep.Packets, rep.BeatsIn, rep.BeatsOut, rep.TapsCompared, rep.CyclesPerSecond, rep.Holes)
	return rep
}

// TestSwitchConfigurations compares small pipelines that differ in what changes the structure.
func TestSwitchConfigurations(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string
	}{
		{"plain", nil},
		{"parallel, 128 bits, five ports", []string{"bucketizer: search", "bucketizer: parallel", "stream_bits: 64",
			"stream_bits: 128", "ports: 3", "ports: 5"}},
		{"UEC, 256 bits, eight ports", []string{"split: ietf", "split: uec", "stream_bits: 64", "stream_bits: 256",
			"ports: 3", "ports: 8"}},
		{"512 bits, wide", []string{"stream_bits: 64", "stream_bits: 512",
			"time: 32, bytes: 20, fraction: 0, reciprocal: 18, ratio: 14, queue: 20",
			"time: 64, bytes: 40, fraction: 16, reciprocal: 32, ratio: 24, queue: 48"}},
		{"ewma", []string{"{method: raw, window: 4us, overhead: 24B}",
			"{method: ewma, time_shift: 12, gap_shift: 6, overhead: 24B}", "fraction: 0", "fraction: 4"}},
		{"dre", []string{"{method: raw, window: 4us, overhead: 24B}",
			"{method: dre, tick_shift: 8, decay_shift: 3, overhead: 24B}", "fraction: 0", "fraction: 5"}},
		{"compact only, one port", []string{"expanded: 0x88b6", "expanded: none", "ports: 3", "ports: 1"}},
		{"expanded only", []string{"compact: 0x88b5", "compact: none"}},
		{"decrypted, four VLAN TPIDs", []string{"decrypted: false", "decrypted: true", "[0x8100, 0x88a8]",
			"[0x8100, 0x88a8, 0x9100, 0x9200]"}},
		{"TPIDs that padding can end",
			[]string{"compact: 0x88b5", "compact: 0x9900", "expanded: 0x88b6", "expanded: 0x8a00"}},
		{"TPIDs that padding can end, 256 bits", []string{"compact: 0x88b5", "compact: 0x9900", "expanded: 0x88b6",
			"expanded: 0x8a00", "stream_bits: 64", "stream_bits: 256"}},
		{"folded", []string{"expanded: 0x88b6", "expanded: none", "stream_bits: 64", "stream_bits: 64\npipeline: folded"}},
		{"folded, UEC, ewma, one port, wide", []string{"expanded: 0x88b6", "expanded: none", "stream_bits: 64",
			"stream_bits: 64\npipeline: folded", "split: ietf", "split: uec", "ports: 3", "ports: 1",
			"{method: raw, window: 4us, overhead: 24B}", "{method: ewma, time_shift: 12, gap_shift: 6, overhead: 24B}",
			"time: 32, bytes: 20, fraction: 0, reciprocal: 18, ratio: 14, queue: 20",
			"time: 64, bytes: 40, fraction: 16, reciprocal: 32, ratio: 24, queue: 48"}},
		{"folded, dre, nine ports, asynchronous reset", []string{"expanded: 0x88b6", "expanded: none",
			"stream_bits: 64", "stream_bits: 64\npipeline: folded", "ports: 3", "reset: async_low\nports: 9",
			"{method: raw, window: 4us, overhead: 24B}", "{method: dre, tick_shift: 8, decay_shift: 3, overhead: 24B}",
			"fraction: 0", "fraction: 5"}},
		{"asynchronous reset", []string{"ports: 3", "reset: async_low\nports: 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSwitch(t, switchConfig(t, c.edits...), Options{Engine: "go", Cycles: 60_000, Seed: 7})
		})
	}
}

// TestSwitchPresets is the run that CI makes for every shipped preset.
func TestSwitchPresets(t *testing.T) {
	needs(t, "verilator", "g++")
	for _, p := range config.PresetsOf(config.KindCSIG) {
		t.Run(p.Name, func(t *testing.T) {
			d, err := config.LoadDesign(p.Name)
			require.NoError(t, err)
			rep := checkSwitch(t, d.(*config.CSIG), Options{Cycles: 100_000, Seed: 1, Jobs: 2})
			require.EqualValues(t, 100_000, rep.Cycles)
			require.Positive(t, rep.TapsCompared)
		})
	}
}

func TestSwitchEnginesAgree(t *testing.T) {
	for _, e := range engine.Simulators() {
		t.Run(e, func(t *testing.T) {
			switch e {
			case "verilator":
				needs(t, "verilator", "g++")
			case "icarus":
				needs(t, "iverilog", "vvp")
			case "netlist":
				t.Skip("TestNetlists has designs that synthesize in seconds")
			}
			checkSwitch(t, switchConfig(t), Options{Engine: e, Cycles: 20_000, Seed: 3})
			checkSwitch(t, switchConfig(t, "ports: 3", "reset: async_low\nports: 3"), Options{Engine: e, Cycles: 20_000,
				Seed: 3})
		})
	}
}

// TestNothingInASwitchDependsOnPowerUp starts memories and registers without a reset unknown: what is shown with a
// valid must be known nonetheless.
func TestNothingInASwitchDependsOnPowerUp(t *testing.T) {
	needs(t, "iverilog", "vvp")
	for _, c := range []struct {
		name  string
		edits []string
	}{
		{"raw, search", nil},
		{"ewma, parallel", []string{"{method: raw, window: 4us, overhead: 24B}",
			"{method: ewma, time_shift: 12, gap_shift: 6, overhead: 24B}", "bucketizer: search", "bucketizer: parallel"}},
		{"folded", []string{"expanded: 0x88b6", "expanded: none", "stream_bits: 64", "stream_bits: 64\npipeline: folded"}},
		{"dre, 128 bits", []string{"{method: raw, window: 4us, overhead: 24B}",
			"{method: dre, tick_shift: 8, decay_shift: 3, overhead: 24B}", "stream_bits: 64", "stream_bits: 128"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Engine: "icarus", Start: engine.StartUnknown, Cycles: 12_000, Seed: 3, NoShrink: true}
			rep := checkSwitch(t, switchConfig(t, c.edits...), o)
			require.Positive(t, rep.Packets)
		})
	}
}
