package lib

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// StorePorts are the ports of a Store.
type StorePorts struct {
	Push vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a word is stored; there is room for it"`
	Data vgen.Signal `port:"s_data" dir:"in" width:"w" doc:"word stored"`
	Some vgen.Signal `port:"m_some" dir:"out" width:"1" doc:"a word is present (registered)"`
	Top  vgen.Signal `port:"m_top" dir:"out" width:"top" doc:"upper bit of the oldest word; valid with m_some"`
	Take vgen.Signal `port:"m_take" dir:"in" width:"1" doc:"the oldest word is taken; only with m_some"`
	Out  vgen.Signal `port:"m_data" dir:"out" width:"w" doc:"word taken two cycles ago (registered)"`
}

// Store is a FIFO that is read by those who need not wait: a word taken is at the output two cycles later, whatever
// happens meanwhile. So its memory has an output register, and no logic that decides about taking a word looks
// at the memory. depth is a power of two. A word stored in one cycle is there in the next.
func Store(depth, width int) *vgen.Module {
	m, _ := newStore("store", depth, width, 0)
	return m
}

// TopStore is a Store that shows the upper bit of its oldest word: it is kept a second time, in a memory that is read
// within the cycle. A word has two bits or more.
func TopStore(depth, width int) *vgen.Module {
	m, p := newStore("top_store", depth, width, 1)
	// Its pointers count down, so that they are not those of the other memory, which may be far away.
	down := func(name string, when vgen.Signal) vgen.Signal {
		ptr := m.State(name, p.addr.Int()).Sized(p.addr)
		m.Next(ptr, vgen.Mux(when, ptr.Sub(ptr.Like(1)), ptr))
		return ptr
	}
	tops := m.Memory("tops", depth, 1, "their upper bits, from the end").Sized(p.words, vgen.Size{}).NoCollision()
	tops.Write(p.Push, down("write_top", p.Push), p.Data.Top())
	m.Assign(p.Top, tops.ReadAsync(down("read_top", p.Take)).Named("top_word"))
	return m
}

// storeParts are a store's ports, and its sizes.
type storeParts struct {
	*StorePorts
	words, addr vgen.Size
}

func newStore(name string, depth, width, top int) (*vgen.Module, storeParts) {
	m := vgen.NewModule(name, "FIFO; each word is at the output two cycles after it is stored")
	words, wide, addr := fifoSizes(m, depth, 1+top, width)
	m.SetTiming(3, 1)
	p := vgen.Ports[StorePorts](m, vgen.Widths{"w": width, "top": top})
	p.Data.Sized(wide)
	p.Out.Sized(wide)
	head := m.State("write_ptr", addr.Int()).Sized(addr)
	m.Next(head, vgen.Mux(p.Push, head.Plus(1), head))
	tail := m.State("read_ptr", addr.Int()).Sized(addr)
	m.Next(tail, vgen.Mux(p.Take, tail.Plus(1), tail))

	several := severalWords(m, addr, p.Push, p.Take)
	some := m.State("some_q", 1)
	m.Next(some, p.Push.Or(several).Or(some.And(p.Take.Not())))
	m.Assign(p.Some, some)

	// The word written is not read before it is there.
	mem := m.Memory("words", depth, width, "words stored").Sized(words, wide).NoCollision()
	mem.Write(p.Push, head, p.Data)
	m.Assign(p.Out, m.RegNext("data_q", mem.Read("word_q", tail)))
	return m, storeParts{p, words, addr}
}

// severalWords tells, of a FIFO with so many bits of address, that a word is left when one is taken. So that this is
// known beforehand, a word taken is in the count for one more cycle.
func severalWords(m *vgen.Module, addr vgen.Size, push, take vgen.Signal) vgen.Signal {
	bits := addr.Plus(1)
	count := m.State("count", bits.Int()).Sized(bits)
	taken := m.StateNext("taken_q", take)
	m.Next(count, AddCarry("next_count", count, taken.Repeat(bits.Int()).Sized(bits), push))
	return count.Gt(count.Like(2)).Or(count.Is(2).And(taken.Not())).Named("several")
}
