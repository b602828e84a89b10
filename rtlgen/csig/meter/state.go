package meter

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// portState is a word of state for each port. In each cycle one operation has its port's word, with the operations
// before it applied, and computes the next.
//
// With few ports on a narrow stream the words are registers. Otherwise they are in a memory that is read readAhead
// stages earlier: the word of the operation just before is forwarded from the result itself, those of the ones before
// that from registers; earlier ones have been written by then.
type portState struct {
	t     *meter
	name  string
	width int
	stage int
	word  vgen.Signal // the operation's state

	mem   *vgen.Memory
	read  vgen.Signal // as read from the memory, a stage before; where it is chosen in two steps two stages before
	steps bool        // the choice of the operation whose word is forwarded takes two steps

	// the lower bits of the word, a register of their own that is 0 where clears, a stage before, is 1
	cleared, clears vgen.Signal

	regs   []vgen.Signal
	writes []vgen.Signal // enables of the registers
}

// fewPorts is the number of ports up to which registers are smaller than a memory and its forwarding.
const fewPorts = 4

// state makes the words of a state, which operations have at a stage.
func (t *meter) state(name, doc string, width, stage int) *portState {
	s := &portState{t: t, name: name, width: width, stage: stage}
	if t.c.Ports > fewPorts || t.c.At.Meters {
		s.mem = t.m.Memory(name+"_of_port", t.c.Ports, width, doc).NoCollision()
		s.steps = t.c.At.Meters && stage > t.c.ReadAhead()
		s.read = s.registered(name+"_read", stage-1-bit(s.steps))
		s.word = t.p.Value(name, stage, t.m.Reg(fmt.Sprintf("%s_s%d", name, stage), width)).Signal
		return s
	}
	for i := range t.c.Ports {
		en := t.m.Wire(fmt.Sprintf("%s_write%d", name, i), 1)
		s.writes = append(s.writes, en)
		s.regs = append(s.regs, t.m.Reg(fmt.Sprintf("%s_of_port%d", name, i), width, vgen.Enable(en)))
	}
	s.word = s.get(stage).Named(fmt.Sprintf("%s_s%d", name, stage))
	return s
}

// clearedWhere is the lower bits of the current word, 0 where clears, a signal of the stage before, is 1.
func (s *portState) clearedWhere(clears vgen.Signal, width int) vgen.Signal {
	s.clears = clears
	name := s.name + "_cleared"
	s.cleared = s.t.p.Value(name, s.stage, s.t.m.Reg(fmt.Sprintf("%s_s%d", name, s.stage), width)).Signal
	return s.cleared
}

// get is the register of a stage's port.
func (s *portState) get(stage int) vgen.Signal {
	return vgen.Select(s.t.p.At(s.t.port, stage), s.regs, s.regs[len(s.regs)-1])
}

// registered is the stored word of a stage's port, registered a stage earlier.
func (s *portState) registered(name string, stage int) vgen.Signal {
	if s.t.c.ReadAhead() == 2 {
		return s.mem.Read(name, s.t.p.At(s.t.port, stage-1))
	}
	return s.t.m.RegNext(name, s.mem.Read(name+"_out", s.t.p.At(s.t.port, stage-2)))
}

// store sets the next word; where writes is 0 the word is kept.
func (s *portState) store(writes, next vgen.Signal) {
	t := s.t
	if s.mem == nil {
		for i, q := range s.regs {
			t.m.Assign(s.writes[i], writes.And(t.p.At(t.port, s.stage).Is(uint64(i))))
			t.m.Next(q, next)
		}
		return
	}
	before := s.read
	late := bit(t.c.At.Meters)                        // the memory is written from a register
	made := make([]vgen.Signal, t.c.ReadAhead()+late) // by the operations before
	for i := range made[1:] {
		from := next
		if i > 0 {
			from = made[i]
		}
		name := fmt.Sprintf("%s_made%d", s.name, i+1)
		made[i+1] = t.p.Value(name, s.stage+i+1, t.m.RegNext(name, from)).Signal
	}
	if s.steps { // those of the operations further before a stage earlier, where they are in the same registers
		for i := len(made) - 1; i > 0; i-- {
			before = vgen.Mux(t.p.At(t.near(i+2), s.stage-2), made[i], before)
		}
		before = t.p.Value(s.name+"_before", s.stage-1, t.m.RegNext(s.name+"_before", before)).Signal
		made = made[:2]
	}
	for i := len(made) - 1; i > 0; i-- {
		before = vgen.Mux(t.p.At(t.near(i+1), s.stage-1), made[i], before)
	}
	if len(made) > 1 {
		before = before.Named(s.name + "_then")
	}
	last := t.p.At(t.near(1), s.stage-1)
	if s.cleared.Exists() { // the register that chooses the lower bits is another one, inverted
		n := s.cleared.Width()
		apart := t.p.Reg(s.name+"_not_last", s.stage-2, t.p.At(t.near(1), s.stage-2).Not()).Signal
		low := vgen.Mux(apart, before.Trunc(n), next.Trunc(n)).Named(s.name + "_low_next")
		t.m.Next(s.cleared, low.And(s.clears.Not().Repeat(n)))
		t.m.Next(s.word, vgen.Cat(vgen.Mux(last, next.Slice(s.width-1, n), before.Slice(s.width-1, n)), low))
	} else {
		t.m.Next(s.word, vgen.Mux(last, next, before))
	}
	if late > 0 {
		writes, next = t.m.StateNext(s.name+"_writes", writes), made[1]
	}
	s.mem.Write(writes, t.p.At(t.port, s.stage+late), next)
}
