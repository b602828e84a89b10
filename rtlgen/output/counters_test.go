package output_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// The programmer's guide of each design says that counters wrap, and how long they take; the ports of an engine say
// it too.
func TestCountersSayThatTheyWrap(t *testing.T) {
	const port = "| n_stale | ACKs with telemetry older than stored; wraps |"
	const register = "counts from reset modulo 2^32: at a packet a cycle it goes round in 2^32 cycles, 28 s at 150 MHz"
	for preset, want := range map[string][]string{
		"nic-line":   {"Outputs of 32 bits", "an ACK a cycle: it goes round after\n2^32 times that", port},
		"nic-serial": {"Outputs of 16 bits", "an ACK in 35 cycles: it goes round after\n2^16 times that", port},
		"csig-4p":    {register},
		"int-switch": {register},
	} {
		c, err := config.LoadDesign(preset)
		require.NoError(t, err)
		d, err := output.Build(c)
		require.NoError(t, err)
		guide := ""
		for _, f := range d.Files {
			if strings.HasSuffix(f.Path, "docs/registers.md") {
				guide = string(f.Data)
			}
		}
		for _, text := range want {
			assert.Contains(t, guide, text, preset)
		}
	}
}
