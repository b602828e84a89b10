package transit

import (
	"math/big"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Capture follows the beats of packets up to the one after the header.
type Capture struct {
	Beat     vgen.Signal // number of the beat in its packet
	First    vgen.Signal // a packet's first beat is accepted
	Complete vgen.Signal // the header is complete with this beat: its last one, or the last of a shorter packet
}

// NewCapture counts beats. valid tells that one is accepted, last that it ends its packet; the header ends in the beat
// with the number head.
func NewCapture(m *vgen.Module, valid, last vgen.Signal, head int) Capture {
	width := bits.Len(uint(head + 1))
	beat := m.State("beat", width)
	inHeader := beat.Le(vgen.Const(width, uint64(head))).Named("in_header")
	next := vgen.Mux(inHeader, beat.Add(vgen.Const(width, 1)), beat)
	m.Next(beat, vgen.Mux(valid, vgen.Mux(last, vgen.Const(width, 0), next), beat))
	first := valid.And(beat.Is(0)).Named("first")
	complete := valid.And(beat.Is(uint64(head)).Or(last.And(inHeader))).Named("complete")
	return Capture{Beat: beat, First: first, Complete: complete}
}

// LengthSum counts the bytes of a packet: full beats as they pass, then those of the last one. The sum is that of the
// packet whose last beat is accepted at stage 0; it has a bit on top, which tells that it exceeds LengthBits.
func LengthSum(m *vgen.Module, p *lib.Pipe, valid, last, keep vgen.Signal) lib.Value {
	n := keep.Width()
	byteBits := bits.Len(uint(n - 1))
	fullBits := LengthBits + 1 - byteBits // its top bit tells that the length does not fit
	full := m.State("full_beats", fullBits)
	more := vgen.Mux(full.Top(), full, full.Add(vgen.Const(fullBits, 1)))
	m.Next(full, vgen.Mux(valid, vgen.Mux(last, vgen.Const(fullBits, 0), more), full))

	before := p.Reg("full", 0, full)
	kept := p.Reg("keep", 0, keep)
	m.Doc("The ones of s_keep are contiguous from bit 0: bit k of the number of the last byte is the parity of those at the multiples of 2**k above 0.")
	number := make([]vgen.Signal, byteBits)
	for b := range number {
		mask := new(big.Int)
		for i := 1 << b; i < n; i += 1 << b {
			mask.SetBit(mask, i, 1)
		}
		number[b] = kept.And(vgen.ConstBig(n, mask).Hex()).Parity()
	}
	tail := p.Reg("last_byte", 1, Vector(number))
	sum := vgen.Cat(p.At(before, 2), tail.Signal).Add(vgen.Const(LengthBits+1, 1)).Named("length_sum")
	return p.Value("length_sum", 2, sum)
}
