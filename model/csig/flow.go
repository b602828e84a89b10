package csig

// flow is an editor that never stops in one cycle: a beat taken comes to A after a fixed time, and leaves B for the queue in front of m_axis. sent
// tells that m_axis sends a beat in this cycle.
func (m *Clocked) flow(now int64, sent bool) {
	room := m.inside < m.timing.Room
	m.inside -= m.gone
	m.gone = 0
	if sent {
		m.queue.pop()
		m.gone++
	}
	var a *heldBeat
	if m.entered != m.taken {
		if next := m.beat(m.entered); next.taken+enterDelay == now {
			a = next
		}
	}
	absorbed := false
	if m.bFull {
		b := m.beat(m.b)
		packet := m.flight(b.packet)
		if packet.removed == 0 || b.Last || a != nil {
			absorbed = packet.removed > 0 && !b.Last && a.Last && a.Len <= packet.removed
			m.output(m.queue.push(now+leaveDelay), packet, b, a, absorbed)
			m.bFull = false
		}
	}
	if absorbed {
		m.gone++
	} else if a != nil {
		m.b, m.bFull = m.entered, true
	}
	if a != nil {
		m.entered++
	}
	if room && m.offered(now) {
		m.beat(m.taken).taken = now
		m.taken++
		m.inside++
	}
}

// shown is what m_axis shows in a cycle.
func (m *Clocked) shown(now int64) (bool, *outBeat) {
	if m.timing.Room == 0 {
		return m.cFull, &m.c
	}
	return m.queue.first(now)
}

// outQueue holds beats in front of m_axis.
type outQueue struct {
	beats      []outBeat
	shows      []int64 // first cycle in which m_axis may show it
	head, tail uint64
}

func (q *outQueue) init(n int) {
	if n > 0 {
		q.beats, q.shows = make([]outBeat, powerOfTwo(n)), make([]int64, powerOfTwo(n))
	}
}

func (q *outQueue) clear() { q.head, q.tail = 0, 0 }

func (q *outQueue) at(n uint64) uint64 { return n & uint64(len(q.beats)-1) }

// push is the place of one more beat, which m_axis shows from a cycle on.
func (q *outQueue) push(shows int64) *outBeat {
	n := q.at(q.tail)
	q.tail++
	q.shows[n] = shows
	return &q.beats[n]
}

func (q *outQueue) first(now int64) (bool, *outBeat) {
	n := q.at(q.head)
	return q.head != q.tail && q.shows[n] <= now, &q.beats[n]
}

func (q *outQueue) pop() { q.head++ }
