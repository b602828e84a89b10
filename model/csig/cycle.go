package csig

import (
	"github.com/hdlpkg/hpccgen/model/axil"
	"github.com/hdlpkg/hpccgen/model/transit"
)

// The streams and the bus of a csig_switch are those of any packet pipeline.
type (
	Beat       = transit.Beat
	Meta       = transit.Meta
	Inputs     = transit.Inputs
	Outputs    = transit.Outputs
	BusInputs  = axil.Inputs
	BusOutputs = axil.Outputs
)

// MaxBeat is the largest number of bytes of a beat.
const MaxBeat = transit.MaxBeat
