package csig_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
)

// anyDesign is a device of any shape, widths and measurement, programmed in any way.
func anyDesign(t *rapid.T) *config.CSIG {
	c := design(rapid.IntRange(1, 6).Draw(t, "ports"), rapid.SampledFrom([]int{64, 128, 256, 512}).Draw(t, "data bits"))
	c.TimeBits = rapid.SampledFrom([]int{32, 40, 48, 64}).Draw(t, "time")
	c.ByteBits = rapid.IntRange(16, 40).Draw(t, "bytes")
	c.FracBits = rapid.IntRange(0, 16).Draw(t, "frac")
	c.RatioBits = rapid.IntRange(12, 24).Draw(t, "ratio")
	c.RecipBits = rapid.IntRange(c.RatioBits+4, min(c.RatioBits+8, 32)).Draw(t, "recip")
	c.QlenBits = rapid.IntRange(8, 48).Draw(t, "qlen")
	c.Method = rapid.SampledFrom([]config.CSIGMethod{config.CSIGRaw, config.CSIGEWMA, config.CSIGDRE}).Draw(t, "method")
	c.WindowNs = rapid.Uint64Range(1000, 20_000).Draw(t, "window")
	c.UEC = rapid.Bool().Draw(t, "uec")
	c.Decrypted = rapid.Bool().Draw(t, "decrypted")
	switch rapid.IntRange(0, 4).Draw(t, "sizes") {
	case 0:
		c.CompactTPID = 0
	case 1:
		c.ExpandedTPID = 0
	}
	c.Bounds = csig.AppendixA(c.RatioBits)
	for n := range config.CSIGTypes {
		if rapid.IntRange(0, 3).Draw(t, "table") == 0 {
			c.Bounds[n] = nil
		}
		if rapid.IntRange(0, 3).Draw(t, "quantizer") == 0 {
			c.Quantizer[n] = config.CSIGQuantizer{}
		}
	}
	return c
}

// anyPacket is a packet of any length, mostly with a tag somewhere.
func anyPacket(t *rapid.T, c *config.CSIG) []byte {
	pkt := unhex("020000000001020000000002")
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 3, 4, 5}).Draw(t, "vlans") {
		if rapid.IntRange(0, 5).Draw(t, "sectag") == 0 {
			pkt = append(pkt, unhex(rapid.SampledFrom([]string{"88e5000000000001", "88e52000000000010200000000020001",
				"88e50c0000000001"}).Draw(t, "tci"))...)
		}
		pkt = append(pkt, unhex(rapid.SampledFrom([]string{"81000064", "88a800c8"}).Draw(t, "vlan"))...)
	}
	for range rapid.SampledFrom([]int{0, 1, 1, 1, 1, 1, 2}).Draw(t, "tags") {
		tag := rapid.SliceOfN(rapid.Byte(), 6, 6).Draw(t, "tag")
		if rapid.Bool().Draw(t, "size") {
			pkt = append(pkt, 0x88, 0xb5, tag[0]&0x7f, tag[1])
		} else {
			pkt = append(append(pkt, 0x88, 0xb6, tag[0], tag[1], tag[2]&0x4f), tag[3:]...)
		}
	}
	pkt = append(pkt, 8, 0)
	n := rapid.SampledFrom([]int{0, 1, 2, 7, 8, 9, 40, 50, 60, 61, 62, 63, 64, 65, 66, 120, 300}).Draw(t, "payload")
	for i := range n + rapid.IntRange(0, 8).Draw(t, "more") {
		pkt = append(pkt, byte(i))
	}
	if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
		pkt = pkt[:rapid.IntRange(1, len(pkt)).Draw(t, "length")]
	}
	return pkt
}

// anyTiming is legal for every width.
func anyTiming(t *rapid.T) csig.Timing {
	g := timed(csig.Timing{Lookup: rapid.IntRange(1, 3).Draw(t, "lookup")}, 0, rapid.IntRange(1, 20).Draw(t, "sweep"))
	after := func(n int, what string) int { return n + rapid.IntRange(0, 5).Draw(t, what) }
	g.Meter = after(g.Lookup, "meter")
	g.Scale = after(g.Meter, "scale")
	g.Code = after(g.Scale, "code")
	g.Count = after(g.Code, "count")
	g.Stacked = after(g.Lookup, "stacked")
	g.Decision = after(g.Code, "decision")
	g.Credits = 7 + rapid.IntRange(0, 40).Draw(t, "credits")
	g.Offer, g.Answer = rapid.IntRange(1, 4).Draw(t, "offer"), rapid.IntRange(1, 6).Draw(t, "answer")
	g.Act = rapid.IntRange(2, 5).Draw(t, "act")
	g.Return = rapid.IntRange(1, 3).Draw(t, "return")
	if g.Room = rapid.SampledFrom([]int{0, 9, 16}).Draw(t, "room"); g.Room > 0 {
		g.Enter, g.Leave = rapid.IntRange(1, 3).Draw(t, "enter"), rapid.IntRange(1, 3).Draw(t, "leave")
		g.Gone = rapid.IntRange(1, 2).Draw(t, "gone")
	}
	return g
}

// sometimes is a source of yes and no, in streaks.
func sometimes(t *rapid.T, what string) func() bool {
	likely := rapid.SampledFrom([]int{0, 0, 1, 4, 7}).Draw(t, what)
	if likely == 0 {
		return func() bool { return false }
	}
	seed := rapid.Uint32().Draw(t, what+" seed")
	return func() bool {
		seed = seed*1664525 + 1013904223
		return int(seed>>24&7) < likely
	}
}

// counted are the statuses that are counted by port.
var counted = []csig.Status{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11}

type sentPacket struct {
	bytes []byte
	meta  csig.Meta
}

func anyTraffic(t *rapid.T, c *config.CSIG, n int) []sentPacket {
	now := rapid.SampledFrom([]uint64{0, 1 << 31, 1<<32 - 3000, 1<<48 - 3000, 1<<64 - 3000}).Draw(t, "start")
	gap := rapid.SampledFrom([]uint64{5, 200, 3000}).Draw(t, "gap")
	all := make([]sentPacket, n)
	for i := range all {
		now += rapid.Uint64Range(0, gap).Draw(t, "after")
		all[i] = sentPacket{anyPacket(t, c), csig.Meta{
			IngressPort: rapid.IntRange(0, c.Ports-1).Draw(t, "ingress"),
			EgressPort:  rapid.IntRange(0, c.Ports-1).Draw(t, "egress"),
			IngressNs:   now - rapid.Uint64Range(0, 1<<20).Draw(t, "delay"), EgressNs: now,
			QlenBytes: rapid.Uint64Range(0, 1<<20).Draw(t, "queue") & (1<<c.QlenBits - 1),
		}}
		if rapid.IntRange(0, 15).Draw(t, "no port") == 0 {
			all[i].meta.EgressPort = c.Ports
		}
	}
	return all
}

// Random packets through both models: the same packets, statuses, events and counters, whatever the widths, the timing,
// the gaps and the back-pressure.
func TestClockedIsDevice(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := anyDesign(rt)
		d, err := csig.New(csig.FromConfig(c))
		require.NoError(rt, err)
		r := newRig(t, c, anyTiming(rt)).program()
		r.idle, r.stall = sometimes(rt, "idle"), sometimes(rt, "stall")
		var events []csig.Event
		r.m.OnDecision = func(_ int64, ev *csig.Event) { events = append(events, *ev) }
		traffic := anyTraffic(rt, c, rapid.IntRange(1, 60).Draw(rt, "packets"))
		for _, p := range traffic {
			r.send(p.bytes, p.meta)
		}
		r.settle()
		require.Len(rt, events, len(traffic))
		left := r.got
		for i, p := range traffic {
			out, ev := d.Process(p.bytes, p.meta)
			require.Equal(rt, describe(ev), describe(events[i]), "packet %d", i)
			if ev.Status == csig.Dropped {
				continue
			}
			require.NotEmpty(rt, left, "packet %d", i)
			require.Equal(rt, out, left[0].bytes, "packet %d: %s", i, ev.Status)
			require.Equal(rt, ev.Status, left[0].status)
			require.Equal(rt, p.meta.EgressPort, left[0].port)
			left = left[1:]
		}
		require.Empty(rt, left)
		require.Empty(rt, r.partial)
		for port := range c.Ports {
			require.Equal(rt, d.Counters(port), r.m.Counters(port))
			require.Equal(rt, d.Meter(port), r.m.Meter(port))
			for _, s := range counted {
				require.EqualValues(rt, d.Counters(port).By[s], r.count(port, s))
			}
			require.EqualValues(rt, d.Counters(port).Stacked, r.count(port, 15))
		}
		v, slverr := r.read(registers.NoPort)
		require.False(rt, slverr)
		require.EqualValues(rt, d.NoPort(), v)
		require.Equal(rt, d.NoPort(), r.m.NoPort())
	})
}

// Dropped packets pass a beat that m_axis stops, any number of them, and leave it alone. Registers C and B hold a
// packet each.
func TestDroppedPacketsPassAStoppedOne(t *testing.T) {
	for _, dropped := range []int{1, 60, 300} {
		r := newRig(t, design(4, 512), timing).program()
		stopped := true
		r.stall = func() bool { return stopped }
		before, after := [][]byte{packet("81000064", 40), packet("", 42)}, packet("88a800c8", 46)
		for _, pkt := range before {
			r.send(pkt, csig.Meta{EgressPort: 1})
		}
		for range dropped {
			r.send(packet("88b5400088b54000", 38), csig.Meta{EgressPort: 3})
		}
		r.send(after, csig.Meta{EgressPort: 1})
		for range 20 * dropped {
			r.cycle()
		}
		stopped = false
		r.settle()
		require.Len(t, r.got, 3)
		for i, pkt := range append(before, after) {
			require.Equal(t, pkt, r.got[i].bytes, "%d dropped", dropped)
		}
		require.EqualValues(t, dropped, r.m.Counters(3).By[csig.Dropped])
	}
}
