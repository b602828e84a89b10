package config

import (
	"fmt"
	"math/big"
	"math/bits"
)

// csig fills in the defaults and builds the configuration of a switch. Problems are collected in d; the result is meaningful only
// when there are none.
func (d *decoder) csig() Design {
	d.defaults(csigKeys, "")
	c := &CSIG{
		Name:          d.word("name"),
		Prefix:        d.word("module_prefix"),
		AsyncReset:    d.word("reset") == "async_low",
		Ports:         d.integer("ports"),
		DataBits:      d.integer("stream_bits"),
		Folded:        d.word("pipeline") == "folded",
		TimeBits:      d.integer("widths.time"),
		ByteBits:      d.integer("widths.bytes"),
		FracBits:      d.integer("widths.fraction"),
		RecipBits:     d.integer("widths.reciprocal"),
		RatioBits:     d.integer("widths.ratio"),
		QlenBits:      d.integer("widths.queue"),
		UEC:           d.word("tags.split") == "uec",
		CompactTPID:   uint16(d.integer("tags.compact")),
		ExpandedTPID:  uint16(d.integer("tags.expanded")),
		Decrypted:     d.word("tags.decrypted") == "true",
		BucketSearch:  d.word("bucketizer") == "search",
		Method:        CSIGMethod(d.word("bandwidth.method")),
		OverheadBytes: d.whole("bandwidth.overhead", "bytes"),
	}
	for _, v := range d.values["tags.vlan"].items {
		if v.number != nil {
			c.VLANTPIDs = append(c.VLANTPIDs, uint16(v.number.Num().Uint64()))
		}
	}
	d.checkMantissa(c)
	d.checkTPIDs()
	if c.Folded {
		d.checkFolded(c)
	}
	d.meter(c)
	d.buckets(c)
	d.quantizers(c)
	if d.sound("ports") {
		d.ports(c)
	}
	return c
}

// checkMantissa asks for a mantissa with which every factor has a shift of 0 to 63.
func (d *decoder) checkMantissa(c *CSIG) {
	if _, given := d.places["widths.reciprocal"]; !given {
		c.RecipBits = min(c.RatioBits+8, 32)
		return
	}
	if least, most := c.RatioBits+4, min(c.RatioBits+8, 32); d.sound("widths.reciprocal", "widths.ratio") && (c.RecipBits < least || c.RecipBits > most) {
		d.refuse("widths.reciprocal", Problem{What: fmt.Sprintf("widths.reciprocal is %d, with widths.ratio %d%s", c.RecipBits,
			c.RatioBits, d.byDefault("widths.ratio")),
			Legal: fmt.Sprintf("%d to %d", least, most), Reason: "the factor of ABW/C needs a shift of 0 to 63", Nearest: fmt.Sprint(min(max(c.RecipBits, least), most))})
	}
}

// checkFolded asks for what a folded pipeline is made for.
func (d *decoder) checkFolded(c *CSIG) {
	for _, k := range []struct {
		path, want, reason string
		ok                 bool
	}{
		{"stream_bits", "64", "the shortest Ethernet frame takes eight cycles on 64 bits, and fewer on more", c.DataBits == 64},
		{"tags.expanded", wordNone, "the codes of expanded tags need the divider of the full pipeline", c.ExpandedTPID == 0},
		{"bucketizer", "search", "one comparator takes a value's bounds in turn", c.BucketSearch},
	} {
		if k.ok || !d.sound(k.path) {
			continue
		}
		v := d.values[k.path]
		got := v.word
		if v.number != nil {
			got = d.lookupPath(k.path).format(v.number)
		}
		d.refuse(k.path, Problem{What: fmt.Sprintf("%s is %s%s, with pipeline: folded", k.path, got, d.byDefault(k.path)), Legal: k.want,
			Reason: k.reason, Nearest: k.want}, "pipeline")
	}
}

// foreignTypes are EtherTypes that no tag can have: a device that took them for one would write into payload.
var foreignTypes = map[string]string{
	"0x0800": "IPv4", "0x0806": "ARP", "0x86dd": "IPv6", "0x8847": "MPLS", "0x8848": "MPLS multicast", "0x88cc": "LLDP", "0x88e5": "MACsec", "0x88f7": "PTP",
}

// checkTPIDs refuses tags that cannot be told apart, and a device without tags.
func (d *decoder) checkTPIDs() {
	type named struct {
		name, path string
		at         item
	}
	var list []named
	for _, path := range []string{"tags.compact", "tags.expanded"} {
		if v := d.values[path]; v.number != nil {
			list = append(list, named{path, path, item{pos: v.pos, number: v.number}})
		}
	}
	if len(list) == 0 && d.sound("tags.compact", "tags.expanded") {
		d.refuse("tags.compact", Problem{What: "tags has neither compact nor expanded tags", Legal: "a TPID for one of them, or for both",
			Reason: "without one there is nothing to update", Nearest: "0x88b5"})
	}
	for i, v := range d.values["tags.vlan"].items {
		if v.number != nil {
			list = append(list, named{fmt.Sprintf("tags.vlan[%d]", i), "tags.vlan", v})
		}
	}
	seen := map[string]named{}
	text := (&key{kind: kindTPID}).format
	for _, n := range list {
		tpid, p := text(n.at.number), Problem{Key: n.path, Legal: "one that no other tag has", Reason: "the device must tell tags apart"}
		first, again := seen[tpid]
		switch {
		case foreignTypes[tpid] != "":
			p.What = fmt.Sprintf("%s is %s, the EtherType of %s", n.name, tpid, foreignTypes[tpid])
		case again:
			p.What = fmt.Sprintf("%s is %s%s, as is %s%s", n.name, tpid, d.byDefault(n.path), first.name, d.byDefault(first.path))
		default:
			seen[tpid] = n
			continue
		}
		at := n.at.pos
		if !d.values[n.path].given {
			at = d.at(n.path)
			if again && d.values[first.path].given {
				at = first.at.pos
			}
		}
		d.report(at, p)
		d.spoil(n.path)
	}
}

// meterKeys are the keys of each method, with their defaults.
var meterKeys = []struct {
	name   string
	method CSIGMethod
}{
	{"window", CSIGRaw}, {"time_shift", CSIGEWMA}, {"gap_shift", CSIGEWMA}, {"tick_shift", CSIGDRE}, {"decay_shift", CSIGDRE},
}

// meter reads the parameters of the method, and refuses those of the others.
func (d *decoder) meter(c *CSIG) {
	if !d.sound("bandwidth.method") {
		return
	}
	for _, k := range meterKeys {
		path := "bandwidth." + k.name
		if _, given := d.places[path]; given && k.method != c.Method {
			d.refuse(path, Problem{What: fmt.Sprintf("%s is given, with method: %s%s", path, c.Method, d.byDefault("bandwidth.method")), Legal: "with method: " + string(k.method),
				Reason: "a method has its own parameters only", Nearest: "leave it out"})
		}
	}
	integer := func(name string, fallback int) int {
		if _, given := d.places["bandwidth."+name]; !given {
			return fallback
		}
		return d.integer("bandwidth." + name)
	}
	switch c.Method {
	case CSIGRaw:
		c.WindowNs = 128_000
		if _, given := d.places["bandwidth.window"]; given {
			c.WindowNs = d.whole("bandwidth.window", "nanoseconds")
		}
	case CSIGEWMA:
		c.TimeShift = integer("time_shift", 17)
		c.GapShift = integer("gap_shift", max(c.TimeShift-8, 0))
		if d.sound("bandwidth.time_shift", "bandwidth.gap_shift") && c.GapShift >= c.TimeShift {
			d.refuse("bandwidth.gap_shift", Problem{What: fmt.Sprintf("bandwidth.gap_shift is %d, with time_shift %d%s", c.GapShift, c.TimeShift, d.byDefault("bandwidth.time_shift")),
				Legal: fmt.Sprintf("0 to %d", c.TimeShift-1), Reason: "an update covers less than a time constant", Nearest: fmt.Sprint(c.TimeShift - 1)})
		}
	case CSIGDRE:
		c.TickShift, c.DecayShift = integer("tick_shift", 13), integer("decay_shift", 4)
		if d.sound("bandwidth.tick_shift", "bandwidth.decay_shift") && (c.TickShift+c.DecayShift < 10 || c.TickShift+c.DecayShift > 30) {
			least, most := 10-c.DecayShift, 30-c.DecayShift
			d.refuse("bandwidth.tick_shift", Problem{What: fmt.Sprintf("bandwidth.tick_shift is %d, with decay_shift %d%s", c.TickShift, c.DecayShift, d.byDefault("bandwidth.decay_shift")),
				Legal: fmt.Sprintf("%d to %d", least, most), Reason: "the time constant is 2^10 ns to 2^30 ns", Nearest: fmt.Sprint(min(max(c.TickShift, least), most))}, "bandwidth.decay_shift")
		}
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
			d.refuse("widths.bytes", Problem{What: fmt.Sprintf("widths.bytes is %d%s: port %d at %s sends %d bytes in the %d ns that are measured", c.ByteBits,
				d.byDefault("widths.bytes"), i, rateString(ratUint(p.CapacityKbps*1000)), most, c.MeasuredNs()),
				Legal:  fmt.Sprintf("%d to 40", need),
				Reason: "a counter that saturates below the capacity makes a busy link look idle", Nearest: fmt.Sprint(need)}, "bandwidth.window", "bandwidth.time_shift", "bandwidth.tick_shift", "port_defaults.capacity")
			return
		}
	}
}
