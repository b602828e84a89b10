package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// change is a word of the header that the format changes.
type change struct {
	Enable vgen.Signal `port:"enable" width:"1" doc:"the word changes"`
	At     vgen.Signal `port:"at" width:"offset" doc:"number of the word"`
	Old    vgen.Signal `port:"old" width:"half" doc:"the word as it came"`
	New    vgen.Signal `port:"new" width:"half" doc:"the word that takes its place"`
}

// lengthened are the lengths and checksums of a packet, and where they are.
type lengthened struct {
	V6       vgen.Signal `port:"v6" width:"1" doc:"the packet is IPv6"`
	L3       vgen.Signal `port:"l3" width:"offset" doc:"number of the first word of the IP header"`
	L4       vgen.Signal `port:"l4" width:"offset" doc:"number of the first word after the IP header"`
	IPLen    vgen.Signal `port:"ip_length" width:"iphalf" doc:"Total Length or Payload Length"`
	IPCheck  vgen.Signal `port:"ip_checksum" width:"v4half" doc:"checksum of IPv4"`
	UDPLen   vgen.Signal `port:"udp_length" width:"udphalf" doc:"UDP Length"`
	UDPCheck vgen.Signal `port:"udp_checksum" width:"udpsum" doc:"UDP checksum"`
}

type parsePorts struct {
	Half    []vgen.Signal `port:"s_half%d" count:"halves" dir:"in" width:"half" doc:"16-bit words of the header; the first is that at byte 12"`
	Length  vgen.Signal   `port:"s_length" dir:"in" width:"length" doc:"bytes of the packet, two cycles later (stage 2)"`
	Whole   vgen.Signal   `port:"s_whole" dir:"in" width:"1" doc:"the packet has ended; if not, it has all bytes that matter"`
	Match   vgen.Signal   `port:"match" dir:"in" width:"match" doc:"UDP port or IP protocol of telemetry (stage 2)"`
	Space   vgen.Signal   `port:"space" dir:"in" width:"space" doc:"Namespace-ID (stage 2)"`
	Node    vgen.Signal   `port:"node" dir:"in" width:"pathnode" doc:"number of the switch (stage 2)"`
	Off     vgen.Signal   `port:"s_off" dir:"in" width:"1" doc:"the egress port is not enabled, or the node not committed (stage 3)"`
	NoPort  vgen.Signal   `port:"s_no_port" dir:"in" width:"1" doc:"the ingress or egress port does not exist (stage 3)"`
	MTU     vgen.Signal   `port:"s_mtu" dir:"in" width:"growmtu" doc:"MTU of the egress port (stage 3)"`
	Status  vgen.Signal   `port:"m_status" dir:"out" width:"status" doc:"status of the packet"`
	Insert  vgen.Signal   `port:"m_insert" dir:"out" width:"1" doc:"it gets a record"`
	Place   vgen.Signal   `port:"m_place" dir:"out" width:"offset" doc:"number of the word at which the record is"`
	Lengths lengthened    `port:"m_" dir:"out"`
	Change  []change      `port:"m_change%d_" count:"changes" dir:"out"`
	Other   vgen.Signal   `port:"m_other" dir:"out" width:"other" doc:"its instructions are not those of the profile"`
	HopLim  vgen.Signal   `port:"m_hop_limit" dir:"out" width:"hoplimit" doc:"Hop Limit of the packet"`
}

// lookupStage is the stage of int_parse in which match, space and node are read; ports are read there, too, and known
// one stage later.
const lookupStage = 2

// parseWidths are the width keys of int_parse.
func (s *shape) parseWidths() vgen.Widths {
	w := s.widths()
	w["changes"] = len(s.changes())
	w["iphalf"], w["v4half"], w["growmtu"] = 0, 0, 0
	if s.grows {
		w["iphalf"], w["growmtu"] = halfBits, mtuBits
		if s.ipv4 {
			w["v4half"] = halfBits
		}
	}
	w["udphalf"], w["udpsum"] = 0, 0
	if s.udp {
		w["udpsum"] = halfBits
		if s.grows {
			w["udphalf"] = halfBits
		}
	}
	w["pathnode"], w["hoplimit"], w["other"] = 0, 0, 0
	if s.Format == config.INTMD {
		w["other"] = 1
	}
	if s.Format == config.INTHPCC {
		w["pathnode"] = s.nodeBits
	}
	if s.Format == config.INTIFA { // LNS is not looked at
		w["space"] = 0
	}
	if s.Format == config.INTIOAM {
		w["hoplimit"] = 8
	}
	return w
}

// parser is int_parse under construction.
type parser struct {
	s     *shape
	m     *vgen.Module
	p     *lib.Pipe
	ports *parsePorts

	ended    lib.Value // stage 4: the walk has ended in the IP header, with the status
	status   lib.Value
	room     lib.Value // stage 4: bytes of the packet from l4 on, as far as they matter, signed
	end      lib.Value // stage 4: bytes from l4 to the end of the IP packet, signed
	tooLong  lib.Value // stage 5: with a record the packet would exceed the MTU
	v6       lib.Value
	l3       lib.Value // number of the half
	l4       lib.Value
	match    lib.Value
	space    lib.Value
	node     lib.Value
	l4half   map[int]lib.Value // halves from l4 on that are needed, at stage 3
	behindIP func(int) lib.Value
	used     []bool // halves that are read
	ipLength lib.Value
	ipCheck  lib.Value
	hopLimit lib.Value
}

// Widths of distances: bytes seen from l4 on, and bytes to the end of the IP packet.
const (
	roomBits = seenBits + 2
	endBits  = 18
)

// parseBlock builds int_parse: the walk and the decision on the packet (docs/int.md, Packets). Stage 0 is the cycle in
// which the header is there.
func parseBlock(s *shape) *vgen.Module {
	m := vgen.NewModule("int_parse", "Finds the telemetry of a packet and decides whether it gets a record")
	m.Doc("The rules depend on the format; the first rule that applies decides.")
	for k, text := range []string{"VLAN tags are counted", "the IP header moves to a fixed place",
		"the words after the IP header move to a fixed place; the version, the protocol and the fields of the IP header",
		"does the walk end in the IP header? Where the telemetry begins, and how much of the packet is left from there",
		"the fields of the telemetry, and lengths compared", "the status, and the words written"} {
		m.StageDoc(k+1, text)
	}
	ports := vgen.Ports[parsePorts](m, s.parseWidths())
	x := &parser{s: s, m: m, p: lib.NewPipe(m), ports: ports, l4half: map[int]lib.Value{}}
	x.network()
	var d decided
	switch s.Format {
	case config.INTIFA:
		d = x.ifa()
	case config.INTMD:
		d = x.intMD()
	case config.INTIOAM:
		d = x.ioam()
	default:
		d = x.hpcc()
	}
	x.finish(d)
	for i, used := range x.used {
		if !used {
			m.Ignore(ports.Half[i], "no rule reads it")
		}
	}
	return m
}

// network finds the IP header and what is behind it.
func (x *parser) network() {
	s, m, p, ports := x.s, x.m, x.p, x.ports
	half := make([]lib.Value, len(ports.Half))
	for i, h := range ports.Half {
		half[i] = p.Value(fmt.Sprintf("half%d", firstHalf+i), 0, h)
	}
	x.used = make([]bool, len(half))

	m.Section("VLAN tags")
	var run []vgen.Signal // the packet begins with at least 1, 2, 3, 4 tags
	for k := range maxVLANs {
		var hits []vgen.Signal
		for _, t := range s.VLANTPIDs {
			hits = append(hits, half[2*k].Signal.IsHex(uint64(t)))
		}
		tag := vgen.AnyOf(hits...).Named(fmt.Sprintf("is_vlan%d", k))
		if k > 0 {
			tag = tag.And(run[k-1])
		}
		run = append(run, tag.Named(fmt.Sprintf("vlans_%d", k+1)))
	}
	count := run[0].Zext(3)
	for _, r := range run[1:] {
		count = count.Add(r.Zext(3))
	}
	vlans := p.Reg("vlans", 0, count)

	m.Section("IP header")
	l2 := map[int]lib.Value{} // from the EtherType on, as far as they are needed
	behind := func(i int) vgen.Signal {
		if v, ok := l2[i]; ok {
			return v.Signal
		}
		var cases []vgen.Signal
		for v := range maxVLANs + 1 {
			cases = append(cases, p.At(half[i+2*v], 1))
			x.used[i+2*v] = true
		}
		l2[i] = p.Reg(fmt.Sprintf("l2_half%d", i), 1, vgen.Select(vlans.Signal, cases, cases[maxVLANs]))
		return l2[i].Signal
	}
	l3 := func(i int) vgen.Signal { return behind(i + 1) } // half i of the IP header, at stage 2
	isV4, isV6 := behind(0).IsHex(0x0800), behind(0).IsHex(0x86dd)
	if !s.ipv4 {
		isV4 = flag(false)
	}
	isV6 = isV6.Named("is_ipv6")
	x.v6 = p.Reg("v6", 2, isV6)
	x.l3 = p.Reg("l3", 2, vgen.Cat(vgen.Const(4, 0), p.At(vlans, 2),
		vgen.Const(1, 0)).Add(vgen.Const(offsetBits, firstHalf+1)))
	x.committed()

	// Bytes of the packet, as far as they matter, and from l3 on.
	seen := vgen.Mux(p.At(p.Value("whole", 0, ports.Whole), 2), lib.Saturate("seen_sat", ports.Length, seenBits),
		vgen.Const(seenBits, 1<<seenBits-1)).Named("seen")
	var starts []vgen.Signal
	for v := range maxVLANs + 1 {
		starts = append(starts, vgen.Const(roomBits, uint64(14+4*v)))
	}
	l3Start := vgen.Select(p.At(vlans, 2), starts, starts[maxVLANs]).Named("l3_start")
	fromL3 := p.Reg("from_l3", 2, seen.Zext(roomBits).Sub(l3Start))

	// Length of the IP header in words.
	words := vgen.Const(4, 10)
	if s.ipv4 {
		words = vgen.Mux(isV6, words, l3(0).Slice(11, 8)).Named("header_words")
		x.hasIPv4(isV4, l3, fromL3)
	} else {
		x.v6Only(isV6, l3, fromL3)
	}
	words3 := p.Reg("header_words", 2, words)
	x.l4 = p.Reg("l4", 3, p.At(x.l3, 3).Add(vgen.Cat(vgen.Const(3, 0), words3.Signal, vgen.Const(1, 0))))
	bytes := vgen.Cat(words3.Signal, vgen.Const(2, 0)).Named("header_bytes")
	x.room = p.Reg("room", 3, fromL3.Sub(bytes.Zext(roomBits)))

	m.Section("After the IP header")
	x.behindIP = func(i int) lib.Value {
		if v, ok := x.l4half[i]; ok {
			return v
		}
		v := l3(2*10 + i)
		if s.ipv4 {
			var cases []vgen.Signal
			for w := range 16 {
				cases = append(cases, l3(2*max(w, 5)+i))
			}
			v = vgen.Select(words, cases, cases[15])
		}
		x.l4half[i] = p.Reg(fmt.Sprintf("l4_half%d", i), 2, v)
		return x.l4half[i]
	}

	// To the end of the IP packet, and whether it has room for more.
	length := l3(2)
	if s.ipv4 {
		length = vgen.Mux(isV6, length, l3(1))
	}
	x.ipLength = p.Reg("ip_length", 2, length)
	v6 := p.At(x.v6, 3)
	toEnd := x.ipLength.Zext(endBits)
	if s.ipv4 {
		toEnd = toEnd.Sub(bytes.Zext(endBits).Where(v6.Not()))
	}
	x.end = p.Reg("to_end", 3, toEnd)
	if s.grows {
		all := x.ipLength.Zext(endBits).Add(vgen.Mux(v6, vgen.Const(endBits, uint64(40+s.recBytes)),
			vgen.Const(endBits, uint64(s.recBytes))))
		longer := p.Reg("longer", 3, all)
		mtu := p.Value("mtu", lookupStage+1, ports.MTU)
		x.tooLong = p.Reg("exceeds_mtu", 4, longer.Gt(p.At(mtu, 4).Zext(endBits)))
	}
}

// committed takes what software has written, at the stage of the lookup.
func (x *parser) committed() {
	take := func(name string, s vgen.Signal) lib.Value {
		if !s.Exists() {
			return lib.Value{}
		}
		return x.p.Value(name, lookupStage, s)
	}
	x.match, x.space, x.node = take("match", x.ports.Match), take("space", x.ports.Space), take("node", x.ports.Node)
}

// hasIPv4 applies the rules of the IP header for formats that both versions carry.
func (x *parser) hasIPv4(isV4 vgen.Signal, l3 func(int) vgen.Signal, fromL3 lib.Value) {
	p := x.p
	protocol := vgen.Const(8, 17)
	if x.s.Format == config.INTIFA {
		protocol = x.match.Signal
	}
	v4 := p.Reg("is_ipv4", 2, isV4)
	wrong4 := p.Reg("wrong_version4", 2, l3(0).Slice(15, 12).Is(4).Not().Or(l3(0).Slice(11, 8).Lt(vgen.Const(4, 5))))
	other4 := p.Reg("other_protocol4", 2, l3(4).Slice(7, 0).Ne(protocol))
	fragment := p.Reg("fragment", 2, l3(3).Slice(13, 0).AnyBit())
	wrong6 := p.Reg("wrong_version6", 2, l3(0).Slice(15, 12).Is(6).Not())
	other6 := p.Reg("other_protocol6", 2, l3(3).Slice(15, 8).Ne(protocol))
	if x.s.grows {
		x.ipCheck = p.Reg("ip_checksum", 2, l3(5))
	}
	v6 := p.At(x.v6, 3)
	none := v4.Signal.Or(v6).Not().Named("not_ip")
	short := vgen.Mux(v6, x.less(fromL3.Signal, 40), x.less(fromL3.Signal, 20)).Named("ip_short")
	x.ipRules(
		rule{fromL3.Top(), statusShort}, rule{none, statusPlain}, rule{short, statusShort},
		rule{vgen.Mux(v6, wrong6.Signal, wrong4.Signal).Named("wrong_version"), statusMalformed},
		rule{vgen.Mux(v6, other6.Signal, other4.Signal).Named("other_protocol"), statusPlain},
		rule{fragment.And(v6.Not()).Named("is_fragment"), statusFragment},
	)
}

// v6Only applies them for formats that IPv6 alone carries.
func (x *parser) v6Only(isV6 vgen.Signal, l3 func(int) vgen.Signal, fromL3 lib.Value) {
	p := x.p
	none := p.Reg("not_ipv6", 2, isV6.Not())
	wrong := p.Reg("wrong_version6", 2, l3(0).Slice(15, 12).Is(6).Not())
	other := p.Reg("other_protocol6", 2, l3(3).Slice(15, 8).AnyBit())
	x.hopLimit = p.Reg("hop_limit", 2, l3(3).Slice(7, 0))
	x.ipRules(
		rule{fromL3.Top(), statusShort}, rule{none.Signal, statusPlain},
		rule{x.less(fromL3.Signal, 40).Named("ip_short"), statusShort},
		rule{wrong.Signal, statusMalformed}, rule{other.Signal, statusPlain},
	)
}

func (x *parser) ipRules(rules ...rule) {
	status, ended := firstOf(rules, vgen.Const(transit.StatusBits, 0))
	x.status, x.ended = x.p.Reg("ip_status", 3, status), x.p.Reg("ip_ends", 3, ended)
}

// less reports whether a signed number is below a constant.
func (x *parser) less(s vgen.Signal, v uint64) vgen.Signal { return s.LtS(vgen.Const(s.Width(), v)) }

// half is a half from l4 on, at a stage.
func (x *parser) half(i, stage int) vgen.Signal { return x.p.At(x.behindIP(i), stage) }

// field makes a value out of what is at stage 3.
func (x *parser) field(name string, s vgen.Signal) lib.Value { return x.p.Reg(name, 3, s) }

// decided is what a format says of a packet, at stage 5.
type decided struct {
	rules  []rule      // of the format, those of the walk first
	place  vgen.Signal // number of the half at which the record is
	change []change    // in the order of shape.changes; enabled by the status
	udpLen lib.Value
	udpSum lib.Value
	by     [][]uint64  // statuses with which each word changes
	other  vgen.Signal // int_md: the record is all ones
}

// finish puts the rules in their order: ports, what is off, IP header, format, MTU.
func (x *parser) finish(d decided) {
	s, m, p, ports := x.s, x.m, x.p, x.ports
	const stage = 5
	m.Section("Decision")
	off, noPort := p.Value("off", lookupStage+1, ports.Off), p.Value("no_port", lookupStage+1, ports.NoPort)
	status, applies := firstOf(d.rules, vgen.Const(transit.StatusBits, statusInserted))
	ip := p.At(x.ended, stage)
	status = vgen.Mux(ip, p.At(x.status, stage), status)
	applies = vgen.AnyOf(applies, ip).Named("a_rule_applies")
	if s.grows {
		exceeds := p.At(x.tooLong, stage)
		status = vgen.Mux(exceeds.And(applies.Not()), vgen.Const(transit.StatusBits, statusMTU), status)
		applies = applies.Or(exceeds)
	}
	offNow, noPortNow := p.At(off, stage), p.At(noPort, stage)
	status = vgen.Mux(offNow, vgen.Const(transit.StatusBits, statusOff), status)
	status = vgen.Mux(noPortNow, vgen.Const(transit.StatusBits, statusNoPort), status)
	applies = vgen.AnyOf(applies, offNow, noPortNow)
	out := p.Reg("status", stage, status)
	insert := p.Reg("insert", stage, applies.Not())
	m.Assign(ports.Status, out.Signal)
	m.Assign(ports.Insert, insert.Signal)
	m.Assign(ports.Place, p.Reg("place", stage, d.place).Signal)

	assign := func(to vgen.Signal, v lib.Value) {
		if to.Exists() {
			m.Assign(to, p.At(v, stage+1))
		}
	}
	l := &ports.Lengths
	assign(l.V6, x.v6)
	assign(l.L3, x.l3)
	assign(l.L4, x.l4)
	assign(l.IPLen, x.ipLength)
	assign(l.IPCheck, x.ipCheck)
	assign(l.UDPLen, d.udpLen)
	assign(l.UDPCheck, d.udpSum)
	assign(ports.HopLim, x.hopLimit)
	if d.other.Exists() {
		m.Assign(ports.Other, p.Reg("other", stage, d.other).Signal)
	}
	for i, c := range d.change {
		to := ports.Change[i]
		name := s.changes()[i].name
		var when []vgen.Signal
		for _, st := range d.by[i] {
			when = append(when, status.Is(st))
		}
		m.Assign(to.Enable, p.Reg(name+"_changes", stage, vgen.AnyOf(when...)).Signal)
		m.Assign(to.At, p.Reg(name+"_at", stage, c.At).Signal)
		m.Assign(to.Old, p.Reg(name+"_old", stage, c.Old).Signal)
		m.Assign(to.New, p.Reg(name+"_new", stage, c.New).Signal)
	}
	m.SetTiming(stage+1, 1)
}
