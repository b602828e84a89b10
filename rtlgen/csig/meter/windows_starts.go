package meter

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// storedStarts is the starts of the ports' windows, and the one that the operations before the last two leave.
type storedStarts struct {
	memory        *vgen.Memory
	read, earlier vgen.Signal
}

func (d *aheadWindow) storedStarts() storedStarts {
	w := d.c.TimeBits
	memory := d.m.Memory("start_of_port", d.c.Ports, w, "start of each port's window, ns").NoCollision()
	read := d.m.RegNext("start_read", memory.Read("start_out", d.ports.Port))
	return storedStarts{memory, read, d.reg("start", aheadStage-2, w)}
}

// starts is all starts that the operation may leave: its own time, two windows after the start, one, one after the last
// operation's time, the start itself, the last operation's time. A sum is chosen a stage after it is computed.
func (d *aheadWindow) starts(earlier vgen.Signal) []vgen.Signal {
	m, p, w, at := d.m, d.p, d.c.TimeBits, aheadStage
	stay, once, twice, thrice := d.reg("stay", at-1, w), d.reg("once", at-1, w), d.reg("twice", at-1, w),
		d.reg("thrice", at-1, w)
	m.Next(stay, earlier)
	m.Next(once, earlier.Add(d.window(at-2, 1)))
	m.Next(twice, earlier.Add(d.window(at-2, 2)))
	m.Next(thrice, earlier.Add(d.window(at-2, 3)))
	moves := p.Reg("second_ended", at-2, d.followsSecond).Signal
	starts := p.Reg("second_started", at-2, d.freshSecond).Signal
	stay1, once1, twice1 := d.reg("stay", at, w), d.reg("once", at, w), d.reg("twice", at, w)
	m.Next(stay1, vgen.Mux(moves, once, vgen.Mux(starts, p.At(d.now, at+1), stay)))
	m.Next(once1, vgen.Mux(moves, twice, vgen.Mux(starts, p.At(d.more, at+1), once)))
	m.Next(twice1, vgen.Mux(moves, thrice, vgen.Mux(starts, p.At(d.more2, at+1), twice)))
	return []vgen.Signal{p.At(d.now, at), twice1, once1, p.At(d.more, at+1), stay1, p.At(d.now, at+1)}
}

// leave stores the start that the operation leaves, which is selects, and passes it to those that follow. anew: it is
// the operation's time.
func (d *aheadWindow) leave(s storedStarts, choices, is []vgen.Signal) (anew vgen.Signal) {
	m, p, w, at := d.m, d.p, d.c.TimeBits, aheadStage
	var leaves, words, thirds []vgen.Signal // those for the operation that comes three later are kept inverted
	for i, name := range []string{"anew", "twice", "once", "more", "stay", "last"} {
		leaves = append(leaves, p.Reg("leaves_"+name, at-1, is[i]).Signal)
		words = append(words, choices[i].And(leaves[i].Repeat(w)))
		thirds = append(thirds, choices[i].And(p.Reg("leaves_not_"+name, at-1, is[i].Not()).Not().Repeat(w)))
	}
	next := or(words...).Named("start_next")
	s.memory.Write(d.controlAt(d.valid, at), p.At(d.port, at), next)
	made1 := p.Value("start_made1", at+1, m.RegNext("start_made1", next)).Signal
	made2 := m.RegNext("start_made2", made1)
	// The start that the operation three before leaves, if it is of the same port.
	third := or(thirds...).And(d.nearAt(3, at-3).Repeat(w)).Named("start_third")
	written := vgen.Mux(d.nearAt(4, at-3), made1,
		vgen.Mux(d.nearAt(5, at-3), made2, s.read)).And(d.nearAt(3, at-3).Not().Repeat(w))
	m.Next(s.earlier, third.Or(written))
	return leaves[0]
}
