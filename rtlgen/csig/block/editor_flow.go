package block

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// inFirstBeat reports whether all of the tag is in the first beat and its place is not needed later.
func (e *editor) inFirstBeat() bool { return e.c.At.Flow && e.c.lanes() > lastStart+1 }

// markApart is mark for an editor that never stalls. A first beat uses the place that arrives with it, the others the
// place that a keeps; first chooses between them at the end. Registers supply it for the upper and the lower bits of a
// lane's number, which leaves one gate for each lane.
func (e *editor) markApart(a *stage) {
	m, l, now, kept := e.m, e.c.lanes(), e.ports.Decision.Place, a.decision.Place
	lowBits := min(2, bits.Len(uint(l-1)))
	highBits := bits.Len(uint(l-1)) - lowBits
	low := func(place vgen.Signal) vgen.Signal { return place.Trunc(lowBits) }
	// The upper bits of the lane are equal to a number, or below it.
	equal := func(place vgen.Signal, n int) vgen.Signal {
		if highBits == 0 {
			return flag(true)
		}
		return place.Slice(lowBits+highBits-1, lowBits).Is(uint64(n))
	}
	below := func(place vgen.Signal, n int) vgen.Signal {
		if highBits == 0 || n == 0 {
			return flag(false)
		}
		return place.Slice(lowBits+highBits-1, lowBits).Lt(vgen.Const(highBits, uint64(n)))
	}
	inFirst, here, past, behind := flag(true), flag(false), flag(true), flag(false)
	choose := func(ofFirst, ofLater vgen.Signal) vgen.Signal { return vgen.Mux(e.first, ofFirst, ofLater) }
	if e.inFirstBeat() {
		choose = func(ofFirst, _ vgen.Signal) vgen.Signal { return ofFirst }
	} else {
		number := e.count(e.first.Not())
		w := number.Width()
		tagBeat := e.beatOf(kept, w)
		inFirst = e.beatOf(now, w).Is(0).Named("tag_in_first")
		here = number.Eq(tagBeat).Named("tag_starts_here")
		past = number.Gt(tagBeat).Named("tag_started_before")
		behind = number.Eq(tagBeat.Add(vgen.Const(w, 1))).Named("tag_started_in_last")
	}
	var highEqual, highBelow, lowEqual, lowBelow []vgen.Signal
	for n := range 1 << highBits {
		highEqual = append(highEqual, vgen.Mux(e.first, and(inFirst, equal(now, n)), and(here, equal(kept, n))))
		highBelow = append(highBelow, vgen.Mux(e.first, and(inFirst, below(now, n)), or(past, and(here, below(kept, n)))))
	}
	for n := range 1 << lowBits {
		at := vgen.Const(lowBits, uint64(n))
		lowEqual = append(lowEqual, choose(low(now).Eq(at), low(kept).Eq(at)))
		lowBelow = append(lowBelow, choose(low(now).Le(at), low(kept).Le(at)))
	}
	reg := func(name string, list []vgen.Signal) vgen.Signal { return m.RegNext(name, vector(list)) }
	inHigh, afterHigh := reg("a_tag_high", highEqual), reg("a_tag_before_high", highBelow)
	inLow, afterLow := reg("a_tag_low", lowEqual), reg("a_tag_up_to_low", lowBelow)
	var tag, next, moved []vgen.Signal
	for i := range l {
		high, low := i>>lowBits, i%(1<<lowBits)
		tag = append(tag, inHigh.Bit(high).And(inLow.Bit(low)))
		moved = append(moved, afterHigh.Bit(high).Or(inHigh.Bit(high).And(afterLow.Bit(low))))
		if i > 0 {
			next = append(next, tag[i-1])
		} else if e.inFirstBeat() || !e.c.Expanded() {
			next = append(next, flag(false))
		} else {
			last := and(e.first.Not(), behind, e.laneOf(kept).Is(uint64(l-1)))
			next = append(next, m.RegNext("a_next_in_first_lane", last))
		}
	}
	a.tag, a.moved = vector(tag).Named("a_is_tag"), vector(moved).Named("a_is_moved")
	if e.c.Expanded() {
		a.next = vector(next).Named("a_is_next")
	}
}

// chooseEarly is choose with a register for each choice of each lane.
func (e *editor) chooseEarly(a stage, _ *stage) func(lane int) laneChoice {
	m, c := e.m, e.c
	load := e.loadB()
	kept := func(name string, s vgen.Signal) vgen.Signal { return m.RegNext("b_"+name, s, load...) }
	wide := flag(c.Expanded())
	if a.decision.Size.Exists() {
		wide = a.decision.Size
	}
	each := func(bit vgen.Signal) vgen.Signal { return bit.Repeat(c.lanes()) }
	low, moved := kept("sets_low", a.tag.And(each(a.decision.Update))), kept("moves", a.moved.And(each(a.decision.Strip)))
	high, two := vgen.Signal{}, vgen.Signal{}
	if c.Expanded() {
		high = kept("sets_high", a.next.And(each(and(wide, a.decision.Update))))
	}
	if c.Compact() && c.Expanded() {
		two = kept("moves_two", a.moved.And(each(wide)))
	}
	return func(i int) laneChoice {
		l := laneChoice{low: low.Bit(i), move: moved.Bit(i)}
		if high.Exists() {
			l.high = high.Bit(i)
		}
		if two.Exists() {
			l.two = two.Bit(i)
		}
		return l
	}
}
