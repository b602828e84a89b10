package aimd

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Step is rows 2 to 4 of the contract.
func (d *Design) Step(t *Tables, c *Context, e *Event, r *Decision, taps *Taps) (reacts bool) {
	marked := c.Marked || e.Mark
	switch ahead := (e.AckSeq - c.Seq) & d.seqMask; {
	case !c.Started:
		r.Kind, r.Status = KindFirst, engine.StatusFirst
		c.Started, c.Marked, c.Seq = true, e.Mark, e.SndNxt&d.seqMask
	case ahead >= 1 && ahead < d.halfSeq:
		sum := c.W + t[TableWAI][c.Profile]
		if marked {
			sum = (c.W + 1) >> 1
		}
		r.Kind = KindUpdate
		c.W, r.Status = limit(sum, t[TableWMin][c.Profile], t[TableWMax][c.Profile])
		c.Marked, c.Seq = false, e.SndNxt&d.seqMask
		*taps = Taps{Halved: marked, Sum: sum, Window: c.W, Rate: d.rate(t, c)}
		reacts = true
	default:
		r.Status = engine.StatusNoCommit
		c.Marked = marked
	}
	r.W, r.Rate = c.W, d.rate(t, c)
	return reacts
}

// limit limits a sum. The lower limit is tested first.
func limit(sum, low, high uint64) (uint64, engine.Status) {
	switch {
	case sum < low:
		return low, engine.StatusClampedMin
	case sum > high:
		return high, engine.StatusClampedMax
	}
	return sum, engine.StatusOK
}

// rate is W/T.
func (d *Design) rate(t *Tables, c *Context) uint64 {
	return wide.Mul(c.W, t[TableInvT][c.Profile]).Round(d.cutR).Sat(d.rateMax)
}

// Apply makes the changes of a context write but for those to Life.
func (d *Design) Apply(c *Context, w *Write) {
	if w.Mask&MaskProfile != 0 {
		c.Profile = w.Profile & d.profileMask
	}
	if w.Mask&MaskW != 0 {
		c.W = w.W & d.windowMask
	}
	if w.Mask&MaskSeq != 0 {
		c.Seq = w.Seq & d.seqMask
	}
	if w.Mask&(MaskStart|MaskClose) != 0 {
		c.Started, c.Marked = false, false
	}
}

// Data is the result of a context read.
func (d *Design) Data(flow uint32, c *Context) Data { return Data{flow, *c} }

// NewTables are the tables after reset: zeros.
func (d *Design) NewTables() *Tables { return new(Tables) }

// WriteTable changes an entry.
func (d *Design) WriteTable(t *Tables, w config.TableWrite) {
	if w.Table < tables {
		t[w.Table][uint8(w.Index)&d.profileMask] = w.Data & d.tableMask[w.Table]
	}
}

// Header is the frame's part of an event.
func (d *Design) Header(e *Event) engine.Header {
	return engine.Header{Flow: e.Flow, Generation: e.Generation, Tag: e.Tag}
}

// Life is the frame's part of a context.
func (d *Design) Life(c *Context) *engine.Life { return &c.Life }

// Scope is the frame's part of a context write.
func (d *Design) Scope(w *Write) engine.Scope {
	return engine.Scope{
		Flow: w.Flow, Start: w.Mask&MaskStart != 0, Close: w.Mask&MaskClose != 0, Generation: w.Generation,
	}
}

// Reject sets the decision of row 1.
func (d *Design) Reject(h engine.Header, r *Decision) {
	*r = Decision{Flow: h.Flow, Generation: h.Generation, Tag: h.Tag, Status: engine.StatusRejectedFlow}
}

// Status is the status of a decision.
func (d *Design) Status(r *Decision) uint8 { return uint8(r.Status) }
