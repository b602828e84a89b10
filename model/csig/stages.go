package csig

import "github.com/hdlpkg/hpccgen/telemetry"

// lookup is the walk and the lookup in the tables of the ports.
func (m *Clocked) lookup(_ int64, p *packet) {
	f, ev := &p.Own, &p.Own.ev
	*ev = Event{Status: NoPort}
	if p.Meta.IngressPort >= len(m.ports) || p.Meta.EgressPort >= len(m.ports) {
		return
	}
	f.port = m.ports[p.Meta.EgressPort]
	head := p.Bytes[:min(len(p.Bytes), window)]
	ev.Place = m.cfg.Tags.Walk(head)
	size, trusted := ev.Place.Size, m.ports[p.Meta.IngressPort].Trusted
	ev.decode(head, m.cfg.Split)
	if f.port.drops(trusted, ev.Place, ev.Tag) {
		ev.Status = Dropped
		return
	}
	switch ev.Place.Find {
	case telemetry.FindNone:
		ev.Status = Untagged
		return
	case telemetry.FindShort:
		ev.Status = Short
		return
	case telemetry.FindHidden:
		ev.Status = Hidden
		return
	case telemetry.FindTruncated:
		ev.Status = Truncated
		return
	}
	switch action := f.port.Action[ev.Tag.Type]; {
	case !trusted:
		ev.Status, f.removed = Distrusted, size.Len()
	case action == Strip:
		ev.Status, f.removed = Stripped, size.Len()
	case action == Pass, !m.estimateOK, !m.cfg.hasTable(ev.Tag.Type, size):
		ev.Status = Passed
	case ev.Tag.Keep:
		ev.Status = Held
	default:
		f.compare = true
	}
}

// meter advances the port's meter, and has the signals of the packet.
func (m *Clocked) meter(_ int64, p *packet) {
	f := &p.Own
	if f.port == nil {
		return
	}
	port, measured := p.Meta.EgressPort, uint64(0)
	if m.estimateOK {
		m.estimator.advance(port, p.Meta.EgressNs)
		measured = m.estimator.measured(port)
	}
	f.ev.Signals = signals(&m.cfg.Widths, measured, m.estimator.factor, f.port.Capacity, f.port.ratio, f.port.depth,
		&p.Meta)
}

// measure adds the packet to what its port has sent.
func (m *Clocked) measure(_ int64, p *packet) {
	f := &p.Own
	if f.port != nil && m.estimateOK && f.ev.Status != Dropped {
		overhead := m.estimator.estimate.Overhead
		m.estimator.count(p.Meta.EgressPort, onWire(len(p.Bytes), f.removed, overhead))
	}
}

// code compares the packet's code with that of its port.
func (m *Clocked) code(now int64, p *packet) {
	f := &p.Own
	if !f.compare {
		return
	}
	f.ev.compare(m.cfg.code(f.ev.Tag.Type, f.ev.Place.Size, f.ev.Signals.Of(f.ev.Tag.Type)))
	if m.OnCode != nil {
		m.OnCode(now-int64(m.timing.Code), &f.ev)
	}
}

func (m *Clocked) count(_ int64, p *packet) {
	if p.Own.port == nil {
		increment(&m.noPort)
		return
	}
	increment(&m.counters[p.Meta.EgressPort].By[p.Own.ev.Status])
}

func (m *Clocked) countStacked(_ int64, p *packet) {
	if p.Own.port != nil && p.Own.ev.Place.Stacked {
		increment(&m.counters[p.Meta.EgressPort].Stacked)
	}
}

// increment counts in 32 bits.
func increment(n *uint64) { *n = uint64(uint32(*n + 1)) }

// decide completes what leaves. None of it has left: the first beat waits for the decision.
func (m *Clocked) decide(now int64, p *packet) {
	f := &p.Own
	if m.OnDecision != nil {
		m.OnDecision(now, &f.ev)
	}
	p.Status, p.Drop, p.Grow = uint8(f.ev.Status), f.ev.Status == Dropped, -f.removed
	if f.ev.Status != Updated {
		return
	}
	tag, at := f.ev.replaced(f.port.Locator[f.ev.Tag.Type]), f.ev.Place.Offset+telemetry.CSIGTPIDLen
	if _, err := tag.Append(p.Bytes[:at], f.ev.Place.Size, m.cfg.Split); err != nil {
		panic("csig: a checked tag does not encode: " + err.Error())
	}
}

// fill fills dst with the bytes of the packet that leaves, from an offset: the packet that came, without removed bytes.
func fill(dst []byte, p *packet, from int) {
	n := len(dst)
	if p.Own.removed > 0 {
		n = min(n, max(p.Own.ev.Place.Offset-from, 0))
	}
	copy(dst[:n], p.Bytes[from:])
	if n < len(dst) {
		copy(dst[n:], p.Bytes[from+n+p.Own.removed:])
	}
}
