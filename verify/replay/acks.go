package replay

import "github.com/hdlpkg/hpccgen/model/hpcc"

// port is where a counter counts, as far as a trace tells: the hop of a flow's path.
type port struct{ flow, hop int }

// counters continue a port's wrapping counters without end.
type counters struct {
	ts, tx       uint64 // as last seen, raw
	wideTS, wide uint64 // continued
}

// rewind starts the rows from the first again.
func (p *Plan) rewind() { p.unwrap = map[port]*counters{} }

// toAck makes the ACK of a row. Rows must come in order. The result is valid until the next call.
//
// The timestamps and byte counters of a trace wrap at 24 and 20 bits. A configuration with wider fields
// or a longer tick gets them continued: a step below half the range is forward, any other one is
// backward, as the engine sees it. With the widths and the tick of the trace this changes nothing.
// A row with more records than the engine has hops keeps its nhop, which the engine rejects.
func (p *Plan) toAck(row *Row) *hpcc.Ack {
	tel := &p.cfg.Telemetry
	a := &p.ack
	*a = hpcc.Ack{
		Flow:   uint32(row.Flow),
		AckSeq: uint32(row.AckSeq & mask(p.cfg.SeqBits)),
		SndNxt: uint32(row.SndNxt & mask(p.cfg.SeqBits)),
		Now:    row.TNs / tel.TickNs & mask(p.cfg.ClockBits),
		Nhop:   len(row.Hops),
	}
	for h := range row.Hops[:min(len(row.Hops), p.cfg.MaxHops)] {
		hop := &row.Hops[h]
		c := p.unwrap[port{row.Flow, h}]
		if c == nil {
			c = &counters{ts: hop.TS, tx: hop.Tx, wideTS: 1<<40 | hop.TS, wide: 1<<40 | hop.Tx}
			p.unwrap[port{row.Flow, h}] = c
		}
		c.wideTS += signed(hop.TS-c.ts, traceTSBits)
		c.wide += (hop.Tx - c.tx) & mask(traceTxBits)
		c.ts, c.tx = hop.TS, hop.Tx
		a.Hop[h] = hpcc.Record{
			RateCode: uint32(p.codes[link{hop.RateBps, p.Trace.Flows[row.Flow].UnitMultiplier}]),
			TS:       c.wideTS / tel.TickNs & mask(tel.TSBits),
			Tx:       c.wide & mask(tel.TxBits),
			Qlen:     uint32(hop.Qlen),
		}
	}
	return a
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
