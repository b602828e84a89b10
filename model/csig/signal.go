package csig

import (
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// Signals are the local values of a packet at its egress port, before coding.
type Signals struct {
	ABW  uint64 // available bandwidth, kbit/s
	ABWC uint64 // available bandwidth relative to capacity, 2^Ratio is one
	PD   uint64 // per-hop delay, ns
	NQD  uint64 // queue depth normalised by port speed, ns
}

// Of is the value of a signal type below Types.
func (s *Signals) Of(t uint8) uint64 {
	switch t {
	case telemetry.CSIGMinABW:
		return s.ABW
	case telemetry.CSIGMinABWC:
		return s.ABWC
	case telemetry.CSIGMaxPD:
		return s.PD
	}
	return s.NQD
}

// IsMin reports whether a signal type is aggregated by its minimum; the others below Types are by their maximum.
func IsMin(t uint8) bool { return t == telemetry.CSIGMinABW || t == telemetry.CSIGMinABWC }

const valueLimit = 1<<ValueBits - 1

// signals computes all signals of a packet at a port of a capacity in kbit/s, from what its meter says; ratio and depth
// are the port's factors.
func signals(w *Widths, measured uint64, estimate Scale, capacity uint64, ratio, depth Scale, m *Meta) Signals {
	var s Signals
	if used := estimate.Of(measured, valueLimit); used < capacity {
		s.ABW = capacity - used
	}
	one := uint64(1) << w.Ratio
	s.ABWC = one - ratio.Of(measured, one)
	s.PD = min(elapsed(m.EgressNs, m.IngressNs, w.Time), valueLimit)
	s.NQD = depth.Of(min(m.QlenBytes, wide.Mask(w.Qlen)), valueLimit)
	return s
}
