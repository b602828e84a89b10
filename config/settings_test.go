package config

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What Words gives is what the helpers of replays give for the same constants.
func TestWords(t *testing.T) {
	c, err := Load("nic-line")
	require.NoError(t, err)
	words, err := c.Words(Settings{Profile: 3, RTT: "10us", Rates: []string{"100G", "25G"}, Flows: 20, MaxStage: 5,
		Fast: true, WMin: "1kB"})
	require.NoError(t, err)
	window := big.NewRat(125_000, 1) // 100 Gbit/s * 10 us
	p := Profile{BaseRTTNs: 10_000, Eta: big.NewRat(95, 100), MaxStage: 5, Fast: true,
		WAI: FairIncrease(window, big.NewRat(95, 100), 20), WMin: big.NewRat(1000, 1), WMax: window}
	var want []TableWrite
	for code, bps := range []uint64{100e9, 25e9} {
		rate, err := c.RateEntry(code, bps, 1)
		require.NoError(t, err)
		queue, err := c.QueueEntry(code, 3, bps, 1, p)
		require.NoError(t, err)
		want = append(want, rate, queue)
	}
	entries, err := c.ProfileEntries(3, p)
	require.NoError(t, err)
	want = append(want, entries...)
	var got []TableWrite
	for _, w := range words {
		got = append(got, w.TableWrite)
		assert.NotEmpty(t, w.Value)
	}
	assert.Equal(t, want, got)
	assert.Equal(t, "312.5 bytes", words[8].Value)
}

// What a format cannot hold, or the configuration does not state, is refused with the nearest legal value, which is
// accepted.
func TestWordsRefused(t *testing.T) {
	nic, err := Load("nic-line")
	require.NoError(t, err)
	design, err := LoadDesign("nic-aimd")
	require.NoError(t, err)
	aimd := design.(EngineDesign)
	for _, c := range []struct {
		design EngineDesign
		set    func(s *Settings, v string)
		text   string
		want   string
	}{
		{nic, func(s *Settings, v string) { s.RTT = v }, "200us", "rtt: 200us is too large; legal: 1us to 100us; nearest: 100us"},
		{nic, func(s *Settings, v string) { s.RTT = v }, "1ns", "rtt: 1ns is too small; legal: 1us to 100us; nearest: 1us"},
		{nic, func(s *Settings, v string) { s.Rates = []string{v} }, "4T",
			"rate: 4T is too large; legal: 10G to 1.6T; nearest: 1.6T"},
		{nic, func(s *Settings, v string) { s.Eta = v }, "1.2", "eta: 1.2 is too large; legal: 0.001 to 1; nearest: 1"},
		{nic, func(s *Settings, v string) { s.WMin = v }, "1B",
			"w-min: 1B is too small; legal: 32B to 16MB; nearest: 32B"},
		{nic, func(s *Settings, v string) { s.WMax = v }, "2GB",
			"w-max: 2GB is too large; legal: 32B to 16MB; nearest: 16MB"},
		{aimd, func(s *Settings, v string) { s.RTT = v }, "500ns", "rtt: 500ns is too small; legal: 513ns to 1s; nearest: 513ns"},
	} {
		var s Settings
		c.set(&s, c.text)
		_, err := c.design.Words(s)
		require.EqualError(t, err, c.want)
		_, nearest, _ := strings.Cut(c.want, "nearest: ")
		c.set(&s, nearest)
		_, err = c.design.Words(s)
		assert.NoError(t, err, "%s is said to be legal", nearest)
	}
	_, err = nic.Words(Settings{Profile: 9, MaxStage: 99, Flows: -1, RTT: "soon"})
	for _, part := range []string{"profile: 9; legal: 0 to 7; nearest: 7", "max-stage: 99; legal: 0 to 15",
		"flows: -1; legal: 1 or more; nearest: 1", `rtt: "soon" is not understood`} {
		assert.ErrorContains(t, err, part)
	}
}
