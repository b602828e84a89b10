package hpcc

import "github.com/hdlpkg/hpccgen/config"

// Model is the engine transaction by transaction: tables, the contexts of all flows, counters. Not safe for
// concurrent use.
type Model struct {
	design   *Design
	tables   *Tables
	flows    []Context
	counters Counters
	taps     Taps
}

// New makes a model of cfg after reset: no rate is known, no flow is open. The error is NewDesign's.
func New(cfg *config.NIC) (*Model, error) {
	d, err := NewDesign(cfg)
	if err != nil {
		return nil, err
	}
	return d.NewModel(), nil
}

// NewModel makes a model of the design after reset.
func (d *Design) NewModel() *Model {
	return &Model{design: d, tables: d.NewTables(), flows: make([]Context, d.flows)}
}

// Design is the design that the model computes.
func (m *Model) Design() *Design { return m.design }

// WriteTable changes one table entry.
func (m *Model) WriteTable(w config.TableWrite) { m.design.Write(m.tables, w) }

// WriteContext changes the selected fields of one flow; a flow that does not exist stays so.
func (m *Model) WriteContext(w ContextWrite) { m.writeContext(&w) }

func (m *Model) writeContext(w *ContextWrite) {
	if w.Flow < m.design.flows {
		m.design.Apply(&m.flows[w.Flow], w)
	}
}

// ReadContext is the state of one flow.
func (m *Model) ReadContext(flow uint32) ContextData {
	if flow >= m.design.flows {
		return ContextData{Flow: flow}
	}
	return m.flows[flow].data(flow)
}

// Context is the whole state of one flow, stored telemetry included. It panics when there is no such flow.
func (m *Model) Context(flow uint32) Context { return m.flows[flow] }

// Ack takes one ACK.
func (m *Model) Ack(a Ack) Result {
	var r Result
	m.ack(&a, &r)
	return r
}

func (m *Model) ack(a *Ack, r *Result) {
	var c *Context
	if a.Flow < m.design.flows {
		c = &m.flows[a.Flow]
	}
	m.design.Step(m.tables, c, a, r, &m.taps)
	m.counters.count(r.Status, m.design.cfg.CountBits)
}

// Tables are the constants as written so far. They follow later writes.
func (m *Model) Tables() *Tables { return m.tables }

// Taps are the intermediate values of the last ACK that reacted.
func (m *Model) Taps() Taps { return m.taps }

// Counters are the events so far.
func (m *Model) Counters() Counters { return m.counters }

// Reset brings the model back to what New makes.
func (m *Model) Reset() {
	m.tables.clear()
	clear(m.flows)
	m.counters = Counters{}
}
