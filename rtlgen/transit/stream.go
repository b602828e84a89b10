package transit

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// BeatIn is a beat as it comes.
type BeatIn struct {
	Data vgen.Signal `port:"data" width:"data" doc:"bytes, first byte in the low bits"`
	Keep vgen.Signal `port:"keep" width:"keep" doc:"which bytes are part of the packet; all, except on the last beat"`
	Last vgen.Signal `port:"last" width:"1" doc:"end of the packet"`
}

// Beat is a beat whose keep is all ones but for the last one of a packet.
type Beat struct {
	Data vgen.Signal `port:"data" width:"data" doc:"bytes, first byte in the low bits"`
	Keep vgen.Signal `port:"keep" width:"keep" doc:"which bytes are part of the packet"`
	Last vgen.Signal `port:"last" width:"1" doc:"end of the packet"`
}

// AxisIn is a beat on s_axis.
type AxisIn struct {
	BeatIn

	User vgen.Signal `port:"user" width:"user" doc:"with the first beat; from bit 0: ingress port, egress port, ingress time, egress time, queue depth"`
}

// AxisOut is a beat on m_axis.
type AxisOut struct {
	Beat

	User vgen.Signal `port:"user" width:"muser" doc:"from bit 0: egress port, status (4 bits)"`
}
