package packets_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// TestNetlistGivesTheSameBytes sends the corpus through the cells that synthesis makes of a small switch.
func TestNetlistGivesTheSameBytes(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") != "1" {
		t.Skip("synthesizes a switch for every family; with HPCCGEN_LONG=1 (make netlist-long)")
	}
	needs(t, "yosys", "verilator", "g++")
	c := newSwitch(t, nil)
	_, all := traffic(t, c, 7)
	want, err := packets.RunPackets(c, all, packets.Options{})
	require.NoError(t, err)
	for _, family := range engine.Families() {
		t.Run(family, func(t *testing.T) {
			got, err := packets.RunPackets(c, all, packets.Options{Engine: "netlist", Hardware: engine.Hardware{Family: family}})
			require.NoError(t, err)
			same(t, want, got)
		})
	}
}
