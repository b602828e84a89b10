package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// deepTimeStage is timeStage of a deep raw meter.
const deepTimeStage = 5

// windowCase is what an operation does if its port has some start: the window starts anew, ends, or stays.
type windowCase struct{ anew, ends, stay vgen.Signal }

// compared is the case of operations that are compared: misses, registers, tell at a stage whether the operation is before the start, before its
// window's end, and before the end of the next one. All are 0 where given is.
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

// deepWindows is windows of a deep meter.
//
// The start that it is compared with depends on the two operations just before, where they are of the same port: each lets it stay, moves it on by
// a window, or makes it that operation's time. So the operation is compared with all six starts that may come of it, beside each other, two
// stages before; what was decided on the two operations, a register by then, chooses. Between two registers lies a comparison, an addition
// with a choice, or a choice.
func (t *meter) deepWindows() (anew, closes, restarts vgen.Signal) {
	m, p, w, at := t.m, t.p, t.c.TimeBits, deepTimeStage
	now := p.Value("now", 0, t.ports.Now)
	length := p.Reg("window", 0, t.ports.Window)
	three := p.Reg("window_3", 1, p.At(length, 1).Zext(windowBits+2).Add(vgen.Cat(p.At(length, 1), vgen.Const(1, 0)).Zext(windowBits+2)))
	// So many windows.
	window := func(stage, n int) vgen.Signal {
		switch n {
		case 1:
			return p.At(length, stage).Zext(w)
		case 2:
			return vgen.Cat(p.At(length, stage), vgen.Const(1, 0)).Zext(w)
		}
		return p.At(three, stage).Zext(w)
	}

	// now less none to four windows, and one and two more.
	less := []lib.Value{
		now, p.Reg("now_less_1", 1, p.At(now, 1).Sub(window(1, 1))), p.Reg("now_less_2", 1, p.At(now, 1).Sub(window(1, 2))),
	}
	less = append(less, p.Reg("now_less_3", 2, p.At(less[1], 2).Sub(window(2, 2))), p.Reg("now_less_4", 2, p.At(less[2], 2).Sub(window(2, 2))))
	more := p.Reg("now_more_1", 1, p.At(now, 1).Add(window(1, 1)))
	more2 := p.Reg("now_more_2", at, p.At(now, at).Add(window(at, 2)))

	// Whether they are before the times of the two operations just before, which are one and two stages further.
	misses := func(name string, a, b vgen.Signal) vgen.Signal { return a.Sub(b).Named(name).Top() }
	var missLast, missSecond []lib.Value
	for i := range 3 {
		since := misses(fmt.Sprintf("since_last_%d", i), p.At(less[i], 2), p.At(now, 3))
		missLast = append(missLast, p.Reg(fmt.Sprintf("misses_last_%d", i), 2, since))
	}
	for i := range 4 {
		a, b := p.At(less[min(i, 2)], 2), p.At(now, 4)
		if i == 3 { // three windows less than now is two less than a window more than then
			b = p.At(more, 4)
		}
		missSecond = append(missSecond, p.Reg(fmt.Sprintf("misses_second_%d", i), 2, misses(fmt.Sprintf("since_second_%d", i), a, b)))
	}

	// The start as the operations before the last two leave it.
	starts := m.Memory("start_of_port", t.c.Ports, w, "start of each port's window, ns").NoCollision()
	read := m.RegNext("start_read", starts.Read("start_out", t.ports.Port))
	earlier := m.Reg(fmt.Sprintf("start_s%d", at-2), w)
	word := func(name string, stage int) vgen.Signal { return m.Reg(fmt.Sprintf("%s_s%d", name, stage), w) }
	bit := func(name string, stage int) vgen.Signal { return m.Reg(fmt.Sprintf("%s_s%d", name, stage), 1) }

	// What an operation does, told to the two that follow: registers of their own. Whether these are of the same port comes in where they are told.
	goesOn, ends, stays := bit("goes_on", at), bit("ends", at), bit("stays", at) // goes_on: it does not start anew
	near := func(distance, stage int) vgen.Signal { return p.At(t.near(distance), stage) }
	// What the operation before the last made of it, and what the last one does.
	freshSecond, followsSecond := near(2, at-2).And(goesOn.Not()).Named("second_starts"), near(2, at-2).And(ends).Named("second_ends")
	restsSecond := near(2, at-2).Not().Or(stays).Named("second_rests")
	fresh, follows := near(1, at-1).And(goesOn.Not()).Named("last_starts"), near(1, at-1).And(ends).Named("last_ends")
	rests := near(1, at-1).Not().Or(stays).Named("last_rests")

	// So many windows behind it; a sum is chosen a stage later.
	stay, once, twice, thrice := word("stay", at-1), word("once", at-1), word("twice", at-1), word("thrice", at-1)
	m.Next(stay, earlier)
	m.Next(once, earlier.Add(window(at-2, 1)))
	m.Next(twice, earlier.Add(window(at-2, 2)))
	m.Next(thrice, earlier.Add(window(at-2, 3)))
	// All starts that the operation may leave, but its own time and the last one's.
	moves, starts1 := m.RegNext("second_ended", followsSecond), m.RegNext("second_started", freshSecond)
	stay1, once1, twice1 := word("stay", at), word("once", at), word("twice", at)
	m.Next(stay1, vgen.Mux(moves, once, vgen.Mux(starts1, p.At(now, at+1), stay)))
	m.Next(once1, vgen.Mux(moves, twice, vgen.Mux(starts1, p.At(more, at+1), once)))
	m.Next(twice1, vgen.Mux(moves, thrice, vgen.Mux(starts1, p.At(more2, at+1), twice)))
	choices := []vgen.Signal{p.At(now, at), twice1, once1, p.At(more, at+1), stay1, p.At(now, at+1)}

	// For each start that there may be: what becomes of the window.
	var missStart []lib.Value
	for i, v := range less {
		since := misses(fmt.Sprintf("since_start_%d", i), p.At(v, at-2), earlier)
		missStart = append(missStart, p.Reg(fmt.Sprintf("misses_start_%d", i), at-2, since))
	}
	// Those of the two operations before are known a stage earlier, and so is what does not take a comparison.
	advances, unseen := t.controlAt(t.advance, at-2), t.unseen(at-2)
	first, compares := advances.And(unseen), advances.And(unseen.Not())
	early := func(name string, misses []lib.Value, given vgen.Signal) windowCase {
		c := t.compared(misses, at-2, and(compares, given))
		reg := func(what string, s vgen.Signal) vgen.Signal { return p.Reg(what+"_"+name, at-2, s).Signal }
		return windowCase{reg("anew", or(first, c.anew)), reg("ends", c.ends), reg("stay", or(advances.Not(), c.stay))}
	}
	ofLast := early("of_last", missLast, flag(true))
	ofSecond, ofSecond1 := early("of_second", missSecond, freshSecond), early("of_second_1", missSecond[1:], freshSecond)
	// Where the second operation did not start the window anew, its start is the one before, or a window behind it.
	same := p.Reg("compares", at-2, and(compares, restsSecond)).Signal
	moved := p.Reg("compares_moved", at-2, and(compares, followsSecond)).Signal
	late := func(name string, misses []lib.Value) windowCase {
		a, b := t.compared(misses, at-1, same), t.compared(misses[1:], at-1, moved)
		return windowCase{a.anew.Or(b.anew).Named("anew_" + name), a.ends.Or(b.ends).Named("ends_" + name), a.stay.Or(b.stay).Named("stay_" + name)}
	}
	ofStart, ofStart1 := late("of_start", missStart), late("of_start_1", missStart[1:])

	// What becomes of the window, by what the last operation does: it starts it anew, moves it on, or lets it rest. From a comparison it is two gates to
	// what is joined here, and the one that joins is the last before a register.
	joined := func(last, second1, second, start1, start vgen.Signal) vgen.Signal {
		return or(vgen.Mux(fresh, last, vgen.Mux(follows, second1, second)), and(follows, start1), and(rests, start))
	}
	anewNow := joined(ofLast.anew, ofSecond1.anew, ofSecond.anew, ofStart1.anew, ofStart.anew).Named("anew_next")
	endsNow := joined(ofLast.ends, ofSecond1.ends, ofSecond.ends, ofStart1.ends, ofStart.ends).Named("ends_next")
	staysNow := joined(ofLast.stay, ofSecond1.stay, ofSecond.stay, ofStart1.stay, ofStart.stay).Named("stay_next")
	m.Next(goesOn, anewNow.Not())
	m.Next(ends, endsNow)
	m.Next(stays, staysNow)
	// One of the starts is the one that it leaves.
	is := []vgen.Signal{
		anewNow,
		follows.And(or(ofSecond1.ends, ofStart1.ends)),
		or(and(fresh.Not(), vgen.Mux(follows, ofSecond1.stay, ofSecond.ends)), and(follows, ofStart1.stay), and(rests, ofStart.ends)),
		fresh.And(ofLast.ends),
		and(rests, or(ofSecond.stay, ofStart.stay)),
		fresh.And(ofLast.stay),
	}
	var leaves, words, thirds []vgen.Signal // those for the operation that comes three later are kept inverted
	for i, name := range []string{"anew", "twice", "once", "more", "stay", "last"} {
		leaves = append(leaves, m.RegNext("leaves_"+name, is[i]))
		words = append(words, choices[i].And(leaves[i].Repeat(w)))
		thirds = append(thirds, choices[i].And(m.RegNext("leaves_not_"+name, is[i].Not()).Not().Repeat(w)))
	}
	next := or(words...).Named("start_next")
	starts.Write(t.controlAt(t.valid, at), p.At(t.port, at), next)
	made1 := m.RegNext("start_made1", next)
	made2 := m.RegNext("start_made2", made1)
	// What the operation three before leaves, when it is of the same port.
	third := or(thirds...).And(near(3, at-3).Repeat(w)).Named("start_third")
	written := vgen.Mux(near(4, at-3), made1, vgen.Mux(near(5, at-3), made2, read)).And(near(3, at-3).Not().Repeat(w))
	m.Next(earlier, third.Or(written))
	return leaves[0], ends, m.RegNext(fmt.Sprintf("restarts_s%d", at), staysNow.Not())
}
