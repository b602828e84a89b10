package board

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// core is the link core under construction.
type core struct {
	Shape
	m  *vgen.Module
	f  *machine
	p  *corePorts
	rx *receiverPorts
	tx *transmitterPorts
	kb int // address bits of the frame buffers
	ib int // width of a byte address of a port, including the address after the last byte

	// States, in the order in which a request passes them.
	listen, length0, length1, sequence, kind, payload, check, verdict, drain *state
	fetch, fetchWait, decode, addressRead, addressWait, address              *state
	copyRead, copyWait, copyWrite                                            *state
	room, load, apply, settle, capture, compare, scan                        *state
	rise, high, fall, finish                                                 *state
	sendStart, sendLength0, sendLength1, sendSequence, sendKind, sendPayload *state
	sendCheck, sendEnd                                                       *state

	// Registers.
	ptr, length, request, last, answerEnd    vgen.Signal
	isHello, isRun, refused, reason          vgen.Signal
	session, answered, fresh, late           vgen.Signal
	crc, tail                                vgen.Signal
	idx, idx1, bytes, cycles, wait           vgen.Signal
	same, runLength, closing, dirty, scanned vgen.Signal
	requestByte, answerByte, mirrorByte      vgen.Signal // words of the memories, two cycles after their addresses
	outByte, changed, atEnd                  vgen.Signal // of the byte that is compared

	// Wires.
	greet, accept, repeat                     vgen.Signal // the outcome of a request
	writeCount, writeLow, writeRun, writeByte vgen.Signal // the write into the answer
	over, advance, current, byteDone, send    vgen.Signal
}

// Core generates the link core for a design of the given shape.
func Core(s Shape) (*vgen.Module, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("host link: %w", err)
	}
	m := vgen.NewModule("link_core", "Host link of a board: steps a design and tells what its outputs were")
	m.Doc(
		"A frame is taken into the request buffer; when its check is right, its operations are carried out and the answer",
		"is written into the answer buffer, from which it is sent, again and again if asked for. See docs/board-link.md.",
		"",
		fmt.Sprintf("%d bytes of input, %d of output; buffers of %d bytes; %d cycles of clk a bit.", s.InBytes(),
			s.OutBytes(), 1<<s.bufferBits(), s.Divisor))
	c := &core{Shape: s, m: m, f: &machine{m: m}, kb: s.bufferBits(), ib: bits.Len(uint(max(s.InBytes(), s.OutBytes())))}
	c.p = vgen.Ports[corePorts](m, vgen.Widths{"in": s.InBits, "out": s.OutBits})
	c.uart()
	c.registers()
	c.buffers()
	c.chain()
	c.frames()
	c.operations()
	c.outputs()
	c.transmission()
	m.Section("Counters")
	c.counters()
	m.Section("Transitions")
	c.f.close()
	m.Assign(c.p.Active, c.listen.is.Not())
	if err := vgen.Check(m); err != nil {
		return nil, err
	}
	return m, nil
}

func (c *core) uart() {
	m := c.m
	m.Section("Line")
	dw := max(1, bits.Len(uint(c.Divisor-1)))
	count := m.State("tick_count", dw)
	tick := count.Is(0).Named("tick")
	m.Next(count, vgen.Mux(tick, vgen.Const(dw, uint64(c.Divisor-1)), minusOne(count)))
	c.rx = vgen.Instantiate[receiverPorts](m, "u_receiver", receiver(c.Divisor, c.Idle))
	m.Assign(c.rx.Line, c.p.RX)
	m.Assign(c.rx.Tick, tick)
	c.tx = vgen.Instantiate[transmitterPorts](m, "u_transmitter", transmitter())
	m.Assign(c.tx.Tick, tick)
	m.Assign(c.p.TX, c.tx.Line)
}

// registers declares the registers that several sections share.
func (c *core) registers() {
	m, f := c.m, c.f
	m.Section("States and registers")
	for _, s := range []struct {
		at   **state
		name string
	}{
		{&c.listen, "listen"}, {&c.length0, "length0"}, {&c.length1, "length1"}, {&c.sequence, "sequence"}, {&c.kind, "kind"},
		{&c.payload, "payload"}, {&c.check, "check"}, {&c.verdict, "verdict"}, {&c.drain, "drain"},
		{&c.fetch, "fetch"}, {&c.fetchWait, "fetch_wait"}, {&c.decode, "decode"},
		{&c.addressRead, "address_read"}, {&c.addressWait, "address_wait"}, {&c.address, "address"},
		{&c.copyRead, "copy_read"}, {&c.copyWait, "copy_wait"}, {&c.copyWrite, "copy_write"},
		{&c.room, "room"}, {&c.load, "load"}, {&c.apply, "apply"}, {&c.settle, "settle"},
		{&c.capture, "capture"}, {&c.compare, "compare"}, {&c.scan, "scan"},
		{&c.rise, "rise"}, {&c.high, "high"}, {&c.fall, "fall"}, {&c.finish, "finish"},
		{&c.sendStart, "send_start"}, {&c.sendLength0, "send_length0"}, {&c.sendLength1, "send_length1"},
		{&c.sendSequence, "send_sequence"}, {&c.sendKind, "send_kind"}, {&c.sendPayload, "send_payload"},
		{&c.sendCheck, "send_check"}, {&c.sendEnd, "send_end"},
	} {
		*s.at = f.state(s.name)
	}
	control := func(name string, width int) vgen.Signal { return m.State(name, width) }
	c.ptr = m.Reg("ptr", c.kb+1)     // into the buffers
	c.length = m.Reg("length", c.kb) // of the request's payload
	c.request = m.Reg("request_sequence", 8)
	c.last = control("last_sequence", 8)    // of the last request carried out
	c.answerEnd = m.Reg("answer_end", c.kb) // bytes of the answer
	c.isHello = m.Reg("is_hello", 1)
	c.isRun = m.Reg("is_run", 1)
	c.refused = m.Reg("refused_q", 1)
	c.reason = m.Reg("reason_q", 3)
	c.session = control("session_q", 1)   // a hello has been received since reset
	c.answered = control("answered_q", 1) // the answer buffer holds that of the last sequence
	c.fresh = m.Reg("fresh_q", 1)         // no output has been sent to the host yet
	c.late = control("late_q", 1)         // something came while nobody listened
	c.crc = m.Reg("crc_q", 32)
	c.tail = m.Reg("crc_tail_q", 1) // the bits sent are those of the check
	c.idx = m.Reg("idx", c.ib)      // byte of the inputs or outputs
	c.bytes = m.Reg("bytes_left", 6)
	c.cycles = m.Reg("cycles_left", 7)
	c.wait = m.Reg("wait_count", 3)
	c.over = c.wait.Is(0).Named("wait_over")
	c.same = m.Reg("same_count", 7)        // cycles since the last change of an output, not reported yet
	c.runLength = control("run_length", 6) // bytes in the run that is being written
	c.closing = control("closing_q", 1)    // the address that ends the run has been written
	c.dirty = control("dirty_q", 1)        // inputs have been written and are not applied yet
	c.scanned = control("scanned_q", 1)    // the outputs of the cycle have been read
	c.advance = m.Wire("advance", 1)
	c.idx1 = m.RegNext("idx_d1", c.idx, vgen.Enable(c.advance))
	c.writeCount, c.writeLow = m.Wire("write_count", 1), m.Wire("write_address", 1)
	c.writeRun, c.writeByte = m.Wire("write_run", 1), m.Wire("write_byte", 1)
	c.send = m.Wire("send", 1)
	c.byteDone = m.Wire("byte_done", 1)
	c.outByte = m.Reg("out_byte", 8, vgen.Enable(c.compare.is))
	c.changed = m.Reg("changed_q", 1, vgen.Enable(c.compare.is))
	c.atEnd = m.Reg("all_compared", 1, vgen.Enable(c.compare.is))
	c.greet, c.accept, c.repeat = m.Wire("greet", 1), m.Wire("accept", 1), m.Wire("again", 1)
}

// buffers makes the memories: one for requests, one for answers, one for the next inputs and the outputs last sent to
// the host. Each has an output register, which a block memory may contain: without it a read takes most of a cycle.
func (c *core) buffers() {
	m := c.m
	m.Section("Memories")
	at := c.ptr.Trunc(c.kb)
	request := m.Memory("request_buffer", 1<<c.kb, 8, "payload of the request").NoCollision()
	request.Write(c.payload.is.And(c.rx.Valid), at, c.rx.Byte)
	c.requestByte = m.RegNext("request_byte", request.Read("request_word", at))

	answer := m.Memory("answer_buffer", 1<<c.kb, 8, "payload of the answer").NoCollision()
	data := vgen.FirstOf(c.outByte,
		vgen.When(c.writeCount, vgen.Cat(vgen.Const(1, 1), c.same)),
		vgen.When(c.writeLow, c.idx1.Zext(9).Trunc(8)),
		vgen.When(c.writeRun, vgen.Cat(vgen.Const(1, 0), c.idx1.Zext(9).Bit(8), c.runLength)))
	write := vgen.AnyOf(c.writeCount, c.writeLow, c.writeRun, c.writeByte).Named("answer_write")
	answer.Write(write, c.answerEnd, data)
	c.answerByte = m.RegNext("answer_byte", answer.Read("answer_word", at))
	m.Next(c.answerEnd, vgen.FirstOf(c.answerEnd,
		vgen.When(c.accept, vgen.Const(c.kb, 0)),
		vgen.When(write, c.answerEnd.Plus(1))))

	half := max(8, bits.Len(uint(max(c.InBytes(), c.OutBytes())-1)))
	mirror := m.Memory("mirror", 2<<half, 8, "lower half: inputs to be applied; upper half: outputs as told").NoCollision()
	place := func(half1, s vgen.Signal) vgen.Signal {
		if s.Width() >= half {
			s = s.Trunc(half)
		}
		return vgen.Cat(half1, s.Zext(half))
	}
	mirror.Write(c.copyWrite.is.Or(c.writeByte), place(c.scan.is, c.idx1), vgen.Mux(c.scan.is, c.outByte, c.requestByte))
	c.mirrorByte = m.RegNext("mirror_byte", mirror.Read("mirror_word", place(c.load.is.Not(), c.idx)))
}

// frames receives requests and checks them.
func (c *core) frames() {
	m := c.m
	m.Section("Requests")
	v, b := c.rx.Valid, c.rx.Byte
	m.Next(c.length, vgen.FirstOf(c.length,
		vgen.When(c.length0.is.And(v), vgen.Cat(c.length.Slice(c.kb-1, 8), b)),
		vgen.When(c.length1.is.And(v), vgen.Cat(b.Trunc(c.kb-8), c.length.Trunc(8)))))
	m.Next(c.request, vgen.Mux(c.sequence.is.And(v), b, c.request))
	m.Next(c.isHello, vgen.Mux(c.kind.is.And(v), b.Is(KindHello), c.isHello))
	m.Next(c.isRun, vgen.Mux(c.kind.is.And(v), b.Is(KindRun), c.isRun))

	right := c.crc.Is(checkResidue).Named("right")
	next := c.request.Eq(c.last.Plus(1)).Named("is_next")
	again := c.request.Eq(c.last).And(c.answered).Named("is_last")
	known := c.verdict.is.And(right).Named("known")
	m.Assign(c.greet, known.And(c.isHello))
	run := known.And(c.isRun).And(c.session).Named("is_session_run")
	m.Assign(c.accept, run.And(next))
	m.Assign(c.repeat, run.And(again))
	m.Next(c.last, vgen.Mux(c.greet.Or(c.accept), c.request, c.last))
	m.Next(c.session, c.session.Or(c.greet))
	m.Next(c.answered, vgen.FirstOf(c.answered, vgen.When(c.greet, vgen.Const(1, 0)),
		vgen.When(c.accept, vgen.Const(1, 1))))
	m.Next(c.fresh, vgen.FirstOf(c.fresh, vgen.When(c.greet, vgen.Const(1, 1)), vgen.When(c.rise.is, vgen.Const(1, 0))))

	// Any frame that is not a valid request is refused.
	fine := vgen.AnyOf(c.greet, c.accept, c.repeat).Named("fine")
	m.Next(c.refused, vgen.Mux(c.verdict.is, fine.Not(), c.refused.Or(c.drain.is).Or(c.receiving().And(c.rx.Quiet))))
	long := c.length1.is.And(v).And(b.Shr(c.kb - 8).AnyBit()).Named("too_long")
	m.Next(c.reason, vgen.FirstOf(c.reason,
		vgen.When(c.listen.is, vgen.Const(3, ReasonDamaged)),
		vgen.When(long, vgen.Const(3, ReasonLong)),
		vgen.When(c.verdict.is, vgen.FirstOf(vgen.Const(3, ReasonSequence),
			vgen.When(right.Not(), vgen.Const(3, ReasonDamaged)),
			vgen.When(c.isHello.Or(c.isRun).Not(), vgen.Const(3, ReasonKind)),
			vgen.When(c.session.Not(), vgen.Const(3, ReasonSession)))),
		vgen.When(c.sendEnd.is, vgen.Const(3, ReasonDamaged))))
	c.receive(v, b, long, right)
}

// receiving is 1 in the middle of a frame.
func (c *core) receiving() vgen.Signal {
	return inAny(c.length0, c.length1, c.sequence, c.kind, c.payload, c.check)
}

// receive makes the arcs of the states of reception.
func (c *core) receive(v, b, long, right vgen.Signal) {
	broken, quiet := c.rx.Broken, c.rx.Quiet
	c.listen.on(v.And(b.Is(FrameStart)), c.length0)
	c.listen.on(v.Or(broken), c.drain)
	for _, s := range []*state{c.length0, c.length1, c.sequence, c.kind, c.payload, c.check} {
		s.on(broken, c.drain)
		s.on(quiet, c.sendStart) // the rest of the frame is missing
	}
	c.length0.on(v, c.length1)
	c.length1.on(long, c.drain)
	c.length1.on(v, c.sequence)
	c.sequence.on(v, c.kind)
	empty := c.length.Is(0)
	c.kind.on(v.And(empty), c.check)
	c.kind.on(v, c.payload)
	c.payload.on(v.And(c.ptr.Plus(1).Eq(c.length.Zext(c.kb+1))), c.check)
	c.check.on(v.And(c.bytes.Trunc(2).Is(0)), c.verdict)
	c.verdict.on(right.Not(), c.drain)
	c.verdict.on(c.accept, c.fetch)
	c.verdict.then(c.sendStart)
	c.drain.on(quiet, c.sendStart)
}
