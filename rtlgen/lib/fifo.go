package lib

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// CreditFIFOPorts are the ports of a credit-controlled FIFO.
type CreditFIFOPorts struct {
	Push     vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a word is stored; only with a credit taken for it before"`
	Data     vgen.Signal `port:"s_data" dir:"in" width:"w" doc:"word stored"`
	Take     vgen.Signal `port:"credit_take" dir:"in" width:"1" role:"valid" doc:"a credit is taken for a word to come"`
	Credit   vgen.Signal `port:"credit" dir:"out" width:"1" role:"ready" doc:"a credit is left"`
	OutValid vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"a word is offered"`
	OutReady vgen.Signal `port:"m_ready" dir:"in" width:"1" role:"ready" doc:"the word offered is taken"`
	OutData  vgen.Signal `port:"m_data" dir:"out" width:"w" doc:"word offered, stable until taken"`
}

// CreditFIFO ends a pipeline that cannot stop: who sends an item into the pipeline takes a credit
// first, and the credit returns when the item's word leaves the FIFO. depth, a power of two, is the
// number of credits and of words. A word that meets an empty FIFO is offered two cycles after its
// push.
func CreditFIFO(depth, width int) *vgen.Module {
	return creditFIFO("credit_fifo", depth, width, false)
}

// FastCreditFIFO is CreditFIFO for a clock near the limit of block memories, whose clock-to-output delay takes
// most of a cycle: the word read passes a register before it is offered, a cycle later.
func FastCreditFIFO(depth, width int) *vgen.Module {
	return creditFIFO("fast_credit_fifo", depth, width, true)
}

func creditFIFO(name string, depth, width int, fast bool) *vgen.Module {
	m := vgen.NewModule(name, "Output FIFO of a pipeline that cannot stall, with its credits")
	words, wide, addr := fifoSizes(m, depth, 1, width)
	p := vgen.Ports[CreditFIFOPorts](m, vgen.Widths{"w": width})
	p.Data.Sized(wide)
	p.OutData.Sized(wide)
	count := addr.Plus(1)

	head := m.State("write_ptr", count.Int()).Sized(count)
	places := count // of the read pointer: it tells a full FIFO from an empty one
	if fast {
		places = addr // second_ptr does
	}
	tail := m.State("read_ptr", places.Int()).Sized(places)
	valid := m.State("valid_q", 1)
	some := m.State("not_empty", 1) // head differs from tail

	// A register takes a word when it is empty or gives its own away; that of the memory is the first.
	room, kept := valid.Not().Or(p.OutReady), valid.And(p.OutReady.Not())
	first := valid
	var full, offered vgen.Signal
	if fast {
		// Whether both registers hold a word is one too: load has a fan-out that leaves time for one gate.
		first = m.State("read_valid", 1)
		full = m.State("both_valid", 1)
		kept = kept.Named("waits")
		offered = first.Or(kept).Named("offered")
		m.Next(valid, offered)
		room, kept = full.Not().Or(p.OutReady), first.And(kept)
	}
	load := some.And(room).Named("load")
	// The word after that at tail: its address, and whether there is one.
	var second, left vgen.Signal
	next, oldest := tail.Plus(1), tail
	if fast {
		second = m.Reg("second_ptr", count.Int(), vgen.Reset(1), vgen.Control()).Sized(count)
		next, left = second.Trunc(addr.Int()).Sized(addr), some.And(head.Ne(second).Or(load.Not()))
	} else {
		oldest = tail.Trunc(addr.Int()).Sized(addr)
		left = vgen.Mux(load, head.Ne(tail.Plus(1).Named("second")), head.Ne(tail))
	}
	m.Next(some, p.Push.Or(left))
	m.Next(head, vgen.Mux(p.Push, head.Plus(1), head))
	m.Next(tail, vgen.Mux(load, next, tail))
	if fast {
		m.Next(second, vgen.Mux(load, second.Plus(1), second))
	}
	filled := load.Or(kept)
	if fast {
		filled = filled.Named("filled")
		m.Next(full, filled.And(offered))
	}
	m.Next(first, filled)

	// Equal addresses mean an empty FIFO, which is not read, or a full one, which is not written.
	mem := m.Memory("words", depth, width, "words stored").Sized(words, wide).NoCollision()
	mem.Write(p.Push, head.Trunc(addr.Int()).Sized(addr), p.Data)
	var data vgen.Signal
	if fast {
		data = m.RegNext("data_q", mem.ReadEn("word_q", oldest, load), vgen.Enable(valid.Not().Or(p.OutReady)))
		m.SetTiming(3, 1)
	} else {
		data = mem.ReadEn("data_q", oldest, load)
		m.SetTiming(2, 1)
	}
	m.Assign(p.OutData, data)
	m.Assign(p.OutValid, valid)

	// credits_taken counts up to depth, at which its top bit is set.
	taken := m.State("credits_taken", count.Int()).Sized(count)
	back := valid.And(p.OutReady).Named("credit_back")
	changed := vgen.Mux(p.Take, taken.Plus(1), taken.Sub(taken.Like(1))).Named("credits_changed")
	m.Next(taken, vgen.Mux(p.Take.Eq(back), taken, changed))
	m.Assign(p.Credit, taken.Top().Not())
	return m
}

// fifoSizes gives a FIFO its parameters: the number of words, a power of two, and their width; addr is the bits of an
// address.
func fifoSizes(m *vgen.Module, depth, least, width int) (words, wide, addr vgen.Size) {
	words = m.Parameter("DEPTH", depth, 2, "number of words, a power of two")
	wide = m.Parameter("WIDTH", width, least, "bits of a word")
	return words, wide, m.Local("ADDR_BITS", words.Log2(), "bits of an address")
}
