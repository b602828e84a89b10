package inband

import "github.com/hdlpkg/hpccgen/model/csig"

// Timing is what the generator publishes of an int_source; the fields are those of docs/int.md, "Cycles of a packet", in cycles.
type Timing struct {
	Lookup, Tx, Count, Decision int // after a packet's header cycle
	Credits                     int // beats that the pipeline holds
	Sweep                       int // cycles after reset in which nothing is accepted
}

// The streams and the bus of an int_source are as those of a csig_switch.
type (
	// Beat is one transfer of a packet stream.
	Beat = csig.Beat
	// BusInputs are the inputs of the AXI4-Lite interface.
	BusInputs = csig.BusInputs
	// BusOutputs are the outputs of the AXI4-Lite interface.
	BusOutputs = csig.BusOutputs
	// Meta is what a device knows of a packet besides its bytes.
	Meta = csig.Meta
)

// Inputs are the inputs of an int_source in one cycle.
type Inputs struct {
	Rst    bool // reset, whatever its polarity in the RTL
	Valid  bool // s_axis_tvalid
	Beat   Beat
	Meta   Meta // s_axis_tuser; read with a packet's first beat. What is wider than its field is cut
	MReady bool // m_axis_tready
	Bus    BusInputs
}

// Outputs are the outputs of an int_source in one cycle. Payload without its valid means nothing.
type Outputs struct {
	Ready      bool // s_axis_tready
	Valid      bool // m_axis_tvalid
	Beat       Beat
	EgressPort int    // of m_axis_tuser
	Status     Status // of m_axis_tuser
	Bus        BusOutputs
}
