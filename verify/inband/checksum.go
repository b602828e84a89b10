package inband

import (
	"encoding/binary"

	"github.com/hdlpkg/hpccgen/model/inband"
)

// ledger is what has left a source since its last reset, as far as records show it.
type ledger struct {
	wire   []uint64 // bytes on the wire, by egress port
	inside int      // packets begun that have not left
	length int      // bytes so far of the one that leaves
	exact  bool     // the overhead has been as configured
}

// follow goes on by a cycle with these inputs and outputs.
func (t *traffic) follow(in *inband.Inputs, out *inband.Outputs) {
	l := &t.ledger
	if in.Rst {
		*l = ledger{wire: make([]uint64, t.c.Ports), exact: true}
		t.drain = false
		return
	}
	if !out.Valid || !in.MReady {
		return
	}
	if l.length += out.Beat.Len; !out.Beat.Last {
		return
	}
	if inband.Status(out.Status) != inband.NoPort && out.EgressPort < len(l.wire) {
		l.wire[out.EgressPort] += uint64(l.length) + t.c.OverheadBytes
	}
	l.length = 0
	l.inside--
}

// settled tells whether the source's settings are those of the configuration, and all that a record shows is known once
// it is empty.
func (t *traffic) settled() bool { return t.ledger.exact && !t.changed && len(t.writes) == 0 }

// zeroChecksum makes a packet whose UDP checksum becomes 0, which is written as ffff; of random ones it is one in
// 65,535. The source is empty. If there is no such packet, it is any.
func (t *traffic) zeroChecksum() ([]byte, inband.Meta) {
	var pkt []byte
	var m inband.Meta
	for range 16 {
		pkt, m = t.maker.packet(), t.newMeta()
		if at := t.maker.checksum; at > 0 && t.zeroed(pkt, at, m) {
			t.pause = max(t.pause, 200) // software leaves the settings alone until it is decided on
			break
		}
	}
	return pkt, m
}

// zeroed sets the checksum at a place of a packet so that it becomes 0. It tells whether the packet changes at all.
func (t *traffic) zeroed(pkt []byte, at int, m inband.Meta) bool {
	if m.IngressPort >= t.c.Ports || m.EgressPort >= t.c.Ports || len(pkt) < at+2 {
		return false
	}
	d, err := inband.New(t.c)
	if err != nil {
		return false
	}
	// The port's bytes are those of packets that nothing is done to.
	for left := t.ledger.wire[m.EgressPort]; left > t.c.OverheadBytes; {
		n := min(left-t.c.OverheadBytes, inband.MaxCounted)
		d.Process(make([]byte, n), inband.Meta{EgressPort: m.EgressPort})
		left -= n + t.c.OverheadBytes
	}
	const start = 0x1234 // not 0, which stays
	put16(pkt, at, start)
	out, _ := d.Process(pkt, m)
	got := binary.BigEndian.Uint16(out[at:])
	// Complements of checksums add up modulo 65,535.
	const ones = 0xffff
	put16(pkt, at, ones-(2*ones-start-(ones-int(got)))%ones)
	return got != start
}
