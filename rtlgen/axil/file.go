package axil

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// File is a register block under construction. The map tells which registers there are; what they do is the design's.
// Registers go by their offsets.
type File struct {
	*Access

	Module *vgen.Module
	Map    *registers.Map
	// Apart: registers stand between the address and what follows from it, and between that and what an access does.
	// There are cycles for both, as accesses lie apart. Else an access acts in the cycle of its strobe.
	Apart bool
	// PageBits is the width of addresses in the first page. What lies beyond, such as packet counters, is the design's.
	PageBits int

	Writes vgen.Signal // a write acts, with all strobes; if Apart, in the cycle to come
	First  vgen.Signal // the address lies in the first page
	Hits   map[uint32]vgen.Signal
	Staged map[uint32]vgen.Signal // content of a register that software reads and writes
	Reads  map[uint32]vgen.Signal // what a read gives
	Done   []vgen.Signal          // writes in order
}

// NewFile is a register block without registers.
func NewFile(m *vgen.Module, a *Access, list *registers.Map, pageBits int, apart bool) *File {
	return &File{
		Access: a, Module: m, Map: list, PageBits: pageBits, Apart: apart,
		Hits: map[uint32]vgen.Signal{}, Staged: map[uint32]vgen.Signal{}, Reads: map[uint32]vgen.Signal{},
	}
}

// Act is what a write that is in order does, in the cycle in which it does it. s is made of Writes.
func (f *File) Act(name string, s vgen.Signal) vgen.Signal {
	if f.Apart {
		return f.Module.StateNext(name+"_q", s)
	}
	return s.Named(name)
}

// Early is what follows from address and word of an access, which are there a cycle before its strobe. If Apart there
// is time for two of them, one after the other, before Writes.
func (f *File) Early(name string, s vgen.Signal) vgen.Signal {
	if f.Apart {
		return f.Module.RegNext(name+"_q", s)
	}
	return s.Named(name)
}

// Decode looks at strobe and page.
func (f *File) Decode() {
	f.Writes = f.Write.And(f.Full).Named("write")
	f.First = f.Addr.Slice(AddressBits-1, f.PageBits).Is(0).And(f.Addr.Trunc(2).Is(0)).Named("first_page")
	if f.Apart {
		f.Writes, f.First = f.Act("write", f.Write.And(f.Full)), f.Early("first_page", f.First)
	}
}

// Hit tells that the address is that of a register of the first page: early, as Hits has it, and at once.
func (f *File) Hit(r *registers.Register) vgen.Signal {
	hit := f.First.And(f.Addr.Slice(f.PageBits-1, 2).Is(uint64(r.Offset >> 2)))
	f.Hits[r.Offset] = f.Early("at_"+strings.ToLower(r.Name), hit)
	return hit
}

// Constant is a register that never changes.
func (f *File) Constant(r *registers.Register) {
	f.Reads[r.Offset] = vgen.Const(BusBits, uint64(r.Reset())).Named(strings.ToLower(r.Name))
}

// Stage makes a register that keeps what is written to it until a commit takes it. mask has its bits.
func (f *File) Stage(r *registers.Register, mask uint32) {
	load := f.Act("write_"+strings.ToLower(r.Name), f.Writes.And(f.Hits[r.Offset]))
	f.Done = append(f.Done, load)
	f.Staged[r.Offset] = f.kept(r, mask, load)
	f.Reads[r.Offset] = f.Staged[r.Offset]
}

// kept is the content of a register: flip-flops for each run of bits in the mask, zeros between them.
func (f *File) kept(r *registers.Register, mask uint32, load vgen.Signal) vgen.Signal {
	var parts []vgen.Signal // lowest first
	reset := r.Reset()
	for low := 0; low < BusBits; {
		high := low
		for high+1 < BusBits && mask>>(high+1)&1 == mask>>low&1 {
			high++
		}
		width := high - low + 1
		part := vgen.Const(width, 0)
		if mask>>low&1 == 1 {
			name := strings.ToLower(r.Name)
			if mask != ^uint32(0) && mask&(mask+1) != 0 {
				name = fmt.Sprintf("%s_from%d", name, low)
			}
			first := vgen.Reset(uint64(reset>>low) & (1<<width - 1))
			part = f.Module.RegNext(name+"_q", f.WData.Slice(high, low), vgen.Enable(load), first)
		}
		parts = append(parts, part)
		low = high + 1
	}
	slices.Reverse(parts)
	return vgen.Cat(parts...)
}

// Commit is a write to a register that takes what is staged, when all checks are 1.
func (f *File) Commit(offset uint32, name string, checks ...vgen.Signal) vgen.Signal {
	s := f.Writes.And(f.Hits[offset])
	for _, ok := range checks {
		s = s.And(ok)
	}
	s = f.Act(name, s)
	f.Done = append(f.Done, s)
	return s
}

// Word is the content of the register of the first page that the address names, as far as bits above and below the
// number of a word are looked at elsewhere. It is 0 where there is none. The table has at least so many words.
func (f *File) Word(least int) vgen.Signal {
	zero := vgen.Const(BusBits, 0)
	var words []vgen.Signal
	for i := range 1 << (f.PageBits - 2) {
		v, ok := f.Reads[uint32(4*i)]
		if !ok {
			v = zero
		}
		words = append(words, v)
		if ok {
			least = max(least, i+1)
		}
	}
	words = words[:least]
	return vgen.Select(f.Addr.Slice(f.PageBits-1, 2), words, zero)
}
