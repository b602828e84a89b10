package inband

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
)

// maker makes random packets for a source.
type maker struct {
	c   *config.INT
	rng *rand.Rand

	checksum int // where the UDP checksum of the last packet was put; 0: it has none
}

// udp tells whether the format's telemetry is in UDP.
func (k *maker) udp() bool { return k.c.Format == config.INTHPCC || k.c.Format == config.INTMD }

func (k *maker) one(n int) bool { return k.rng.IntN(n) == 0 }

func (k *maker) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(k.rng.Uint32())
	}
	return b
}

func put16(b []byte, at, v int) { binary.BigEndian.PutUint16(b[at:], uint16(v)) }

// packet is mostly one that gets a record, or nearly so; sometimes a bit of it is wrong, sometimes it is cut, sometimes
// it is noise.
func (k *maker) packet() []byte {
	k.checksum = 0
	if k.one(12) {
		return k.bytes(1 + k.rng.IntN(200))
	}
	pkt := k.bytes(12)
	tags := k.rng.IntN(5)
	if k.one(20) {
		tags = 5
	}
	for range tags {
		pkt = binary.BigEndian.AppendUint16(pkt, k.c.VLANTPIDs[k.rng.IntN(len(k.c.VLANTPIDs))])
		pkt = append(pkt, k.bytes(2)...)
	}
	ip, behind := k.ip()
	pkt = append(pkt, ip...)
	if k.udp() {
		k.checksum = len(pkt) - behind + 6
	}
	if k.one(6) {
		pkt = append(pkt, k.bytes(k.rng.IntN(40))...) // padding
	}
	if k.one(8) {
		pkt[k.rng.IntN(min(len(pkt), 140))] ^= 1 << k.rng.IntN(8)
	}
	if k.one(10) {
		pkt = pkt[:1+k.rng.IntN(len(pkt))]
	}
	return pkt
}

// payload is as long as packets often are not: at the borders of beats.
func (k *maker) payload() []byte {
	if k.one(200) {
		return k.bytes(k.rng.IntN(9000))
	}
	if k.one(10) {
		return k.bytes(k.rng.IntN(1500))
	}
	if k.one(5) {
		return k.bytes(k.rng.IntN(4))
	}
	return k.bytes(k.rng.IntN(130))
}

// ip is EtherType, IP header and what is behind, of which it gives the length.
func (k *maker) ip() (packet []byte, behind int) {
	protocol, body := k.transport()
	if k.c.Format == config.INTIOAM || k.one(2) {
		h := append([]byte{0x86, 0xdd}, k.bytes(40)...)
		h[2] = 0x60 | h[2]&15
		put16(h, 6, len(body))
		h[8] = protocol
		if k.one(30) {
			h[8] = byte(k.rng.Uint32())
		}
		return append(h, body...), len(body)
	}
	words := 5
	if k.one(3) {
		words = 5 + k.rng.IntN(11)
	}
	h := append([]byte{0x08, 0x00}, k.bytes(4*words)...)
	h[2] = 0x40 | byte(words)
	put16(h, 4, 4*words+len(body))
	put16(h, 8, k.rng.IntN(2)<<14)
	if k.one(10) {
		put16(h, 8, []int{0x2000, 0x0001, 0x1000, 0x3fff, 0x6000}[k.rng.IntN(5)]) // one bit alone tells a fragment
	}
	if k.one(30) {
		put16(h, 8, k.rng.IntN(1<<16))
	}
	h[11] = protocol
	if k.one(30) {
		h[11] = byte(k.rng.Uint32())
	}
	if k.one(20) {
		put16(h, 12, []int{0, 0xffff, 0xfff7, 0xffe7, 0xffdf}[k.rng.IntN(5)]) // checksums with carries
	}
	return append(h, body...), len(body)
}

// transport is the IP protocol and all behind the IP header.
func (k *maker) transport() (protocol byte, body []byte) {
	switch k.c.Format {
	case config.INTIFA:
		return byte(k.c.Match), k.ifa()
	case config.INTIOAM:
		return 0, k.ioam()
	case config.INTMD:
		return 17, k.inUDP(k.intMD())
	default:
		return 17, k.inUDP(k.hpcc())
	}
}

func (k *maker) inUDP(inner []byte) []byte {
	body := append(inner, k.payload()...)
	h := k.bytes(8)
	put16(h, 2, int(k.c.Match))
	put16(h, 4, 8+len(body))
	if k.one(30) {
		put16(h, 4, 8+len(body)-1+k.rng.IntN(3))
	}
	if k.one(3) {
		put16(h, 6, 0)
	}
	return append(h, body...)
}

func (k *maker) hpcc() []byte {
	hops := k.rng.IntN(k.c.MaxHops + 1)
	if k.one(10) {
		hops = k.rng.IntN(16)
	}
	room := hops
	if k.c.Reserved && !k.one(10) {
		room = max(hops, k.c.MaxHops)
	}
	b := k.bytes(2 + 8*hops)
	b = append(b, make([]byte, 8*(room-hops))...)
	b[0] = byte(hops)<<4 | b[0]&15
	return b
}

func (k *maker) intMD() []byte {
	hops := k.rng.IntN(6)
	if k.one(12) {
		hops = 38 + k.rng.IntN(5)
	}
	words := 3 + 6*hops
	if words > 255 {
		words = 249 + k.rng.IntN(7)
	}
	b := k.bytes(4 + 4*words)
	b[0] = 0x10 | b[0]&15
	b[1] = byte(words)
	b[4] = 0x20 | b[4]&15
	b[6] = b[6]&0xe0 | 6
	b[7] = byte(k.rng.IntN(4))
	put16(b, 8, 0xd500)
	if k.one(8) { // other instructions: one bit more or less, or any
		put16(b, 8, []int{0xd400, 0xd501, 0x5500, int(k.rng.Uint32() & 0xffff)}[k.rng.IntN(4)])
	}
	return b
}

func (k *maker) ifa() []byte {
	h := k.bytes(4)
	h[0], h[1] = 0x20|h[0]&15, 17
	h[2] &^= 0x19
	t := k.bytes(8)
	if k.one(2) {
		words := 5 + k.rng.IntN(11)
		if k.one(20) {
			words = 5
		}
		t = k.bytes(max(4*words, 20))
		h[1], t[12] = 6, byte(words)<<4|t[12]&15
	}
	hops := k.rng.IntN(4)
	if k.one(6) {
		hops = 4 + k.rng.IntN(8)
	}
	meta := k.bytes(4 + 32*hops)
	meta[2] = []byte{0, 1, 2, 255, byte(k.rng.Uint32())}[k.rng.IntN(5)]
	meta[3] = byte(8 * hops)
	if k.one(20) {
		meta[3] = byte(k.rng.Uint32())
	}
	h[3] = byte(k.rng.IntN(64)) // Max Length
	if k.one(3) {
		h[3] = byte(k.rng.Uint32())
	}
	return append(append(append(h, t...), meta...), k.payload()...)
}

func (k *maker) ioam() []byte {
	space := 5 * (1 + k.rng.IntN(6))
	if k.one(6) {
		space = k.rng.IntN(62)
	}
	left := space - space%5
	if !k.one(3) {
		left = k.rng.IntN(space + 1)
	}
	if k.one(2) {
		left -= left % 5
	}
	n := (16 + 4*space + 7) / 8 * 8
	b := k.bytes(n)
	b[0], b[1] = 17, byte(n/8-1)
	put16(b, 2, 0x0100*k.rng.IntN(2))
	b[4], b[5], b[6], b[7] = 0x31, byte(10+4*space), 0, 0
	if k.one(30) {
		b[5] += byte(k.rng.IntN(16)) - 8
	}
	put16(b, 8, int(k.c.Space)*min(1, k.rng.IntN(4)))
	put16(b, 10, 5<<11|k.rng.IntN(2)*k.rng.IntN(2)<<10|k.rng.IntN(8)<<7|left)
	binary.BigEndian.PutUint32(b[12:], (1<<23|1<<22|1<<20|1<<17|1<<(23-k.c.TxBit))<<8|uint32(b[15]))
	return append(b, k.payload()...)
}
