package output_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// The programmer's guide of each design states that counters wrap, and after how long; so do the ports of an engine.
func TestCountersSayThatTheyWrap(t *testing.T) {
	const port = "| n_stale | ACKs with telemetry older than stored; wraps |"
	const register = "counts from reset modulo 2^32: at a packet a cycle it wraps after 2^32 cycles, 28 s at 150 MHz"
	for preset, want := range map[string][]string{
		"nic-line":   {"Outputs of 32 bits", "an ACK a cycle: it wraps after\n2^32 times that", port},
		"nic-serial": {"Outputs of 16 bits", "an ACK in 35 cycles: it wraps after\n2^16 times that", port},
		"csig-4p":    {register},
		"int-switch": {register},
	} {
		guide := guideOf(t, preset)
		for _, text := range want {
			assert.True(t, strings.Contains(guide, text), "%s: %s", preset, text)
		}
	}
}

// What the guide says of streams while the engine clears, and of writes that overtake, is that of the order: with
// slices ACKs are taken and wait, without they stay at the port.
func TestGuideOfTheOrder(t *testing.T) {
	for preset, want := range map[string][]string{
		"nic-line":   {"the engine accepts transfers on its streams and holds them", "an ACK that was taken earlier and still waits"},
		"nic-serial": {"the engine accepts nothing meanwhile", "an ACK that was offered earlier and still waits"},
	} {
		guide := guideOf(t, preset)
		for _, text := range append(want, "| s_now | in | 64 | ticks; does not wrap |") {
			assert.True(t, strings.Contains(guide, text), "%s: %s", preset, text)
		}
	}
}

func guideOf(t *testing.T, preset string) string {
	t.Helper()
	c, err := config.LoadDesign(preset)
	require.NoError(t, err)
	d, err := output.Build(c)
	require.NoError(t, err)
	for _, f := range d.Files {
		if strings.HasSuffix(f.Path, "docs/registers.md") {
			return string(f.Data)
		}
	}
	require.Fail(t, "no guide", preset)
	return ""
}
