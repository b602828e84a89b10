package inband_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// surroundings are the headers that can precede telemetry.
func surroundings(f config.INTFormat) map[string]recipe {
	all := map[string]recipe{}
	for vlans := range 5 {
		r := fresh(f)
		r.vlans = vlans
		all[fmt.Sprintf("%d VLAN tags", vlans)] = r
	}
	r := fresh(f)
	r.pad = 6
	all["padding"] = r
	r = fresh(f)
	r.payload = 0
	all["no payload"] = r
	r = fresh(f)
	r.noCheck = true
	all["no UDP checksum"] = r
	if f == config.INTIOAM {
		return all
	}
	r = fresh(f)
	r.v6 = true
	all["IPv6"] = r
	for _, words := range []int{1, 10} {
		r = fresh(f)
		r.options, r.vlans = words, 4
		all[fmt.Sprintf("%d words of options", words)] = r
	}
	if f == config.INTIFA {
		for _, words := range []int{5, 15} {
			r = fresh(f)
			r.tcp = words
			all[fmt.Sprintf("TCP of %d words", words)] = r
		}
	}
	return all
}

// hopsOf decodes the records of a packet, those of the first switch first, and takes the headers' word for their
// number.
func hopsOf(t *testing.T, pkt []byte, r *recipe) []any {
	b := pkt[r.telemetryAt():]
	var all []any
	switch r.format {
	case config.INTHPCC:
		var h telemetry.HPCC
		_, err := h.Decode(b)
		require.NoError(t, err)
		for _, hop := range h.Hop[:h.NHop] {
			all = append(all, hop)
		}
	case config.INTMD:
		var shim telemetry.INTShim
		var md telemetry.INTMD
		_, err := shim.Decode(b)
		require.NoError(t, err)
		_, err = md.Decode(b[4:])
		require.NoError(t, err)
		n, err := md.Hops(shim.Length)
		require.NoError(t, err)
		for i := range n {
			var hop telemetry.INTHop
			_, err := hop.Decode(b[16+24*(n-1-i):], md.Instructions)
			require.NoError(t, err)
			all = append(all, hop)
		}
	case config.INTIFA:
		var meta telemetry.IFAMeta
		_, err := meta.Decode(b)
		require.NoError(t, err)
		n, err := meta.Hops()
		require.NoError(t, err)
		for i := range n {
			var hop telemetry.IFAHop
			_, err := hop.Decode(b[4+32*(n-1-i):])
			require.NoError(t, err)
			all = append(all, hop)
		}
	case config.INTIOAM:
		var h telemetry.IOAM
		_, err := h.Decode(b[8:])
		require.NoError(t, err)
		n := (r.space - int(h.RemainingLen)) / 5
		for i := range n {
			var hop telemetry.IOAMHop
			_, err := hop.Decode(b[16+4*r.space-20*(i+1):], telemetry.IOAMByBit)
			require.NoError(t, err)
			all = append(all, hop)
		}
	}
	return all
}

// wantHop is the record that a device of settings() writes.
func wantHop(c *config.INT, m inband.Meta, s inband.Snapshot) any {
	switch c.Format {
	case config.INTHPCC:
		return telemetry.HPCCHop{Rate: s.Rate, TS: uint32(m.EgressNs & 0xffffff), TxBytes: uint32(s.TxBytes),
			Qlen: uint32(s.Qlen)}
	case config.INTMD:
		return telemetry.INTHop{NodeID: c.Node, EgressIf: uint16(m.EgressPort), Occupancy: uint32(s.Qlen),
			EgressTS: m.EgressNs, TxUtil: uint32(s.TxBytes)}
	case config.INTIFA:
		return telemetry.IFAHop{
			LNS: uint8(c.Space), DeviceID: c.Node, Speed: s.Rate, RxSec: uint32(m.IngressNs / 1e9),
			RxNs:       uint32(m.IngressNs % 1e9),
			EgressPort: uint16(m.EgressPort), IngressPort: uint16(m.IngressPort), Residence: uint32(m.EgressNs - m.IngressNs),
			TxBytes: uint32(s.TxBytes), Qlen: uint16(s.Qlen),
		}
	}
	return telemetry.IOAMHop{
		HopLimit: 61, NodeID: c.Node, IngressIf: uint16(m.IngressPort), EgressIf: uint16(m.EgressPort),
		Qlen: uint32(s.Qlen), TS: uint32(m.EgressNs), TxBytes: uint32(s.TxBytes),
	}
}

// Five switches in a row: their records are in order, pathID is the XOR of their IDs, and all that is not
// telemetry is as it was.
func TestFiveSwitches(t *testing.T) {
	for _, f := range formats {
		for name, r := range surroundings(f) {
			t.Run(string(f)+" "+name, func(t *testing.T) {
				pkt := r.bytes()
				sound(t, pkt, &r)
				var want []any
				for i := range 5 {
					c := settings(f)
					c.Node += uint32(i)
					d := device(t, c)
					warm := 1 + 700*i // packets that left before
					for range warm {
						d.Process(make([]byte, 1000), inband.Meta{EgressPort: i % 4})
					}
					m := inband.Meta{IngressPort: (i + 1) % 4, EgressPort: i % 4, IngressNs: 7_123_456_789,
						EgressNs: 7_123_456_789 + uint64(i)*1111, QlenBytes: uint64(i) * 90}
					out, ev := d.Process(pkt, m)
					require.Equal(t, inband.Inserted, ev.Status)
					require.Equal(t, uint64(warm*1024/128), ev.Snapshot.TxBytes)
					require.Equal(t, uint64(i*90/80), ev.Snapshot.Qlen)
					require.Equal(t, uint8(i%4+3), ev.Snapshot.Rate)
					sound(t, out, &r)
					want = append(want, wantHop(&c, m, ev.Snapshot))
					assert.Equal(t, want, hopsOf(t, out, &r))
					pkt = out
				}
				if f == config.INTHPCC {
					var h telemetry.HPCC
					_, err := h.Decode(pkt[r.telemetryAt():])
					require.NoError(t, err)
					assert.Equal(t, uint16(0x5a7^0x5a8^0x5a9^0x5aa^0x5ab), h.PathID)
				}
				assert.Equal(t, filler(r.payload), pkt[len(pkt)-r.pad-r.payload:len(pkt)-r.pad])
			})
		}
	}
}

func TestReservedRoomIsFilledInPlace(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		c := settings(config.INTHPCC)
		c.Reserved = true
		d := device(t, c)
		r := fresh(config.INTHPCC)
		r.reserved, r.v6 = 5, v6
		pkt := r.bytes()
		size := len(pkt)
		for i := range 5 {
			out, ev := d.Process(pkt, inband.Meta{EgressNs: uint64(i + 1)})
			require.Equal(t, inband.Inserted, ev.Status)
			require.Len(t, out, size)
			sound(t, out, &r)
			require.Len(t, hopsOf(t, out, &r), i+1)
			pkt = out
		}
		out, ev := d.Process(pkt, inband.Meta{})
		assert.Equal(t, inband.Hops, ev.Status)
		assert.Equal(t, pkt, out)
		// Room for four only: the header would pass the datagram.
		r.reserved, r.payload = 4, 0
		_, ev = d.Process(r.bytes(), inband.Meta{})
		assert.Equal(t, inband.Malformed, ev.Status)
	}
}

// The packet counts with its record, after its own snapshot; the counter wraps with its field.
func TestTxBytes(t *testing.T) {
	c := settings(config.INTHPCC)
	c.OverheadBytes = 20
	d := device(t, c)
	r := fresh(config.INTHPCC)
	pkt := r.bytes()
	_, ev := d.Process(pkt, inband.Meta{EgressPort: 2})
	assert.Zero(t, ev.Snapshot.TxBytes)
	assert.Equal(t, uint64(len(pkt)+8+20), d.TxBytes(2))
	assert.Zero(t, d.TxBytes(1))
	_, ev = d.Process(make([]byte, 70000), inband.Meta{EgressPort: 2})
	assert.Equal(t, inband.Plain, ev.Status)
	assert.Equal(t, uint64(len(pkt)+28+65535+20), d.TxBytes(2))
	sum := d.TxBytes(2)
	for range 3000 {
		d.Process(make([]byte, 65535), inband.Meta{EgressPort: 2})
		sum += 65555
	}
	assert.Equal(t, sum%(1<<27), d.TxBytes(2))
	assert.Greater(t, sum, uint64(1<<27))
	_, ev = d.Process(pkt, inband.Meta{EgressPort: 2})
	assert.Equal(t, sum%(1<<27)/128, ev.Snapshot.TxBytes)
	before := d.TxBytes(2)
	d.Process(pkt, inband.Meta{EgressPort: 2, IngressPort: 9})
	assert.Equal(t, before, d.TxBytes(2), "no_port does not count")
	assert.Equal(t, uint64(1), d.NoPort())
}

func TestQlenSaturates(t *testing.T) {
	for f, top := range map[config.INTFormat]uint64{config.INTHPCC: 1<<16 - 1, config.INTIFA: 1<<16 - 1,
		config.INTMD: 1<<24 - 1, config.INTIOAM: 1<<32 - 1} {
		c := settings(f)
		c.QlenBits = 48
		d := device(t, c)
		r := fresh(f)
		for _, q := range []uint64{0, 79, 80, 81, 80*top - 1, 80 * top, 80*top + 79, 80*top + 80, 1<<48 - 1, 1 << 48,
			1<<64 - 1} {
			_, ev := d.Process(r.bytes(), inband.Meta{QlenBytes: q})
			require.Equal(t, min(q/80, top), ev.Snapshot.Qlen, "%s %d", f, q)
		}
	}
}

func TestMTU(t *testing.T) {
	for _, f := range formats {
		for _, v6 := range []bool{false, true} {
			r := fresh(f)
			if !v6 && f == config.INTIOAM {
				continue
			}
			r.v6 = v6
			pkt := r.bytes()
			c := settings(f)
			grown := len(pkt) - r.l3() + map[config.INTFormat]int{config.INTHPCC: 8, config.INTMD: 24, config.INTIFA: 32}[f]
			c.Port[0].MTU, c.Port[1].MTU = uint16(grown), uint16(grown-1)
			d := device(t, c)
			_, ev := d.Process(pkt, inband.Meta{})
			assert.Equal(t, inband.Inserted, ev.Status)
			out, ev := d.Process(pkt, inband.Meta{EgressPort: 1})
			switch f {
			case config.INTIOAM:
				assert.Equal(t, inband.Inserted, ev.Status)
			case config.INTMD:
				assert.Equal(t, inband.MTU, ev.Status)
				r.md.MTUExceeded = true
				assert.Equal(t, r.bytes(), out)
			default:
				assert.Equal(t, inband.MTU, ev.Status)
				assert.Equal(t, pkt, out)
			}
		}
	}
}

func TestOffUntilCommitted(t *testing.T) {
	for _, f := range formats {
		c := settings(f)
		d, err := inband.Reset(&c)
		require.NoError(t, err)
		r := fresh(f)
		pkt := r.bytes()
		status := func() inband.Status {
			out, ev := d.Process(pkt, inband.Meta{})
			if ev.Status != inband.Inserted {
				assert.Equal(t, pkt, out)
			}
			return ev.Status
		}
		assert.Equal(t, inband.Off, status())
		require.NoError(t, d.SetPort(0, inband.Port{Enabled: true, MTU: 9000}))
		assert.Equal(t, inband.Off, status())
		require.NoError(t, d.SetNode(inband.Node{ID: 1, Match: c.Match, Space: c.Space}))
		assert.Equal(t, inband.Inserted, status())
		assert.Error(t, d.SetNode(inband.Node{Overhead: 256}))
		assert.Error(t, d.SetPort(4, inband.Port{}))
		assert.Error(t, d.SetPort(0, inband.Port{Rate: 16}))
		assert.Equal(t, inband.Inserted, status())
		assert.Equal(t, uint64(2), d.Counters(0)[inband.Off])
		assert.Equal(t, uint64(2), d.Counters(0)[inband.Inserted])
	}
}
