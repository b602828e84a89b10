package transit

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Intake is what an editor takes that stops when its output does: a packet's first beat with its decision, then the
// packet's other beats.
type Intake struct {
	InPacket vgen.Signal // the next beat is not a packet's first, a register
	Ready    vgen.Signal // a beat that is there would be taken
	Take     vgen.Signal // a beat is taken
}

// NewIntake takes a beat that is there when its decision is, too, and there is room for it.
func NewIntake(inPacket, beat, decision, room vgen.Signal) Intake {
	known := inPacket.Or(decision).Named("decision_known")
	take := And(beat, known, room).Named("take")
	return Intake{InPacket: inPacket, Ready: known.And(room), Take: take}
}

// First tells that a packet's first beat is taken, and so its decision.
func (in Intake) First() vgen.Signal { return in.Take.And(in.InPacket.Not()).Named("take_first") }

// Next moves InPacket on. last tells that the beat which is there ends its packet.
func (in Intake) Next(m *vgen.Module, last vgen.Signal) {
	m.Next(in.InPacket, vgen.Mux(in.Take, last.Not(), in.InPacket))
}
