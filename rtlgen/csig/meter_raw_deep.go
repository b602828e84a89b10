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

// windowRule says what decides: the operation is the first of its port, it is compared, or it does not advance. All may be 0, and then a case is.
type windowRule struct{ first, compares, idle vgen.Signal }

// each applies a function to what three cases say.
func each(f func(a, b, c vgen.Signal) vgen.Signal, a, b, c windowCase) windowCase {
	return windowCase{f(a.anew, b.anew, c.anew), f(a.ends, b.ends, c.ends), f(a.stay, b.stay, c.stay)}
}

// deepWindows is windows of a deep meter.
//
// The start that it is compared with depends on the two operations just before, where they are of the same port: each lets it stay, moves it on by
// a window, or makes it that operation's time. So the operation is compared with all six starts that may come of it, beside each other, two
// stages before; what was decided on the two operations, a register by then, chooses. Between two registers lies a comparison, an addition
// with a choice, or a choice.
func (t *meter) deepWindows() (anew, ends vgen.Signal) {
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

	// What the operation before the last made of it, when it is of the same port; and what the last one does.
	freshSecond, followsSecond := bit("starts_second", at-2), bit("ends_second", at-2)
	fresh, follows := bit("starts_last", at-1), bit("ends_last", at-1)
	// The same inverted, for the words: registers of their own.
	restsSecond, keepsSecond, keeps := bit("rests_second", at-1), bit("keeps_second", at-1), bit("keeps_last", at-1)
	m.Next(restsSecond, followsSecond.Not())
	m.Next(keepsSecond, freshSecond.Not())
	followsBefore := m.RegNext(fmt.Sprintf("ends_second_s%d", at-1), followsSecond)

	// So many windows behind it; a sum is chosen a stage later.
	stay, once, twice, thrice := word("stay", at-1), word("once", at-1), word("twice", at-1), word("thrice", at-1)
	m.Next(stay, vgen.Mux(freshSecond, p.At(now, at), earlier))
	m.Next(once, earlier.Add(window(at-2, 1)))
	m.Next(twice, earlier.Add(window(at-2, 2)))
	m.Next(thrice, earlier.Add(window(at-2, 3)))
	// All starts that the operation may leave, but its own time.
	stay1, once1, twice1 := word("stay", at), word("once", at), word("twice", at)
	m.Next(stay1, vgen.Mux(keeps, vgen.Mux(restsSecond, stay, once), p.At(now, at)))
	m.Next(once1, vgen.Mux(restsSecond, vgen.Mux(keepsSecond, once, p.At(more, at+1)), twice))
	m.Next(twice1, vgen.Mux(restsSecond, vgen.Mux(keepsSecond, twice, p.At(more2, at+1)), thrice))
	choices := []vgen.Signal{p.At(now, at), twice1, once1, p.At(more, at+1), stay1}

	// For each start that there may be: what becomes of the window.
	var missStart []lib.Value
	for i, v := range less {
		since := misses(fmt.Sprintf("since_start_%d", i), p.At(v, at-2), earlier)
		missStart = append(missStart, p.Reg(fmt.Sprintf("misses_start_%d", i), at-2, since))
	}
	// Those of the two operations before are known a stage earlier.
	advances, unseen := t.controlAt(t.advance, at-2), t.unseen(at-2)
	rule := func(given vgen.Signal) windowRule {
		return windowRule{first: and(advances, unseen, given), compares: and(advances, unseen.Not(), given), idle: advances.Not().And(given)}
	}
	decide := func(name string, misses []lib.Value, stage int, r windowRule) windowCase {
		reached := make([]vgen.Signal, 3)
		for i := range reached {
			reached[i] = p.At(misses[i], stage).Not()
		}
		return windowCase{
			anew: or(r.first, and(r.compares, reached[0], reached[2])).Named("anew_" + name),
			ends: and(r.compares, reached[0], reached[1], reached[2].Not()).Named("ends_" + name),
			stay: or(r.idle, and(r.compares, or(reached[0].Not(), and(reached[1].Not(), reached[2].Not())))).Named("stay_" + name),
		}
	}
	early := func(name string, misses []lib.Value, given vgen.Signal) windowCase {
		c := decide(name, misses, at-2, rule(given))
		reg := func(s vgen.Signal, what string) vgen.Signal { return p.Reg(what+"_"+name, at-2, s).Signal }
		return windowCase{reg(c.anew, "anew"), reg(c.ends, "ends"), reg(c.stay, "stay")}
	}
	r := rule(freshSecond.Not())
	r = windowRule{p.Reg("first", at-2, r.first).Signal, p.Reg("compares", at-2, r.compares).Signal, p.Reg("idle", at-2, r.idle).Signal}
	late := func(name string, misses []lib.Value) windowCase { return decide(name, misses, at-1, r) }
	ofLast := early("of_last", missLast, flag(true))
	ofSecond, ofSecond1 := early("of_second", missSecond, freshSecond), early("of_second_1", missSecond[1:], freshSecond)
	ofStart, ofStart1, ofStart2 := late("of_start", missStart), late("of_start_1", missStart[1:]), late("of_start_2", missStart[2:])

	// For each of what the last operation may do: what becomes of the window after what the second one did.
	// Where that one started it anew, its cases alone are not all 0.
	last := ofLast
	moved := each(func(s, a, b vgen.Signal) vgen.Signal { return s.Or(vgen.Mux(followsBefore, a, b)) }, ofSecond1, ofStart2, ofStart1)
	rests := each(func(s, a, b vgen.Signal) vgen.Signal { return s.Or(vgen.Mux(followsBefore, a, b)) }, ofSecond, ofStart1, ofStart)
	decided := each(func(l, a, b vgen.Signal) vgen.Signal { return vgen.Mux(fresh, l, vgen.Mux(follows, a, b)) }, last, moved, rests)
	anewNow, endsNow := decided.anew.Named("anew_next"), decided.ends.Named("ends_next")
	// One of the starts is the one that it leaves.
	is := []vgen.Signal{
		anewNow,
		follows.And(moved.ends),
		vgen.Mux(follows, moved.stay, rests.ends).And(fresh.Not()),
		fresh.And(last.ends),
		vgen.Mux(fresh, last.stay, follows.Not().And(rests.stay)),
	}
	leaves := func(prefix string, given vgen.Signal) (start, anew vgen.Signal) {
		var list, words []vgen.Signal
		for i, name := range []string{"anew", "twice", "once", "more", "stay"} {
			q := m.RegNext(prefix+name, and(is[i], given))
			list, words = append(list, q), append(words, choices[i].And(q.Repeat(w)))
		}
		return or(words...), list[0]
	}
	near := func(distance, stage int) vgen.Signal { return p.At(t.near(distance), stage) }
	next, anew := leaves("leaves_", flag(true))
	next, ends = next.Named("start_next"), m.RegNext(fmt.Sprintf("ends_s%d", at), endsNow)
	starts.Write(t.controlAt(t.valid, at), p.At(t.port, at), next)
	made1 := m.RegNext("start_made1", next)
	made2 := m.RegNext("start_made2", made1)
	third, _ := leaves("third_", near(3, at-4)) // what the third operation before leaves, when it is of the same port
	written := vgen.Mux(near(4, at-3), made1, vgen.Mux(near(5, at-3), made2, read)).And(near(3, at-3).Not().Repeat(w))
	m.Next(earlier, third.Named("start_third").Or(written))

	m.Next(fresh, near(1, at-2).And(anewNow))
	m.Next(follows, near(1, at-2).And(endsNow))
	m.Next(keeps, near(1, at-2).And(anewNow).Not())
	m.Next(freshSecond, near(2, at-3).And(anewNow))
	m.Next(followsSecond, near(2, at-3).And(endsNow))
	return anew, ends
}
