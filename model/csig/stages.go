package csig

import "github.com/hdlpkg/hpccgen/telemetry"

// stages does what the packets in flight do in this cycle.
func (m *Clocked) stages(now int64) {
	t := &m.timing
	if m.looked != m.tail {
		if f := m.flight(m.looked); f.start == now-int64(t.Lookup) {
			m.lookup(f)
			m.looked++
		}
	}
	if m.metered != m.looked {
		if f := m.flight(m.metered); f.start == now-int64(t.Meter) {
			m.meter(f)
			m.metered++
		}
	}
	if m.ended != m.metered {
		if f := m.flight(m.ended); f.end == now-int64(t.Meter) {
			if f.port != nil && m.estimateOK {
				m.estimator.count(f.meta.EgressPort, onWire(f.size, f.removed, m.estimator.estimate.Overhead))
			}
			m.ended++
		}
	}
	if m.coded != m.metered {
		if f := m.flight(m.coded); f.start == now-int64(t.Code) {
			if f.compare {
				f.ev.compare(m.cfg.code(f.ev.Tag.Type, f.ev.Place.Size, f.ev.Signals.Of(f.ev.Tag.Type)))
				if m.OnCode != nil {
					m.OnCode(now, &f.ev)
				}
			}
			m.coded++
		}
	}
	if m.counted != m.coded {
		if f := m.flight(m.counted); f.start == now-int64(t.Count) {
			m.count(f)
			m.counted++
		}
	}
	if m.stacked != m.counted {
		if f := m.flight(m.stacked); f.start == now-int64(t.Count+m.stackedDelay) {
			if f.port != nil && f.ev.Place.Stacked {
				c := &m.counters[f.meta.EgressPort]
				c.Stacked = uint64(uint32(c.Stacked + 1))
			}
			m.stacked++
		}
	}
	if m.made != m.coded {
		if f := m.flight(m.made); f.start == now-int64(t.Decision) {
			if m.OnDecision != nil {
				m.OnDecision(now, &f.ev)
			}
			if f.ev.Status == Updated {
				m.replace(f)
			}
			m.made++
		}
	}
}

// lookup is the walk, and what the tables of the ports say.
func (m *Clocked) lookup(f *flight) {
	ev := &f.ev
	*ev = Event{Status: NoPort}
	if f.meta.IngressPort >= len(m.ports) || f.meta.EgressPort >= len(m.ports) {
		return
	}
	f.port = m.ports[f.meta.EgressPort]
	head := f.head[:min(f.size, window)]
	ev.Place = m.cfg.Tags.Walk(head)
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
	size := ev.Place.Size
	if _, err := ev.Tag.Decode(head[ev.Place.Offset+telemetry.CSIGTPIDLen:], size, m.cfg.Split); err != nil {
		panic("csig: a whole tag does not decode: " + err.Error())
	}
	switch action := f.port.Action[ev.Tag.Type]; {
	case !m.ports[f.meta.IngressPort].Trusted:
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
func (m *Clocked) meter(f *flight) {
	if f.port == nil {
		return
	}
	port, measured := f.meta.EgressPort, uint64(0)
	if m.estimateOK {
		m.estimator.advance(port, f.meta.EgressNs)
		measured = m.estimator.measured(port)
	}
	f.ev.Signals = signals(&m.cfg.Widths, measured, m.estimator.factor, f.port.Capacity, f.port.ratio, f.port.depth, &f.meta)
}

func (m *Clocked) count(f *flight) {
	if f.port == nil {
		m.noPort = uint64(uint32(m.noPort + 1))
		return
	}
	c := &m.counters[f.meta.EgressPort]
	c.By[f.ev.Status] = uint64(uint32(c.By[f.ev.Status] + 1))
}
