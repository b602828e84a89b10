package hpcc

// operation is what enters the pipeline; its payload stays where it is until then.
type operation struct {
	kind operationKind
	flow uint32 // of an ACK, a context write or read, and what clearing counts as
}

type operationKind int

const (
	noOperation operationKind = iota
	opAck
	opRead
	opWrite
	opTable
	opSweep
)

// operate moves operations one step on: from their slices through the registers of the front to their issue.
// front[0] is the one next to the pipeline; in the first register, the last of the list, two have room.
func (c *Clocked) operate(now int64) {
	if c.timing.Front == 0 {
		if op := c.pick(now); op.kind != noOperation && c.mayIssue(now, op) {
			c.take(now, op)
			c.issue(now, op)
		}
		return
	}
	room := c.spare.kind == noOperation && c.resetAt != now-1
	first := len(c.front) - 1
	if op := c.front[0]; op.kind != noOperation && c.mayIssue(now, op) {
		c.issue(now, op)
		c.front[0] = operation{}
	}
	for i := range first {
		if c.front[i].kind == noOperation {
			c.front[i], c.front[i+1] = c.front[i+1], operation{}
		}
	}
	if c.front[first].kind == noOperation {
		c.front[first], c.spare = c.spare, operation{}
	}
	if !room {
		return
	}
	op := c.pick(now)
	switch {
	case op.kind == noOperation:
		return
	case c.front[first].kind == noOperation:
		c.front[first] = op
	default:
		c.spare = op
	}
	c.take(now, op)
}

// pick is the operation whose turn it is in cycle now, if there is one.
func (c *Clocked) pick(now int64) operation {
	switch {
	case c.swept < c.timing.Sweep && !c.timing.Slotted():
		// The clearing of an index counts as an operation of a flow.
		return operation{kind: opSweep, flow: uint32(c.swept) & c.flowMask}
	case c.tw.ready(now):
		return operation{kind: opTable}
	case c.cw.ready(now):
		return operation{kind: opWrite, flow: c.cwData.Flow}
	case c.cr.ready(now) && !c.reading:
		return operation{kind: opRead, flow: c.crFlow}
	case c.s.waiting() > 0 && c.credits > 0:
		return operation{kind: opAck, flow: c.s.flow()}
	}
	return operation{}
}

// take takes an operation from its slice.
func (c *Clocked) take(now int64, op operation) {
	switch op.kind {
	case opSweep:
		c.swept++
	case opTable:
		c.tw.hold(forever)
	case opWrite:
		c.cw.hold(forever)
	case opRead:
		c.reading, c.cdAt = true, forever
		c.cr.hold(now + 1)
		if c.timing.Slotted() {
			c.cr.hold(now + 2) // its ready is a register
		}
	case opAck:
		c.s.take()
		c.heldS = now + int64(c.timing.Hold) + 1
		c.credits--
	}
}

// mayIssue tells whether an operation may enter the pipeline.
func (c *Clocked) mayIssue(now int64, op operation) bool {
	if now-c.lastAt < int64(c.timing.Interval) {
		return false
	}
	switch op.kind {
	case opAck, opRead, opWrite:
		last := c.flowAt[op.flow]
		return last <= c.resetAt || now-last > int64(c.timing.Hazard)
	}
	return true
}

// issue enters an operation. Its effect on tables and contexts is taken at once: operations take effect in
// the order of issue.
func (c *Clocked) issue(now int64, op operation) {
	latency := int64(c.timing.Latency)
	c.lastAt = now
	if op.kind != opTable {
		c.flowAt[op.flow] = now
	}
	switch op.kind {
	case opTable:
		c.model.WriteTable(c.twData)
		c.tw.hold(now + latency + 1)
	case opWrite:
		c.model.writeContext(&c.cwData)
		c.cw.hold(now + latency + 1)
	case opRead:
		c.cd = c.model.ReadContext(op.flow)
		c.cdAt = now + latency + 1
	case opAck:
		c.issueAck(now, c.s.front())
		c.s.pop()
	}
}
