package meter

import (
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// windowCase is what an operation does if its port has some start: the window restarts, ends, or continues.
type windowCase struct{ anew, ends, stay vgen.Signal }

// windowCases is what becomes of the window for each start that there may be: the last operation's time, that of the
// second before it or a window behind that, the start before both or a window behind it.
type windowCases struct{ ofLast, ofSecond, ofSecond1, ofStart, ofStart1 windowCase }

// compared is the case of operations that are compared: misses, registers, tell at a stage whether the operation is
// before the start, before its window's end, and before the end of the next one. All are 0 where given is.
func (t *meter) compared(misses []lib.Value, stage int, given vgen.Signal) windowCase {
	reached := make([]vgen.Signal, 3)
	for i := range reached {
		reached[i] = t.p.At(misses[i], stage).Not()
	}
	return windowCase{
		anew: and(given, reached[0], reached[2]),
		ends: and(given, reached[0], reached[1], reached[2].Not()),
		stay: and(given, or(reached[0].Not(), and(reached[1].Not(), reached[2].Not()))),
	}
}

// cases works them out. Those of the two operations before are known a stage earlier, and so is what does not take a
// comparison.
func (d *aheadWindow) cases(missLast, missSecond, missStart []lib.Value) (c windowCases) {
	p, at := d.p, aheadStage
	advances, unseen := d.controlAt(d.advance, at-2), d.unseen(at-2)
	first, compares := advances.And(unseen).Named("is_first"), advances.And(unseen.Not()).Named("is_later")
	early := func(name string, misses []lib.Value, given vgen.Signal) windowCase {
		c := d.compared(misses, at-2, and(compares, given))
		reg := func(what string, s vgen.Signal) vgen.Signal { return p.Reg(what+"_"+name, at-2, s).Signal }
		return windowCase{reg("anew", or(first, c.anew)), reg("ends", c.ends), reg("stay", or(advances.Not(), c.stay))}
	}
	c.ofLast = early("of_last", missLast, flag(true))
	c.ofSecond, c.ofSecond1 = early("of_second", missSecond, d.freshSecond),
		early("of_second_1", missSecond[1:], d.freshSecond)
	// Where the second operation did not start the window anew, its start is the one before, or a window behind it.
	same := p.Reg("compares", at-2, and(compares, d.restsSecond)).Signal
	moved := p.Reg("compares_moved", at-2, and(compares, d.followsSecond)).Signal
	late := func(name string, misses []lib.Value) windowCase {
		a, b := d.compared(misses, at-1, same), d.compared(misses[1:], at-1, moved)
		return windowCase{a.anew.Or(b.anew).Named("anew_" + name), a.ends.Or(b.ends).Named("ends_" + name),
			a.stay.Or(b.stay).Named("stay_" + name)}
	}
	c.ofStart, c.ofStart1 = late("of_start", missStart), late("of_start_1", missStart[1:])
	return c
}

// decide is what becomes of the window, by what the last operation does: it starts it anew, moves it on, or lets it
// rest; and which of the starts is the one that it leaves. From a comparison it is two gates to what is joined here,
// and the one that joins is the last before a register.
func (d *aheadWindow) decide(c windowCases) (now windowCase, is []vgen.Signal) {
	fresh, follows, rests := d.fresh, d.follows, d.rests
	joined := func(last, second1, second, start1, start vgen.Signal) vgen.Signal {
		return or(vgen.Mux(fresh, last, vgen.Mux(follows, second1, second)), and(follows, start1), and(rests, start))
	}
	now = windowCase{
		anew: joined(c.ofLast.anew, c.ofSecond1.anew, c.ofSecond.anew, c.ofStart1.anew, c.ofStart.anew).Named("anew_next"),
		ends: joined(c.ofLast.ends, c.ofSecond1.ends, c.ofSecond.ends, c.ofStart1.ends, c.ofStart.ends).Named("ends_next"),
		stay: joined(c.ofLast.stay, c.ofSecond1.stay, c.ofSecond.stay, c.ofStart1.stay, c.ofStart.stay).Named("stay_next"),
	}
	return now, []vgen.Signal{
		now.anew,
		follows.And(or(c.ofSecond1.ends, c.ofStart1.ends)),
		or(and(fresh.Not(), vgen.Mux(follows, c.ofSecond1.stay, c.ofSecond.ends)), and(follows, c.ofStart1.stay),
			and(rests, c.ofStart.ends)),
		fresh.And(c.ofLast.ends),
		and(rests, or(c.ofSecond.stay, c.ofStart.stay)),
		fresh.And(c.ofLast.stay),
	}
}
