package transit

import (
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// acceptedAfter is from the acceptance of a beat until it is stored.
const acceptedAfter = 1

// Path is where packets and decisions wait for each other, in front of an editor.
type Path struct {
	Name     string // begins the names of its modules
	Words    int    // beats, and decisions, that can wait
	In       *vgen.Stream[AxisIn]
	Open     vgen.Signal // beats may be accepted
	Closed   vgen.Signal // they may not: a register of its own, for Flow
	Accept   vgen.Signal // to be driven: a beat is accepted
	Accepted vgen.Signal // the same later (Accepted)
	Stored   vgen.Signal // the beat that was accepted, packed
	Decided  vgen.Signal // a decision is made
}

// editorInput is from the input of an editor to its register A, and editorOutput from register B to its output: a
// register each.
const editorInput, editorOutput = 1, 1

// Waiting is the timing of Wait and of an editor behind it; with flow that of Flow and Leave. decided is how long after
// it is made a decision can be taken.
func Waiting(flow bool) (t timing.Transit, decided int) {
	if !flow {
		decided = lib.CreditFIFO(2, 1).Latency()
		t = timing.Transit{Offer: acceptedAfter + decided, Return: 1, Enter: editorInput, Leave: editorOutput}
		return t, decided
	}
	decided = lib.Store(2, 1).Latency() - takenAfter
	return timing.Transit{
		Offer: acceptedAfter + decided, Return: 1 + toldAfter, Room: RoomBeats, Enter: takenAfter + editorInput,
		Leave: editorOutput + lib.Queue(2, 1).Latency(), Gone: 1 + toldAfter,
	}, decided
}

// Accepted is what is accepted in a cycle, a packed beat, as it is stored.
func Accepted(m *vgen.Module, accept, beat vgen.Signal) (accepted, stored vgen.Signal) {
	return m.Delay("beat_valid", accept, acceptedAfter, vgen.Reset(0), vgen.Control()),
		m.Delay("beat", beat, acceptedAfter)
}

// Wait makes two FIFOs, for an editor that stops when its output does. The signals of beat and decision, both structs,
// become those that wait longest.
func (p Path) Wait(m *vgen.Module, beat, decision any) (beats, decisions *lib.CreditFIFOPorts) {
	beats = vgen.Instantiate[lib.CreditFIFOPorts](m, "u_beats", lib.CreditFIFO(p.Words, p.Stored.Width()))
	m.Stage(0, beats.Credit)
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
