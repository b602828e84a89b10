package lib

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// StorePorts are the ports of a Store.
type StorePorts struct {
	Push vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a word is stored; there is room for it"`
	Data vgen.Signal `port:"s_data" dir:"in" width:"w" doc:"word stored"`
	Some vgen.Signal `port:"m_some" dir:"out" width:"1" doc:"a word is there, a register"`
	Top  vgen.Signal `port:"m_top" dir:"out" width:"top" doc:"upper bits of the oldest word; valid with m_some"`
	Take vgen.Signal `port:"m_take" dir:"in" width:"1" doc:"the oldest word is taken; only with m_some"`
	Out  vgen.Signal `port:"m_data" dir:"out" width:"w" doc:"word taken two cycles ago, a register"`
}

// Store is a FIFO that is read by those who need not wait: a word taken is at the output two cycles later, whatever
// happens meanwhile. So its memory has a register right behind it, and nothing that decides about taking a word looks
// at the memory but at its upper top bits, which are kept a second time in a memory that is read within the cycle.
// depth is a power of two. A word stored in one cycle is there in the next.
func Store(name string, depth, width, top int) *vgen.Module {
	m := vgen.NewModule(name, fmt.Sprintf("FIFO of %d words of %d bits, each at hand two cycles after it is taken", depth,
		width))
	m.SetTiming(3, 1)
	p := vgen.Ports[StorePorts](m, vgen.Widths{"w": width, "top": top})
	addr := bits.Len(uint(depth - 1))
	one := vgen.Const(addr, 1)
	head := m.State("write_ptr", addr)
	m.Next(head, vgen.Mux(p.Push, head.Add(one), head))
	tail := m.State("read_ptr", addr)
	m.Next(tail, vgen.Mux(p.Take, tail.Add(one), tail))

	several := severalWords(m, addr, p.Push, p.Take)
	some := m.State("some_q", 1)
	m.Next(some, p.Push.Or(several).Or(some.And(p.Take.Not())))
	m.Assign(p.Some, some)

	// The word written is not read before it is there.
	mem := m.Memory("words", depth, width, "words stored").NoCollision()
	mem.Write(p.Push, head, p.Data)
	m.Assign(p.Out, m.RegNext("data_q", mem.Read("word_q", tail)))
	if p.Top.Exists() {
		// Its pointers count down, so that they are not those of the other memory, which may be far away.
		down := func(name string, when vgen.Signal) vgen.Signal {
			ptr := m.Reg(name, addr, vgen.Reset(uint64(depth-1)), vgen.Control())
			m.Next(ptr, vgen.Mux(when, ptr.Sub(one), ptr))
			return ptr
		}
		tops := m.Memory("tops", depth, top, "their upper bits, from the end").NoCollision()
		tops.Write(p.Push, down("write_top", p.Push), p.Data.Slice(width-1, width-top))
		m.Assign(p.Top, tops.ReadAsync(down("read_top", p.Take)).Named("top_word"))
	}
	return m
}

// severalWords tells, of a FIFO with so many bits of address, that a word is left when one is taken. So that this is
// known beforehand, a word taken is in the count for one more cycle.
func severalWords(m *vgen.Module, addr int, push, take vgen.Signal) vgen.Signal {
	count := m.State("count", addr+1)
	taken := m.StateNext("taken_q", take)
	m.Next(count, AddCarry("next_count", count, taken.Repeat(addr+1), push))
	pair := vgen.Const(addr+1, 2)
	return count.Gt(pair).Or(count.Eq(pair).And(taken.Not())).Named("several")
}
