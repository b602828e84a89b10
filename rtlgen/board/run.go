package board

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// operations reads the operations of a run. A memory's answer takes a cycle; the states that only wait are for that.
func (c *core) operations() {
	c.m.Section("Operations")
	q := c.requestByte
	c.fetch.on(c.ptr.Ge(c.length.Zext(c.kb+1)).Named("at_end"), c.finish)
	c.fetch.then(c.decode)
	c.decode.on(q.Bit(7).Not(), c.addressRead)
	c.decode.on(equals(q.Trunc(7), 0), c.fetch)
	c.decode.then(c.room)
	c.addressRead.then(c.address)
	c.address.on(equals(c.bytes, 0), c.fetch)
	c.address.then(c.copyWait)
	c.copyWait.then(c.copyWrite)
	c.copyWrite.on(equals(c.bytes, 1), c.fetch)
	c.copyWrite.then(c.copyWait)
}

// chain makes the shift register between the link core and the design. It holds the inputs, byte by byte from the mirror;
// between the reading of the outputs and the edge it holds the outputs, which leave it byte by byte too: the
// design's clock stands, and the inputs are put back before it moves. So the flip-flops of the inputs are also those of
// the outputs, and there is neither a decoder nor a multiplexer.
func (c *core) chain() {
	m := c.m
	m.Section("Inputs and outputs of the design")
	last := equals(c.idx, uint64(c.InBytes())).Named("all_loaded")
	loading := m.RegNext("load_d1", c.load.is.And(last.Not()), vgen.Reset(0), vgen.Control())
	c.load.on(last.And(loading.Not()), c.apply)
	c.apply.then(c.settle)

	n := max(c.InBytes(), c.OutBytes())
	chain := m.Reg("chain", 8*n, vgen.Enable(anyOf(c.capture.is, loading, c.scan.is.And(c.advance)).Named("chain_moves")))
	bytes := make([]vgen.Signal, n)
	out := c.p.Out
	if pad := 8*c.OutBytes() - c.OutBits; pad > 0 {
		out = out.Zext(8 * c.OutBytes())
	}
	for i := range bytes {
		above := constant(8, 0)
		if i < n-1 {
			above = chain.Slice(8*i+15, 8*i+8)
		}
		switch {
		case i == c.InBytes()-1 && i == n-1:
			above = c.mirrorByte
		case i == c.InBytes()-1:
			above = vgen.Mux(loading, c.mirrorByte, above)
		}
		if i < c.OutBytes() {
			above = vgen.Mux(c.capture.is, out.Slice(8*i+7, 8*i), above)
		}
		bytes[n-1-i] = above
	}
	m.Next(chain, vgen.Cat(bytes...))
	c.current = chain.Trunc(8)
	m.Assign(c.p.In, chain.Trunc(c.InBits))
	// The reset keeps still while other bits pass: it may be asynchronous.
	reset := m.Reg("dut_rst_q", 1, vgen.Reset(1), vgen.Control())
	m.Next(reset, vgen.Mux(c.apply.is, chain.Bit(0), reset))
	m.Assign(c.p.Reset, reset)
	m.Next(c.dirty, vgen.Mux(c.copyWrite.is, constant(1, 1), c.dirty.And(c.apply.is.Not())))
}

// outputs compares the outputs with those of the cycle before, and writes what differs into the answer.
func (c *core) outputs() {
	m := c.m
	m.Section("What has changed")
	atEnd := equals(c.idx1, uint64(c.OutBytes())).Named("all_compared")
	changed := atEnd.Not().And(c.fresh.Or(c.current.Ne(c.mirrorByte))).Named("changed")
	some := c.same.AnyBit().Named("some_count")
	inRun := c.runLength.AnyBit().Named("in_run")

	// In this order: the cycles that went before, the end of a run in two bytes, a byte.
	count := c.scan.is.And(changed).And(some).Named("count_first")
	rest := c.scan.is.And(count.Not())
	ends := rest.And(inRun).And(changed.Not().Or(c.runLength.AllBits())).Named("run_ends")
	more := rest.And(ends.Not()).Named("byte_done")
	roomLeft := c.answerEnd.Le(constant(c.kb, uint64(c.MaxPayload()-c.worst()))).Named("room_left")
	many := c.room.is.And(roomLeft).And(c.same.AllBits()).Named("count_full")
	m.Assign(c.writeCount, anyOf(count, many, c.finish.is.And(some)))
	m.Assign(c.writeLow, ends.And(c.closing.Not()))
	m.Assign(c.writeRun, ends.And(c.closing))
	m.Assign(c.writeByte, more.And(changed))
	m.Assign(c.advance, c.scan.is.Not().Or(more))
	m.Next(c.closing, choose(c.closing, choice{c.writeLow, constant(1, 1)}, choice{c.writeRun, constant(1, 0)}))
	m.Next(c.runLength, choose(c.runLength, choice{c.writeRun, constant(6, 0)}, choice{c.writeByte, plus(c.runLength, 1)}))
	m.Next(c.same, choose(c.same, choice{c.writeCount.Or(c.accept), constant(7, 0)}, choice{c.fall.is, plus(c.same, 1)}))

	m.Section("Clock of the design")
	clock := m.Reg("dut_clk_q", 1, vgen.Reset(0), vgen.Control())
	m.Next(clock, choose(clock, choice{c.rise.is, constant(1, 1)}, choice{c.fall.is, constant(1, 0)}))
	m.Assign(c.p.Clock, clock)
	m.Next(c.scanned, vgen.Mux(c.scan.is, constant(1, 1), c.scanned.And(c.rise.is.Not())))
	over := equals(c.wait, 0).Named("wait_over")
	c.room.on(roomLeft.Not(), c.finish)
	c.room.on(many, c.room)
	c.room.on(c.dirty, c.load)
	c.room.then(c.settle)
	c.settle.on(over.And(c.scanned), c.rise)
	c.settle.on(over, c.capture)
	c.capture.then(c.scan)
	c.scan.on(more.And(atEnd), c.load)
	c.rise.then(c.high)
	c.high.on(over, c.fall)
	c.fall.on(equals(c.cycles, 1), c.fetch)
	c.fall.then(c.room)
	c.finish.then(c.sendStart)
}
