package inband

import (
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/model/axil"
	"github.com/hdlpkg/hpccgen/model/transit"
)

// The streams and the bus of an int_source are those of any packet pipeline.
type (
	Beat       = transit.Beat
	Meta       = transit.Meta
	Inputs     = transit.Inputs
	Outputs    = transit.Outputs
	BusInputs  = axil.Inputs
	BusOutputs = axil.Outputs
)

// Timing is the timing of an int_source that the generator publishes. The model takes it as data.
type Timing = timing.INT

// checkTiming reports timing that no int_source has; what all packet pipelines have is checked in model/transit.
func checkTiming(t Timing) error {
	var b transit.Bounds
	b.Least("lookup", t.Lookup, 1, "", "")
	b.Least("tx", t.Tx, t.Lookup, "lookup", "what leaves counts as decided")
	b.Least("count", t.Count, t.Lookup, "lookup", "it counts what has been decided")
	b.Least("decision", t.Decision, t.Tx, "tx", "it has the snapshot")
	return b.Err
}
