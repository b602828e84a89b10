package csig_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/csig"
)

// recentConfig has updates for every packet: a tick, or the shortest gap, is 1024 ns or less.
func recentConfig(method csig.Method) csig.Config {
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

// A port is recent for the 16 packets that follow one that updated it, whatever ports they are of; packets without a port are not
// among them. The update that was put off covers all of the time.
func TestRecent(t *testing.T) {
	for _, method := range []csig.Method{csig.EWMA, csig.DRE} {
		for _, noPort := range []bool{false, true} {
			d := newDevice(t, recentConfig(method))
			now := uint64(1 << 20)
			require.True(t, sendAt(d, 0, now), "the first packet")
			for n := range 16 {
				now += 1024
				port := 0
				if n%3 == 1 {
					port = 1
				}
				updated := sendAt(d, port, now)
				require.Equal(t, n == 1, updated, "%s packet %d behind it", method, n+1)
				if noPort {
					d.Process(packet("", 50), csig.Meta{EgressPort: 2, EgressNs: now})
				}
			}
			pending := d.Meter(0).Pending
			require.EqualValues(t, 88*12, pending, "11 of them and the first")
			now += 1024
			require.True(t, sendAt(d, 0, now), "the 17th")
			switch method {
			case csig.EWMA: // nothing was there to decay
				assert.Equal(t, pending<<16, d.Meter(0).Value)
			case csig.DRE: // 17 ticks: (63/64)^17 = 0.76512
				assert.InDelta(t, 0.76512*float64(pending<<16), float64(d.Meter(0).Value), 500)
			}
			assert.EqualValues(t, 88, d.Meter(0).Pending, "its own bytes")
			require.False(t, sendAt(d, 0, now+1024))
		}
	}
}

// What passes without an update, as no tick has passed, makes no port recent.
func TestNotRecent(t *testing.T) {
	for _, method := range []csig.Method{csig.EWMA, csig.DRE} {
		cfg := recentConfig(method)
		cfg.Estimate.GapShift = 10
		d := newDevice(t, cfg)
		for range 40 {
			sendAt(d, 0, 1<<20)
		}
		assert.True(t, sendAt(d, 0, 1<<20+1024), method)
	}
}

// A change of the estimate makes every port's next packet its first, recent or not.
func TestRecentAfterChange(t *testing.T) {
	cfg := recentConfig(csig.DRE)
	d := newDevice(t, cfg)
	sendAt(d, 0, 1<<20)
	require.NoError(t, d.SetEstimate(cfg.Estimate))
	require.True(t, sendAt(d, 0, 1<<20+1024))
	require.False(t, sendAt(d, 0, 1<<20+2048))
}

// The DRE at its ends: a tick takes exactly its share, the last number of ticks that the table has leaves a trace, one more leaves
// nothing. What is measured counts what is pending.
func TestDecay(t *testing.T) {
	for shift := 1; shift <= 6; shift++ {
		for _, c := range []struct {
			ticks uint64
			want  func(v uint64) uint64
		}{
			{1, func(v uint64) uint64 { return v - v>>shift }},
			{1<<(shift+4) - 1, func(v uint64) uint64 { return v }}, // above 0: below
			{1 << (shift + 4), func(uint64) uint64 { return 0 }},
			{1 << 30, func(uint64) uint64 { return 0 }},
		} {
			cfg := recentConfig(csig.DRE)
			cfg.Estimate.DecayShift = shift
			d := newDevice(t, cfg)
			var v uint64
			for range 20 {
				_, ev := d.Process(packet("", 64*100-14-24), csig.Meta{EgressNs: 1 << 20})
				assert.Equal(t, 100_000_000-min(v*8_000_000>>(16+10+shift), 100_000_000), ev.Signals.ABW, "measured with what is pending")
				v += 6400 << 16
			}
			d.Process(packet("", 50), csig.Meta{EgressNs: 1<<20 + c.ticks<<10})
			got := d.Meter(0).Value
			if c.ticks == 1<<(shift+4)-1 {
				assert.NotZero(t, got, "shift %d", shift)
				assert.Less(t, float64(got), 1.2e-7/(1-1/float64(uint64(1)<<shift))*float64(v)+1)
				continue
			}
			assert.Equal(t, c.want(v), got, "shift %d, %d ticks", shift, c.ticks)
		}
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

// Every number of ticks, by the formula: rhu(v * rhu((1 - a)^n * 2^Recip) / 2^Recip).
func TestDecayFactors(t *testing.T) {
	rhu := func(r *big.Rat) *big.Int {
		r = add(r, rat(1, 2))
		return new(big.Int).Div(r.Num(), r.Denom())
	}
	pkt := packet("", 60_000)
	for _, c := range []struct{ shift, recip, ratio int }{{1, 32, 24}, {3, 20, 14}, {6, 32, 24}, {6, 16, 12}} {
		cfg := recentConfig(csig.DRE)
		cfg.Estimate.DecayShift, cfg.Widths.Recip, cfg.Widths.Ratio = c.shift, c.recip, c.ratio
		d := newDevice(t, cfg)
		keep, power := sub(rat(1, 1), shifted(-c.shift)), rat(1, 1)
		for n := uint64(1); n < 1<<(c.shift+4); n++ {
			power = mul(power, keep)
			require.NoError(t, d.SetEstimate(cfg.Estimate))
			for range 17 {
				d.Process(pkt, csig.Meta{EgressNs: 1 << 20})
			}
			v := rat(d.Meter(0).Pending<<16, 1)
			d.Process(packet("", 50), csig.Meta{EgressNs: 1<<20 + n<<10})
			f := rhu(mul(power, shifted(c.recip)))
			want := rhu(mul(v, new(big.Rat).SetInt(f), shifted(-c.recip)))
			require.Equal(t, want.Uint64(), d.Meter(0).Value, "%+v, %d ticks", c, n)
		}
	}
}
