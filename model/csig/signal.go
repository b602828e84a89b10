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

// IsMin tells whether a signal type is aggregated by its minimum; the others below Types are by their maximum.
func IsMin(t uint8) bool { return t == telemetry.CSIGMinABW || t == telemetry.CSIGMinABWC }

const valueLimit = 1<<ValueBits - 1

// signals computes all signals of a packet; m has been advanced to its time.
func (d *Device) signals(p *port, m *Meta) Signals {
	w := &d.cfg.Widths
	var s Signals
	if used := d.estimate.Of(p.meter.Value, valueLimit); used < p.cfg.Capacity {
		s.ABW = p.cfg.Capacity - used
	}
	s.ABWC = p.ratio.Of(s.ABW, 1<<w.Ratio)
	s.PD = min(elapsed(m.EgressNs, m.IngressNs, w.Time), valueLimit)
	s.NQD = p.depth.Of(min(m.QlenBytes, wide.Mask(w.Qlen)), valueLimit)
	return s
}
