package csig

import (
	"encoding/binary"
	"fmt"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// EtherTypes and protocol numbers of the headers that a TCP option is put into, and sizes in bytes.
const (
	typeIPv4, typeIPv6 = 0x0800, 0x86dd
	protocolTCP        = 6
	ipv6Len            = 40
	tcpLen             = 20
	maxTCPHeader       = 60
)

// segment is where the parts of a TCP packet are.
type segment struct {
	ip, tcp, data, end int // bytes of the headers, of the payload, of its end (padding may follow)
	v6                 bool
}

// Insert puts the reflection into the TCP header of a packet to the sender: as the first option, padded to words of
// four bytes, with lengths and checksums made right. An invalid reflection leaves the packet alone.
func (o *TCPOption) Insert(pkt []byte, tags *telemetry.Tags, r Reflection) ([]byte, error) {
	var buf [12]byte
	opt, err := o.Append(buf[:0], r)
	if err != nil || len(opt) == 0 {
		return pkt, err
	}
	for len(opt)%4 != 0 {
		opt = append(opt, 1)
	}
	s, err := parseTCP(pkt, tags)
	if err != nil {
		return nil, err
	}
	if have := s.data - s.tcp; have+len(opt) > maxTCPHeader {
		return nil, fmt.Errorf("csig reflection: byte %d: the TCP header has %d bytes, %d more do not fit in %d", s.tcp,
			have, len(opt), maxTCPHeader)
	}
	if s.end-s.ip+len(opt) > 0xffff {
		return nil, fmt.Errorf("csig reflection: byte %d: the packet is too long for %d more bytes", s.ip, len(opt))
	}
	at := s.tcp + tcpLen
	out := append(append(append(make([]byte, 0, len(pkt)+len(opt)), pkt[:at]...), opt...), pkt[at:]...)
	out[s.tcp+12] += byte(len(opt)/4) << 4
	s.end += len(opt)
	s.fix(out)
	return out, nil
}

// Extract reads the reflection from the TCP header of a packet from the receiver.
func (o *TCPOption) Extract(pkt []byte, tags *telemetry.Tags) (Reflection, error) {
	if err := o.Check(); err != nil {
		return Reflection{}, err
	}
	s, err := parseTCP(pkt, tags)
	if err != nil {
		return Reflection{}, err
	}
	return o.Find(pkt[s.tcp+tcpLen : s.data])
}

func parseTCP(pkt []byte, tags *telemetry.Tags) (segment, error) {
	refuse := func(at int, what string) (segment, error) {
		return segment{}, &telemetry.Error{Format: "TCP packet", Byte: at, What: what}
	}
	p := tags.Walk(pkt)
	at := p.Offset
	if p.Find == telemetry.FindTag {
		at += p.Size.Len()
	}
	if len(pkt) < at+2 || p.Find != telemetry.FindTag && p.Find != telemetry.FindNone {
		return refuse(min(at, len(pkt)), "layer 2 does not end in an EtherType")
	}
	s := segment{ip: at + 2}
	var protocol byte
	switch binary.BigEndian.Uint16(pkt[at:]) {
	case typeIPv4:
		if len(pkt) < s.ip+20 {
			return refuse(len(pkt), "the data end inside the IPv4 header")
		}
		if binary.BigEndian.Uint16(pkt[s.ip+6:])&0x3fff != 0 {
			return refuse(s.ip+6, "a fragment")
		}
		protocol = pkt[s.ip+9]
		s.tcp, s.end = s.ip+4*int(pkt[s.ip]&15), s.ip+int(binary.BigEndian.Uint16(pkt[s.ip+2:]))
		if s.tcp < s.ip+20 {
			return refuse(s.ip, "the IPv4 header's length is below 5 words")
		}
	case typeIPv6:
		if len(pkt) < s.ip+ipv6Len {
			return refuse(len(pkt), "the data end inside the IPv6 header")
		}
		protocol = pkt[s.ip+6]
		s.v6 = true
		s.tcp, s.end = s.ip+ipv6Len, s.ip+ipv6Len+int(binary.BigEndian.Uint16(pkt[s.ip+4:]))
	default:
		return refuse(at, "neither IPv4 nor IPv6")
	}
	if protocol != protocolTCP {
		return refuse(s.ip, fmt.Sprintf("the protocol is %d, not TCP", protocol))
	}
	if s.end > len(pkt) || s.end < s.tcp+tcpLen {
		return refuse(s.ip, "the packet's length does not agree with its IP header's")
	}
	s.data = s.tcp + 4*int(pkt[s.tcp+12]>>4)
	if s.data < s.tcp+tcpLen || s.data > s.end {
		return refuse(s.tcp+12, "the TCP header's length does not fit")
	}
	return s, nil
}

// fix writes the lengths and checksums of a packet whose end has moved.
func (s *segment) fix(pkt []byte) {
	length := s.end - s.tcp
	var sum uint32
	if s.v6 {
		binary.BigEndian.PutUint16(pkt[s.ip+4:], uint16(length))
		sum = ones(pkt[s.ip+8 : s.ip+ipv6Len])
	} else {
		binary.BigEndian.PutUint16(pkt[s.ip+2:], uint16(s.end-s.ip))
		binary.BigEndian.PutUint16(pkt[s.ip+10:], 0)
		binary.BigEndian.PutUint16(pkt[s.ip+10:], fold(ones(pkt[s.ip:s.tcp])))
		sum = ones(pkt[s.ip+12 : s.ip+20])
	}
	binary.BigEndian.PutUint16(pkt[s.tcp+16:], 0)
	binary.BigEndian.PutUint16(pkt[s.tcp+16:], fold(sum+protocolTCP+uint32(length)+ones(pkt[s.tcp:s.end])))
}

// ones is the sum of 16-bit words that checksums of the Internet are made of, not yet folded.
func ones(b []byte) uint32 {
	var sum uint32
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(b[i:]))
	}
	if len(b)%2 != 0 {
		sum += uint32(b[len(b)-1]) << 8
	}
	return sum
}

func fold(sum uint32) uint16 {
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum)
}
