package hpcc

import (
	"fmt"
	"io"

	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// item is a row with what an engine is given for it.
type item = replay.Item[hpcc.Ack, hpcc.ContextWrite]

// begin begins with the first row.
func (p *plan) begin() (next func() (*item, error), err error) {
	in, err := p.trace.rows()
	if err != nil {
		return nil, err
	}
	var wide *continued // nil: the counters are those of the trace
	if tel := &p.cfg.Telemetry; tel.TSBits > traceTSBits || tel.TxBits > traceTxBits || tel.TickNs != 1 {
		if wide, err = newContinued(p); err != nil {
			return nil, err
		}
	}
	return func() (*item, error) { return p.read(in, wide) }, nil
}

// read reads a row, which has been read before, by newPlan.
func (p *plan) read(in *rowReader, wide *continued) (*item, error) {
	row, err := in.next()
	if err == io.EOF {
		return nil, in.Fault("",
			"the file has %d rows now, and had more before: it was changed while it was read", in.rows)
	}
	if err != nil {
		return nil, err
	}
	it := &item{Number: row.Number, Line: in.Line(), TimeNs: row.TNs, Flow: row.Flow, Row: row}
	if it.Event, err = p.ackOf(row); err != nil {
		return nil, in.Fault("", "%v: the file was changed while it was read", err)
	}
	if wide != nil {
		wide.next(row, &it.Event)
	}
	if p.Resync {
		var column string
		if it.Resync, column, err = p.resync(row); err != nil {
			return nil, in.Fault(column, "%v", err)
		}
	}
	return it, nil
}

// ackOf makes the ACK of a row, with the counters of the trace.
// A row with more records than the engine has hops keeps its nhop, which the engine rejects.
func (p *plan) ackOf(row *Row) (hpcc.Ack, error) {
	tel := &p.cfg.Telemetry
	a := hpcc.Ack{
		Flow:   uint32(row.Flow),
		AckSeq: uint32(row.AckSeq & mask(p.cfg.SeqBits)),
		SndNxt: uint32(row.SndNxt & mask(p.cfg.SeqBits)),
		Now:    row.TNs / tel.TickNs & mask(p.cfg.ClockBits),
		Nhop:   len(row.Hops),
		PathID: uint32(row.PathID),
	}
	for h := range row.Hops[:min(len(row.Hops), p.cfg.MaxHops)] {
		hop := &row.Hops[h]
		code, ok := p.codes[link{hop.RateBps, p.trace.Flows[row.Flow].UnitMultiplier}]
		switch {
		case hop.RateBps == 0:
			code = p.cfg.RateCodes() - 1
		case !ok:
			return a, fmt.Errorf("there was no link of %d bit/s", hop.RateBps)
		}
		qlen := hop.Qlen
		if p.cfg.Sojourn {
			qlen = min(hop.SojournNs/(tel.QlenUnitBytes*tel.TickNs), mask(tel.QlenBits))
		}
		a.Hop[h] = hpcc.Record{LinkID: uint32(hop.LinkID), RateCode: uint32(code), TS: hop.TS, Tx: hop.Tx,
			Qlen: uint32(qlen)}
	}
	return a, nil
}

// continued continues the counters of a trace, which wrap at 24 and 20 bits, for a configuration with wider fields or
// a longer tick (docs/replay.md, Counters). A counter goes on from the record of the hop that the engine has stored,
// so that an ACK that it ignores changes nothing. What it stores, the golden model tells.
type continued struct {
	plan   *plan
	model  *hpcc.Model
	stored []*[hpcc.MaxHops]counters // of the flows; nil: none yet
}

// counters are those of a hop in the record that the engine has stored.
type counters struct {
	ts, tx         uint64 // raw
	wideTS, wideTx uint64 // continued
	there          bool
}

func newContinued(p *plan) (*continued, error) {
	m, err := hpcc.New(p.cfg)
	if err != nil {
		return nil, err
	}
	replay.Prepare(m, &p.Plan)
	return &continued{p, m, make([]*[hpcc.MaxHops]counters, len(p.trace.Flows))}, nil
}

// next gives the ACK of a row its counters.
func (c *continued) next(row *Row, a *hpcc.Ack) {
	tel := &c.plan.cfg.Telemetry
	hops := row.Hops[:min(len(row.Hops), c.plan.cfg.MaxHops)]
	stored := c.stored[row.Flow]
	if stored == nil {
		stored = new([hpcc.MaxHops]counters)
		c.stored[row.Flow] = stored
	}
	var now [hpcc.MaxHops]counters
	for h := range hops {
		ts, tx := hops[h].TS, hops[h].Tx
		now[h] = counters{ts, tx, 1<<40 | ts, 1<<40 | tx, true}
		if last := &stored[h]; last.there {
			now[h].wideTS = last.wideTS + signed(ts-last.ts, traceTSBits)
			now[h].wideTx = last.wideTx + (tx-last.tx)&mask(traceTxBits)
		}
		a.Hop[h].TS = now[h].wideTS / tel.TickNs & mask(tel.TSBits)
		a.Hop[h].Tx = now[h].wideTx & mask(tel.TxBits)
	}
	switch r := c.model.Event(*a); {
	case r.Kind == hpcc.KindFirst:
		*stored = now
	case r.Kind.Reacts():
		for h := range hops {
			if now[h].wideTS/tel.TickNs != stored[h].wideTS/tel.TickNs { // else the engine keeps the record
				stored[h] = now[h]
			}
		}
	}
}

func mask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// signed extends the low bits of v by their sign.
func signed(v uint64, bits int) uint64 {
	return uint64(int64(v<<(64-bits)) >> (64 - bits))
}
