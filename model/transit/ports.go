package transit

import "github.com/hdlpkg/hpccgen/model/axil"

// MaxBeat is the largest number of bytes of a beat.
const MaxBeat = 64

// Beat is one transfer of a packet stream. Bytes beyond Len are undefined.
type Beat struct {
	Data [MaxBeat]byte
	Len  int  // bytes: all of the stream's width, but on the last beat 1 or more
	Last bool // end of the packet
}

// Meta is the metadata of a packet.
type Meta struct {
	IngressPort, EgressPort int
	IngressNs, EgressNs     uint64
	QlenBytes               uint64 // of the egress queue as the packet leaves
}

// cut cuts each field to the bits of its mask.
func (m Meta) cut(mask Meta) Meta {
	return Meta{
		m.IngressPort & mask.IngressPort, m.EgressPort & mask.EgressPort,
		m.IngressNs & mask.IngressNs, m.EgressNs & mask.EgressNs, m.QlenBytes & mask.QlenBytes,
	}
}

// Inputs are the inputs of a design in one cycle.
type Inputs struct {
	Rst    bool // reset, whatever its polarity in the RTL
	Valid  bool // s_axis_tvalid
	Beat   Beat
	Meta   Meta // s_axis_tuser; read with a packet's first beat. What is wider than its field is cut
	MReady bool // m_axis_tready
	Bus    axil.Inputs
}

// Outputs are the outputs of a design in one cycle. Payload without its valid means nothing.
type Outputs struct {
	Ready      bool // s_axis_tready
	Valid      bool // m_axis_tvalid
	Beat       Beat
	EgressPort int   // of m_axis_tuser
	Status     uint8 // of m_axis_tuser: a code of the design
	Bus        axil.Outputs
}
