package inband

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// ioam applies the rules of a pre-allocated trace.
func (x *parser) ioam() decided {
	s, p := x.s, x.p
	x.m.Section("IOAM trace")
	h := func(i int) vgen.Signal { return x.half(i, 3) }
	profile := uint64(1<<23|1<<22|1<<20|1<<17) | 1<<(23-s.TxBit)
	padding := x.field("padding_differs", h(1).Is(0x0100).Or(h(1).Is(0)).Not())
	foreign := h(4).AnyBit().And(h(4).Ne(p.At(x.space, 3))) // each node accepts Namespace-ID 0
	option := x.field("option_differs", vgen.AnyOf(h(2).Slice(15, 8).Is(0x31).Not(), h(3).Slice(7, 0).Is(0).Not(), foreign,
		h(5).Slice(15, 11).Is(5).Not(), vgen.Cat(h(6), h(7).Slice(15, 8)).Is(profile).Not()))
	overflow := x.field("overflow", h(5).Bit(10))
	left := x.field("words_left", h(5).Slice(6, 0))
	length, headers := x.field("option_length", h(2).Slice(7, 0)), x.field("options_length", h(0).Slice(7, 0))

	foreign1, foreign2 := p.Reg("foreign_padding", 4, padding.Signal), p.Reg("foreign_option", 4, option.Signal)
	noOptions := p.Reg("no_options", 4, x.less(x.room.Signal, 4))
	noTrace := p.Reg("no_trace", 4, x.less(x.room.Signal, 16))
	const w = 12
	space := length.Zext(w)
	all := vgen.Cat(headers.Signal, vgen.Const(3, 0)).Zext(w).Plus(8).Named("options_bytes")
	wrong := vgen.AnyOf(space.Lt(vgen.Cat(left.Signal, vgen.Const(2, 0)).Zext(w).Plus(10)), all.Lt(space.Plus(6)),
		x.end.LtS(all.Zext(endBits)))
	malformed := p.Reg("malformed", 4, wrong)
	full := p.Reg("full", 4, overflow.Or(left.Lt(vgen.Const(7, 5))))
	cut := p.Reg("cut", 4, x.room.LtS(vgen.Cat(left.Signal, vgen.Const(2, 0)).Zext(roomBits).Plus(16).Named("trace_end")))
	rules := []rule{
		{noOptions.Signal, statusShort}, {foreign1.Signal, statusForeign}, {noTrace.Signal, statusShort},
		{foreign2.Signal, statusForeign},
		{malformed.Signal, statusMalformed}, {full.Signal, statusFull}, {cut.Signal, statusShort},
	}

	at := p.At(x.l4, 5)
	old := p.At(x.behindIP(5), 5)
	// After the headers of option and trace, less the five words of a record.
	place := at.Sub(vgen.Const(offsetBits, 2)).Add(vgen.Cat(p.At(left, 5), vgen.Const(1, 0)))
	isFull := full.Signal
	fresh := vgen.Mux(isFull, old.Or(vgen.Const(halfBits, 0x0400)), old.Sub(vgen.Const(halfBits, 5)))
	return decided{
		rules: rules, place: place,
		change: []change{{At: at.Plus(5), Old: old, New: fresh}},
		by:     [][]uint64{{statusInserted, statusFull}},
	}
}
