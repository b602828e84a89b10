package engine

import (
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// GroupPorts are the ports to the memory of a context group, the fields of a flow's context that are read and written
// together: the word read answers an address one cycle later. T is the struct of the fields.
type GroupPorts[T any] struct {
	ReadAddr  vgen.Signal `port:"rd_addr" dir:"out" width:"flow" doc:"flow read"`
	Read      T           `port:"rd_" dir:"in"`
	WriteEn   vgen.Signal `port:"wr_en" dir:"out" width:"1" doc:"write"`
	WriteAddr vgen.Signal `port:"wr_addr" dir:"out" width:"flow" doc:"flow written"`
	Write     T           `port:"wr_" dir:"out"`
}

// Memory is the memory at the ports.
func (g *GroupPorts[T]) Memory(name, doc string) Memory {
	return Memory{name, doc, g.ReadAddr, &g.Read, g.WriteEn, g.WriteAddr, &g.Write}
}

// Memory is a memory of a word for each flow, at the ports of a core: Read and Write are pointers to
// structs of the same signals.
type Memory struct {
	Name, Doc string
	ReadAddr  vgen.Signal
	Read      any
	WriteEn   vgen.Signal
	WriteAddr vgen.Signal
	Write     any
}

// build puts the memory beside the core.
func (k Memory) build(m *vgen.Module, flows int) {
	word := vgen.Pack(k.Write)
	// Operations of one flow are so far apart that none reads what another is writing.
	mem := m.Memory(k.Name, flows, word.Width(), k.Doc).NoCollision()
	mem.Write(k.WriteEn, k.WriteAddr, word)
	targets := vgen.Leaves(k.Read)
	word = mem.Read(k.Name+"_q", k.ReadAddr)
	parts := make([]vgen.Signal, len(targets))
	values := make([]*vgen.Signal, len(targets))
	for i, t := range targets {
		parts[i], values[i] = *t, &parts[i]
	}
	vgen.Split(values, word)
	for i, t := range targets {
		m.Assign(*t, parts[i])
	}
}
