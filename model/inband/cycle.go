package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/model/transit"
)

// The streams and the bus of an int_source are those of any packet pipeline.
type (
	Beat       = transit.Beat
	Meta       = transit.Meta
	Inputs     = transit.Inputs
	Outputs    = transit.Outputs
	BusInputs  = transit.BusInputs
	BusOutputs = transit.BusOutputs
)

// Timing is what the generator publishes of an int_source; the fields are those of docs/int.md, "Cycles of a packet",
// in cycles.
type Timing struct {
	Lookup, Tx, Count, Decision int // after a packet's header cycle
	Credits                     int // beats that the pipeline holds
	Sweep                       int // cycles after reset in which nothing is accepted
}

// What every int_source has, in cycles.
const (
	offerDelay  = 3 // from a beat's acceptance until the editor can take it
	actDelay    = 2 // from the cycle in which an access is chosen to that in which it acts
	answerDelay = 3 // from there to its answer
)

func (t Timing) check() error {
	for _, v := range []struct {
		name         string
		got, lowest  int
		than, reason string
	}{
		{"lookup", t.Lookup, 1, "1", "the header is complete then"},
		{"tx", t.Tx, t.Lookup, "lookup", "what leaves counts as decided"},
		{"count", t.Count, t.Lookup, "lookup", "it counts what has been decided"},
		{"decision", t.Decision, t.Tx, "tx", "it has the snapshot"},
		{"sweep", t.Sweep, 1, "1", "counters are cleared after a reset"},
	} {
		if v.got < v.lowest {
			return fmt.Errorf("inband: timing: %s is %d, less than %s, %d: %s",
				v.name, v.got, v.than, v.lowest, v.reason)
		}
	}
	return nil
}
