package board

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// operations reads the operations of a run. A memory read takes two cycles; some states only wait for it.
func (c *core) operations() {
	c.m.Section("Operations")
	q := c.requestByte
	c.fetch.on(c.ptr.Ge(c.length.Zext(c.kb+1)).Named("at_end"), c.finish)
	c.fetch.then(c.fetchWait)
	c.fetchWait.then(c.decode)
	c.decode.on(q.Bit(7).Not(), c.addressRead)
	c.decode.on(q.Trunc(7).Is(0), c.fetch)
	c.decode.then(c.room)
	c.addressRead.then(c.addressWait)
	c.addressWait.then(c.address)
	c.address.on(c.bytes.Is(0), c.fetch)
	c.address.then(c.copyRead)
	c.copyRead.then(c.copyWait)
	c.copyWait.then(c.copyWrite)
	c.copyWrite.on(c.bytes.Is(1), c.fetch)
	c.copyWrite.then(c.copyRead)
}

// chain makes the shift register between the link core and the design. It holds the inputs, loaded byte by byte from
// the mirror. Between the sampling of the outputs and the clock edge it holds the outputs, which are shifted out byte
// by byte: the design's clock is stopped, and the inputs are restored before its next edge. Inputs and outputs thus
// share their flip-flops, and neither a decoder nor a multiplexer is needed.
//
// A register enables shifting a cycle ahead, since the enable fans out to as many flip-flops as the ports have bits.
func (c *core) chain() {
	m := c.m
	m.Section("Inputs and outputs of the design")
	last := c.idx.Is(uint64(c.InBytes())).Named("all_loaded")
	reading := m.StateNext("load_d1", c.load.is.And(last.Not()))
	c.load.on(last.And(reading.Not()), c.apply)
	c.apply.then(c.settle)

	capturing := c.settle.is.And(c.over).And(c.scanned.Not()).Named("capture_next")
	moves := m.StateNext("chain_moves", vgen.AnyOf(capturing, reading, c.capture.is, c.byteDone))
	in, out, all := 8*c.InBytes(), 8*c.OutBytes(), 8*max(c.InBytes(), c.OutBytes())
	chain := m.Reg("chain", all, vgen.Enable(moves))
	// Each byte gets the one above it; the inputs come in where they end, and above are outputs only.
	var down vgen.Signal
	if in == all {
		down = vgen.Cat(c.mirrorByte, chain).Named("chain_above").Slice(all+7, 8)
	} else {
		loading := m.RegNext("load_d2", reading) // mirror_byte is the word
		enters := vgen.Mux(loading, c.mirrorByte, chain.Slice(in+7, in))
		down = vgen.Cat(
			vgen.Cat(vgen.Const(8, 0), chain).Named("outputs_above").Slice(all+7, in+8),
			vgen.Cat(enters, chain.Trunc(in)).Named("inputs_above").Slice(in+7, 8))
	}
	taken := vgen.Mux(c.capture.is, c.p.Out.Zext(out), down.Trunc(out))
	if out < all {
		taken = vgen.Cat(down.Slice(all-1, out), taken)
	}
	m.Next(chain, taken)
	c.current = chain.Trunc(8)
	m.Assign(c.p.In, chain.Trunc(c.InBits))
	// The reset keeps still while other bits pass: it may be asynchronous.
	reset := m.Reg("dut_rst_q", 1, vgen.Reset(1), vgen.Control())
	m.Next(reset, vgen.Mux(c.apply.is, chain.Bit(0), reset))
	m.Assign(c.p.Reset, reset)
	m.Next(c.dirty, vgen.Mux(c.copyWrite.is, vgen.Const(1, 1), c.dirty.And(c.apply.is.Not())))
}

// outputs compares the outputs with those of the cycle before, and writes the differences into the answer. A byte takes
// at least two cycles: in the first it is compared and shifted out of the chain, in the second its handling is decided.
func (c *core) outputs() {
	m := c.m
	m.Section("What has changed")
	behind := c.idx1.Is(uint64(c.OutBytes())).Named("behind_last")
	m.Next(c.atEnd, behind)
	m.Next(c.changed, behind.Not().And(c.fresh.Or(c.current.Ne(c.mirrorByte))))
	m.Next(c.outByte, c.current)
	some := c.same.AnyBit().Named("some_count")
	inRun := c.runLength.AnyBit().Named("in_run")

	// In this order: the cycles that went before, the end of a run in two bytes, a byte.
	count := c.scan.is.And(c.changed).And(some).Named("count_first")
	rest := c.scan.is.And(count.Not())
	ends := rest.And(inRun).And(c.changed.Not().Or(c.runLength.AllBits())).Named("run_ends")
	m.Assign(c.byteDone, rest.And(ends.Not()))
	roomLeft := c.answerEnd.Le(vgen.Const(c.kb, uint64(c.MaxPayload()-c.worst()))).Named("room_left")
	many := c.room.is.And(roomLeft).And(c.same.AllBits()).Named("count_full")
	m.Assign(c.writeCount, vgen.AnyOf(count, many, c.finish.is.And(some)))
	m.Assign(c.writeLow, ends.And(c.closing.Not()))
	m.Assign(c.writeRun, ends.And(c.closing))
	m.Assign(c.writeByte, c.byteDone.And(c.changed))
	m.Assign(c.advance, inAny(c.compare, c.scan).Not().Or(c.byteDone))
	m.Next(c.closing, vgen.FirstOf(c.closing, vgen.When(c.writeLow, vgen.Const(1, 1)),
		vgen.When(c.writeRun, vgen.Const(1, 0))))
	m.Next(c.runLength, vgen.FirstOf(c.runLength, vgen.When(c.writeRun, vgen.Const(6, 0)),
		vgen.When(c.writeByte, c.runLength.Plus(1))))
	m.Next(c.same, vgen.FirstOf(c.same, vgen.When(c.writeCount.Or(c.accept), vgen.Const(7, 0)),
		vgen.When(c.fall.is, c.same.Plus(1))))

	m.Section("Clock of the design")
	clock := m.State("dut_clk_q", 1)
	m.Next(clock, vgen.FirstOf(clock, vgen.When(c.rise.is, vgen.Const(1, 1)), vgen.When(c.fall.is, vgen.Const(1, 0))))
	m.Assign(c.p.Clock, clock)
	m.Next(c.scanned, vgen.Mux(c.scan.is, vgen.Const(1, 1), c.scanned.And(c.rise.is.Not())))
	c.room.on(roomLeft.Not(), c.finish)
	c.room.on(many, c.room)
	c.room.on(c.dirty, c.load)
	c.room.then(c.settle)
	c.settle.on(c.over.And(c.scanned), c.rise)
	c.settle.on(c.over, c.capture)
	c.capture.then(c.compare)
	c.compare.then(c.scan)
	c.scan.on(c.byteDone.And(c.atEnd), c.load)
	c.scan.on(c.byteDone, c.compare)
	c.rise.then(c.high)
	c.high.on(c.over, c.fall)
	c.fall.on(c.cycles.Is(1), c.fetch)
	c.fall.then(c.room)
	c.finish.then(c.sendStart)
}
