package inband

// editor is the editor in one cycle: the registers A, B and C, of which C is m_axis.
func (m *Clocked) editor(now int64, ready bool) {
	if ready {
		m.cFull = false
	}
	if m.b.full && !m.cFull {
		f := m.flight(m.b.beat.packet)
		m.emit(f)
		if m.c.beat.Last || !m.b.beat.last {
			m.b.full = false
		}
		if m.c.beat.Last {
			m.leaves++
		}
	}
	if m.a.full && !m.b.full {
		m.b, m.a.full = m.a, false
	}
	if !m.a.full && m.offered(now) {
		m.a = register{true, m.beats[0]}
		m.beats = m.beats[1:]
		m.taken++
	}
}

// offered tells whether the next beat can be taken in this cycle: a packet's first with its decision only.
func (m *Clocked) offered(now int64) bool {
	if len(m.beats) == 0 {
		return false
	}
	b := &m.beats[0]
	return now >= b.at+offerDelay && (!b.first || b.packet < m.made)
}

// emit puts the packet's next output beat into C.
func (m *Clocked) emit(f *flight) {
	c := &m.c
	m.cFull = true
	c.port, c.status = f.meta.EgressPort, f.ev.Status
	left := m.beatBytes
	c.beat.Last = false
	if m.b.beat.last {
		left = len(f.bytes) + f.edit.added() - f.emitted
		c.beat.Last = left <= m.beatBytes
	}
	c.beat.Len = min(left, m.beatBytes)
	f.edit.copy(c.beat.Data[:c.beat.Len], f.bytes, f.emitted)
	f.emitted += c.beat.Len
}
