package nic

import (
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// clearing brings the clearing of all memories after reset to a block, an address a cycle.
type clearing struct {
	Now  vgen.Signal `port:"clear" dir:"in" width:"1" doc:"memories are being cleared"`
	Addr vgen.Signal `port:"clear_addr" dir:"in" width:"clear" doc:"address cleared"`
}

// access is a write or a read of a memory in some cycles.
type access struct {
	when, addr, data vgen.Signal
}

// serialMemory is a memory of words that several stages use, one in a cycle: the words of an operation that
// are needed one after the other share it.
type serialMemory struct {
	m   *vgen.Module
	mem *vgen.Memory
}

func newSerialMemory(m *vgen.Module, name string, addrBits, width int, doc string) serialMemory {
	// An operation reads what an earlier one wrote at least a cycle before.
	return serialMemory{m, m.Memory(name, 1<<addrBits, width, doc).NoCollision()}
}

// write connects the write port; the accesses never meet.
func (s serialMemory) write(c clearing, list ...access) {
	en := c.Now
	addr, data := list[len(list)-1].addr, list[len(list)-1].data
	for i := len(list) - 1; i >= 0; i-- {
		en = en.Or(list[i].when)
		if i < len(list)-1 {
			addr = vgen.Mux(list[i].when, list[i].addr, addr)
			data = vgen.Mux(list[i].when, list[i].data, data)
		}
	}
	bits := s.mem.AddrWidth()
	s.m.Ignore(c.Addr, "the largest memory has the most addresses to clear")
	s.mem.Write(en, vgen.Mux(c.Now, c.Addr.Trunc(bits), addr), data.And(c.Now.Not().Repeat(data.Width())))
}

// read connects the read port; the word read stays until the next read.
func (s serialMemory) read(name string, list ...access) vgen.Signal {
	var en vgen.Signal
	addr := list[len(list)-1].addr
	for i := len(list) - 1; i >= 0; i-- {
		en = orNext(en, list[i].when)
		if i < len(list)-1 {
			addr = vgen.Mux(list[i].when, list[i].addr, addr)
		}
	}
	return s.mem.ReadEn(name, addr, en)
}

// wordAddr is an address of parts, each zero where it does not exist.
func wordAddr(bits int, parts ...vgen.Signal) vgen.Signal {
	var have []vgen.Signal
	for _, p := range parts {
		if p.Exists() {
			have = append(have, p)
		}
	}
	return trunc(vgen.Cat(have...), bits)
}

// counter counts the cycles with step, modulo 2^width, from first.
func counter(m *vgen.Module, name string, width int, first int, step vgen.Signal) vgen.Signal {
	q := m.Reg(name, width, vgen.Reset(uint64(first)&(1<<width-1)), vgen.Control(), vgen.Enable(step))
	m.Next(q, q.Add(vgen.Const(width, 1)))
	return q
}
