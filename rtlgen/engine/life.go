package engine

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// LifeWrite is the open and generation part of a context write, held while the write passes.
type LifeWrite struct {
	Start      vgen.Signal // the flow opens
	Close      vgen.Signal // the flow closes; wins
	Generation vgen.Signal // the generation that a start begins; need not exist
}

// Closed is 1 for an ACK that is not of the life that its flow is in: open is the stored bit; the generations, of the
// ACK and stored, need not exist.
func Closed(open, generation, stored vgen.Signal) vgen.Signal {
	if !generation.Exists() {
		return open.Not()
	}
	return open.Not().Or(generation.Ne(stored))
}

// Open is the stored bit after the write.
func (w LifeWrite) Open(open vgen.Signal) vgen.Signal { return open.Or(w.Start).And(w.Close.Not()) }

// Renew is the stored generation after the write.
func (w LifeWrite) Renew(generation vgen.Signal) vgen.Signal {
	return vgen.Mux(w.Start, w.Generation, generation)
}
