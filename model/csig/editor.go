package csig

import "github.com/hdlpkg/hpccgen/telemetry"

// edit is an editor that m_axis stops in one cycle: the registers A, B and C, of which C is m_axis.
func (m *Clocked) edit(now int64, ready bool) {
	cFree := !m.cFull || ready
	if ready {
		m.cFull = false
	}
	var b, a *heldBeat
	var packet *flight // of B
	bLeaves, absorbed := false, false
	if m.bFull && cFree {
		b = m.beat(m.b)
		packet = m.flight(b.packet)
		bLeaves = packet.removed == 0 || b.Last || m.aFull
	}
	if m.aFull {
		a = m.beat(m.a)
	}
	if bLeaves {
		absorbed = packet.removed > 0 && !b.Last && a.Last && a.Len <= packet.removed
		m.cFull = true
		m.output(&m.c, packet, b, a, absorbed)
		m.bFull = false
	}
	if m.aFull && !m.bFull {
		if !absorbed {
			m.b, m.bFull = m.a, true
		}
		m.aFull = false
	}
	if !m.aFull && m.offered(now) {
		m.a, m.aFull = m.taken, true
		m.taken++
	}
}

// offered tells whether the next beat can be taken in this cycle: a packet's first with its decision only.
func (m *Clocked) offered(now int64) bool {
	if m.taken == m.accepted {
		return false
	}
	b := m.beat(m.taken)
	return now >= b.at+int64(m.timing.Offer) && (b.index > 0 || b.packet < m.made)
}

// output puts b into c, without what is to be removed and with what then moves up from the beat behind it.
func (m *Clocked) output(c *outBeat, f *flight, b, a *heldBeat, absorbed bool) {
	c.port, c.status = f.meta.EgressPort, f.ev.Status
	c.beat.Last = b.Last || absorbed
	at := b.index * m.beatBytes
	if f.removed == 0 || at+m.beatBytes <= f.ev.Place.Offset {
		copy(c.beat.Data[:b.Len], b.Data[:])
		c.beat.Len = b.Len
		return
	}
	n := max(f.ev.Place.Offset-at, 0)
	copy(c.beat.Data[:n], b.Data[:n])
	from := n + f.removed // in the input, counted from the start of b
	if from < b.Len {
		n += copy(c.beat.Data[n:m.beatBytes], b.Data[from:b.Len])
		from = b.Len
	}
	if !b.Last {
		n += copy(c.beat.Data[n:m.beatBytes], a.Data[from-b.Len:max(a.Len, from-b.Len)])
	}
	c.beat.Len = n
}

// replace writes value and locator of an updated packet into its beats, none of which has been taken: the first waits for the decision.
func (m *Clocked) replace(f *flight) {
	var buf [8]byte
	tag := f.ev.replaced(f.port.Locator[f.ev.Tag.Type])
	fields, err := tag.Append(buf[:0], f.ev.Place.Size, m.cfg.Split)
	if err != nil {
		panic("csig: a checked tag does not encode: " + err.Error())
	}
	for i, v := range fields {
		at := f.ev.Place.Offset + telemetry.CSIGTPIDLen + i
		m.beat(f.firstBeat + uint64(at/m.beatBytes)).Data[at%m.beatBytes] = v
	}
}
