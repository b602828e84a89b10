package transit

// flow is, in one cycle, an editor that never stops: a beat taken comes to A after a fixed time, and leaves B for the
// queue before m_axis. sent reports whether m_axis sends a beat in this cycle. No packet grows here.
func (m *Frame[F]) flow(now int64, sent bool) {
	e := &m.editor
	gone := &e.gone[now%int64(len(e.gone))]
	e.inside -= *gone
	*gone = 0
	room := e.inside < m.cfg.Room
	if sent {
		e.queue.pop()
		*gone++
	}
	if e.entered != m.taken && m.beat(e.entered).taken+int64(m.cfg.Enter) == now {
		if e.a = m.enter(e.entered); !e.a.full {
			*gone++
		}
		e.entered++
	}
	if e.mayLeave() {
		e.b.full = false
		last := m.emit(e.queue.push(now + int64(m.cfg.Leave)))
		if last && !e.b.beat.last { // absorbed
			e.a.full = false
			*gone++
		}
	}
	if e.a.full {
		e.b, e.a.full = e.a, false
	}
	if room && m.offered(now) {
		m.take(now)
		e.inside++
	}
}

// outQueue holds beats before m_axis.
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
	if q.head == q.tail {
		return false, nil
	}
	n := q.at(q.head)
	return q.shows[n] <= now, &q.beats[n]
}

func (q *outQueue) pop() { q.head++ }
