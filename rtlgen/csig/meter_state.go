package csig

import (
	"fmt"

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
	stage int
	mem   *vgen.Memory
	read  vgen.Signal // as read from the memory, a stage before
	word  vgen.Signal // the state at hand
}

// state makes the state that operations have at hand at a stage.
func (t *meter) state(name, doc string, width, stage int) *portState {
	s := &portState{t: t, name: name, stage: stage}
	s.mem = t.m.Memory(name+"_of_port", t.c.Ports, width, doc).NoCollision()
	addr, q := t.p.At(t.port, stage-2), name+"_read"
	if t.c.DataBits > 64 { // block memory would be slow, and mostly empty
		s.read = t.m.RegNext(q, s.mem.ReadAsync(addr))
	} else {
		s.read = s.mem.Read(q, addr)
	}
	s.word = t.m.Reg(fmt.Sprintf("%s_s%d", name, stage), width)
	return s
}

// store gives the next word; where writes is 0 it is the one at hand.
func (s *portState) store(writes, next vgen.Signal) {
	t := s.t
	next = next.Named(s.name + "_next")
	last := t.m.RegNext(s.name+"_last", next)
	before := vgen.Mux(t.p.At(t.near2, s.stage-1), last, s.read)
	t.m.Next(s.word, vgen.Mux(t.p.At(t.near1, s.stage-1), next, before))
	s.mem.Write(writes, t.p.At(t.port, s.stage), next)
}
