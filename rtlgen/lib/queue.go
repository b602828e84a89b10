package lib

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// QueuePorts are the ports of a Queue.
type QueuePorts struct {
	Push     vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a word is stored; there is room for it"`
	Data     vgen.Signal `port:"s_data" dir:"in" width:"w" doc:"word stored"`
	OutValid vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"a word is offered (registered)"`
	OutReady vgen.Signal `port:"m_ready" dir:"in" width:"1" role:"ready" doc:"the word offered is taken"`
	OutData  vgen.Signal `port:"m_data" dir:"out" width:"w" doc:"word offered, stable until taken (registered)"`
}

// Queue is a FIFO for those who know by other means that there is room: a word that meets an empty one is offered two
// cycles after it was stored. Between m_ready and the registers there is one gate, as a register holds whether another
// word is there. depth is a power of two; the word offered does not count.
func Queue(depth, width int) *vgen.Module {
	m := vgen.NewModule("queue", "FIFO with an output register")
	words, wide, addr := fifoSizes(m, depth, 1, width)
	m.SetTiming(2, 1)
	p := vgen.Ports[QueuePorts](m, vgen.Widths{"w": width})
	p.Data.Sized(wide)
	p.OutData.Sized(wide)
	valid := m.State("valid_q", 1)
	some := m.State("some_q", 1)
	load := some.And(valid.Not().Or(p.OutReady)).Named("load")
	m.Next(valid, load.Or(valid.And(p.OutReady.Not())))
	m.Assign(p.OutValid, valid)

	head := m.State("write_ptr", addr.Int()).Sized(addr)
	m.Next(head, vgen.Mux(p.Push, head.Plus(1), head))
	tail := m.State("read_ptr", addr.Int()).Sized(addr)
	m.Next(tail, vgen.Mux(load, tail.Plus(1), tail))

	several := severalWords(m, addr, p.Push, load)
	m.Next(some, p.Push.Or(several).Or(some.And(load.Not())))

	mem := m.Memory("words", depth, width, "words stored").Sized(words, wide).NoCollision()
	mem.Write(p.Push, head, p.Data)
	m.Assign(p.OutData, mem.ReadEn("data_q", tail, load))
	return m
}
