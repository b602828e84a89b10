package cosim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
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
		t.Errorf("%s on %s: %s is %s, the model says %s, cycle %d of seed %d\npacket %s, header cycle %d\n%s\nalso %v\n%s\n%s\n%s", rep.Design, rep.Engine, d.Path, d.Actual, d.Expected, d.Cycle, d.Seed, d.Packet, d.PacketHeader, d.Result, d.Also, strings.Join(d.Inputs, "\n"), d.Command, d.Shrunk)
	}
	t.Logf("%s on %s: %d cycles, %d packets, %d beats in, %d out, %d taps, %.0f cycles/s, holes %v", rep.Design, rep.Engine, rep.Cycles, rep.Packets, rep.BeatsIn, rep.BeatsOut, rep.TapsCompared, rep.CyclesPerSecond, rep.Holes)
	return rep
}

// TestSwitchConfigurations compares small pipelines that differ in what changes the structure.
func TestSwitchConfigurations(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string
	}{
		{"plain", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSwitch(t, switchConfig(t, c.edits...), Options{Engine: "go", Cycles: 60_000, Seed: 7})
		})
	}
}
