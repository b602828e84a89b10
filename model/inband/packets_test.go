package inband_test

import (
	"encoding/binary"
	"net"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/telemetry"
)

var formats = []config.INTFormat{config.INTHPCC, config.INTIFA, config.INTMD, config.INTIOAM}

// settings is a device of four ports, all enabled, with the defaults of docs/int.md.
func settings(f config.INTFormat) config.INT {
	c := config.INT{
		Name: "int_test", Ports: 4, DataBits: 512, Format: f, TimeBits: 48, QlenBits: 32, QlenUnit: 80, TxUnit: 128,
		MaxHops: 5, TxBit: 12,
		Order: config.IOAMByBit, VLANTPIDs: []uint16{0x8100, 0x88a8}, Node: 0x5a7, OverheadBytes: 24,
		Port: make([]config.INTPort, 4),
	}
	switch f {
	case config.INTHPCC, config.INTMD:
		c.Match = 4791
	case config.INTIFA:
		c.Match, c.Space = 253, 3
	case config.INTIOAM:
		c.Space = 0xbeef
	}
	for i := range c.Port {
		c.Port[i] = config.INTPort{Enabled: true, MTU: 9000, RateCode: uint8(i + 3)}
	}
	return c
}

func device(t testing.TB, c config.INT) *inband.Device {
	t.Helper()
	d, err := inband.New(&c)
	require.NoError(t, err)
	return d
}

// recipe is a packet to build: the headers around the telemetry, and the telemetry of its format.
type recipe struct {
	format  config.INTFormat
	vlans   int
	v6      bool
	options int // words of IPv4 options
	noCheck bool
	tcp     int // ifa: words of the TCP header; 0: UDP
	payload int
	pad     int // bytes after the IP packet

	hpcc     telemetry.HPCC
	reserved int // hpcc: records that there is room for
	shim     telemetry.INTShim
	md       telemetry.INTMD
	ifa      telemetry.IFA
	meta     telemetry.IFAMeta
	ioam     telemetry.IOAM
	space    int // ioam: words reserved
	stack    []byte
}

// fresh is a packet as a host sends it.
func fresh(f config.INTFormat) recipe {
	r := recipe{format: f, payload: 64, v6: f == config.INTIOAM}
	r.shim = telemetry.INTShim{Type: 1, NPT: 1, Length: 3, Param: 1234}
	r.md = telemetry.INTMD{HopML: 6, RemainingHops: 8, Instructions: telemetry.INTHPCC}
	r.ifa = telemetry.IFA{Version: 2, GNS: 15, NextHeader: 17, Inband: true, MaxLength: 64}
	r.meta = telemetry.IFAMeta{HopLimit: 8}
	tt, err := telemetry.IOAMTraceType(12)
	if err != nil {
		panic(err)
	}
	r.space = 25
	r.ioam = telemetry.IOAM{Namespace: 0xbeef, NodeLen: 5, RemainingLen: 25, TraceType: tt}
	return r
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func filler(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*37 + 11)
	}
	return b
}

// telemetryBytes is what stands between the transport header (ioam: IPv6 header) and the payload.
func (r *recipe) telemetryBytes() []byte {
	switch r.format {
	case config.INTHPCC:
		b := must(r.hpcc.AppendBinary(nil))
		if r.reserved > 0 {
			b = append(b, make([]byte, 2+8*r.reserved-len(b))...)
		}
		return b
	case config.INTMD:
		b := must(r.md.AppendBinary(must(r.shim.AppendBinary(nil))))
		return append(b, r.stack...)
	case config.INTIFA:
		return append(must(r.meta.AppendBinary(nil)), r.stack...)
	default:
		n := 4*r.space + 16
		all := (n + 7) / 8 * 8
		b := append([]byte{17, byte(all/8 - 1), 1, 0}, 0x31, byte(10+4*r.space), 0, 0)
		b = append(must(r.ioam.AppendBinary(b)), make([]byte, 4*r.space)...)
		if all > n {
			b = append(b, 1, byte(all-n-2), 0, 0)[:all]
		}
		return b
	}
}

// bytes builds the packet with right lengths and checksums; ifa's transport speaks of the packet without IFA.
func (r *recipe) bytes() []byte {
	out := []byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2}
	for i := range r.vlans {
		out = append(out, []byte{0x88, 0xa8, 0x81, 0x00}[i%2*2:][:2]...)
		out = append(out, 0, byte(i+1))
	}
	ip4 := &layers.IPv4{Version: 4, TTL: 61, SrcIP: net.IP{10, 0, 0, 1}, DstIP: net.IP{10, 0, 0, 2},
		Protocol: layers.IPProtocolUDP}
	if r.options > 0 {
		for range 4*r.options - 1 {
			ip4.Options = append(ip4.Options, layers.IPv4Option{OptionType: 1})
		}
		ip4.Options = append(ip4.Options, layers.IPv4Option{OptionType: 0})
	}
	ip6 := &layers.IPv6{Version: 6, HopLimit: 61, NextHeader: layers.IPProtocolUDP, SrcIP: net.ParseIP("fd00::1"),
		DstIP: net.ParseIP("fd00::2")}
	payload := filler(r.payload)
	inner := r.telemetryBytes()
	var l4 gopacket.SerializableLayer
	body := append([]byte{}, inner...)
	if r.format == config.INTIFA || r.format == config.INTIOAM {
		body = nil
	}
	body = append(body, payload...)
	var network gopacket.NetworkLayer = ip4
	if r.v6 {
		network = ip6
	}
	if r.tcp > 0 {
		ip4.Protocol, ip6.NextHeader = layers.IPProtocolTCP, layers.IPProtocolTCP
		tcp := &layers.TCP{SrcPort: 7, DstPort: 9, Window: 100, ACK: true}
		for range 4 * (r.tcp - 5) {
			tcp.Options = append(tcp.Options, layers.TCPOption{OptionType: layers.TCPOptionKindNop})
		}
		must(0, tcp.SetNetworkLayerForChecksum(network))
		l4 = tcp
	} else {
		udp := &layers.UDP{SrcPort: 50000, DstPort: 4791}
		must(0, udp.SetNetworkLayerForChecksum(network))
		l4 = udp
	}
	opts := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	buf := gopacket.NewSerializeBuffer()
	must(0, gopacket.SerializeLayers(buf, opts, l4, gopacket.Payload(body)))
	segment := append([]byte{}, buf.Bytes()...)
	if r.noCheck {
		segment[6], segment[7] = 0, 0
	}
	switch r.format {
	case config.INTIFA:
		head := 8
		if r.tcp > 0 {
			head = 4 * r.tcp
		}
		h := r.ifa
		if r.tcp > 0 {
			h.NextHeader = 6
		}
		all := must(h.AppendBinary(nil))
		all = append(append(append(all, segment[:head]...), inner...), segment[head:]...)
		segment = all
		ip4.Protocol, ip6.NextHeader = 253, 253
	case config.INTIOAM:
		segment = append(inner, segment...)
		ip6.NextHeader = 0
	}
	buf = gopacket.NewSerializeBuffer()
	if r.v6 {
		ip6.Length = uint16(len(segment))
		must(0, gopacket.SerializeLayers(buf, gopacket.SerializeOptions{}, ip6, gopacket.Payload(segment)))
		head := append([]byte{}, buf.Bytes()...)
		head[6] = byte(ip6.NextHeader)
		out = append(append(out, 0x86, 0xdd), head...)
	} else {
		must(0, gopacket.SerializeLayers(buf, opts, ip4, gopacket.Payload(segment)))
		out = append(append(out, 0x08, 0x00), buf.Bytes()...)
	}
	return append(out, make([]byte, r.pad)...)
}

// l3 is where the IP header of the packet is, l4 what follows it.
func (r *recipe) l3() int { return 14 + 4*r.vlans }

func (r *recipe) l4() int {
	if r.v6 {
		return r.l3() + 40
	}
	return r.l3() + 20 + 4*r.options
}

// telemetryAt is where the bytes of telemetryBytes are.
func (r *recipe) telemetryAt() int {
	switch {
	case r.format == config.INTIOAM:
		return r.l4()
	case r.format == config.INTIFA && r.tcp > 0:
		return r.l4() + 4 + 4*r.tcp
	case r.format == config.INTIFA:
		return r.l4() + 12
	}
	return r.l4() + 8
}

// sound checks lengths and checksums of a packet with the decoder and checks of gopacket.
func sound(t require.TestingT, pkt []byte, r *recipe) {
	p := gopacket.NewPacket(pkt, layers.LayerTypeEthernet, gopacket.Default)
	if r.format == config.INTIFA {
		without := withoutIFA(pkt, r)
		inner := *r
		inner.format = ""
		sound(t, without, &inner)
	} else {
		require.Nil(t, p.ErrorLayer())
	}
	if l4, ok := p.TransportLayer().(interface {
		SetNetworkLayerForChecksum(gopacket.NetworkLayer) error
	}); ok {
		require.NoError(t, l4.SetNetworkLayerForChecksum(p.NetworkLayer()))
	}
	err, wrong := p.VerifyChecksums()
	require.NoError(t, err)
	for _, w := range wrong {
		require.True(t, w.Correct == w.Actual, "%v", w)
	}
	require.Equal(t, len(pkt)-r.pad-r.l3(), ipLen(pkt, r))
	if r.format == config.INTHPCC || r.format == config.INTMD {
		require.NotNil(t, p.Layer(layers.LayerTypeUDP))
		udp := p.Layer(layers.LayerTypeUDP).(*layers.UDP)
		require.Equal(t, len(pkt)-r.pad-r.l4(), int(udp.Length))
		if r.noCheck {
			require.Zero(t, udp.Checksum)
		} else {
			require.NotZero(t, udp.Checksum)
		}
	}
}

// withoutIFA is the packet as the last node of an IFA zone sends it on: transport and payload as they were, an IP
// header of their length.
func withoutIFA(pkt []byte, r *recipe) []byte {
	meta := r.telemetryAt()
	rest := meta + 4 + 4*int(pkt[meta+3])
	out := append([]byte{}, pkt[:r.l4()]...)
	out = append(append(out, pkt[r.l4()+4:meta]...), pkt[rest:]...)
	head := out[r.l3():]
	shorter := len(pkt) - len(out)
	if r.v6 {
		head[6] = pkt[r.l4()+1]
		binary.BigEndian.PutUint16(head[4:], binary.BigEndian.Uint16(head[4:])-uint16(shorter))
		return out
	}
	head[9] = pkt[r.l4()+1]
	binary.BigEndian.PutUint16(head[2:], binary.BigEndian.Uint16(head[2:])-uint16(shorter))
	head[10], head[11] = 0, 0
	s := uint32(0)
	for i := 0; i < 20+4*r.options; i += 2 {
		s += uint32(binary.BigEndian.Uint16(head[i:]))
	}
	s = s&0xffff + s>>16
	binary.BigEndian.PutUint16(head[10:], ^uint16(s+s>>16))
	return out
}

func ipLen(pkt []byte, r *recipe) int {
	if r.v6 {
		return 40 + int(binary.BigEndian.Uint16(pkt[r.l3()+4:]))
	}
	return int(binary.BigEndian.Uint16(pkt[r.l3()+2:]))
}
