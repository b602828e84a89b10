package packets_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// inner is what layer 2 carries: an EtherType, or a length of IEEE 802.3, and what follows.
type inner struct {
	make  func(m *frameMaker, size int) (etherType uint16, payload []byte)
	short bool // of one length, whatever size says
}

// inners are the kinds of inner packets, taken in turn.
var inners = []inner{
	{make: func(m *frameMaker, size int) (uint16, []byte) { return m.ipv4(layers.IPProtocolUDP, size) }},
	{make: func(m *frameMaker, size int) (uint16, []byte) { return m.ipv4(layers.IPProtocolTCP, size) }},
	{make: func(m *frameMaker, size int) (uint16, []byte) { return m.ipv6(layers.IPProtocolUDP, size) }},
	{make: func(m *frameMaker, size int) (uint16, []byte) { return m.ipv6(layers.IPProtocolTCP, size) }},
	{make: func(m *frameMaker, _ int) (uint16, []byte) { return m.arp() }, short: true},
	{make: (*frameMaker).snap},
}

// frameMaker makes packets. Each has addresses of its own, so that an analyser sees no flow with a gap and no address
// twice.
type frameMaker struct {
	rng    *rand.Rand
	number uint32
	err    error
}

func (m *frameMaker) random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.rng.Uint32())
	}
	return b
}

// text is data that no analyser mistakes for a protocol.
func (m *frameMaker) text(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(m.rng.Uint32N(26))
	}
	return b
}

// macs are the addresses of the packet: locally administered, unicast.
func (m *frameMaker) macs() []byte {
	n := m.number
	return []byte{0x02, 0, 0, 0, 1, 1, 0x02, 0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
}

func (m *frameMaker) source4() net.IP {
	return net.IPv4(10, byte(m.number>>16), byte(m.number>>8), byte(m.number)).To4()
}

func (m *frameMaker) serialize(list ...gopacket.SerializableLayer) []byte {
	b := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		list...); err != nil && m.err == nil {
		m.err = fmt.Errorf("corpus: packet %d: %w", m.number, err)
	}
	return b.Bytes()
}

// transport is a segment of a protocol with so many bytes of data. The ports are no one's.
func (m *frameMaker) transport(p layers.IPProtocol, ip gopacket.NetworkLayer, size int) []gopacket.SerializableLayer {
	data := gopacket.Payload(m.text(size))
	if p == layers.IPProtocolUDP {
		u := &layers.UDP{SrcPort: 49152, DstPort: 49153}
		m.note(u.SetNetworkLayerForChecksum(ip))
		return []gopacket.SerializableLayer{u, data}
	}
	t := &layers.TCP{SrcPort: 49152, DstPort: 49153, Seq: m.rng.Uint32(), Ack: m.rng.Uint32(), ACK: true, Window: 4096}
	m.note(t.SetNetworkLayerForChecksum(ip))
	return []gopacket.SerializableLayer{t, data}
}

func (m *frameMaker) note(err error) {
	if m.err == nil && err != nil {
		m.err = err
	}
}

func (m *frameMaker) ipv4(p layers.IPProtocol, size int) (uint16, []byte) {
	ip := &layers.IPv4{
		Version: 4, TTL: 64, TOS: uint8(m.rng.Uint32()), Id: uint16(m.number), Flags: layers.IPv4DontFragment, Protocol: p,
		SrcIP: m.source4(), DstIP: net.IPv4(192, 0, 2, 1).To4(),
	}
	return uint16(layers.EthernetTypeIPv4),
		m.serialize(append([]gopacket.SerializableLayer{ip}, m.transport(p, ip, size)...)...)
}

func (m *frameMaker) ipv6(p layers.IPProtocol, size int) (uint16, []byte) {
	src := net.ParseIP("2001:db8::")
	binary.BigEndian.PutUint32(src[12:], m.number)
	ip := &layers.IPv6{Version: 6, HopLimit: 64, FlowLabel: m.rng.Uint32() & 0xfffff, NextHeader: p, SrcIP: src,
		DstIP: net.ParseIP("2001:db8:1::1")}
	return uint16(layers.EthernetTypeIPv6),
		m.serialize(append([]gopacket.SerializableLayer{ip}, m.transport(p, ip, size)...)...)
}

func (m *frameMaker) arp() (uint16, []byte) {
	a := &layers.ARP{
		AddrType: layers.LinkTypeEthernet, Protocol: layers.EthernetTypeIPv4, HwAddressSize: 6, ProtAddressSize: 4,
		Operation:       layers.ARPRequest,
		SourceHwAddress: m.macs()[6:], SourceProtAddress: m.source4(), DstHwAddress: make([]byte, 6),
		DstProtAddress: []byte{192, 0, 2, 1},
	}
	return uint16(layers.EthernetTypeARP), m.serialize(a)
}

// snap is an IPv4 packet in an IEEE 802.3 corpusFrame: a length instead of an EtherType, then LLC and SNAP.
func (m *frameMaker) snap(size int) (uint16, []byte) {
	_, ip := m.ipv4(layers.IPProtocolUDP, min(size, 1400))
	b := append([]byte{0xaa, 0xaa, 0x03, 0, 0, 0, 0x08, 0x00}, ip...)
	return uint16(len(b)), b
}
