package csig

import (
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// update is what the first part of the EWMA and DRE meters says of an operation, all at pendingStage.
type update struct {
	starts  lib.Value // it is the first of its port
	updates lib.Value // it updates the port's Value
	since   lib.Value // time since the last update, as the method counts it; without sign, which an update does not have
	pending lib.Value // bytes sent since then
}

// updates decides when the Value of a port is updated: gap after the last time at the earliest, both in the units of now, and not
// while the port is recent. That the gap has passed is seen from now - gap, so that only a comparison and a choice lie between an operation and the
// next of its port.
func (t *meter) updates(now vgen.Signal, gap uint64) update {
	m, p, w := t.m, t.p, now.Width()
	m.Section("time of the update")
	unseen := t.unseen(t.timeStage)
	at := p.Value("now", 0, now)
	less := p.Reg("now_less_gap", t.timeStage-1, p.At(at, t.timeStage-1).Sub(vgen.Const(w, gap)))
	last := t.state("updated", "time of each port's last update", w, t.timeStage)
	since := p.At(at, t.timeStage).Sub(last.word).Named("since_update")
	early := less.Sub(last.word).Named("since_gap").Top()
	advances := t.controlAt(t.advance, t.timeStage)
	list := t.recent()
	starts := advances.And(unseen).Named("starts")
	updates := advances.And(or(unseen, since.Top(), early, list.is).Not()).Named("updates")
	stores := starts.Or(updates).Named("stores")
	list.follow(stores)
	last.store(stores, vgen.Mux(stores, p.At(at, t.timeStage), last.word).Named("updated_next"))

	m.Section("bytes since the update")
	u := update{
		starts: p.Reg("starts", t.timeStage, starts), updates: p.Reg("updates", t.timeStage, updates),
		since: p.Reg("since", t.timeStage, since.Trunc(w-1)),
	}
	again := p.Reg("stores", t.timeStage, stores).Signal
	bytes := t.state("pending", "bytes of each port since its last update; top bit: they saturate", t.c.ByteBits+1, t.pendingStage)
	bytes.store(t.controlAt(t.valid, t.pendingStage), pending{bytes.word}.add(again, t.counted(t.pendingStage)).Named("pending_next"))
	u.pending = p.Value("pending_bytes", t.pendingStage, saturated(bytes.word).Named("pending_bytes"))
	return u
}

// below tells, at pendingStage + 1, whether the time since the last update has no ones from bit n on, and gives the bits below as an
// operand of that stage.
func (t *meter) below(u update, n int) (inside lib.Value, low vgen.Signal) {
	low = u.since.Zext(max(n, u.since.Width())).Trunc(n)
	far := vgen.Const(1, 0)
	if n < u.since.Width() {
		far = u.since.Slice(u.since.Width()-1, n).AnyBit()
	}
	return t.p.Reg("inside", t.pendingStage, far.Not()), low
}

// settle gives the Value of the operation's port after its update, a stage after computed is there: 0 where it is the
// first, computed where it updates, else what the last update left. An update reads Value where it begins; the one before it has been written by
// then, since ports are recent for longer than that takes.
func (t *meter) settle(value *portState, u update, computed lib.Value) lib.Value {
	p, at := t.p, computed.Stage
	value.at(at)
	starts, updates := p.At(u.starts, at), p.At(u.updates, at)
	next := vgen.Mux(updates, computed.Signal, value.word).And(starts.Not().Repeat(value.width)).Named("value_next")
	value.store(starts.Or(updates), next)
	return p.Reg("value_after", at, next)
}

// scaledPending is Pending in units of Value.
func (t *meter) scaledPending(u update, stage int) vgen.Signal {
	bytes := t.p.At(u.pending, stage)
	if t.c.FracBits == 0 {
		return bytes
	}
	return vgen.Cat(bytes, vgen.Const(t.c.FracBits, 0))
}
