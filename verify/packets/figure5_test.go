package packets_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// hops is the path of the draft's Figure 5: ToR, aggregation, core, aggregation, ToR, with the figure's values of each
// link in Gbit/s and us. Underlined there, and looked for here: 20G at the last, 100/800 at the first, 18 us at the
// third.
var hops = []struct{ capacity, available, delay uint64 }{
	{800, 100, 10}, {100, 95, 3}, {100, 70, 18}, {100, 90, 5}, {40, 20, 8},
}

const (
	hopWindow = 1000 // ns
	hopStart  = 1_700_000_000_000_000_000
	hopPort   = 2 // on which the path leaves each switch
)

// hop is one switch of the path, with buckets fine enough for the figure's values.
func hop(t testing.TB, number int, uec bool) *config.CSIG {
	c := newSwitch(t, func(c *config.CSIG) {
		c.UEC, c.WindowNs, c.DataBits, c.Deep = uec, hopWindow, 128, true
		c.RecipBits, c.RatioBits, c.ByteBits = 32, 24, 32
	})
	c.Name = fmt.Sprintf("hop_%d", number+1)
	p := &c.Port[hopPort]
	p.CapacityKbps = hops[number].capacity * 1e6
	for s := range config.CSIGTypes {
		c.Bounds[s] = nil
		for b := range uint64(32) {
			c.Bounds[s] = append(c.Bounds[s], b*[]uint64{5e6, 1 << 24 / 32, 1000, 1000}[s])
		}
		c.Quantizer[s] = config.CSIGQuantizer{Step: []uint64{8000, 1 << 4, 128, 128}[s]}
		p.Actions[s] = config.CSIGUpdate
		p.Compact[s], p.Expanded[s] = uint16(8*s+number+1), uint16(256*s+number+1)
	}
	return c
}

// TestFigure5 sends a packet for each signal, tag size and field split through the five switches of the draft's Figure
// 5, on the model and on every engine: the result names the bottlenecks that the figure underlines.
func TestFigure5(t *testing.T) {
	type key struct {
		size   telemetry.CSIGSize
		signal uint8
	}
	want := map[key]telemetry.CSIG{
		{telemetry.CSIGCompact, 0}:  {Type: 0, Value: 20 / 5, Locator: 5},
		{telemetry.CSIGCompact, 1}:  {Type: 1, Value: 32 * 100 / 800, Locator: 8 + 1},
		{telemetry.CSIGCompact, 2}:  {Type: 2, Value: 18, Locator: 16 + 3},
		{telemetry.CSIGExpanded, 0}: {Type: 0, Value: 20e6 / 8000, Locator: 5},
		{telemetry.CSIGExpanded, 1}: {Type: 1, Value: 1 << 20 * 100 / 800, Locator: 256 + 1},
		{telemetry.CSIGExpanded, 2}: {Type: 2, Value: 18_000 / 128, Locator: 512 + 3},
	}
	for _, e := range append([]string{"model"}, "go", "verilator", "icarus") {
		t.Run(e, func(t *testing.T) {
			for _, x := range engines {
				if x.name == e {
					needs(t, x.tools...)
				}
			}
			for _, uec := range []bool{false, true} {
				if uec && e == "icarus" {
					continue
				}
				// What the sender's host puts in front: all ones for a minimum, zero for a maximum.
				var probes [][]byte
				var keys []key
				layout := telemetry.CSIGIETF
				if uec {
					layout = telemetry.CSIGUEC
				}
				for k := range want {
					tag := telemetry.CSIG{Type: k.signal}
					if k.signal < 2 {
						tag.Value = 1<<layout.Layout(k.size).Value - 1
					}
					tpid := []byte{0x88, 0xb5 + byte(k.size)}
					b, err := tag.Append(
						append([]byte("\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x81\x00\x00\x64"), tpid...), k.size, layout)
					require.NoError(t, err)
					probes, keys = append(probes, append(b, make([]byte, 50)...)), append(keys, k)
				}
				for number, h := range hops {
					var list []packets.Packet
					now := uint64(hopStart + 1_000_000*number)
					at := func(data []byte, delay, egress uint64) {
						m := packets.Meta{EgressPort: hopPort, IngressNs: egress - delay, EgressNs: egress}
						list = append(list, packets.Packet{Number: len(list) + 1, Data: data, Meta: m})
					}
					// The load of one window, so that the rest is the figure's.
					for left := (h.capacity - h.available) * hopWindow / 8; left > 0; {
						n := min(left, 1250)
						at(make([]byte, n-24), 0, now)
						left -= n
					}
					first := len(list)
					for _, p := range probes {
						at(p, h.delay*1000, now+hopWindow)
					}
					rep, err := packets.RunPackets(hop(t, number, uec), list, packets.Options{Engine: e})
					require.NoError(t, err)
					for i := range probes {
						probes[i] = rep.Results[first+i].Data
					}
				}
				for i, k := range keys {
					var got telemetry.CSIG
					_, err := got.Decode(probes[i][18:], k.size, layout)
					require.NoError(t, err)
					assert.Equal(t, want[k], got, "%s, %s type %d", layout, k.size, k.signal)
				}
			}
		})
	}
}

// TestWireVectors sends the packet of a public deployment's test through a switch whose port measures what that
// deployment's did: TPID 0x9900, 2b 85 becomes 28 42.
func TestWireVectors(t *testing.T) {
	c := newSwitch(t, func(c *config.CSIG) { c.CompactTPID, c.ExpandedTPID = 0x9900, 0 })
	c.Bounds[1] = nil
	for b := range uint64(17) { // an idle port has the last code, 0x10
		c.Bounds[1] = append(c.Bounds[1], b<<12)
	}
	c.Port[0].Compact[1] = 0x42
	head := "\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x99\x00"
	tail := "\x08\x00" + string(make([]byte, 46))
	list := []packets.Packet{{Number: 1, Data: []byte(head + "\x2b\x85" + tail), Meta: packets.Meta{EgressNs: 1e9}},
		{Number: 2, Data: []byte(head + "\x28\x42" + tail), Meta: packets.Meta{EgressNs: 2e9}}}
	for _, e := range []string{"model", "go"} {
		rep, err := packets.RunPackets(c, list, packets.Options{Engine: e})
		require.NoError(t, err)
		assert.Equal(t, map[string]int{"updated": 1, "kept": 1}, rep.Statuses, e)
		for i := range rep.Results {
			assert.Equal(t, head+"\x28\x42"+tail, string(rep.Results[i].Data), "%s, packet %d", e, i+1)
		}
	}
}
