package link

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// packer moves slots of a record, one or more whole words each, into bytes without gaps, and back.
type packer struct {
	slots []vgen.Slot
	bytes int
}

func newPacker(slots ...vgen.Slot) *packer {
	return &packer{slots, (bitsOf(slots) + 7) / 8}
}

func bitsOf(slots []vgen.Slot) (n int) {
	for _, s := range slots {
		n += s.Width
	}
	return n
}

// pack writes the slots of a record into dst.
func (p *packer) pack(dst []byte, record []uint64) {
	clear(dst[:p.bytes])
	at := 0
	for _, s := range p.slots {
		for left, w := s.Width, s.Offset; left > 0; w++ {
			n := min(left, 64)
			putBits(dst, at, n, record[w])
			at += n
			left -= n
		}
	}
}

// unpack writes the slots of a record from src; bits above a slot's width become 0.
func (p *packer) unpack(record []uint64, src []byte) {
	at := 0
	for _, s := range p.slots {
		for left, w := s.Width, s.Offset; left > 0; w++ {
			n := min(left, 64)
			record[w] = getBits(src, at, n)
			at += n
			left -= n
		}
	}
}

// putBits ors the low n bits of v into dst from bit at on.
func putBits(dst []byte, at, n int, v uint64) {
	for n > 0 {
		shift := at % 8
		take := min(8-shift, n)
		dst[at/8] |= byte(v&(1<<take-1)) << shift
		v >>= take
		at += take
		n -= take
	}
}

// getBits reads n bits of src from bit at on.
func getBits(src []byte, at, n int) (v uint64) {
	for done := 0; done < n; {
		shift := at % 8
		take := min(8-shift, n-done)
		v |= uint64(src[at/8]>>shift&(1<<take-1)) << done
		at += take
		done += take
	}
	return v
}
