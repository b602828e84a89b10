package csig_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// spread has all stages apart, so that each shows.
var spread = timed(csig.Timing{Lookup: 2, Meter: 5, Scale: 9, Code: 12, Count: 14, Decision: 17}, 64, 1)

// race sends a packet of one beat whose header cycle is e, with a write that acts in cycle e + lead.
func (r *rig) race(lead int, pkt []byte, m csig.Meta, addr, data uint32) csig.Event {
	r.t.Helper()
	var got csig.Event
	r.m.OnDecision = func(_ int64, ev *csig.Event) { got = *ev }
	e := r.m.Now() + int64(max(0, 2-lead))
	choose := e + int64(lead) - 2
	done := len(r.answers) + 1
	for packets := len(r.got) + 1; len(r.got) < packets || len(r.answers) < done; {
		if r.m.Now() == e {
			r.send(pkt, m)
		}
		if r.m.Now() == choose {
			r.startWrite(addr, data)
		}
		r.cycle()
		require.Less(r.t, r.m.Now(), e+200)
	}
	a := r.answers[done-1]
	require.False(r.t, a.slverr)
	require.Equal(r.t, e+int64(lead), a.acted)
	return got
}

// What software commits is seen by a packet whose lookup comes in a later cycle, and by no other.
func TestRaces(t *testing.T) {
	compact, expanded := compactPacket(t, 2, 46), tagged(t, packet("", 42), telemetry.CSIG{Type: 2},
		telemetry.CSIGExpanded, telemetry.CSIGIETF)
	ready := func() *rig { return newRig(t, design(5, 512), spread).program() }
	status := func(s csig.Status) func(csig.Event) bool { return func(ev csig.Event) bool { return ev.Status == s } }
	code := func(n uint32) func(csig.Event) bool { return func(ev csig.Event) bool { return ev.Code == n } }
	buckets := func(r *rig, bounds ...uint32) *rig {
		r.must(registers.BucketStart, 2)
		for _, b := range bounds {
			r.must(registers.BucketPush, b)
		}
		return r
	}
	// without is a device that has been programmed, but for writes to some registers.
	without := func(skip ...uint32) *rig {
		r := newRig(t, design(5, 512), spread)
		writes, err := registers.Program(r.cfg)
		require.NoError(t, err)
		for _, w := range writes {
			if !contains(skip, w.Offset) {
				r.must(w.Offset, w.Data)
			}
		}
		return r
	}
	for _, c := range []struct {
		name string
		last int // the last lead with which the packet sees the new
		pkt  []byte
		addr uint32
		data uint32
		rig  func() *rig
		is   func(csig.Event) bool // the new
	}{
		{"trust of the ingress port", spread.Lookup - 1, compact, registers.PortCommit, 0, func() *rig {
			r := ready()
			r.must(registers.PortTrust, 0)
			return r
		}, status(csig.Distrusted)},
		{"action of the egress port", spread.Lookup - 1, compact, registers.PortCommit, 1, func() *rig {
			r := ready()
			r.must(registers.PortTrust, 1)
			r.must(registers.PortActions, 1<<4)
			return r
		}, status(csig.Stripped)},
		{"capacity of the egress port", spread.Lookup - 1, compact, registers.PortCommit, 1, func() *rig {
			r := ready()
			r.must(registers.PortCapacity, 12345)
			return r
		}, func(ev csig.Event) bool { return ev.Signals.ABW == 12345 }},
		{"that the estimate has been committed", spread.Lookup - 1, compact, registers.EstimateCommit, 0, func() *rig {
			return without(registers.EstimateCommit)
		}, status(csig.Updated)},
		{"that there is a quantizer", spread.Lookup - 1, expanded, registers.QuantizerCommit, 2, func() *rig {
			return without(registers.QuantizerCommit)
		}, status(csig.Updated)},
		{"base and step", spread.Code - 1, expanded, registers.QuantizerCommit, 2, func() *rig {
			r := ready()
			r.must(registers.QuantizerBase, 0)
			r.must(registers.QuantizerStep, 1000)
			return r
		}, code(18)},
		{"buckets, one bound", spread.Code - 32, compact, registers.BucketCommit, 0,
			func() *rig { return buckets(ready(), 0) }, code(0)},
		{"buckets, four bounds", spread.Code - 29, compact, registers.BucketCommit, 0,
			func() *rig { return buckets(ready(), 0, 0, 0, 0) }, code(3)},
		{"that there are buckets", spread.Lookup - 31, compact, registers.BucketCommit, 0, func() *rig {
			return buckets(without(registers.BucketCommit), 0, 0)
		}, status(csig.Updated)},
	} {
		for lead := c.last - 3; lead <= c.last+3; lead++ {
			assert.Equal(t, lead <= c.last, c.is(c.rig().race(lead, c.pkt, meta, c.addr, c.data)), "%s, commit at e%+d",
				c.name, lead)
		}
	}
}

func contains(list []uint32, v uint32) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// An estimate that is committed while a packet is on its way: parameters and factor are both old or both new, by the
// cycle of the meter. The meters restart.
func TestEstimateRace(t *testing.T) {
	load := func() *rig { // port 1 has sent 1250 bytes in the window of 10 us before
		r := newRig(t, design(2, 512), spread).program()
		r.send(packet("", 1226-14), csig.Meta{EgressPort: 1, EgressNs: 1000, IngressNs: 1000})
		r.drain(1)
		r.must(registers.EstimateWindow, 20_000)
		r.must(registers.EstimateFactor, 0xc3500000) // 1.5259: for no window at all
		r.must(registers.EstimateShift, 31)
		return r
	}
	for lead := -2; lead < 12; lead++ {
		r := load()
		ev := r.race(lead, packet("", 50), csig.Meta{EgressPort: 1, EgressNs: 11_000, IngressNs: 11_000},
			registers.EstimateCommit, 0)
		if lead < spread.Meter {
			assert.EqualValues(t, 100e6, ev.Signals.ABW, "e%+d: a new meter", lead)
			assert.True(t, r.m.Meter(1).Seen)
			assert.EqualValues(t, 88, r.m.Meter(1).Pending)
		} else {
			assert.EqualValues(t, 99e6, ev.Signals.ABW, "e%+d: the old meter and the old factor", lead)
			assert.False(t, r.m.Meter(1).Seen)
		}
	}
	// With the new parameters comes the new factor.
	r := load()
	r.must(registers.EstimateCommit, 0)
	for i := range uint64(2) {
		r.send(packet("", 1226-14), csig.Meta{EgressPort: 1, EgressNs: 20_000 * (i + 1)})
	}
	r.drain(3)
	var ev csig.Event
	r.m.OnDecision = func(_ int64, e *csig.Event) { ev = *e }
	r.send(packet("", 50), csig.Meta{EgressPort: 1, EgressNs: 60_000})
	r.drain(4)
	assert.EqualValues(t, 100e6-1907, ev.Signals.ABW, "1250 * 1.5259")
}

// The overhead is that of the cycle in which the bytes count, l + Meter: a packet of two beats.
func TestOverheadRace(t *testing.T) {
	for lead := range 14 {
		c := design(2, 512)
		// one meter for all: the commit restarts it; bytes of the packet survive only when they count after it
		c.Method = config.CSIGEWMA
		r := newRig(t, c, spread).program()
		r.must(registers.EstimateOverhead, 100)
		r.race(lead, packet("", 60), csig.Meta{EgressPort: 1}, registers.EstimateCommit, 0)
		pending := r.m.Meter(1).Pending
		switch { // e + Meter is 5, l + Meter is 6
		case lead < 5:
			assert.EqualValues(t, 74+100, pending, "e%+d", lead)
		case lead == 5:
			assert.EqualValues(t, 74+100, pending, "e%+d: between advance and count; the port's next packet is its first", lead)
			assert.False(t, r.m.Meter(1).Seen)
		default:
			assert.Zero(t, pending, "e%+d", lead)
		}
	}
}

// A read that acts after the cycle in which a packet counts shows it, one in that cycle does not.
func TestCountRace(t *testing.T) {
	for lead := spread.Count - 3; lead < spread.Count+4; lead++ {
		for _, m := range []csig.Meta{meta, {EgressPort: 7}} {
			addr := registers.Counter(1, registers.Status(csig.Updated))
			if m.EgressPort == 7 {
				addr = registers.NoPort
			}
			r := newRig(t, design(5, 512), spread).program()
			e := r.m.Now()
			r.send(compactPacket(t, 2, 46), m)
			r.cycles(lead - 2)
			r.startRead(addr)
			a := r.finish()
			require.Equal(t, e+int64(lead), a.acted)
			assert.EqualValues(t, bit(lead > spread.Count), a.data, "e%+d", lead)
		}
	}
}

// Before anything is committed nothing changes: tags pass, whatever their type, size and ports.
func TestUnconfiguredChangesNothing(t *testing.T) {
	everyTag(func(name, before string, size telemetry.CSIGSize, split telemetry.CSIGSplit, signal uint8) {
		c := design(2, 256)
		c.UEC = split == telemetry.CSIGUEC
		r := newRig(t, c, spread)
		pkt := tagged(t, packet(before, 60), telemetry.CSIG{Type: signal, Value: 3, Keep: c.UEC}, size, split)
		r.send(pkt, meta)
		r.drain(1)
		require.Equal(t, pkt, r.got[0].bytes, name)
		require.Equal(t, csig.Passed, r.got[0].status)
	})
	// Port, estimate and table must all have been committed before a tag is updated.
	for _, skip := range []uint32{registers.PortCommit, registers.EstimateCommit, registers.BucketCommit} {
		r := newRig(t, design(2, 256), spread)
		writes, err := registers.Program(r.cfg)
		require.NoError(t, err)
		for _, w := range writes {
			if w.Offset != skip {
				r.must(w.Offset, w.Data)
			}
		}
		require.Equal(t, csig.Passed, r.ask(2).Status)
		r.program()
		require.Equal(t, csig.Updated, r.ask(2).Status)
		require.EqualValues(t, 1, r.count(1, csig.Updated))
		require.EqualValues(t, 1, r.count(1, csig.Passed))
		// Reset forgets each.
		r.in.Rst = true
		r.cycle()
		r.in.Rst = false
		for _, w := range writes {
			if w.Offset != skip {
				r.must(w.Offset, w.Data)
			}
		}
		require.Equal(t, csig.Passed, r.ask(2).Status)
		require.Zero(t, r.count(1, csig.Updated))
		require.EqualValues(t, 1, r.count(1, csig.Passed))
	}
	// Meters stand still before the estimate has been committed.
	c := design(2, 256)
	r := newRig(t, c, spread)
	for i := range uint64(4) {
		r.send(packet("", 1000), csig.Meta{EgressPort: 1, EgressNs: 8000 * i})
	}
	r.drain(4)
	require.Zero(t, r.m.Meter(1))
}
