package block

import (
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Microarchitecture is a way to build the logic of a csig_switch other than the packet path.
type Microarchitecture struct {
	Name string
	New  func(d *Datapath) Deciding
}

// Deciding builds it. Its methods are called once each, in order, and record their timing in Datapath.Timing.
type Deciding interface {
	// Registers puts csig_registers into the module, as u_registers.
	Registers() transit.Bus
	// Counters is csig_counters, with the ports CountersPorts.
	Counters() *vgen.Module
	// Decide builds the pipeline from the header to the decision, as of when it is made.
	Decide()
	// Count connects the counted parts of a decision, except its status.
	Count(counts *CountersPorts)
}
