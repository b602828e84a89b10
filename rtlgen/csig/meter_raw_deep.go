package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// deepTimeStage is timeStage of a deep raw meter.
const deepTimeStage = 5

// windowCase is a start that an operation's port may have, and what the operation then does: its time reaches so many windows behind it.
type windowCase struct{ anew, ends vgen.Signal }

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
	// So many windows.
	window := func(stage, n int) vgen.Signal {
		if n == 2 {
			return vgen.Cat(p.At(length, stage), vgen.Const(1, 0)).Zext(w)
		}
		return p.At(length, stage).Zext(w)
	}

	// now less none to four windows, and one more.
	less := []lib.Value{
		now, p.Reg("now_less_1", 1, p.At(now, 1).Sub(window(1, 1))), p.Reg("now_less_2", 1, p.At(now, 1).Sub(window(1, 2))),
	}
	less = append(less, p.Reg("now_less_3", 2, p.At(less[1], 2).Sub(window(2, 2))), p.Reg("now_less_4", 2, p.At(less[2], 2).Sub(window(2, 2))))
	more := p.Reg("now_more_1", 1, p.At(now, 1).Add(window(1, 1)))

	// Whether they are not before the times of the two operations just before, which are one and two stages further.
	reaches := func(name string, a, b vgen.Signal) vgen.Signal { return a.Sub(b).Named(name).Top().Not() }
	var reachLast, reachSecond []lib.Value
	for i := range 3 {
		since := reaches(fmt.Sprintf("since_last_%d", i), p.At(less[i], 2), p.At(now, 3))
		reachLast = append(reachLast, p.Reg(fmt.Sprintf("reaches_last_%d", i), 2, since))
	}
	for i := range 4 {
		a, b := p.At(less[min(i, 2)], 2), p.At(now, 4)
		if i == 3 { // three windows less than now is two less than a window more than then
			b = p.At(more, 4)
		}
		reachSecond = append(reachSecond, p.Reg(fmt.Sprintf("reaches_second_%d", i), 2, reaches(fmt.Sprintf("since_second_%d", i), a, b)))
	}

	// The start as the operations before the last two leave it, then as those before the last one do, and at timeStage as all of them do.
	starts := m.Memory("start_of_port", t.c.Ports, w, "start of each port's window, ns").NoCollision()
	read := m.RegNext("start_read", starts.Read("start_out", t.ports.Port))
	earlier, before := m.Reg(fmt.Sprintf("start_s%d", at-2), w), m.Reg(fmt.Sprintf("start_s%d", at-1), w)
	start, following := m.Reg(fmt.Sprintf("start_s%d", at), w), m.Reg(fmt.Sprintf("following_s%d", at), w)
	anew, ends = m.Reg(fmt.Sprintf("anew_s%d", at), 1), m.Reg(fmt.Sprintf("ends_s%d", at), 1)
	next := vgen.Mux(anew, p.At(now, at), vgen.Mux(ends, following, start)).Named("start_next")
	starts.Write(t.controlAt(t.valid, at), p.At(t.port, at), next)
	made1 := m.RegNext("start_made1", next)
	made2 := m.RegNext("start_made2", made1)
	near := func(distance, stage int) vgen.Signal { return p.At(t.near(distance), stage) }
	m.Next(earlier, vgen.Mux(near(3, at-3), next, vgen.Mux(near(4, at-3), made1, vgen.Mux(near(5, at-3), made2, read))))

	// What the operation before the last made of it, when it is of the same port; and what the last one does.
	bit := func(name string, stage int) vgen.Signal { return m.Reg(fmt.Sprintf("%s_s%d", name, stage), 1) }
	freshSecond, followsSecond := bit("starts_second", at-2), bit("ends_second", at-2)
	fresh, follows := bit("starts_last", at-1), bit("ends_last", at-1)
	keeps, rests := bit("keeps_last", at-1), bit("rests_last", at-1) // the same inverted, for the words
	choose := func(fresh, follows, fromNow, moved, stays vgen.Signal) vgen.Signal {
		return vgen.Mux(fresh, fromNow, vgen.Mux(follows, moved, stays))
	}
	m.Next(before, choose(freshSecond, followsSecond, p.At(now, at), earlier.Add(window(at-2, 1)).Named("earlier_1"), earlier))
	one, two := before.Add(window(at-1, 1)).Named("start_1"), before.Add(window(at-1, 2)).Named("start_2")
	m.Next(start, choose(keeps.Not(), rests.Not(), p.At(now, at), one, before))
	m.Next(following, choose(keeps.Not(), rests.Not(), p.At(more, at), two, one))

	// For each start that there may be: what becomes of the window.
	var reachStart []lib.Value
	for i, v := range less {
		since := reaches(fmt.Sprintf("since_start_%d", i), p.At(v, at-2), earlier)
		reachStart = append(reachStart, p.Reg(fmt.Sprintf("reaches_start_%d", i), at-2, since))
	}
	advances, unseen := t.controlAt(t.advance, at-1), t.unseen(at-1)
	decide := func(name string, list []lib.Value) windowCase {
		reached := make([]vgen.Signal, 3)
		for i := range reached {
			reached[i] = p.At(list[i], at-1)
		}
		return windowCase{
			anew: advances.And(unseen.Or(reached[0].And(reached[2]))).Named("anew_" + name),
			ends: and(advances, unseen.Not(), reached[0], reached[1], reached[2].Not()).Named("ends_" + name),
		}
	}
	last, second, secondMoved := decide("of_last", reachLast), decide("of_second", reachSecond), decide("of_second_1", reachSecond[1:])
	stays, moved, movedTwice := decide("of_start", reachStart), decide("of_start_1", reachStart[1:]), decide("of_start_2", reachStart[2:])
	freshBefore, followsBefore := bit("starts_second", at-1), bit("ends_second", at-1)
	m.Next(freshBefore, freshSecond)
	m.Next(followsBefore, followsSecond)
	final := func(get func(windowCase) vgen.Signal) vgen.Signal {
		ofMoved := choose(freshBefore, followsBefore, get(secondMoved), get(movedTwice), get(moved))
		ofStays := choose(freshBefore, followsBefore, get(second), get(moved), get(stays))
		return choose(fresh, follows, get(last), ofMoved, ofStays)
	}
	anewNow := final(func(c windowCase) vgen.Signal { return c.anew }).Named("anew_next")
	endsNow := final(func(c windowCase) vgen.Signal { return c.ends }).Named("ends_next")
	m.Next(anew, anewNow)
	m.Next(ends, endsNow)
	m.Next(fresh, near(1, at-2).And(anewNow))
	m.Next(follows, near(1, at-2).And(endsNow))
	m.Next(keeps, near(1, at-2).And(anewNow).Not())
	m.Next(rests, near(1, at-2).And(endsNow).Not())
	m.Next(freshSecond, near(2, at-3).And(anewNow))
	m.Next(followsSecond, near(2, at-3).And(endsNow))
	return anew, ends
}
