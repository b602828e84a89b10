package csig

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// What a deep pipeline has for the checks of registers: bytes and registers by themselves, each with a cycle of its own. Between accesses there is
// time for it.

// reachesInBytes tells that a register is at least a constant.
func (f *registerFile) reachesInBytes(name string, s vgen.Signal, v uint64) vgen.Signal {
	n := bits.Len64(v - 1)
	parts := f.some(name, s, n)
	if v != 1<<n {
		parts = append(parts, f.early(name+"_low", s.Trunc(n).Ge(vgen.Const(n, v))))
	}
	return or(parts...)
}

// some tells of each byte of a word, or what of it lies at bit from or above, that it is not 0, each with a register.
func (f *registerFile) some(name string, s vgen.Signal, from int) []vgen.Signal {
	var parts []vgen.Signal
	for low := from; low < busBits; {
		high := low | 7
		parts = append(parts, f.early(fmt.Sprintf("%s_from%d", name, low), s.Slice(high, low).AnyBit()))
		low = high + 1
	}
	return parts
}

// isZeroInBytes tells that the word written is 0 from a bit on, as a register says it of each byte.
func (f *registerFile) isZeroInBytes(name string, from int) vgen.Signal {
	var parts []vgen.Signal
	for low := from; low < busBits; {
		high := low | 7
		parts = append(parts, f.early(fmt.Sprintf("%s_zero_from%d", name, low), equals(f.p.WData.Slice(high, low), 0)))
		low = high + 1
	}
	return and(parts...)
}

// isBelowInBytes tells that the word written is below a number.
func (f *registerFile) isBelowInBytes(name string, v uint64) vgen.Signal {
	n := bits.Len64(v - 1)
	below := f.isZeroInBytes(name, n)
	if v != 1<<n {
		below = below.And(f.early(name+"_low", f.p.WData.Trunc(n).Lt(vgen.Const(n, v))))
	}
	return f.early(name, below)
}

// gatedWords is of how many registers a deep pipeline chooses one in a cycle.
const gatedWords = 6

// wordInSteps is word as of the cycle before: which register it is has been decoded, and some are chosen from at a time.
func (f *registerFile) wordInSteps() vgen.Signal {
	var gated, parts []vgen.Signal
	for i := range uint32(1 << (pageBits - 2)) {
		if v, ok := f.read[4*i]; ok {
			gated = append(gated, and(v, f.hits[4*i].Repeat(busBits)))
		}
	}
	for i := 0; i < len(gated); i += gatedWords {
		parts = append(parts, f.m.RegNext(fmt.Sprintf("words_from%d_q", i), or(gated[i:min(i+gatedWords, len(gated))]...)))
	}
	return or(parts...).Named("word")
}
