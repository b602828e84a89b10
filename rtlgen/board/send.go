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
	length := choose(c.answerEnd,
		choice{c.refused, constant(c.kb, 0)},
		choice{c.isHello, constant(c.kb, HelloBytes)}).Named("answer_length")
	kind := choose(constant(8, KindRunAnswer),
		choice{c.refused, vgen.Cat(constant(5, KindRefused>>3), c.reason)},
		choice{c.isHello, constant(8, KindHelloAnswer)})
	m.Assign(c.tx.Byte, choose(vgen.Mux(c.isHello, hello, c.answerByte),
		choice{c.sendStart.is, constant(8, FrameStart)},
		choice{c.sendLength0.is, length.Trunc(8)},
		choice{c.sendLength1.is, length.Slice(c.kb-1, 8).Zext(8)},
		choice{c.sendSequence.is, c.last},
		choice{c.sendKind.is, kind},
		choice{c.sendCheck.is, c.crc.Trunc(8).Not()}))

	c.sendStart.on(c.send, c.sendLength0)
	c.sendLength0.on(c.send, c.sendLength1)
	c.sendLength1.on(c.send, c.sendSequence)
	c.sendSequence.on(c.send, c.sendKind)
	c.sendKind.on(c.send.And(equals(length, 0)), c.sendCheck)
	c.sendKind.on(c.send, c.sendPayload)
	c.sendPayload.on(c.send.And(plus(c.ptr, 1).Eq(length.Zext(c.kb+1))), c.sendCheck)
	c.sendCheck.on(c.send.And(equals(c.bytes.Trunc(2), 0)), c.sendEnd)
	c.sendEnd.on(c.tx.Free.And(c.late), c.drain)
	c.sendEnd.on(c.tx.Free, c.listen)
	attentive := c.receiving().Or(inAny(c.listen, c.drain))
	m.Next(c.late, choose(c.late,
		choice{attentive, constant(1, 0)},
		choice{c.rx.Valid.Or(c.rx.Broken), constant(1, 1)}))

	m.Section("Check: CRC-32, a bit at a time as the bits come and go")
	m.Next(c.tail, choose(c.tail, choice{c.sendStart.is.Or(c.listen.is), constant(1, 0)}, choice{c.send.And(c.sendCheck.is), constant(1, 1)}))
	start := c.listen.is.Or(c.send.And(c.sendLength0.is)).Named("crc_start")
	step := c.tx.Bit.Or(c.receiving().And(c.rx.Bit)).Named("crc_step")
	bit := vgen.Mux(c.tx.Bit, c.tx.Value, c.rx.Value)
	feedback := bit.Xor(c.crc.Bit(0)).And(c.tail.Not()).Named("crc_feedback")
	stepped := c.crc.Shr(1).Xor(constant(32, crcPolynomial).And(feedback.Repeat(32)))
	m.Next(c.crc, choose(c.crc, choice{start, constant(32, 0xffffffff)}, choice{step, stepped}))
}

// counters gives the registers that several states use their next values.
func (c *core) counters() {
	m := c.m
	v := c.rx.Valid
	m.Next(c.ptr, choose(c.ptr,
		choice{anyOf(c.kind.is, c.verdict.is, c.sendKind.is), constant(c.kb+1, 0)},
		choice{anyOf(c.payload.is.And(v), c.decode.is, c.address.is, c.copyWrite.is, c.sendPayload.is.And(c.send)), plus(c.ptr, 1)}))
	m.Next(c.bytes, choose(c.bytes,
		choice{c.decode.is, c.requestByte.Trunc(6)},
		choice{c.kind.is.Or(c.sendKind.is), constant(6, CheckBytes-1)},
		choice{anyOf(c.copyWrite.is, c.check.is.And(v), c.sendCheck.is.And(c.send)), minusOne(c.bytes)}))

	low := c.requestByte
	var high vgen.Signal
	switch {
	case c.ib > 8:
		high = vgen.Cat(c.requestByte.Bit(6), constant(8, 0))
		low = vgen.Cat(c.idx.Bit(8), c.requestByte)
	default:
		high = constant(c.ib, 0)
		low = low.Trunc(c.ib)
	}
	next := anyOf(c.copyWrite.is,
		c.load.is.And(equals(c.idx, uint64(c.InBytes())).Not()),
		c.capture.is.Or(c.byteDone).And(equals(c.idx, uint64(c.OutBytes())).Not()))
	// Inputs and outputs begin with byte 0.
	start := anyOf(c.room.is, c.apply.is, c.scan.is.And(c.atEnd))
	m.Next(c.idx, choose(c.idx,
		choice{c.decode.is, high},
		choice{c.address.is, low},
		choice{start, constant(c.ib, 0)},
		choice{next, plus(c.idx, 1)}))
	m.Next(c.cycles, choose(c.cycles, choice{c.decode.is, c.requestByte.Trunc(7)}, choice{c.fall.is, minusOne(c.cycles)}))
	m.Next(c.wait, choose(minusOne(c.wait), choice{c.room.is.Or(c.apply.is), constant(3, settleCycles-1)}, choice{c.rise.is, constant(3, highCycles-1)}))
}

// settleCycles is the wait before the outputs are read, highCycles that before the clock of the design falls. With the
// states around them they make the distances of docs/board-link.md.
const (
	settleCycles = 8
	highCycles   = 2
)
