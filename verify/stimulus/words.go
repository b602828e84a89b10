package stimulus

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
)

// PutInputs writes one cycle's inputs to words, Layout.InWords of them. Values are cut to their ports.
func (b *Binding) PutInputs(words []uint64, in *hpcc.Inputs) {
	s := &b.in
	s.rst.putBool(words, in.Rst)
	b.putAck(words, &in.S)
	b.putContextWrite(words, &in.CW)
	s.crValid.putBool(words, in.CR.Valid)
	s.crFlow.put(words, uint64(in.CR.Flow))
	s.twValid.putBool(words, in.TW.Valid)
	s.twTable.put(words, uint64(in.TW.Table))
	s.twIndex.put(words, uint64(in.TW.Index))
	s.twData.put(words, in.TW.Data)
	s.mReady.putBool(words, in.MReady)
	s.cdReady.putBool(words, in.CDReady)
}

func (b *Binding) putAck(words []uint64, a *hpcc.AckPort) {
	s := &b.in
	s.sValid.putBool(words, a.Valid)
	s.flow.put(words, uint64(a.Flow))
	s.ackSeq.put(words, uint64(a.AckSeq))
	s.sndNxt.put(words, uint64(a.SndNxt))
	s.now.put(words, a.Now)
	s.nhop.put(words, uint64(a.Nhop))
	s.path.put(words, uint64(a.PathID))
	for i := range s.hop {
		h, r := &s.hop[i], &a.Hop[i]
		h.link.put(words, uint64(r.LinkID))
		h.rate.put(words, uint64(r.RateCode))
		h.ts.put(words, r.TS)
		h.tx.put(words, r.Tx)
		h.qlen.put(words, uint64(r.Qlen))
	}
}

func (b *Binding) putContextWrite(words []uint64, w *hpcc.ContextWritePort) {
	s := &b.in
	s.cwValid.putBool(words, w.Valid)
	s.cwFlow.put(words, uint64(w.Flow))
	s.cwMask.put(words, uint64(w.Mask))
	s.cwProfile.put(words, uint64(w.Profile))
	s.cwU.put(words, w.U)
	s.cwWc.put(words, w.Wc)
	s.cwW.put(words, w.W)
	s.cwStage.put(words, uint64(w.Stage))
	s.cwSeq.put(words, w.Seq)
}

// Inputs reads one cycle's inputs back from words. Ports that the configuration leaves out read 0.
func (b *Binding) Inputs(words []uint64, in *hpcc.Inputs) {
	s := &b.in
	in.Rst = s.rst.getBool(words)
	in.S.Valid = s.sValid.getBool(words)
	a := &in.S.Ack
	*a = hpcc.Ack{
		Flow: uint32(s.flow.get(words)), AckSeq: uint32(s.ackSeq.get(words)), SndNxt: uint32(s.sndNxt.get(words)),
		Now: s.now.get(words), Nhop: int(s.nhop.get(words)), PathID: uint32(s.path.get(words)),
	}
	for i := range s.hop {
		h := &s.hop[i]
		a.Hop[i] = hpcc.Record{
			LinkID: uint32(h.link.get(words)), RateCode: uint32(h.rate.get(words)),
			TS: h.ts.get(words), Tx: h.tx.get(words), Qlen: uint32(h.qlen.get(words)),
		}
	}
	in.CW = hpcc.ContextWritePort{Valid: s.cwValid.getBool(words), ContextWrite: hpcc.ContextWrite{
		Flow: uint32(s.cwFlow.get(words)), Mask: uint8(s.cwMask.get(words)), Profile: uint8(s.cwProfile.get(words)),
		U: s.cwU.get(words), Wc: s.cwWc.get(words), W: s.cwW.get(words), Stage: uint32(s.cwStage.get(words)), Seq: s.cwSeq.get(words),
	}}
	in.CR = hpcc.ContextReadPort{Valid: s.crValid.getBool(words), Flow: uint32(s.crFlow.get(words))}
	in.TW = hpcc.TableWritePort{Valid: s.twValid.getBool(words), TableWrite: config.TableWrite{
		Table: config.Table(s.twTable.get(words)), Index: int(s.twIndex.get(words)), Data: s.twData.get(words),
	}}
	in.MReady = s.mReady.getBool(words)
	in.CDReady = s.cdReady.getBool(words)
}

// PutOutputs writes one cycle's outputs to words, Layout.OutWords of them. The payload of a stream whose valid
// is low is left alone.
func (b *Binding) PutOutputs(words []uint64, out *hpcc.Outputs) {
	s := &b.out
	s.sReady.putBool(words, out.SReady)
	s.cwReady.putBool(words, out.CWReady)
	s.crReady.putBool(words, out.CRReady)
	s.twReady.putBool(words, out.TWReady)
	s.mValid.putBool(words, out.M.Valid)
	if out.M.Valid {
		m := &out.M.Result
		s.mFlow.put(words, uint64(m.Flow))
		s.mKind.put(words, uint64(m.Kind))
		s.mStatus.put(words, uint64(m.Status))
		s.mU.put(words, m.U)
		s.mW.put(words, m.W)
		s.mWc.put(words, m.Wc)
		s.mRate.put(words, m.Rate)
		s.mStage.put(words, uint64(m.Stage))
	}
	s.cdValid.putBool(words, out.CD.Valid)
	if out.CD.Valid {
		c := &out.CD.ContextData
		s.cdFlow.put(words, uint64(c.Flow))
		s.cdOpen.putBool(words, c.Open)
		s.cdHas.putBool(words, c.HasTelemetry)
		s.cdProfile.put(words, uint64(c.Profile))
		s.cdU.put(words, c.U)
		s.cdWc.put(words, c.Wc)
		s.cdW.put(words, c.W)
		s.cdStage.put(words, uint64(c.Stage))
		s.cdSeq.put(words, c.Seq)
		s.cdPath.put(words, uint64(c.PathID))
		s.cdNhop.put(words, uint64(c.Nhop))
	}
	n := &out.Counters
	s.nHops.put(words, n.RejectedHops)
	s.nRate.put(words, n.RejectedRate)
	s.nFlow.put(words, n.RejectedFlow)
	s.nStale.put(words, n.Stale)
	s.nNoTelemetry.put(words, n.NoTelemetry)
	s.nPath.put(words, n.PathChanged)
}

// Ready reports the ready outputs of the input streams.
func (b *Binding) Ready(words []uint64) (s, cw, cr, tw bool) {
	o := &b.out
	return o.sReady.getBool(words), o.cwReady.getBool(words), o.crReady.getBool(words), o.twReady.getBool(words)
}

// Result reads the result on stream m; ok is false when there is none in this cycle.
func (b *Binding) Result(words []uint64) (r hpcc.Result, ok bool) {
	o := &b.out
	if !o.mValid.getBool(words) {
		return r, false
	}
	return hpcc.Result{
		Flow: uint32(o.mFlow.get(words)), Kind: hpcc.Kind(o.mKind.get(words)), Status: hpcc.Status(o.mStatus.get(words)),
		U: o.mU.get(words), W: o.mW.get(words), Wc: o.mWc.get(words), Rate: o.mRate.get(words), Stage: uint32(o.mStage.get(words)),
	}, true
}

// OutputStreams lists the output ports by what their meaning depends on: first those that mean something
// in every cycle (Valid < 0), then the payloads of m and cd. The indices are those of Layout.Outputs.
func (b *Binding) OutputStreams() []Stream {
	groups := []Stream{{Valid: -1}, {Valid: b.out.mValid.word}, {Valid: b.out.cdValid.word}}
	for i, s := range b.Layout.Outputs {
		g := 0
		switch {
		case len(s.Name) > 2 && s.Name[:2] == "m_" && s.Name != "m_valid":
			g = 1
		case len(s.Name) > 3 && s.Name[:3] == "cd_" && s.Name != "cd_valid":
			g = 2
		}
		groups[g].Ports = append(groups[g].Ports, i)
	}
	return groups
}

// Stream groups output ports that are judged together.
type Stream struct {
	Valid int   // word of the valid port in a record; negative: the ports always mean something
	Ports []int // indices into Layout.Outputs
}
