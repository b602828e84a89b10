package engine

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Clearing brings the clearing of all memories after reset to a block, an address a cycle.
type Clearing struct {
	Now  vgen.Signal `port:"clear" dir:"in" width:"1" doc:"memories are being initialised"`
	Addr vgen.Signal `port:"clear_addr" dir:"in" width:"clear" doc:"address cleared"`
}

// Access is a write or a read of a memory in some cycles.
type Access struct{ when, addr, data vgen.Signal }

// WriteAt writes data to addr in the cycles in which when is 1.
func WriteAt(when, addr, data vgen.Signal) Access { return Access{when, addr, data} }

// ReadAt reads the word at addr in the cycles in which when is 1.
func ReadAt(when, addr vgen.Signal) Access { return Access{when: when, addr: addr} }

// At is the address that is accessed.
func (a Access) At() vgen.Signal { return a.addr }

// choose merges the accesses to a memory, which never coincide: that of the last where none of those before takes
// place.
func choose(list []Access, of func(Access) vgen.Signal) vgen.Signal {
	s := of(list[len(list)-1])
	for i := len(list) - 2; i >= 0; i-- {
		s = vgen.Mux(list[i].when, of(list[i]), s)
	}
	return s
}

// SlotMemory is a memory of words that several stages use, one in a cycle: the words of an operation that
// are needed one after the other share it.
type SlotMemory struct {
	m   *vgen.Module
	mem *vgen.Memory
}

// NewSlotMemory declares a memory of 2^addrBits words.
func NewSlotMemory(m *vgen.Module, name string, addrBits, width int, doc string) SlotMemory {
	// An operation reads values that an earlier one wrote at least a cycle before.
	return SlotMemory{m, m.Memory(name, 1<<addrBits, width, doc).NoCollision()}
}

// Write connects the write port; the accesses never meet.
func (s SlotMemory) Write(c Clearing, list ...Access) {
	en := c.Now
	for i := len(list) - 1; i >= 0; i-- {
		en = en.Or(list[i].when)
	}
	addr := choose(list, func(a Access) vgen.Signal { return a.addr })
	data := choose(list, func(a Access) vgen.Signal { return a.data })
	s.m.Ignore(c.Addr, "the largest memory has the most addresses to clear")
	s.mem.Write(en, vgen.Mux(c.Now, c.Addr.Trunc(s.mem.AddrWidth()), addr), data.Where(c.Now.Not()))
}

// Read connects the read port; the word read stays until the next read.
func (s SlotMemory) Read(name string, list ...Access) vgen.Signal {
	var en vgen.Signal
	for i := len(list) - 1; i >= 0; i-- {
		en = vgen.AnyOf(en, list[i].when)
	}
	return s.mem.ReadEn(name, choose(list, func(a Access) vgen.Signal { return a.addr }), en)
}

// Counter counts the cycles with step, modulo 2^width, from first.
func Counter(m *vgen.Module, name string, width int, first int, step vgen.Signal) vgen.Signal {
	q := m.Reg(name, width, vgen.Reset(uint64(first)&(1<<width-1)), vgen.Control(), vgen.Enable(step))
	m.Next(q, q.Plus(1))
	return q
}
