package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// FromConfig is the device of a design, with everything written to it that the design says.
func FromConfig(c *config.CSIG) Config {
	out := Config{
		Widths: Widths{Time: c.TimeBits, Bytes: c.ByteBits, Frac: c.FracBits, Recip: c.RecipBits, Ratio: c.RatioBits,
			Qlen: c.QlenBits},
		Tags: telemetry.Tags{Compact: c.CompactTPID, Expanded: c.ExpandedTPID, VLAN: c.VLANTPIDs, Decrypted: c.Decrypted},
		Estimate: Estimate{
			Window: c.WindowNs, TimeShift: c.TimeShift, GapShift: c.GapShift, TickShift: c.TickShift,
			DecayShift: c.DecayShift, Overhead: c.OverheadBytes,
		},
		Port:   make([]Port, len(c.Port)),
		Bounds: c.Bounds,
	}
	switch c.Method {
	case config.CSIGEWMA:
		out.Estimate.Method = EWMA
	case config.CSIGDRE:
		out.Estimate.Method = DRE
	}
	if c.UEC {
		out.Split = telemetry.CSIGUEC
	}
	for i := range c.Port {
		from := &c.Port[i]
		p := Port{Trusted: from.Trusted, Capacity: from.CapacityKbps}
		for t, a := range from.Actions {
			p.Action[t] = Action(a)
		}
		for t := range Types {
			p.Locator[t] = Locator{from.Compact[t], from.Expanded[t]}
		}
		out.Port[i] = p
	}
	for t, q := range c.Quantizer {
		out.Quantize[t] = Quantizer(q)
	}
	return out
}
