package packets_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// output is the bytes of the pcap file that a replay writes.
func output(t testing.TB, rep *packets.Replayed) []byte {
	t.Helper()
	b, err := packets.FormatCapture(rep.Sent, rep.Results)
	require.NoError(t, err)
	return b
}

// same fails when two replays of the same packets differ in anything.
func same(t *testing.T, want, got *packets.Replayed) {
	t.Helper()
	for i := range want.Results {
		w, g := &want.Results[i], &got.Results[i]
		if w.Status != g.Status || string(w.Data) != string(g.Data) {
			p := &want.Sent[i]
			t.Fatalf("packet %d: %s %s, %s %s\n%+v\n   in %x\n%s %x\n%s %x", p.Number, want.Engine,
				want.Order[w.Status], got.Engine, got.Order[g.Status], p.Meta, p.Data,
				want.Engine, w.Data, got.Engine, g.Data)
		}
	}
	assert.Equal(t, want.Ports, got.Ports)
	assert.Equal(t, want.Counters, got.Counters)
	assert.Equal(t, want.Statuses, got.Statuses)
	assert.True(t, string(output(t, want)) == string(output(t, got)), "the files differ")
}

// TestEnginesGiveTheSameBytes sends the corpus through the golden model and the design in every engine.
func TestEnginesGiveTheSameBytes(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			c := newSwitch(t, d.edit)
			cases, all := traffic(t, c, 7)
			for _, e := range engines {
				t.Run(e.name, func(t *testing.T) {
					needs(t, e.tools...)
					list := all
					if e.name == "icarus" { // slow: one design, and part of the corpus
						if d.edit != nil {
							t.Skip("one design is enough for Icarus")
						}
						list = all[len(all)/2:][:200]
					}
					want, err := packets.RunPackets(c, list, packets.Options{})
					require.NoError(t, err)
					got, err := packets.RunPackets(c, list, packets.Options{Engine: e.name})
					require.NoError(t, err)
					same(t, want, got)
					checkAll(t, c, cases, got)
					t.Logf("%d packets, %d bytes, %d cycles of %d bytes: %.0f packets/s", got.Packets, got.BytesIn,
						got.Cycles, c.DataBits/8, got.PacketsPerSecond)
				})
			}
		})
	}
}

// TestSourcesGiveTheSameBytes sends the corpus of each format through the golden model and the INT source in every
// engine.
func TestSourcesGiveTheSameBytes(t *testing.T) {
	for i, d := range sources {
		t.Run(d.name, func(t *testing.T) {
			c := newSource(d.format, d.edit)
			cases, all := intTraffic(t, c, 7)
			for _, e := range engines {
				t.Run(e.name, func(t *testing.T) {
					needs(t, e.tools...)
					list := all
					if e.name == "verilator" && i%2 == 1 && os.Getenv("HPCCGEN_LONG") != "1" {
						t.Skip("every second design is built; all of them with HPCCGEN_LONG=1")
					}
					if e.name == "icarus" {
						if c.DataBits != 512 || c.Format != config.INTMD {
							t.Skip("one design is enough for Icarus")
						}
						list = all[len(all)/2:][:200]
					}
					want, err := packets.RunPackets(c, list, packets.Options{})
					require.NoError(t, err)
					got, err := packets.RunPackets(c, list, packets.Options{Engine: e.name})
					require.NoError(t, err)
					same(t, want, got)
					checkSource(t, c, cases, got)
					t.Logf("%d packets, %d bytes in, %d out, %d cycles of %d bytes: %.0f packets/s", got.Packets,
						got.BytesIn, got.BytesOut, got.Cycles, c.DataBits/8, got.PacketsPerSecond)
				})
			}
		})
	}
}
