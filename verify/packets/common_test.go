package packets_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// needs skips a test whose tools are missing, naming them; in CI it fails.
func needs(t testing.TB, tools ...string) {
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

// engines are all that run a design, with the tools that they need.
var engines = []struct {
	name  string
	tools []string
}{{"go", nil}, {"verilator", []string{"verilator", "g++"}}, {"icarus", []string{"iverilog", "vvp"}}}

// newSwitch is a small switch whose eight ports differ in all that a port can be.
func newSwitch(t testing.TB, edit func(*config.CSIG)) *config.CSIG {
	t.Helper()
	c := &config.CSIG{
		Name: "mixed_switch", Hash: "0123456789abcdef", Ports: 8, DataBits: 64,
		TimeBits: 40, ByteBits: 24, RecipBits: 20, RatioBits: 16, QlenBits: 24,
		CompactTPID: 0x88b5, ExpandedTPID: 0x88b6, VLANTPIDs: []uint16{0x8100, 0x88a8},
		Method: config.CSIGRaw, WindowNs: 20_000, OverheadBytes: 24,
		Bounds: csig.AppendixA(16),
	}
	for q := range c.Quantizer {
		c.Quantizer[q] = config.CSIGQuantizer{Base: uint64(q) * 10, Step: []uint64{8000, 1, 100, 333}[q]}
	}
	if edit != nil {
		edit(c)
	}
	split := telemetry.CSIGIETF
	if c.UEC {
		split = telemetry.CSIGUEC
	}
	for i := range c.Ports {
		p := config.CSIGPort{Trusted: i%8 != 5, CapacityKbps: []uint64{10e6, 25e6, 40e6, 100e6, 1e6, 10e6, 400e6, 10e6}[i%8]}
		for s := range p.Actions {
			switch {
			case i%8 == 2:
				p.Actions[s] = config.CSIGStrip
			case i%8 == 3, s >= config.CSIGTypes && i%8 != 4, i%8 == 1 && s == 3:
				p.Actions[s] = config.CSIGPass
			case i%8 == 4 && s > 0:
				p.Actions[s] = config.CSIGStrip
			default:
				p.Actions[s] = config.CSIGUpdate
			}
		}
		for s := range config.CSIGTypes {
			p.Compact[s] = uint16(i*4+s) & (1<<split.Layout(telemetry.CSIGCompact).Locator - 1)
			p.Expanded[s] = uint16(i*1111+s*7) & (1<<split.Layout(telemetry.CSIGExpanded).Locator - 1)
		}
		c.Port = append(c.Port, p)
	}
	return c
}

func tags(c *config.CSIG) telemetry.Tags {
	return telemetry.Tags{Compact: c.CompactTPID, Expanded: c.ExpandedTPID, VLAN: c.VLANTPIDs, Decrypted: c.Decrypted}
}

func split(c *config.CSIG) telemetry.CSIGSplit {
	if c.UEC {
		return telemetry.CSIGUEC
	}
	return telemetry.CSIGIETF
}

// start is when the corpus passes: not a round time.
const start = 1_700_000_000_123_456_789

// traffic is the corpus for a switch, in the order in which it leaves.
func traffic(t testing.TB, c *config.CSIG, seed uint64) ([]corpusCase, []packets.Packet) {
	t.Helper()
	cases, err := corpusCases(corpusOptions{Seed: seed, Tags: tags(c), Split: split(c)})
	require.NoError(t, err)
	list := corpusTraffic{Seed: seed, Ports: c.Ports, Start: start, Window: c.WindowNs}.Pass(corpusData(cases))
	packets.InOrder(list)
	return cases, list
}

// temp is the path of a file that is not there yet.
func temp(t testing.TB, name string) string { return filepath.Join(t.TempDir(), name) }
