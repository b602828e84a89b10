package inband

import (
	"encoding/binary"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// udp reports whether the format's telemetry is in UDP.
func (d *device) udp() bool { return d.c.Format == config.INTHPCC || d.c.Format == config.INTMD }

func (d *device) bytes(n int) []byte { return d.R.Append(nil, n) }

func put16(b []byte, at, v int) { binary.BigEndian.PutUint16(b[at:], uint16(v)) }

// packet is usually one that gets a record, or nearly so; sometimes a bit of it is wrong, sometimes it is truncated,
// sometimes it is random bytes.
func (d *device) packet(p *transit.Packet) {
	d.check = 0
	p.Behind = p.Behind[:0]
	if d.R.OneIn(12) {
		p.Bytes = d.bytes(1 + d.R.N(64<<d.R.N(3)))
		return
	}
	pkt := d.bytes(12)
	tags := d.R.N(5)
	if d.R.OneIn(20) {
		tags = 5
	}
	for range tags {
		pkt = binary.BigEndian.AppendUint16(pkt, d.c.VLANTPIDs[d.R.N(len(d.c.VLANTPIDs))])
		pkt = append(pkt, d.bytes(2)...)
	}
	ip, behind := d.ip()
	pkt = append(pkt, ip...)
	if d.udp() {
		d.check = len(pkt) - behind + 6
	}
	if d.R.OneIn(6) {
		pkt = append(pkt, d.bytes(d.R.N(40))...) // padding
	}
	if d.R.OneIn(8) {
		pkt[d.R.N(min(len(pkt), 140))] ^= 1 << d.R.N(8)
	}
	p.Bytes = pkt
	if d.R.OneIn(10) {
		p.Cut(1 + d.R.N(len(pkt)))
	}
}

// payload is as long as packets often are not: at the borders of beats.
func (d *device) payload() []byte {
	if d.R.OneIn(200) {
		if d.huge {
			d.huge = false
			return d.bytes(65500 + d.R.N(100))
		}
		return d.bytes(d.R.N(9000))
	}
	if d.R.OneIn(10) {
		return d.bytes(d.R.N(1500))
	}
	if d.R.OneIn(5) {
		return d.bytes(d.R.N(4))
	}
	return d.bytes(d.R.N(130))
}

// ip is EtherType, IP header and what follows; behind is the length of what follows.
func (d *device) ip() (packet []byte, behind int) {
	protocol, body := d.transport()
	if d.c.Format == config.INTIOAM || d.R.OneIn(2) {
		h := append([]byte{0x86, 0xdd}, d.bytes(40)...)
		h[2] = 0x60 | h[2]&15
		put16(h, 6, len(body))
		h[8] = protocol
		if d.R.OneIn(30) {
			h[8] = byte(d.R.Next())
		}
		return append(h, body...), len(body)
	}
	words := 5
	if d.R.OneIn(3) {
		words = 5 + d.R.N(11)
	}
	h := append([]byte{0x08, 0x00}, d.bytes(4*words)...)
	h[2] = 0x40 | byte(words)
	put16(h, 4, 4*words+len(body))
	put16(h, 8, d.R.N(2)<<14)
	if d.R.OneIn(10) {
		put16(h, 8, []int{0x2000, 0x0001, 0x1000, 0x3fff, 0x6000}[d.R.N(5)]) // one bit alone marks a fragment
	}
	if d.R.OneIn(30) {
		put16(h, 8, d.R.N(1<<16))
	}
	h[11] = protocol
	if d.R.OneIn(30) {
		h[11] = byte(d.R.Next())
	}
	if d.R.OneIn(20) {
		put16(h, 12, []int{0, 0xffff, 0xfff7, 0xffe7, 0xffdf}[d.R.N(5)]) // checksums with carries
	}
	return append(h, body...), len(body)
}

// transport is the IP protocol and everything after the IP header.
func (d *device) transport() (protocol byte, body []byte) {
	switch d.c.Format {
	case config.INTIFA:
		return byte(d.c.Match), d.ifa()
	case config.INTIOAM:
		return 0, d.ioam()
	case config.INTMD:
		return 17, d.inUDP(d.intMD())
	default:
		return 17, d.inUDP(d.hpcc())
	}
}

func (d *device) inUDP(inner []byte) []byte {
	body := append(inner, d.payload()...)
	h := d.bytes(8)
	put16(h, 2, int(d.c.Match))
	put16(h, 4, 8+len(body))
	if d.R.OneIn(30) {
		put16(h, 4, 8+len(body)-1+d.R.N(3))
	}
	if d.R.OneIn(3) {
		put16(h, 6, 0)
	}
	return append(h, body...)
}

func (d *device) hpcc() []byte {
	hops := d.R.N(d.c.MaxHops + 1)
	if d.R.OneIn(10) {
		hops = d.R.N(16)
	}
	room := hops
	if d.c.Reserved && !d.R.OneIn(10) {
		room = max(hops, d.c.MaxHops)
	}
	b := d.bytes(2 + 8*hops)
	b = append(b, make([]byte, 8*(room-hops))...)
	b[0] = byte(hops)<<4 | b[0]&15
	return b
}

func (d *device) intMD() []byte {
	hops := d.R.N(6)
	if d.R.OneIn(12) {
		hops = 38 + d.R.N(5)
	}
	words := 3 + 6*hops
	if words > 255 {
		words = 249 + d.R.N(7)
	}
	b := d.bytes(4 + 4*words)
	b[0] = 0x10 | b[0]&15
	b[1] = byte(words)
	b[4] = 0x20 | b[4]&15
	b[6] = b[6]&0xe0 | 6
	b[7] = byte(d.R.N(4))
	put16(b, 8, 0xd500)
	if d.R.OneIn(8) { // other instructions: one bit more or less, or any
		put16(b, 8, []int{0xd400, 0xd501, 0x5500, int(d.R.Next() & 0xffff)}[d.R.N(4)])
	}
	return b
}

func (d *device) ifa() []byte {
	h := d.bytes(4)
	h[0], h[1] = 0x20|h[0]&15, 17
	h[2] &^= 0x19
	t := d.bytes(8)
	if d.R.OneIn(2) {
		words := 5 + d.R.N(11)
		if d.R.OneIn(20) {
			words = 5
		}
		t = d.bytes(max(4*words, 20))
		h[1], t[12] = 6, byte(words)<<4|t[12]&15
	}
	hops := d.R.N(4)
	if d.R.OneIn(6) {
		hops = 4 + d.R.N(8)
	}
	meta := d.bytes(4 + 32*hops)
	meta[2] = []byte{0, 1, 2, 255, byte(d.R.Next())}[d.R.N(5)]
	meta[3] = byte(8 * hops)
	if d.R.OneIn(20) {
		meta[3] = byte(d.R.Next())
	}
	h[3] = byte(d.R.N(64)) // Max Length
	if d.R.OneIn(3) {
		h[3] = byte(d.R.Next())
	}
	return append(append(append(h, t...), meta...), d.payload()...)
}

func (d *device) ioam() []byte {
	space := 5 * (1 + d.R.N(6))
	if d.R.OneIn(6) {
		space = d.R.N(62)
	}
	left := space - space%5
	if !d.R.OneIn(3) {
		left = d.R.N(space + 1)
	}
	if d.R.OneIn(2) {
		left -= left % 5
	}
	n := (16 + 4*space + 7) / 8 * 8
	b := d.bytes(n)
	b[0], b[1] = 17, byte(n/8-1)
	put16(b, 2, 0x0100*d.R.N(2))
	b[4], b[5], b[6], b[7] = 0x31, byte(10+4*space), 0, 0
	if d.R.OneIn(30) {
		b[5] += byte(d.R.N(16)) - 8
	}
	put16(b, 8, int(d.c.Space)*min(1, d.R.N(4)))
	put16(b, 10, 5<<11|d.R.N(2)*d.R.N(2)<<10|d.R.N(8)<<7|left)
	binary.BigEndian.PutUint32(b[12:], (1<<23|1<<22|1<<20|1<<17|1<<(23-d.c.TxBit))<<8|uint32(b[15]))
	return append(b, d.payload()...)
}
