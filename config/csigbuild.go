package config

import (
	"fmt"
	"math/big"
	"math/bits"
)

// finishCSIG fills in what the table does not say. Problems are collected in d; the result is meaningful only when
// there are none.
func (d *decoder) finishCSIG(c *CSIG) {
	d.checkMantissa(c)
	d.checkTPIDs()
	d.checkShifts(c)
	d.buckets(c)
	d.quantizers(c)
	if d.sound("ports") {
		c.Port = portsOf[CSIGPort](d, c.Ports)
		d.checkLocators(c)
		d.checkMeterRange(c)
	}
}

// checkMantissa asks for a mantissa with which every factor has a shift of 0 to 63.
func (d *decoder) checkMantissa(c *CSIG) {
	if _, given := d.places["widths.reciprocal"]; !given {
		c.RecipBits = min(c.RatioBits+8, 32)
		return
	}
	least, most := c.RatioBits+4, min(c.RatioBits+8, 32)
	if d.sound("widths.reciprocal", "widths.ratio") && (c.RecipBits < least || c.RecipBits > most) {
		d.refuse("widths.reciprocal", Problem{
			What: fmt.Sprintf("widths.reciprocal is %d, with widths.ratio %d%s", c.RecipBits,
				c.RatioBits, d.byDefault("widths.ratio")),
			Legal: fmt.Sprintf("%d to %d", least, most), Reason: "the factor of ABW/C needs a shift of 0 to 63",
			Nearest: fmt.Sprint(min(max(c.RecipBits, least), most))})
	}
}

// foreignTypes are EtherTypes that no tag can have: a device that took them for one would write into payload.
var foreignTypes = map[string]string{
	"0x0800": "IPv4", "0x0806": "ARP", "0x86dd": "IPv6", "0x8847": "MPLS", "0x8848": "MPLS multicast", "0x88cc": "LLDP",
	"0x88e5": "MACsec", "0x88f7": "PTP",
}

// checkTPIDs refuses tags that cannot be told apart, and a device without tags.
func (d *decoder) checkTPIDs() {
	list := d.tagsAt("tags.compact", "tags.expanded")
	if len(list) == 0 && d.sound("tags.compact", "tags.expanded") {
		d.refuse("tags.compact", Problem{What: "tags has neither compact nor expanded tags",
			Legal:  "a TPID for one of them, or for both",
			Reason: "without one there is nothing to update", Nearest: "0x88b5"})
	}
	d.tellApart(append(list, d.tagsAt("tags.vlan")...), foreignTypes, "one that no other tag has")
}

// checkShifts asks for shifts that make a time constant together.
func (d *decoder) checkShifts(c *CSIG) {
	const timeShift, gapShift, tickShift, decayShift = "bandwidth.time_shift", "bandwidth.gap_shift",
		"bandwidth.tick_shift", "bandwidth.decay_shift"
	switch {
	case !d.sound("bandwidth.method"):
	case c.Method == CSIGEWMA && d.sound(timeShift, gapShift) && c.GapShift >= c.TimeShift:
		d.refuse(gapShift, Problem{
			What:  fmt.Sprintf("%s is %d, with time_shift %d%s", gapShift, c.GapShift, c.TimeShift, d.byDefault(timeShift)),
			Legal: fmt.Sprintf("0 to %d", c.TimeShift-1), Reason: "an update covers less than a time constant",
			Nearest: fmt.Sprint(c.TimeShift - 1)})
	case c.Method == CSIGDRE && d.sound(tickShift, decayShift):
		least, most := 10-c.DecayShift, 30-c.DecayShift
		if c.TickShift >= least && c.TickShift <= most {
			return
		}
		d.refuse(tickShift, Problem{
			What: fmt.Sprintf("%s is %d, with decay_shift %d%s", tickShift, c.TickShift, c.DecayShift,
				d.byDefault(decayShift)),
			Legal: fmt.Sprintf("%d to %d", least, most), Reason: "the time constant is 2^10 ns to 2^30 ns",
			Nearest: fmt.Sprint(min(max(c.TickShift, least), most))}, decayShift)
	}
}

// checkMeterRange asks that the meter of a port holds what the port sends at its capacity.
func (d *decoder) checkMeterRange(c *CSIG) {
	if len(d.problems) > 0 {
		return
	}
	for i, p := range c.Port {
		// Bytes at capacity: kbit/s times ns over 8e6. A port sends at most a packet more than that in a window.
		most := new(big.Int).Mul(new(big.Int).SetUint64(p.CapacityKbps), new(big.Int).SetUint64(c.MeasuredNs()))
		most.Div(most, big.NewInt(8e6))
		if need := bits.Len64(most.Uint64()); need > c.ByteBits {
			d.refuse("widths.bytes", Problem{
				What: fmt.Sprintf("widths.bytes is %d%s: port %d at %s sends %d bytes in the %d ns that are measured", c.ByteBits,
					d.byDefault("widths.bytes"), i, rateString(ratUint(p.CapacityKbps*1000)), most, c.MeasuredNs()),
				Legal:  fmt.Sprintf("%d to 40", need),
				Reason: "a counter that saturates below the capacity makes a busy link look idle", Nearest: fmt.Sprint(need)},
				"bandwidth.window", "bandwidth.time_shift", "bandwidth.tick_shift", "port_defaults.capacity")
			return
		}
	}
}
