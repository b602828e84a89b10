package board

import (
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// crcPolynomial is that of Ethernet, reflected.
const crcPolynomial = 0xedb88320

// transmission sends an answer, or a refusal, and computes the checks of both directions.
func (c *core) transmission() {
	m := c.m
	m.Section("Answers")
	sending := inAny(c.sendStart, c.sendLength0, c.sendLength1, c.sendSequence, c.sendKind, c.sendPayload, c.sendCheck)
	m.Assign(c.send, sending.And(c.tx.Free))
	m.Assign(c.tx.Load, c.send)

	hello := m.ROM("hello", 8, c.hello()).ReadAsync(c.ptr.Trunc(5))
	length := vgen.FirstOf(c.answerEnd,
		vgen.When(c.refused, vgen.Const(c.kb, 0)),
		vgen.When(c.isHello, vgen.Const(c.kb, HelloBytes))).Named("answer_length")
	kind := vgen.FirstOf(vgen.Const(8, KindRunAnswer),
		vgen.When(c.refused, vgen.Cat(vgen.Const(5, KindRefused>>3), c.reason)),
		vgen.When(c.isHello, vgen.Const(8, KindHelloAnswer)))
	m.Assign(c.tx.Byte, vgen.FirstOf(vgen.Mux(c.isHello, hello, c.answerByte),
		vgen.When(c.sendStart.is, vgen.Const(8, FrameStart)),
		vgen.When(c.sendLength0.is, length.Trunc(8)),
		vgen.When(c.sendLength1.is, length.Slice(c.kb-1, 8).Zext(8)),
		vgen.When(c.sendSequence.is, c.last),
		vgen.When(c.sendKind.is, kind),
		vgen.When(c.sendCheck.is, c.crc.Trunc(8).Not())))

	c.sendStart.on(c.send, c.sendLength0)
	c.sendLength0.on(c.send, c.sendLength1)
	c.sendLength1.on(c.send, c.sendSequence)
	c.sendSequence.on(c.send, c.sendKind)
	c.sendKind.on(c.send.And(length.Is(0)), c.sendCheck)
	c.sendKind.on(c.send, c.sendPayload)
	c.sendPayload.on(c.send.And(c.ptr.Plus(1).Eq(length.Zext(c.kb+1))), c.sendCheck)
	c.sendCheck.on(c.send.And(c.bytes.Trunc(2).Is(0)), c.sendEnd)
	c.sendEnd.on(c.tx.Free.And(c.late), c.drain)
	c.sendEnd.on(c.tx.Free, c.listen)
	attentive := c.receiving().Or(inAny(c.listen, c.drain))
	m.Next(c.late, vgen.FirstOf(c.late,
		vgen.When(attentive, vgen.Const(1, 0)),
		vgen.When(c.rx.Valid.Or(c.rx.Broken), vgen.Const(1, 1))))

	m.Section("Check: CRC-32, a bit at a time as the bits come and go")
	m.Next(c.tail, vgen.FirstOf(c.tail, vgen.When(c.sendStart.is.Or(c.listen.is), vgen.Const(1, 0)),
		vgen.When(c.send.And(c.sendCheck.is), vgen.Const(1, 1))))
	start := c.listen.is.Or(c.send.And(c.sendLength0.is)).Named("crc_start")
	step := c.tx.Bit.Or(c.receiving().And(c.rx.Bit)).Named("crc_step")
	bit := vgen.Mux(c.tx.Bit, c.tx.Value, c.rx.Value)
	feedback := bit.Xor(c.crc.Bit(0)).And(c.tail.Not()).Named("crc_feedback")
	stepped := c.crc.Shr(1).Xor(vgen.Const(32, crcPolynomial).And(feedback.Repeat(32)))
	m.Next(c.crc, vgen.FirstOf(c.crc, vgen.When(start, vgen.Const(32, 0xffffffff)), vgen.When(step, stepped)))
}

// counters sets the next values of the registers that several states use.
func (c *core) counters() {
	m := c.m
	v := c.rx.Valid
	m.Next(c.ptr, vgen.FirstOf(c.ptr,
		vgen.When(vgen.AnyOf(c.kind.is, c.verdict.is, c.sendKind.is), vgen.Const(c.kb+1, 0)),
		vgen.When(vgen.AnyOf(c.payload.is.And(v), c.decode.is, c.address.is, c.copyWrite.is,
			c.sendPayload.is.And(c.send)), c.ptr.Plus(1))))
	m.Next(c.bytes, vgen.FirstOf(c.bytes,
		vgen.When(c.decode.is, c.requestByte.Trunc(6)),
		vgen.When(c.kind.is.Or(c.sendKind.is), vgen.Const(6, CheckBytes-1)),
		vgen.When(vgen.AnyOf(c.copyWrite.is, c.check.is.And(v), c.sendCheck.is.And(c.send)), minusOne(c.bytes))))

	low := c.requestByte
	var high vgen.Signal
	switch {
	case c.ib > 8:
		high = vgen.Cat(c.requestByte.Bit(6), vgen.Const(8, 0))
		low = vgen.Cat(c.idx.Bit(8), c.requestByte)
	default:
		high = vgen.Const(c.ib, 0)
		low = low.Trunc(c.ib)
	}
	next := vgen.AnyOf(c.copyWrite.is,
		c.load.is.And(c.idx.Is(uint64(c.InBytes())).Not()),
		c.capture.is.Or(c.byteDone).And(c.idx.Is(uint64(c.OutBytes())).Not()))
	// Inputs and outputs begin with byte 0.
	start := vgen.AnyOf(c.room.is, c.apply.is, c.scan.is.And(c.atEnd))
	m.Next(c.idx, vgen.FirstOf(c.idx,
		vgen.When(c.decode.is, high),
		vgen.When(c.address.is, low),
		vgen.When(start, vgen.Const(c.ib, 0)),
		vgen.When(next, c.idx.Plus(1))))
	m.Next(c.cycles, vgen.FirstOf(c.cycles, vgen.When(c.decode.is, c.requestByte.Trunc(7)),
		vgen.When(c.fall.is, minusOne(c.cycles))))
	m.Next(c.wait, vgen.FirstOf(minusOne(c.wait), vgen.When(c.room.is.Or(c.apply.is), vgen.Const(3, settleCycles-1)),
		vgen.When(c.rise.is, vgen.Const(3, highCycles-1))))
}

// settleCycles is the wait before the outputs are read, highCycles that before the clock of the design falls. With the
// states around them they make the distances of docs/board-link.md.
const (
	settleCycles = 8
	highCycles   = 2
)
