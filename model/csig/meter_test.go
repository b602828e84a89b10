package csig_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// oftenConfig has updates for every packet: a tick, or the shortest gap, is 1024 ns or less.
func oftenConfig(method csig.Method) csig.Config {
	cfg := csig.DefaultConfig(2, 100e6)
	cfg.Estimate = csig.Estimate{Method: method, TimeShift: 20, TickShift: 10, DecayShift: 6, Overhead: csig.WireOverhead}
	return cfg
}

// sendAt sends a packet to a port, and answers whether the port's meter was updated.
func sendAt(d *csig.Device, port int, now uint64) bool {
	before := d.Meter(port)
	d.Process(packet("", 50), csig.Meta{EgressPort: port, EgressNs: now})
	return d.Meter(port).Time != before.Time || !before.Seen
}

// A port is updated by each of its packets that comes a gap or a tick after the update before, whatever others there
// are.
func TestUpdates(t *testing.T) {
	for _, method := range []csig.Method{csig.EWMA, csig.DRE} {
		cfg := oftenConfig(method)
		cfg.Estimate.GapShift = 10
		d := newDevice(t, cfg)
		require.True(t, sendAt(d, 0, 1<<20), "the first packet")
		for n := range uint64(40) {
			now := 1<<20 + n<<10
			require.False(t, sendAt(d, 0, now+1023), "%s, %d", method, n)
			require.True(t, sendAt(d, 0, now+1024), "%s, %d", method, n)
			require.EqualValues(t, 88, d.Meter(0).Pending, "its own bytes")
		}
		require.NoError(t, d.SetEstimate(cfg.Estimate))
		require.True(t, sendAt(d, 0, 1<<20), "the first packet after a change")
	}
}

// An average at its ends: the last unit of time that counts leaves a trace, one more leaves nothing, not even what is
// pending.
func TestLate(t *testing.T) {
	for _, c := range []struct {
		estimate csig.Estimate
		late     uint64
	}{
		{csig.Estimate{Method: csig.EWMA, TimeShift: 10}, 32 << 10},
		{csig.Estimate{Method: csig.EWMA, TimeShift: 30, GapShift: 29}, 32 << 30},
		{csig.Estimate{Method: csig.DRE, TickShift: 10, DecayShift: 2}, 128 << 10},
		{csig.Estimate{Method: csig.DRE, TickShift: 4, DecayShift: 6}, 2048 << 4},
	} {
		for before := range uint64(2) {
			cfg := csig.DefaultConfig(1, 1e6)
			cfg.Estimate = c.estimate
			d := newDevice(t, cfg)
			for range 100 {
				d.Process(packet("", 9000), csig.Meta{EgressNs: 1 << 40})
			}
			d.Process(packet("", 50), csig.Meta{EgressNs: 1<<40 + c.late - before})
			m := d.Meter(0)
			assert.Equal(t, before == 0, m.Value == 0 && m.Phase == 0, "%+v, %d before", c.estimate, before)
			assert.EqualValues(t, 64, m.Pending, "its own bytes")
		}
	}
}

// A DRE shows pending bytes at once, and a tick subtracts its share.
func TestTick(t *testing.T) {
	for shift := 1; shift <= 6; shift++ {
		cfg := oftenConfig(csig.DRE)
		cfg.Estimate.DecayShift = shift
		d := newDevice(t, cfg)
		var v uint64
		for range 20 {
			_, ev := d.Process(packet("", 64*100-14-24), csig.Meta{EgressNs: 1 << 20})
			used := min(v*8_000_000>>(10+shift), 100_000_000)
			assert.Equal(t, 100_000_000-used, ev.Signals.ABW, "measured with what is pending")
			v += 6400
		}
		_, ev := d.Process(packet("", 50), csig.Meta{EgressNs: 1<<20 + 1<<10})
		used := float64(v-v>>shift) * 8e6 / float64(uint64(1)<<(10+shift))
		assert.InDelta(t, max(0, 1e8-used), float64(ev.Signals.ABW), 1+1e8/(1<<20), "shift %d", shift)
	}
}

// A packet of more than 65,535 bytes counts as one of 65,535, less a tag that is taken away.
func TestLargestPacket(t *testing.T) {
	cfg := csig.DefaultConfig(2, 100e6)
	cfg.Port[1].Action = csig.StripAll()
	d := newDevice(t, cfg)
	for _, c := range []struct {
		bytes  int
		tagged bool
		want   uint64
	}{
		{65_534, false, 65_534}, {65_535, false, 65_535}, {65_536, false, 65_535}, {200_000, false, 65_535},
		{65_535, true, 65_531}, {65_536, true, 65_531}, {200_000, true, 65_531},
	} {
		pkt := make([]byte, c.bytes)
		if c.tagged {
			copy(pkt[12:], compactPacket(t, 2, 0)[12:])
		}
		before := d.Meter(1).Pending
		d.Process(pkt, csig.Meta{EgressPort: 1})
		assert.Equal(t, c.want+csig.WireOverhead, d.Meter(1).Pending-before, "%d bytes", c.bytes)
		r := newRig(t, design(5, 512), timing).program()
		r.send(pkt, csig.Meta{EgressPort: 3})
		r.drain(1)
		assert.Equal(t, c.want+csig.WireOverhead, r.m.Meter(3).Pending, "%d bytes, clocked", c.bytes)
	}
}

// What leaves with less than 60 bytes counts as the 60 to which the MAC pads it, whatever made it so short.
func TestPaddingCounts(t *testing.T) {
	cfg := csig.DefaultConfig(2, 100e6)
	cfg.Port[1].Action = csig.StripAll()
	d := newDevice(t, cfg)
	for _, c := range []struct {
		bytes    int
		expanded bool
		want     uint64
	}{
		{20, false, 60}, {59, false, 60}, {63, false, 60}, {64, false, 60}, {65, false, 61},
		{60, true, 60}, {67, true, 60}, {69, true, 61},
	} {
		size := telemetry.CSIGCompact
		if c.expanded {
			size = telemetry.CSIGExpanded
		}
		pkt := tagged(t, packet("", c.bytes-14-size.Len()), telemetry.CSIG{Type: 2}, size, telemetry.CSIGIETF)
		for port, want := range []uint64{max(60, uint64(c.bytes)), c.want} {
			before := d.Meter(port).Pending
			d.Process(pkt, csig.Meta{EgressPort: port})
			assert.Equal(t, want+csig.WireOverhead, d.Meter(port).Pending-before, "%d bytes, port %d", c.bytes, port)
		}
		r := newRig(t, design(5, 64), timing).program()
		r.send(pkt, csig.Meta{EgressPort: 3})
		r.drain(1)
		assert.Equal(t, c.want+csig.WireOverhead, r.m.Meter(3).Pending, "%d bytes, clocked", c.bytes)
	}
}

// A link that is full of the shortest frames is full when they lose a tag of 8 bytes.
func TestFullLinkOfPaddedFrames(t *testing.T) {
	cfg := csig.DefaultConfig(1, 1e6)
	cfg.Port[0].Action = csig.StripAll()
	d := newDevice(t, cfg)
	pkt := tagged(t, packet("", 38), telemetry.CSIG{Type: 2}, telemetry.CSIGExpanded, telemetry.CSIGIETF)
	var free uint64
	for i := range uint64(1000) {
		_, ev := d.Process(pkt, csig.Meta{EgressNs: i * 84 * 8})
		free = ev.Signals.ABW
	}
	assert.Less(t, free, uint64(84*8e6/128_000)+1, "less than a frame in the window is free")
}
