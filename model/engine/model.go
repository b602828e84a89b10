package engine

import "github.com/hdlpkg/hpccgen/config"

// Model is the engine transaction by transaction: tables, the contexts of all flows, counters. It is not safe for
// concurrent use.
type Model[E, C, W, D, R, T, P any] struct {
	law      Law[E, C, W, D, R, T, P]
	masks    masks
	tables   *T
	flows    []C
	counters Counters
	taps     P

	// Arguments of the operation under way: on the stack they would escape through the law's methods.
	e E
	w W
	r R
}

// New makes a model after reset: tables are zero, no flow is open. The error names what cfg has wrong.
func New[E, C, W, D, R, T, P any](cfg *config.Engine, l Law[E, C, W, D, R, T, P]) (*Model[E, C, W, D, R, T, P], error) {
	if err := check(cfg); err != nil {
		return nil, err
	}
	return &Model[E, C, W, D, R, T, P]{law: l, masks: masksOf(cfg), tables: l.NewTables(), flows: make([]C, cfg.Flows)},
		nil
}

// WriteTable changes one table entry.
func (m *Model[E, C, W, D, R, T, P]) WriteTable(w config.TableWrite) { m.law.WriteTable(m.tables, w) }

// WriteContext changes the selected fields of one flow; a flow that does not exist stays so.
func (m *Model[E, C, W, D, R, T, P]) WriteContext(w W) {
	m.w = w
	m.write(m.law.Scope(&m.w), &m.w)
}

func (m *Model[E, C, W, D, R, T, P]) write(s Scope, w *W) {
	if int(s.Flow) >= len(m.flows) {
		return
	}
	c := &m.flows[s.Flow]
	life := m.law.Life(c)
	if s.Start {
		life.Open, life.Generation = true, s.Generation&m.masks.generation
	}
	if s.Close {
		life.Open = false
	}
	m.law.Apply(c, w)
}

// ReadContext returns the result of a context read of one flow.
func (m *Model[E, C, W, D, R, T, P]) ReadContext(flow uint32) D {
	if int(flow) >= len(m.flows) {
		return m.law.Data(flow, new(C))
	}
	return m.law.Data(flow, &m.flows[flow])
}

// Context is the whole state of one flow. It panics when there is no such flow.
func (m *Model[E, C, W, D, R, T, P]) Context(flow uint32) C { return m.flows[flow] }

// Event takes one event.
func (m *Model[E, C, W, D, R, T, P]) Event(e E) R {
	m.e = e
	m.event(m.law.Header(&m.e), &m.e, &m.r)
	return m.r
}

// event takes an event and counts its status. It returns the status, and whether the law reacted.
func (m *Model[E, C, W, D, R, T, P]) event(h Header, e *E, r *R) (status uint8, reacts bool) {
	h.Generation &= m.masks.generation
	h.Tag &= m.masks.tag
	m.law.Reject(h, r)
	if int(h.Flow) < len(m.flows) {
		c := &m.flows[h.Flow]
		if life := m.law.Life(c); life.Open && life.Generation == h.Generation {
			reacts = m.law.Step(m.tables, c, e, r, &m.taps)
		}
	}
	status = m.law.Status(r)
	m.counters.count(status, m.masks.count)
	return status, reacts
}

// Law is the law of the model.
func (m *Model[E, C, W, D, R, T, P]) Law() Law[E, C, W, D, R, T, P] { return m.law }

// Tables are the constants as written so far. They follow later writes.
func (m *Model[E, C, W, D, R, T, P]) Tables() *T { return m.tables }

// Taps are the intermediate values of the last event to which the law reacted.
func (m *Model[E, C, W, D, R, T, P]) Taps() P { return m.taps }

// Counters are the events so far.
func (m *Model[E, C, W, D, R, T, P]) Counters() Counters { return m.counters }

// Reset brings the model back to what New makes.
func (m *Model[E, C, W, D, R, T, P]) Reset() {
	*m.tables = *m.law.NewTables()
	clear(m.flows)
	m.counters = Counters{}
}
