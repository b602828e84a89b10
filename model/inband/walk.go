package inband

import (
	"encoding/binary"
	"slices"
)

const (
	etherIPv4  = 0x0800
	etherIPv6  = 0x86dd
	maxVLANs   = 4
	ipv4Len    = 20
	ipv6Len    = 40
	udpLen     = 8
	udpProto   = 17
	tcpProto   = 6
	hopByHop   = 0
	macsLen    = 12
	vlanTagLen = 4
)

// place is the result of the walk over a packet. Offsets are in bytes from the packet's start; their names are those
// of docs/int.md.
type place struct {
	l3, l4 int
	end    int // of the IP packet, as its header has it
	v6     bool
	b      int // b, with ioam o
	at     int // P
}

func u16(pkt []byte, at int) uint16 { return binary.BigEndian.Uint16(pkt[at:]) }

// walk looks for the place of a record. The status is found, or that of a packet that gets none.
func (s *shape) walk(pkt []byte, node Node) (place, Status) {
	at := macsLen
	for range maxVLANs {
		if len(pkt) < at+2 {
			return place{}, Short
		}
		if !slices.Contains(s.VLANTPIDs, u16(pkt, at)) {
			break
		}
		at += vlanTagLen
	}
	if len(pkt) < at+2 {
		return place{}, Short
	}
	p, st := s.network(pkt, at, s.format.protocol(node))
	if st != found {
		return p, st
	}
	return s.format.find(pkt, p, node)
}

// network reads the IP header after the EtherType at the given byte.
func (s *shape) network(pkt []byte, ether int, protocol uint8) (place, Status) {
	p := place{l3: ether + 2}
	switch u16(pkt, ether) {
	case etherIPv4:
		if !s.format.ipv4() {
			return p, Plain
		}
		return s.ipv4(pkt, p, protocol)
	case etherIPv6:
		p.v6 = true
		return s.ipv6(pkt, p, protocol)
	}
	return p, Plain
}

func (s *shape) ipv4(pkt []byte, p place, protocol uint8) (place, Status) {
	switch {
	case len(pkt) < p.l3+ipv4Len:
		return p, Short
	case pkt[p.l3] < 0x45 || pkt[p.l3] > 0x4f:
		return p, Malformed
	case pkt[p.l3+9] != protocol:
		return p, Plain
	case u16(pkt, p.l3+6)&0x3fff != 0:
		return p, Fragment
	}
	p.l4 = p.l3 + 4*int(pkt[p.l3]&15)
	p.end = p.l3 + int(u16(pkt, p.l3+2))
	return p, found
}

func (s *shape) ipv6(pkt []byte, p place, protocol uint8) (place, Status) {
	switch {
	case len(pkt) < p.l3+ipv6Len:
		return p, Short
	case pkt[p.l3]&0xf0 != 0x60:
		return p, Malformed
	case pkt[p.l3+6] != protocol:
		return p, Plain
	}
	p.l4 = p.l3 + ipv6Len
	p.end = p.l4 + int(u16(pkt, p.l3+4))
	return p, found
}

// udp reports whether the UDP header is there and its port that of the node.
func udp(pkt []byte, p place, node Node) Status {
	switch {
	case len(pkt) < p.l4+udpLen:
		return Short
	case u16(pkt, p.l4+2) != node.Match:
		return Plain
	}
	return found
}

// udpWrong reports whether the UDP datagram needs so many bytes and has fewer, or passes the end of the IP packet.
func udpWrong(pkt []byte, p place, needs int) bool {
	n := int(u16(pkt, p.l4+4))
	return n < needs || p.l4+n > p.end
}
