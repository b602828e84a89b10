package engine

// operation is what enters the pipeline; its payload stays where it is until then.
type operation struct {
	kind operationKind
	flow uint32 // of an event, a context write or read, and what clearing counts as
}

type operationKind int

const (
	noOperation operationKind = iota
	opEvent
	opRead
	opWrite
	opTable
	opSweep
)

// operate moves operations one step on: from their slices through the registers of the front to their issue. front[0]
// is the one next to the pipeline; the first register, the last of the list, has room for two.
func (f *frame) operate(now int64) {
	if f.timing.Front == 0 {
		if op := f.pick(now); op.kind != noOperation && f.mayIssue(now, op) {
			f.take(now, op)
			f.issue(now, op)
		}
		return
	}
	room := f.spare.kind == noOperation && f.resetAt != now-1
	first := len(f.front) - 1
	if op := f.front[0]; op.kind != noOperation && f.mayIssue(now, op) {
		f.issue(now, op)
		f.front[0] = operation{}
	}
	for i := range first {
		if f.front[i].kind == noOperation {
			f.front[i], f.front[i+1] = f.front[i+1], operation{}
		}
	}
	if f.front[first].kind == noOperation {
		f.front[first], f.spare = f.spare, operation{}
	}
	if !room {
		return
	}
	op := f.pick(now)
	switch {
	case op.kind == noOperation:
		return
	case f.front[first].kind == noOperation:
		f.front[first] = op
	default:
		f.spare = op
	}
	f.take(now, op)
}

// pick is the operation whose turn it is in cycle now, if there is one.
func (f *frame) pick(now int64) operation {
	switch {
	case f.swept < f.timing.Sweep && !f.timing.Slotted():
		// The clearing of an index counts as an operation of a flow.
		return operation{kind: opSweep, flow: uint32(f.swept) & f.masks.flow}
	case f.tw.ready(now):
		return operation{kind: opTable}
	case f.cw.ready(now):
		return operation{kind: opWrite, flow: f.cw.flow}
	case f.cr.ready(now) && !f.reading:
		return operation{kind: opRead, flow: f.cr.flow}
	case f.s.waiting() > 0 && f.credits > 0:
		return operation{kind: opEvent, flow: f.s.flow()}
	}
	return operation{}
}

// take takes an operation from its slice.
func (f *frame) take(now int64, op operation) {
	switch op.kind {
	case opSweep:
		f.swept++
	case opTable:
		f.tw.hold(forever)
	case opWrite:
		f.cw.hold(forever)
	case opRead:
		f.reading, f.cdAt = true, forever
		f.cr.hold(now + 1)
	case opEvent:
		f.s.take()
		if !f.timing.Slotted() {
			f.credits--
		}
	}
}

// mayIssue reports whether an operation may enter the pipeline.
func (f *frame) mayIssue(now int64, op operation) bool {
	if now-f.lastAt < int64(f.timing.Interval) {
		return false
	}
	switch op.kind {
	case opEvent, opRead, opWrite:
		last := f.flowAt[op.flow]
		return last <= f.resetAt || now-last > int64(f.timing.Hazard)
	}
	return true
}

// issue enters an operation. It acts on tables and contexts at once: operations take effect in the order of issue.
func (f *frame) issue(now int64, op operation) {
	latency := int64(f.timing.Latency)
	f.lastAt = now
	if op.kind != opTable {
		f.flowAt[op.flow] = now
	}
	switch op.kind {
	case opTable:
		f.do.table()
		f.tw.hold(now + latency + 1)
	case opWrite:
		f.do.write(op.flow)
		f.cw.hold(now + latency + 1)
	case opRead:
		if f.timing.Slotted() {
			f.asked = offer{true, now, now + int64(f.timing.HoldRead)}
			return
		}
		f.read(now, op.flow)
	case opEvent:
		if f.timing.Slotted() {
			f.offered = offer{true, now, now + int64(f.timing.Hold)}
			return
		}
		f.event(now)
	}
}

// transfer is what becomes, without slices, of the element that was issued last and is still at its port: one that is
// withdrawn has not been there, and one that is transferred acts. No other is issued in between.
func (f *frame) transfer(now int64, event, read bool) {
	if f.asked.open {
		f.reading = read
		f.asked.open = read && now < f.asked.to
		if read && now == f.asked.to {
			f.read(f.asked.from, f.cr.flow)
		}
	}
	if !f.offered.open {
		return
	}
	f.offered.open = event && now < f.offered.to
	if event && now == f.offered.to {
		f.credits--
		f.event(f.offered.from)
	}
}

// read is a context read that was issued in a cycle.
func (f *frame) read(issued int64, flow uint32) {
	f.do.read(flow)
	f.cdAt = issued + int64(f.timing.Latency) + 1
}

// event is the oldest event. It was issued in this cycle, or before it was transferred.
func (f *frame) event(issued int64) {
	status := f.do.event(issued, f.s.headers[f.s.first], f.s.first, f.results.next())
	f.results.put(flight{issued + int64(f.timing.Latency) + 1, status})
	f.s.pop()
}
