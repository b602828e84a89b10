package inband

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// ifa applies the rules of IFA: its header follows the IP header, its metadata header that of TCP or UDP.
func (x *parser) ifa() decided {
	p := x.p
	x.m.Section("IFA headers")
	first, second := x.half(0, 3), x.half(1, 3)
	isUDP, isTCP := first.Slice(7, 0).Is(17).Named("is_udp"), first.Slice(7, 0).Is(6).Named("is_tcp")
	differs := vgen.AnyOf(first.Slice(15, 12).Is(2).Not(), second.Slice(12, 11).AnyBit(), second.Bit(8))
	foreign := p.Reg("foreign", 4, x.field("profile_differs", differs).Signal)
	other := p.Reg("other_transport", 4, x.field("no_transport", isUDP.Or(isTCP).Not()).Signal)
	tcp := x.field("tcp", isTCP)

	// Length of the transport header in words: that of UDP is 2. The metadata header follows.
	offset := x.half(8, 3).Slice(15, 12)
	words := vgen.Mux(isUDP, vgen.Const(4, 2), offset).Named("transport_words")
	words4 := x.field("transport_words", words)
	var cases []vgen.Signal
	for w := range 16 {
		if w != 2 && w < 5 {
			w = 5
		}
		cases = append(cases, x.half(2+2*w+1, 3))
	}
	meta := x.field("limit_length", vgen.Select(words, cases, cases[15])) // Hop Limit, Current Length
	body := vgen.Cat(words4.Signal, vgen.Const(2, 0)).Zext(roomBits).Plus(4).Named("metadata_at")

	noHeader := p.Reg("no_header", 4, x.less(x.room.Signal, 4))
	noTCP := p.Reg("no_tcp", 4, tcp.And(x.less(x.room.Signal, 4+13)))
	badTCP := p.Reg("bad_tcp", 4, tcp.And(words4.Lt(vgen.Const(4, 5))))
	noMeta := p.Reg("no_metadata", 4, x.room.LtS(body.Plus(4).Named("stack_start")))
	stack := vgen.Cat(meta.Slice(7, 0), vgen.Const(2, 0)).Zext(endBits)
	passes := p.Reg("stack_passes_ip", 4, x.end.LtS(stack.Add(body.Zext(endBits).Plus(4)).Named("stack_end")))
	used := p.Reg("hops_used", 4, meta.Slice(15, 8).Is(0))
	most := p.At(x.behindIP(1), 4).Slice(7, 0)
	full := p.Reg("full", 4, meta.Slice(7, 0).Zext(9).Plus(8).Gt(most.Zext(9)))
	rules := []rule{
		{noHeader.Signal, statusShort}, {foreign.Signal, statusForeign}, {other.Signal, statusForeign},
		{noTCP.Signal, statusShort},
		{badTCP.Signal, statusMalformed}, {noMeta.Signal, statusShort}, {passes.Signal, statusMalformed},
		{used.Signal, statusHops}, {full.Signal, statusFull},
	}

	at := p.At(x.l4, 5).Plus(2).Add(vgen.Cat(vgen.Const(3, 0), p.At(words4, 5), vgen.Const(1, 0))).Named("metadata_half")
	old := p.At(meta, 5)
	limit := old.Slice(15, 8)
	less := vgen.Mux(limit.AllBits(), limit, limit.Sub(vgen.Const(8, 1)))
	return decided{
		rules: rules, place: at.Plus(2),
		change: []change{{At: at.Plus(1), Old: old, New: vgen.Cat(less, old.Slice(7, 0).Plus(8))}},
		by:     [][]uint64{{statusInserted}},
	}
}
