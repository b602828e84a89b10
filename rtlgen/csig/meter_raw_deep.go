package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// deepTimeStage is timeStage of a deep raw meter.
const deepTimeStage = 4

// deepWindows is windows of a deep meter.
//
// The start that it is compared with depends on the operation just before, where that is of the same port: it stays, moves on by a window, or
// is that operation's time. So a stage before, all three are compared with, beside each other, and the decision on the operation before, a
// register by then, chooses: one comparison or one choice lies between two registers.
func (t *meter) deepWindows() (anew, ends vgen.Signal) {
	m, p, w, at := t.m, t.p, t.c.TimeBits, deepTimeStage
	now := p.Value("now", 0, t.ports.Now)
	length := p.Reg("window", 0, t.ports.Window)
	// s and so many windows more, or less.
	window := func(stage, n int) vgen.Signal {
		if n == 2 {
			return vgen.Cat(p.At(length, stage), vgen.Const(1, 0)).Zext(w)
		}
		return p.At(length, stage).Zext(w)
	}

	// now less none to three windows; and whether the time of the operation before is not after the first three of them.
	less := []lib.Value{
		now, p.Reg("now_less_1", 1, p.At(now, 1).Sub(window(1, 1))), p.Reg("now_less_2", 1, p.At(now, 1).Sub(window(1, 2))),
	}
	less = append(less, p.Reg("now_less_3", 2, p.At(less[1], 2).Sub(window(2, 2))))
	passed := make([]lib.Value, 3)
	for i := range passed {
		since := p.At(less[i], at-2).Sub(p.At(now, at-1)).Named(fmt.Sprintf("since_now_%d", i))
		passed[i] = p.Reg(fmt.Sprintf("passed_now_%d", i), at-2, since.Top().Not())
	}

	// The start as the operations before the last one leave it, a stage before timeStage, and at timeStage as all of them do.
	starts := m.Memory("start_of_port", t.c.Ports, w, "start of each port's window, ns").NoCollision()
	read := m.RegNext("start_read", starts.Read("start_out", t.ports.Port))
	before := m.Reg(fmt.Sprintf("start_s%d", at-1), w)
	start, following := m.Reg(fmt.Sprintf("start_s%d", at), w), m.Reg(fmt.Sprintf("following_s%d", at), w)
	anew, ends = m.Reg(fmt.Sprintf("anew_s%d", at), 1), m.Reg(fmt.Sprintf("ends_s%d", at), 1)
	next := vgen.Mux(anew, p.At(now, at), vgen.Mux(ends, following, start)).Named("start_next")
	starts.Write(t.controlAt(t.valid, at), p.At(t.port, at), next)
	made1 := m.RegNext("start_made1", next)
	made2 := m.RegNext("start_made2", made1)
	near := func(distance int) vgen.Signal { return p.At(t.near(distance), at-2) }
	m.Next(before, vgen.Mux(near(2), next, vgen.Mux(near(3), made1, vgen.Mux(near(4), made2, read))))

	// What becomes of it in the operation just before.
	same := p.At(t.near(1), at-1)
	fresh, follows := same.And(anew).Named("starts_before"), same.And(ends).Named("ends_before")
	choose := func(fromNow, moved, stays vgen.Signal) vgen.Signal {
		return vgen.Mux(fresh, fromNow, vgen.Mux(follows, moved, stays))
	}
	one, two := before.Add(window(at-1, 1)).Named("start_1"), before.Add(window(at-1, 2)).Named("start_2")
	last := p.At(now, at)
	m.Next(start, choose(last, one, before))
	m.Next(following, choose(p.At(p.Reg("now_more_1", at-1, p.At(now, at-1).Add(window(at-1, 1))), at), two, one))
	reached := make([]vgen.Signal, len(less))
	for i, v := range less {
		reached[i] = p.At(v, at-1).Sub(before).Named(fmt.Sprintf("since_start_%d", i)).Top().Not()
	}
	over := make([]vgen.Signal, len(passed))
	for i, v := range passed {
		over[i] = choose(v.Signal, reached[i+1], reached[i]).Named(fmt.Sprintf("reached_%d", i))
	}
	advances, unseen := t.controlAt(t.advance, at-1), t.unseen(at-1)
	m.Next(anew, advances.And(unseen.Or(over[0].And(over[2]))))
	m.Next(ends, and(advances, unseen.Not(), over[0], over[1], over[2].Not()))
	return anew, ends
}
