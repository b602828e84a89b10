package packets_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// intCase is a packet for an INT source, with the parts it was built from.
type intCase struct {
	Name  string
	Data  []byte
	Fits  bool // it is in order and has room for a record, the MTU apart
	At    int  // where its record goes, with Fits
	L3    int  // where its IP header begins
	Clean bool // an analyser has nothing to say about it, with its record or without
	Zero  bool // its UDP checksum is for zeroChecksums
}

// intCases is the corpus for the format of an INT source: every stack of VLAN tags, IPv4 with and without options and
// IPv6, every number of records, packets of all alignments and at the MTU, and what is cut, damaged, or of no
// concern.
func intCases(seed uint64, c *config.INT) ([]intCase, error) {
	b := &intBuilder{INT: c, frameMaker: &frameMaker{rng: rand.New(rand.NewPCG(seed, 0x494e5453))}}
	b.stacks()
	b.headers()
	b.records()
	b.sizes()
	b.limits()
	b.checksums()
	b.others()
	b.damaged()
	return b.cases, b.err
}

// intData is the packets alone.
func intData(cases []intCase) [][]byte {
	list := make([][]byte, len(cases))
	for i := range cases {
		list[i] = cases[i].Data
	}
	return list
}

type intBuilder struct {
	*config.INT
	*frameMaker
	cases []intCase
	turn  int
}

// carrier is a packet that carries telemetry.
type carrier struct {
	name    string
	vlans   []uint16
	v6, tcp bool
	options int // words of IPv4 options
	records int // there already
	size    int // bytes of data after the telemetry
	edit    func(b *carried)
	dirty   bool
	unfit   bool
}

// carried is a carrier's telemetry before it is encoded, and what can be said of its encapsulation.
type carried struct {
	hpcc     telemetry.HPCC
	shim     telemetry.INTShim
	md       telemetry.INTMD
	ifa      telemetry.IFA
	meta     telemetry.IFAMeta
	ioam     telemetry.IOAM
	space    int // ioam: words of the option's data
	port     uint16
	checksum func(uint16) uint16 // of UDP; nil: as computed
}

// recordLen is the size of a record of the format.
func (b *intBuilder) recordLen() int {
	switch b.Format {
	case config.INTHPCC:
		return telemetry.HPCCHopLen
	case config.INTIFA:
		return telemetry.IFAHopLen
	case config.INTMD:
		return telemetry.INTHopLen
	}
	return telemetry.IOAMHopLen
}

// most is the number of records that a packet of the corpus can have and still get another.
func (b *intBuilder) most() int {
	if b.Format == config.INTHPCC {
		return b.MaxHops - 1
	}
	return 5
}

// add builds a carrier and appends it.
func (b *intBuilder) add(f carrier) *intCase {
	b.number++
	t := b.fresh(&f)
	if f.edit != nil {
		f.edit(t)
	}
	data := b.macs()
	for _, v := range f.vlans {
		data = binary.BigEndian.AppendUint16(data, v)
		data = binary.BigEndian.AppendUint16(data, uint16(1+b.rng.Uint32N(4094)))
	}
	etherType := layers.EthernetTypeIPv4
	if f.v6 {
		etherType = layers.EthernetTypeIPv6
	}
	data = binary.BigEndian.AppendUint16(data, uint16(etherType))
	c := intCase{Name: f.name, Fits: !f.unfit, L3: len(data), Clean: !f.dirty}
	packet, at := b.packet(&f, t)
	c.Data, c.At = append(data, packet...), len(data)+at
	for len(c.Data) < 60 {
		c.Data = append(c.Data, 0)
	}
	b.cases = append(b.cases, c)
	return &b.cases[len(b.cases)-1]
}

// fresh is the telemetry as a host sends it, after so many hops.
func (b *intBuilder) fresh(f *carrier) *carried {
	t := &carried{port: b.Match}
	t.hpcc.PathID = uint16(b.rng.Uint32N(1 << 12))
	if b.Format == config.INTHPCC {
		t.hpcc.NHop = f.records
	}
	for i := range t.hpcc.NHop {
		t.hpcc.Hop[i] = telemetry.HPCCHop{Rate: uint8(b.rng.Uint32N(16)), TS: b.rng.Uint32N(1 << 24),
			TxBytes: b.rng.Uint32N(1 << 20), Qlen: b.rng.Uint32N(1 << 16)}
	}
	t.shim = telemetry.INTShim{Type: 1, NPT: 1, Length: uint8(3 + 6*f.records), Param: 4000}
	t.md = telemetry.INTMD{HopML: 6, RemainingHops: 8, Instructions: telemetry.INTHPCC}
	t.ifa = telemetry.IFA{Version: telemetry.IFAVersion, GNS: 15, NextHeader: uint8(layers.IPProtocolUDP), Inband: true,
		MaxLength: 120}
	if f.tcp {
		t.ifa.NextHeader = uint8(layers.IPProtocolTCP)
	}
	t.meta = telemetry.IFAMeta{HopLimit: 8, CurrentLength: uint8(8 * f.records)}
	traceType, err := telemetry.IOAMTraceType(b.TxBit)
	if b.Format == config.INTIOAM {
		b.note(err)
	}
	t.space = 5 * 6
	t.ioam = telemetry.IOAM{Namespace: b.Space, NodeLen: 5, RemainingLen: uint8(t.space - 5*f.records),
		TraceType: traceType}
	return t
}

// packet is the IP packet of a carrier, and where in it the record goes.
func (b *intBuilder) packet(f *carrier, t *carried) ([]byte, int) {
	encode := func(out []byte, h interface {
		AppendBinary([]byte) ([]byte, error)
	},
	) []byte {
		out, err := h.AppendBinary(out)
		b.note(err)
		return out
	}
	var inside []byte // between UDP and its payload
	at := 0           // after the transport header
	switch b.Format {
	case config.INTHPCC:
		inside = encode(nil, &t.hpcc)
		at = len(inside)
		if want := telemetry.HPCCBaseLen + telemetry.HPCCHopLen*b.MaxHops; b.Reserved && len(inside) < want {
			inside = append(inside, make([]byte, want-len(inside))...)
		}
	case config.INTMD:
		inside = encode(encode(nil, &t.shim), &t.md)
		at = len(inside)
		inside = append(inside, b.random(telemetry.INTHopLen*f.records)...)
	}
	ip4 := &layers.IPv4{Version: 4, TTL: 60, Id: uint16(b.number), Flags: layers.IPv4DontFragment,
		Protocol: layers.IPProtocolUDP, SrcIP: b.source4(), DstIP: net.IPv4(192, 0, 2, 1).To4()}
	if f.options > 0 { // router alert, and the end of the list
		ip4.Options = append(ip4.Options, layers.IPv4Option{OptionType: 148, OptionLength: 4, OptionData: []byte{0, 0}})
		for range 4 * (f.options - 1) {
			ip4.Options = append(ip4.Options, layers.IPv4Option{OptionType: 0})
		}
	}
	src := net.ParseIP("2001:db8::")
	binary.BigEndian.PutUint32(src[12:], b.number)
	ip6 := &layers.IPv6{Version: 6, HopLimit: 60, NextHeader: layers.IPProtocolUDP, SrcIP: src,
		DstIP: net.ParseIP("2001:db8:1::1")}
	var ip interface {
		gopacket.NetworkLayer
		gopacket.SerializableLayer
	} = ip4
	if f.v6 {
		ip = ip6
	}

	segment := b.segment(f, t, ip, append(inside, b.text(f.size)...))
	header := 8
	if f.tcp {
		header = int(segment[12]>>4) * 4
	}
	switch b.Format {
	case config.INTIFA:
		ip4.Protocol, ip6.NextHeader = layers.IPProtocol(b.Match), layers.IPProtocol(b.Match)
		out := append(encode(nil, &t.ifa), segment[:header]...)
		out = encode(out, &t.meta)
		at = len(out) - header
		out = append(out, b.random(telemetry.IFAHopLen*f.records)...)
		segment = append(out, segment[header:]...)
	case config.INTIOAM:
		ip6.NextHeader = 0
		option := encode([]byte{0x31, byte(10 + 4*t.space), 0, 0}, &t.ioam)
		at = 4 + len(option) + 4*(int(t.ioam.RemainingLen)-5) - header
		option = append(option, b.random(4*t.space)...)
		hop := append([]byte{uint8(layers.IPProtocolUDP), 0, 1, 0}, option...)
		if n := 8 - len(hop)%8; n < 8 { // a multiple of 4 bytes is there
			hop = append(append(hop, 1, byte(n-2)), make([]byte, n-2)...)
		}
		hop[1] = byte(len(hop)/8 - 1)
		segment = append(hop, segment...)
	}
	packet := b.serialize(ip, gopacket.Payload(segment))
	return packet, len(packet) - len(segment) + header + at
}

// segment is the transport header with its payload, its checksum computed over the addresses.
func (b *intBuilder) segment(f *carrier, t *carried, ip gopacket.NetworkLayer, payload []byte) []byte {
	if f.tcp {
		s := &layers.TCP{SrcPort: 49152, DstPort: 49154, Seq: b.rng.Uint32(), Ack: b.rng.Uint32(), ACK: true, Window: 4096}
		b.note(s.SetNetworkLayerForChecksum(ip))
		return b.serialize(s, gopacket.Payload(payload))
	}
	u := &layers.UDP{SrcPort: 49152, DstPort: layers.UDPPort(t.port)}
	b.note(u.SetNetworkLayerForChecksum(ip))
	out := b.serialize(u, gopacket.Payload(payload))
	if t.checksum != nil {
		binary.BigEndian.PutUint16(out[6:], t.checksum(binary.BigEndian.Uint16(out[6:])))
	}
	return out
}

// any is a carrier of a version and transport that the format knows, in turn.
func (b *intBuilder) any(name string) carrier {
	b.turn++
	f := carrier{name: name, v6: b.turn%2 == 1, tcp: b.turn%4 >= 2, size: 16 + int(b.rng.Uint32N(300))}
	switch b.Format {
	case config.INTIOAM:
		f.v6, f.tcp = true, false
	case config.INTHPCC, config.INTMD:
		f.tcp = false
	}
	f.records = b.rng.IntN(b.most() + 1)
	return f
}

func (b *intBuilder) stacks() {
	for _, p := range placements(b.VLANTPIDs) {
		f := b.any("stack")
		for _, h := range p {
			if h.vlan != 0 {
				f.vlans = append(f.vlans, h.vlan)
			}
		}
		if len(f.vlans) == len(p) {
			b.add(f)
		}
	}
	f := b.any("behind a fifth VLAN tag")
	for range 5 {
		f.vlans = append(f.vlans, b.VLANTPIDs[0])
	}
	f.unfit = true
	b.add(f)
}

func (b *intBuilder) headers() {
	if b.Format == config.INTIOAM {
		return
	}
	for options := range 11 {
		f := b.any(fmt.Sprintf("%d words of IPv4 options", options))
		f.v6, f.options = false, options
		b.add(f)
	}
}

// records has every number of them, the one that is too many too.
func (b *intBuilder) records() {
	for range 4 {
		b.full()
	}
	for n := range b.most() + 1 {
		for range 4 {
			f := b.any(fmt.Sprintf("%d records", n))
			f.records = n
			b.add(f)
		}
	}
}

// full has no room for another record.
func (b *intBuilder) full() {
	full := b.any("no room")
	full.unfit, full.dirty = true, true
	switch b.Format {
	case config.INTHPCC:
		full.records = b.MaxHops
	case config.INTIOAM:
		full.records = 6
	case config.INTMD:
		full.records, full.size = 42, 100 // 255 words: Length counts no more
		b.add(full)
		full.records, full.unfit = 41, false
	case config.INTIFA:
		full.records = 15 // of 120 words
	}
	b.add(full)
}

// sizes has every alignment of a packet's end, and jumbo frames.
func (b *intBuilder) sizes() {
	for n := range 70 {
		f := b.any(fmt.Sprintf("%d bytes of data", n))
		f.size = n
		b.add(f)
	}
	for _, n := range []int{1400, 4000, 8500, 9600, 15_000} {
		f := b.any(fmt.Sprintf("%d bytes of data", n))
		f.size = n
		b.add(f)
	}
}

// limits has packets around the MTU of every port, and at the limits of their hops.
func (b *intBuilder) limits() {
	for _, p := range b.Port {
		for d := -3; d <= 3; d++ {
			f := b.any("at the MTU")
			f.records = 1
			probe := *b.add(f)
			b.cases = b.cases[:len(b.cases)-1]
			f.size = int(p.MTU) - b.recordLen() + d - (len(probe.Data) - probe.L3 - f.size)
			if f.size >= 0 {
				b.add(f)
			}
		}
	}
	for _, limit := range []uint8{0, 0, 0, 0, 0, 1, 2, 254, 255} {
		f := b.any(fmt.Sprintf("%d hops left", limit))
		f.unfit = limit == 0 && (b.Format == config.INTMD || b.Format == config.INTIFA)
		f.edit = func(t *carried) { t.md.RemainingHops, t.meta.HopLimit = limit, limit }
		b.add(f)
	}
	for _, edit := range []func(t *carried){
		func(t *carried) { t.md.HopsExceeded = true },
		func(t *carried) { t.md.MTUExceeded = true },
		func(t *carried) { t.meta.Loss, t.meta.Color, t.meta.Request = true, true, 0xff },
		func(t *carried) { t.md.Domain, t.md.DSInstr, t.md.DSFlags = 1, 2, 3 },
	} {
		f := b.any("flags")
		f.edit = edit
		b.add(f)
	}
}

// checksums has UDP without one, and wrong ones, which stay wrong.
func (b *intBuilder) checksums() {
	for i := range 40 {
		f := b.any("UDP checksum")
		f.tcp, f.dirty = false, true
		f.edit = func(t *carried) {
			t.checksum = func(c uint16) uint16 { return []uint16{0, c + 1, 0xffff, 1}[i%4] }
		}
		b.add(f)
	}
	if b.Format == config.INTIFA || b.Format == config.INTIOAM {
		return
	}
	for range 12 {
		f := b.any("UDP checksum that becomes 0")
		f.dirty = true
		b.add(f).Zero = true
	}
}

// others has packets of no concern: other UDP ports, no telemetry at all.
func (b *intBuilder) others() {
	for range 8 {
		f := b.any("another port")
		f.unfit = b.Format == config.INTHPCC || b.Format == config.INTMD
		f.edit = func(t *carried) { t.port = b.Match ^ 0x0101 }
		b.add(f)
	}
	for i := range 24 {
		data, _ := b.bytes(&corpusFrame{inner: inners[i%len(inners)], size: 20 * i})
		b.cases = append(b.cases, intCase{Name: "no telemetry", Data: data, L3: 14, Clean: true})
	}
}

// damaged has packets cut at each of their bytes, and with random bits that are wrong.
func (b *intBuilder) damaged() {
	for range 3 {
		f := b.any("cut")
		f.vlans, f.size, f.dirty = b.VLANTPIDs[:1], 10, true
		whole := *b.add(f)
		for n := 1; n < len(whole.Data); n++ {
			c := whole
			c.Name, c.Data, c.Fits = fmt.Sprintf("cut at byte %d", n), whole.Data[:n], false
			b.cases = append(b.cases, c)
		}
	}
	for range 400 {
		f := b.any("bits flipped")
		f.dirty, f.unfit = true, true
		c := b.add(f)
		for range 1 + b.rng.IntN(3) {
			c.Data[12+b.rng.IntN(min(len(c.Data)-12, 100))] ^= 1 << b.rng.IntN(8)
		}
	}
	for n := 1; n < 60; n++ {
		b.cases = append(b.cases, intCase{Name: "runt", Data: b.random(n)})
	}
}
