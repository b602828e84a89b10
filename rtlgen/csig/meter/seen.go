package meter

import (
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// sectionBits are the first bits of a time: its section, which the device's time is in (docs/csig.md, Meters).
const sectionBits = 3

// aging is the effect of an operation on the ports seen, a cycle later: ports seen in the section before are forgotten
// and those of this section take their place (drops), or all are forgotten (drops and forgets).
type aging struct{ drops, forgets vgen.Signal }

// ages follows the section of the device's time, from operations that advance in this cycle.
func ages(m *vgen.Module, advances, now, clear vgen.Signal) aging {
	section := now.Slice(now.Width()-1, now.Width()-sectionBits)
	of := m.Reg("section_q", sectionBits)
	begun := m.State("section_begun", 1)
	step := section.Sub(of).Named("section_step")
	known := begun.And(clear.Not()).Named("section_known")
	back := step.AllBits().Named("steps_back")
	m.Next(of, vgen.Mux(and(advances, or(known.Not(), back.Not())), section, of))
	m.Next(begun, known.Or(advances))
	moves := and(advances, known, step.AnyBit(), back.Not()).Named("section_moves")
	forgets := clear.Or(moves.And(step.Is(1).Not()))
	return aging{m.RegNext("seen_drops", clear.Or(moves)), m.RegNext("seen_forgets", forgets)}
}

// seenPorts are which ports have been seen in this section of the time, and which in the one before, as the operations
// before this cycle's left them; this one advances a port or does not.
func seenPorts(m *vgen.Module, ports int, a aging, advances, port vgen.Signal) (fresh, before vgen.Signal) {
	fresh, before = m.State("seen_q", ports), m.State("seen_before_q", ports)
	this := lib.OneHot(ports, port).And(advances.Repeat(ports))
	m.Next(fresh, this.Or(fresh.And(a.drops.Not().Repeat(ports))))
	m.Next(before, vgen.Mux(a.drops, fresh, before).And(a.forgets.Not().Repeat(ports)))
	return fresh, before
}

// unseen reports whether a port counts as not seen, from whether it was seen in this section and in the one before.
func (a aging) unseen(fresh, before vgen.Signal) vgen.Signal {
	return a.forgets.Or(or(fresh, before.And(a.drops.Not())).Not()).Named("port_unseen")
}
