package inband

import (
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Halves from l4 on of packets with a UDP header.
const (
	udpPort   = 1
	udpLength = 2
	udpCheck  = 3
	udpBody   = 4
)

// udpRules are those of the UDP header, at stage 5, with its length and checksum.
func (x *parser) udpRules() (rules []rule, length, check lib.Value) {
	p := x.p
	other := p.Reg("other_port", 4, p.Reg("port_differs", 3, x.half(udpPort, 3).Ne(p.At(x.match, 3))).Signal)
	short := p.Reg("udp_short", 4, x.less(x.room.Signal, 8))
	length, check = x.behindIP(udpLength), x.behindIP(udpCheck)
	return []rule{{short.Signal, statusShort}, {other.Signal, statusPlain}}, length, check
}

// udpWrong has a 1, at stage 5, if the datagram has fewer bytes than needed, or passes the end of the IP packet. needs
// is of stage 4.
func (x *parser) udpWrong(length lib.Value, needs vgen.Signal) vgen.Signal {
	p := x.p
	n := p.At(length, 4)
	few := n.Lt(needs.Zext(halfBits)).Named("udp_too_few")
	passes := x.end.LtS(n.Zext(endBits)).Named("udp_passes_ip")
	return p.Reg("udp_wrong", 4, few.Or(passes)).Signal
}

// hpcc applies the rules of the HPCC header.
func (x *parser) hpcc() decided {
	s, p := x.s, x.p
	x.m.Section("HPCC header")
	rules, length, check := x.udpRules()
	head := x.behindIP(udpBody)
	hops := p.At(head, 4).Slice(15, 12)
	max := vgen.Const(4, uint64(s.MaxHops))
	full := p.Reg("hops_used", 4, hops.Ge(max))
	held, needs := hops, hops
	if s.Reserved {
		held = max
		needs = hops.Plus(1) // fewer than 16: there are fewer hops than MaxHops
	}
	bytes := func(n vgen.Signal, more uint64, width int) vgen.Signal {
		return vgen.Cat(n, vgen.Const(3, 0)).Zext(width).Plus(more)
	}
	wrong := x.udpWrong(length, bytes(held, 10, seenBits))
	noHead := p.Reg("no_header", 4, x.less(x.room.Signal, 10))
	cut := p.Reg("cut", 4, x.room.LtS(bytes(needs, 10, roomBits).Named("record_end")))
	rules = append(rules, rule{noHead.Signal, statusShort}, rule{full.Signal, statusHops}, rule{wrong, statusMalformed},
		rule{cut.Signal, statusShort})

	at := p.At(x.l4, 5).Plus(udpBody).Named("header_at")
	old := p.At(head, 5)
	hops5 := old.Slice(15, 12)
	place := at.Plus(1).Add(vgen.Cat(vgen.Const(2, 0), hops5, vgen.Const(2, 0)))
	fresh := vgen.Cat(hops5.Plus(1), old.Slice(11, 0).Xor(p.At(x.node, 5)))
	return decided{
		rules: rules, place: place, udpLen: length, udpSum: check,
		change: []change{{At: at, Old: old, New: fresh}}, by: [][]uint64{{statusInserted}},
	}
}

// intMD applies the rules of INT-MD.
func (x *parser) intMD() decided {
	p := x.p
	x.m.Section("INT-MD header")
	rules, length, check := x.udpRules()
	const shim, flags, hops, instructions = udpBody, udpBody + 2, udpBody + 3, udpBody + 4
	differs := vgen.AnyOf(x.half(shim, 3).Slice(15, 12).Is(1).Not(), x.half(flags, 3).Slice(15, 12).Is(2).Not(),
		x.half(hops, 3).Slice(12, 8).Is(6).Not())
	foreign := p.Reg("foreign", 4, x.field("profile_differs", differs).Signal)
	words := p.At(x.behindIP(shim), 4).Slice(7, 0)
	needs := vgen.Cat(words, vgen.Const(2, 0)).Zext(11).Plus(12)
	short := p.Reg("no_header", 4, x.less(x.room.Signal, 24))
	wrong := x.udpWrong(length, needs).Or(p.Reg("no_stack", 4, words.Lt(vgen.Const(8, 3))).Signal).Named("wrong_length")
	used := p.Reg("hops_used", 4, p.At(x.behindIP(hops), 4).Slice(7, 0).Is(0))
	full := p.Reg("full", 4, words.Gt(vgen.Const(8, 249)))
	rules = append(rules, rule{short.Signal, statusShort}, rule{foreign.Signal, statusForeign},
		rule{wrong, statusMalformed},
		rule{used.Signal, statusHops}, rule{full.Signal, statusFull})

	at := p.At(x.l4, 5)
	old := func(i int) vgen.Signal { return p.At(x.behindIP(i), 5) }
	marks := old(flags)
	// Without record the packet is marked: E when hops are used up, M otherwise.
	isUsed := used.Signal
	marked := marks.Or(vgen.Mux(isUsed, vgen.Const(halfBits, 0x0400), vgen.Const(halfBits, 0x0200)))
	return decided{
		rules: rules, place: at.Plus(udpBody + 8), udpLen: length, udpSum: check,
		change: []change{
			{At: at.Plus(shim), Old: old(shim), New: old(shim).Plus(6)},
			{At: at.Plus(flags), Old: marks, New: marked},
			{At: at.Plus(hops), Old: old(hops), New: old(hops).Sub(vgen.Const(halfBits, 1))},
		},
		by:    [][]uint64{{statusInserted}, {statusHops, statusMTU}, {statusInserted}},
		other: p.At(x.behindIP(instructions), 5).Is(0xd500).Not(),
	}
}
