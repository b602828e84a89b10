package inband

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/directed"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// Directed is a short test of a source with what the golden model says: a packet without telemetry, one that gets the
// first record, one that has a record already, and one that has no room for another.
func Directed(c *config.INT) (*directed.Test, error) {
	m, err := inband.New(c)
	if err != nil {
		return nil, err
	}
	s := &sender{c: c, device: m}
	s.to = max(0, slices.IndexFunc(c.Port, func(p config.INTPort) bool { return p.Enabled }))
	s.from = c.Ports - 1
	s.send("A packet without telemetry passes.", []directed.Piece{{Name: "EtherType", Bytes: []byte{0x08, 0x06}}})
	s.send("The first record of a packet.", s.packet(0, false))
	s.send("A second record.", s.packet(1, false))
	s.send("No further record is allowed.", s.packet(1, true))
	sizes := transit.Sizes{Ports: c.Ports, DataBits: c.DataBits, TimeBits: c.TimeBits, QlenBits: c.QlenBits}
	program := transit.WritesOf(registers.ProgramINT(c), registers.INTPortCommit, s.from, s.to)
	return sizes.Directed(registers.NewINT(c), program, s.sent), nil
}

// sender makes the packets of a directed test.
type sender struct {
	c        *config.INT
	device   *inband.Device
	from, to int // ports
	sent     []transit.Sent
}

// send sends a packet through the golden model, 20 us after the one before.
func (s *sender) send(about string, pieces []directed.Piece) {
	came := slices.Concat([]directed.Piece{
		{Name: "destination address", Bytes: []byte{2, 0, 0, 0, 0, 1}}, {Name: "source address", Bytes: []byte{2, 0, 0, 0, 0, 2}},
	}, pieces, []directed.Piece{{Name: "payload", Bytes: payload()}})
	n := uint64(len(s.sent) + 1)
	meta := inband.Meta{IngressPort: s.from, EgressPort: s.to, IngressNs: 20_000*n - 2000 - 500*n, EgressNs: 20_000 * n,
		QlenBytes: min(1500*n, 1<<s.c.QlenBits-1)}
	left, ev := s.device.Process(directed.Packet(came), meta)
	s.sent = append(s.sent, transit.Sent{
		About: fmt.Sprintf("%s From port %d to port %d: %s.", about, s.from, s.to, ev.Status), Meta: meta, Came: came,
		Left: directed.Left(came, slices.Clone(left), ev.At, "new record"), Status: uint8(ev.Status),
		Means: ev.Status.String(),
	})
}

func payload() []byte {
	b := make([]byte, 100)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

// packet is a packet with telemetry that holds some records; full: no more are allowed.
func (s *sender) packet(records int, full bool) []directed.Piece {
	switch s.c.Format {
	case config.INTIFA:
		return s.ifa(records, full)
	case config.INTIOAM:
		return s.ioam(records, full)
	case config.INTMD:
		return s.intMD(records, full)
	}
	return s.hpcc(records, full)
}

// earlier are the records of the switches before.
func earlier(n, bytes int) (list []directed.Piece) {
	for i := range n {
		b := make([]byte, bytes)
		for j := range b {
			b[j] = byte(16*(i+1) + 3*j%13)
		}
		list = append(list, directed.Piece{Name: fmt.Sprint("record of switch ", i+1), Bytes: b})
	}
	return list
}

func (s *sender) hpcc(n int, full bool) []directed.Piece {
	if full {
		n = s.c.MaxHops
	}
	list := append([]directed.Piece{{Name: "nHop, pathID", Bytes: []byte{byte(n) << 4, 0}}}, earlier(n,
		telemetry.HPCCHopLen)...)
	if s.c.Reserved && n < s.c.MaxHops {
		list = append(list, directed.Piece{Name: "room for records", Bytes: make([]byte, (s.c.MaxHops-n)*telemetry.HPCCHopLen)})
	}
	return s.ipv4(17, s.udp(list))
}

func (s *sender) intMD(n int, full bool) []directed.Piece {
	words := byte(3 + telemetry.INTHopLen/4*n)
	left := byte(8)
	if full {
		left = 0
	}
	return s.ipv4(17, s.udp(append([]directed.Piece{
		{Name: "INT shim", Bytes: []byte{0x10, words, 0, 0}},
		{Name: "INT-MD header", Bytes: []byte{0x20, 0, telemetry.INTHopLen / 4, left}},
		{Name: "instructions, domain", Bytes: []byte{0xd5, 0, 0, 0, 0, 0, 0, 0}},
	}, earlier(n, telemetry.INTHopLen)...)))
}

func (s *sender) ifa(n int, full bool) []directed.Piece {
	words := byte(telemetry.IFAHopLen / 4 * n)
	limit := byte(8)
	if full {
		limit = 0
	}
	list := append([]directed.Piece{{Name: "IFA header", Bytes: []byte{0x20, 17, 0x04, 255}}},
		s.udp(append([]directed.Piece{{Name: "IFA metadata header", Bytes: []byte{0, 0, limit, words}}},
			earlier(n, telemetry.IFAHopLen)...))...)
	return s.ipv4(byte(s.c.Match), list)
}

func (s *sender) ioam(n int, full bool) []directed.Piece {
	const nodes = 3 // that there is room for
	left := byte(5 * (nodes - n))
	room := []directed.Piece{{Name: "room for records", Bytes: make([]byte, telemetry.IOAMHopLen*(nodes-n))}}
	if full {
		left = 0
	}
	trace := uint32(1<<23 | 1<<22 | 1<<20 | 1<<17 | 1<<(23-s.c.TxBit))
	length := 16 + telemetry.IOAMHopLen*nodes
	list := slices.Concat([]directed.Piece{
		{Name: "hop-by-hop options", Bytes: []byte{17, byte((length+7)/8 - 1), 1, 0}},
		{Name: "IOAM option", Bytes: []byte{0x31, byte(10 + telemetry.IOAMHopLen*nodes), 0, 0}},
		{Name: "Namespace-ID", Bytes: binary.BigEndian.AppendUint16(nil, s.c.Space)},
		{Name: "NodeLen, RemainingLen", Bytes: binary.BigEndian.AppendUint16(nil, 5<<11|uint16(left))},
		{Name: "IOAM-Trace-Type", Bytes: binary.BigEndian.AppendUint32(nil, trace<<8)},
	}, room, earlier(n, telemetry.IOAMHopLen), []directed.Piece{
		{Name: "padding", Bytes: make([]byte, (8-length%8)%8)},
	}, s.udp(nil))
	size := len(directed.Packet(list)) + len(payload())
	return slices.Concat([]directed.Piece{
		{Name: "EtherType", Bytes: []byte{0x86, 0xdd}},
		{Name: "IPv6 header", Bytes: []byte{0x60, 0, 0, 0, byte(size >> 8), byte(size), 0, 64}},
		{Name: "source address", Bytes: []byte{0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
		{Name: "destination address", Bytes: []byte{0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}},
	}, list)
}

// udp puts a UDP header before what it carries, without a checksum where the telemetry is not UDP's.
func (s *sender) udp(inner []directed.Piece) []directed.Piece {
	size, port := 8+len(directed.Packet(inner))+len(payload()), uint16(4791)
	of := s.c.Format == config.INTHPCC || s.c.Format == config.INTMD
	if of {
		port = s.c.Match
	}
	checksum := make([]byte, 2)
	list := append([]directed.Piece{
		{Name: "UDP ports", Bytes: append([]byte{0xc0, 0x01}, byte(port>>8), byte(port))},
		{Name: "UDP length", Bytes: []byte{byte(size >> 8), byte(size)}}, {Name: "UDP checksum", Bytes: checksum},
	}, inner...)
	if of {
		pseudo := append(slices.Clone(addresses), 0, 17, byte(size>>8), byte(size))
		copy(checksum, checksumOf(slices.Concat(pseudo, directed.Packet(list), payload())))
	}
	return list
}

// addresses are those of IPv4 packets, source first.
var addresses = []byte{10, 0, 0, 1, 10, 0, 0, 2}

// checksumOf is the checksum of the Internet of an even number of bytes.
func checksumOf(b []byte) []byte {
	sum := uint32(0)
	for pair := range slices.Chunk(b, 2) {
		sum += uint32(binary.BigEndian.Uint16(pair))
	}
	sum = sum&0xffff + sum>>16
	return binary.BigEndian.AppendUint16(nil, ^uint16(sum&0xffff+sum>>16))
}

// ipv4 puts EtherType and an IPv4 header before what it carries.
func (s *sender) ipv4(protocol byte, inner []directed.Piece) []directed.Piece {
	size := 20 + len(directed.Packet(inner)) + len(payload())
	h := append([]byte{0x45, 0, byte(size >> 8), byte(size), 0, 1, 0x40, 0, 64, protocol, 0, 0}, addresses...)
	copy(h[10:], checksumOf(h))
	return append([]directed.Piece{
		{Name: "EtherType", Bytes: []byte{8, 0}}, {Name: "version, length", Bytes: h[:4]},
		{Name: "identification, fragment", Bytes: h[4:8]}, {Name: "time to live, protocol", Bytes: h[8:10]},
		{Name: "IPv4 checksum", Bytes: h[10:12]}, {Name: "IPv4 addresses", Bytes: h[12:]},
	}, inner...)
}
