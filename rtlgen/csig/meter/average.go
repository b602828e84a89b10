package meter

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// lateShift: a port that has not been updated for 2^lateShift averaging times is idle; halvingBits is the width of the
// count of halvings of a Value at an update, fewer than 64 before the port is idle.
const (
	lateShift   = 5
	halvingBits = 6
)

// averaging holds the parameters of EWMA and DRE (docs/csig.md, Meters).
type averaging struct {
	now       vgen.Signal // in the units of a port's Time
	dueShift  int         // updates are at least 2^dueShift units apart
	lateShift int         // and the average is 0 after 2^lateShift units
	phaseBits int         // F
	rate      uint64      // C
	pends     bool        // the result includes the bytes since the update
	// weight is H and j, given the update, the halvings, and the phase before and after it.
	weight func(u update, halvings, before, after lib.Value) (h, j lib.Value)
}

// update is the data of an operation.
type update struct {
	starts  lib.Value // the meter starts with it: it is the first of its port, or the port is idle
	updates lib.Value // it updates the port's Value
	since   lib.Value // units since the last update; of an update
	pending lib.Value // bytes sent since then
}

// average builds the meter. Its loops contain no multiplication: times and bytes are as the method's updates leave
// them, phases are added, and a Value is shifted and added to. All products lie between two loops.
func (t *meter) average(a averaging) *vgen.Module {
	m, p, w := t.m, t.p, t.c.MeasuredBits()
	u := t.updates(a)

	m.Section("Phase")
	rate := p.Value("rate", u.since.Stage, vgen.Const(bits.Len64(a.rate), a.rate))
	passed := p.Mul("passed", u.since, rate, t.c.Limbs())
	at := passed.Stage
	phase := t.state("phase", "fraction of the time of each port's last update, in half-lives", a.phaseBits, at)
	wide := a.phaseBits + halvingBits
	sum := phase.word.Zext(wide).Add(passed.Signal.Fit(wide)).Named("phase_sum")
	starts, updates := p.At(u.starts, at), p.At(u.updates, at)
	next := vgen.Mux(updates, sum.Trunc(a.phaseBits), phase.word).And(starts.Not().Repeat(a.phaseBits)).Named("phase_next")
	phase.store(starts.Or(updates).Named("phase_changes"), next)
	before, after := p.Value("phase_before", at, phase.word), p.Reg("phase_after", at, next)
	halvings := p.Value("halvings", at, sum.Slice(wide-1, a.phaseBits))

	m.Section("What is added")
	h, j := a.weight(u, halvings, before, after)
	added := t.added(u.pending, h, j)

	m.Section("Average")
	at = added.Stage
	value := t.state("value", "each port's average times 2^phase", w+1, at)
	shifted := vgen.Cat(value.word, flag(false)).ShrBy(p.At(halvings, at)).Named("value_shifted")
	kept, half := lib.Halves("value_halved", shifted, 1)
	wide = max(w+1, added.Width()) + 1
	total := lib.AddCarry("value_sum", kept.Zext(wide), added.Zext(wide), half)
	starts, updates = p.At(u.starts, at), p.At(u.updates, at)
	total = lib.Saturate("value_sum_saturated", total, w+1)
	next = vgen.Mux(updates, total, value.word).And(starts.Not().Repeat(w + 1)).Named("value_next")
	value.store(starts.Or(updates).Named("value_changes"), next)

	m.Section("What is measured")
	down := t.curve("down", downCurve(), after)
	product := p.Mul("scaled_down", p.Reg("value_after", at, next), down, t.c.Limbs())
	rounded := lib.RoundHalfUp("average_rounded", product.Signal, lineBits)
	out := p.Reg("average", product.Stage, lib.Saturate("average_saturated", rounded, w))
	if a.pends {
		at = out.Stage
		changed := p.At(u.starts, at).Or(p.At(u.updates, at))
		more := p.At(u.pending, at).And(changed.Not().Repeat(t.c.ByteBits))
		if t.c.FracBits > 0 {
			more = vgen.Cat(more, vgen.Const(t.c.FracBits, 0))
		}
		out = p.Reg("measured", at, lib.SaturatingAdd("measured_saturated", out.Signal, more, w))
	}
	m.SetTiming(out.Stage, 1)
	m.Assign(t.ports.Value, out.Signal)
	return m
}

// updates decides when a port's meter begins and when its Value is updated, and counts the bytes in between.
func (t *meter) updates(a averaging) update {
	m, p, w := t.m, t.p, a.now.Width()
	m.Section("Time of the update")
	unseen := t.unseen(t.timeStage)
	now := p.At(p.Value("now", 0, a.now), t.timeStage)
	last := t.state("updated", "time of each port's last update", w, t.timeStage)
	since := now.Sub(last.word).Named("since_update")
	reaches := func(shift int) vgen.Signal { // since is 2^shift at least, and no step back
		if shift > w-2 {
			return flag(false)
		}
		return since.Top().Not().And(since.Slice(w-2, shift).AnyBit()).Named(fmt.Sprintf("since_2e%d", shift))
	}
	late := reaches(a.lateShift)
	advances := t.controlAt(t.advance, t.timeStage)
	starts := advances.And(or(unseen, late)).Named("starts")
	updates := and(advances, or(unseen, late).Not(), reaches(a.dueShift)).Named("updates")
	stores := starts.Or(updates).Named("stores")
	last.store(stores, vgen.Mux(stores, now, last.word).Named("updated_next"))

	m.Section("Bytes since the update")
	u := update{
		starts: p.Reg("starts", t.timeStage, starts), updates: p.Reg("updates", t.timeStage, updates),
		since: p.Reg("since", t.timeStage, since.Trunc(min(w-1, a.lateShift))),
	}
	again := p.Reg("stores", t.timeStage, stores).Signal
	at, doc := t.pendingStage, "bytes of each port since its last update; top bit: they saturate"
	bytes := t.state("pending", doc, t.c.ByteBits+1, at)
	bytes.store(t.controlAt(t.valid, at), pending{bytes.word}.add(again, t.counted(at)).Named("pending_next"))
	u.pending = p.Value("pending_bytes", at, saturated(bytes.word).Named("pending_bytes"))
	return u
}

// added is rhu(Pending * 2^Frac * H / 2^(lineBits + j)).
func (t *meter) added(pending, h, j lib.Value) lib.Value {
	p := t.p
	product := p.Mul("weighted", pending, h, t.c.Limbs())
	// The product keeps one bit below the result: the bits after it are below the half that rounds.
	doubled := product.Slice(product.Width()-1, lineBits-1-t.c.FracBits)
	at := product.Stage
	shifted := p.Reg("weighted_shifted", at, doubled.ShrBy(p.At(j, at)))
	return p.Reg("added", shifted.Stage, lib.RoundHalfUp("weighted_rounded", shifted.Signal, 1))
}

// curve is the value of a curve at a position, which is a fraction of its interval.
func (t *meter) curve(name string, c curve, position lib.Value) lib.Value {
	w, at := position.Width(), position.Stage
	share := position.Slice(w-1-cellBits, max(0, w-cellBits-shareBits))
	return t.line(name, c, position.Slice(w-1, w-cellBits), t.p.Value(name+"_share", at, share))
}

// line is the value of a curve in a cell, at a share of it that may lack low bits.
func (t *meter) line(name string, c curve, cell vgen.Signal, share lib.Value) lib.Value {
	p, at := t.p, share.Stage
	word := t.m.ROM(name+"_lines", c.baseBits+c.riseBits, c.words).Read(name+"_line", cell)
	base := p.Value(name+"_base", at+1, word.Slice(c.baseBits+c.riseBits-1, c.riseBits))
	part := p.Mul(name+"_part", p.Value(name+"_rise", at+1, word.Trunc(c.riseBits)), share, t.c.Limbs())
	rounded := lib.RoundHalfUp(name+"_part_rounded", part.Signal, share.Width()).Fit(c.baseBits)
	at = part.Stage
	if c.falls {
		return p.Reg(name, at, p.At(base, at).Sub(rounded))
	}
	return p.Reg(name, at, p.At(base, at).Add(rounded))
}
