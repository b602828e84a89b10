package transit

import (
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Path is where packets and decisions wait for each other, in front of an editor.
type Path struct {
	Name     string // begins the names of its modules
	Words    int    // beats, and decisions, that can wait
	In       *vgen.Stream[AxisIn]
	Open     vgen.Signal // beats may be accepted
	Closed   vgen.Signal // they may not: a register of its own, for Flow
	Accept   vgen.Signal // to be driven: a beat is accepted
	Accepted vgen.Signal // the same a cycle later
	Stored   vgen.Signal // the beat that was accepted, packed
	Decided  vgen.Signal // a decision is made
}

// Wait makes two FIFOs, for an editor that stops when its output does. The signals of beat and decision, both structs,
// become those that wait longest.
func (p Path) Wait(m *vgen.Module, beat, decision any) (beats, decisions *lib.CreditFIFOPorts) {
	beats = vgen.Instantiate[lib.CreditFIFOPorts](m, "u_beats", lib.CreditFIFO(p.Words, p.Stored.Width()))
	m.Assign(p.Accept, And(p.In.Valid, p.Open, beats.Credit))
	m.Assign(p.In.Ready, p.Open.And(beats.Credit))
	m.Assign(beats.Take, p.Accept)
	m.Assign(beats.Push, p.Accepted)
	m.Assign(beats.Data, p.Stored)
	vgen.Split(vgen.Leaves(beat), beats.OutData)

	made := vgen.Pack(decision)
	decisions = vgen.Instantiate[lib.CreditFIFOPorts](m, "u_decisions",
		lib.CreditFIFO(p.Words, made.Width()))
	m.Assign(decisions.Push, p.Decided)
	m.Assign(decisions.Take, p.Decided)
	m.Assign(decisions.Data, made)
	m.Ignore(decisions.Credit, "a packet has a decision only while it has beats in the other FIFO")
	vgen.Split(vgen.Leaves(decision), decisions.OutData)
	return beats, decisions
}
