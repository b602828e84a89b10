package transit

// editor are the registers A and B, and what waits for m_axis: register C, or a queue.
type editor[F any] struct {
	a, b  register[F]
	cFull bool
	c     outBeat

	// Of an editor that never stops: beats taken that have come to A, those taken for which there is no room yet again,
	// and what waits for m_axis.
	entered uint64
	inside  int
	gone    []int // sent or absorbed, by cycle modulo the length, after which there is room again
	stops   bool
	queue   outQueue
}

// register is register A or B. It holds its beat for as long as m_axis stops it, in which time any number of dropped
// packets may pass.
type register[F any] struct {
	full   bool
	beat   heldBeat
	packet *Flight[F]
}

// outBeat is a beat that leaves.
type outBeat struct {
	beat   Beat
	port   int
	status uint8
}

func (e *editor[F]) init(room, gone int) {
	e.stops, e.gone = room == 0, make([]int, gone)
	e.queue.init(room)
}

func (e *editor[F]) clear() {
	e.queue.clear()
	clear(e.gone)
	*e = editor[F]{stops: e.stops, gone: e.gone, queue: e.queue}
}

// shown is what m_axis shows in a cycle.
func (e *editor[F]) shown(now int64) (bool, *outBeat) {
	if e.stops {
		return e.cFull, &e.c
	}
	return e.queue.first(now)
}

// edit is, in one cycle, an editor that m_axis stops: registers A, B and C, of which C is m_axis.
func (m *Frame[F]) edit(now int64, ready bool) {
	e := &m.editor
	if ready {
		e.cFull = false
	}
	if e.mayLeave() && !e.cFull {
		e.cFull = true
		last := m.emit(&e.c)
		e.a.full = e.a.full && (e.b.beat.last || !last) // else absorbed
		e.b.full = e.b.beat.last && !last               // the bytes by which a packet has grown are still to leave
	}
	if e.a.full && !e.b.full {
		e.b, e.a.full = e.a, false
	}
	if !e.a.full && m.offered(now) {
		e.a = m.enter(m.taken)
		m.take(now)
	}
}

// offered reports whether the next beat can be taken in this cycle: a packet's first with its decision only.
func (m *Frame[F]) offered(now int64) bool {
	if m.taken == m.accepted {
		return false
	}
	b := m.beat(m.taken)
	return now >= b.at+int64(m.cfg.Offer) && (!b.first || b.packet < m.decided())
}

// take takes the next beat.
func (m *Frame[F]) take(now int64) {
	m.beat(m.taken).taken = now
	m.taken++
}

// enter is register A with the beat of a number; it stays empty if the packet is dropped.
func (m *Frame[F]) enter(n uint64) register[F] {
	b := *m.beat(n)
	f := m.flight(b.packet)
	return register[F]{!f.Drop, b, f}
}

// mayLeave reports whether the beat in B can leave: a packet that shrinks needs the beat after it, too.
func (e *editor[F]) mayLeave() bool {
	return e.b.full && (e.a.full || e.b.beat.last || e.b.packet.Grow >= 0)
}

// emit puts what leaves with B into c, and reports whether it is the packet's last beat. When it is, and B is not the
// last that came, the beat in A is absorbed.
func (m *Frame[F]) emit(c *outBeat) (last bool) {
	a, b := &m.editor.a, &m.editor.b
	f := b.packet
	c.port, c.status = f.Meta.EgressPort, f.Status
	n := m.cfg.BeatBytes
	if b.beat.last || f.Grow < 0 && a.full && a.beat.last {
		left := len(f.Bytes) + f.Grow - f.left
		last = left <= n
		n = min(n, left)
	}
	c.beat.Len, c.beat.Last = n, last
	m.fill(c.beat.Data[:n], f, f.left)
	f.left += n
	return last
}
