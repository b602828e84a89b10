package transit

import (
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// takenAfter is from the taking of a word out of a lib.Store to the cycle in which the word is there.
const takenAfter = 2

// Flow joins packets and decisions for an editor that never stops. A beat is taken when there is room for it at the
// output, where a FIFO waits for who is to take the beats. So nothing that the output decides reaches the registers of
// a beat, but the last ones.
type Flow struct {
	Valid vgen.Signal // a beat is there for the editor
	First vgen.Signal // it is a packet's first, with its decision
	Beat  Beat

	m    *vgen.Module
	name string
	pace *pacePorts
}

// Flow takes beats and decisions. The signals of decision, a struct, become those that the editor gets.
func (p Path) Flow(m *vgen.Module, decision any) *Flow {
	f := &Flow{m: m, name: p.Name, Beat: Beat(p.In.Payload.BeatIn)}
	vgen.Split(vgen.Leaves(&f.Beat), p.Stored)
	waiting := vgen.Cat(f.Beat.Last, f.Beat.Keep, f.Beat.Data)
	f.pace = vgen.Instantiate[pacePorts](m, "u_pace", pace(p.Name+"_pace", p.Words))
	beats := vgen.Instantiate[lib.StorePorts](m, "u_beats", lib.TopStore(p.Words, waiting.Width()))
	m.Stage(0, f.pace.Credit)
	m.Assign(p.Accept, And(p.In.Valid, p.Closed.Not(), f.pace.Credit))
	m.Assign(p.In.Ready, p.Open.And(f.pace.Credit))
	m.Assign(f.pace.Accept, p.Accept)
	m.Assign(beats.Push, p.Accepted)
	m.Assign(beats.Data, waiting)
	m.Assign(f.pace.Some, beats.Some)
	m.Assign(f.pace.Last, beats.Top)
	m.Assign(beats.Take, f.pace.Take)

	made := vgen.Pack(decision)
	decisions := vgen.Instantiate[lib.StorePorts](m, "u_decisions",
		lib.Store(p.Words, made.Width()))
	m.Assign(decisions.Push, p.Decided)
	m.Assign(decisions.Data, made)
	m.Assign(f.pace.Decided, decisions.Some)
	m.Assign(decisions.Take, f.pace.First)

	f.Valid = m.Delay("taken", f.pace.Take, takenAfter, vgen.Reset(0), vgen.Control())
	f.First = m.Delay("taken_first", f.pace.First, takenAfter, vgen.Reset(0), vgen.Control())
	vgen.Split([]*vgen.Signal{&f.Beat.Last, &f.Beat.Keep, &f.Beat.Data}, beats.Out)
	vgen.Split(vgen.Leaves(decision), decisions.Out)
	return f
}

// Leave takes what the editor gives, a beat when valid is 1, to the output. absorbed tells that a beat which came will
// not leave.
func (f *Flow) Leave(valid, absorbed vgen.Signal, edited *AxisOut, to *vgen.Stream[AxisOut]) {
	m := f.m
	m.Assign(f.pace.Absorbed, absorbed)
	word := vgen.Pack(edited)
	out := vgen.Instantiate[lib.QueuePorts](m, "u_out", lib.Queue(RoomBeats, word.Width()))
	m.Assign(out.Push, valid)
	m.Assign(out.Data, word)
	m.Assign(out.OutReady, to.Ready)
	m.Assign(to.Valid, out.OutValid)
	m.Assign(f.pace.Sent, out.OutValid.And(to.Ready))
	vgen.Connect(m, &to.Payload, vgen.Unpack(edited, out.OutData))
}
