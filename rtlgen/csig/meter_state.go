package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// portState is a word of state for each port. In each cycle one operation has its port's word at hand, as the operations before left
// it, and gives the next.
//
// The word is read two stages before. That of the operation just before comes straight from what it makes of it, that of the one before
// that from a register; those of earlier ones have been written by then.
type portState struct {
	t     *meter
	name  string
	mem   *vgen.Memory
	stage int
	read  vgen.Signal // as read from the memory, a stage before
	word  vgen.Signal // the state at hand
}

// memory makes the memory of a state; at says when operations have their word at hand.
func (t *meter) memory(name, doc string, width int) *portState {
	return &portState{t: t, name: name, mem: t.m.Memory(name+"_of_port", t.c.Ports, width, doc).NoCollision()}
}

// state is a memory whose words are at hand at a stage.
func (t *meter) state(name, doc string, width, stage int) *portState {
	s := t.memory(name, doc, width)
	s.at(stage)
	return s
}

// at lets operations have the state at hand at a stage.
func (s *portState) at(stage int) {
	s.stage = stage
	s.read = s.get(s.name+"_read", stage-2)
	s.word = s.t.m.Reg(fmt.Sprintf("%s_s%d", s.name, stage), s.mem.Width())
}

// get reads the memory at a stage; the word is there one stage later.
func (s *portState) get(name string, stage int) vgen.Signal {
	addr := s.t.p.At(s.t.port, stage)
	if s.t.c.DataBits > 64 { // block memory would be slow, and mostly empty
		return s.t.m.RegNext(name, s.mem.ReadAsync(addr))
	}
	return s.mem.Read(name, addr)
}

// early is the memory's word at a stage, without what the latest operations made of it.
func (s *portState) early(name string, stage int) lib.Value {
	return s.t.p.Value(name, stage, s.get(fmt.Sprintf("%s_s%d", name, stage), stage-1))
}

// store gives the next word; where writes is 0 it is the one at hand.
func (s *portState) store(writes, next vgen.Signal) {
	t := s.t
	last := t.m.RegNext(s.name+"_last", next)
	before := vgen.Mux(t.p.At(t.near2, s.stage-1), last, s.read)
	t.m.Next(s.word, vgen.Mux(t.p.At(t.near1, s.stage-1), next, before))
	s.mem.Write(writes, t.p.At(t.port, s.stage), next)
}
