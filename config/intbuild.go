package config

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// NodeBits is the width of the number of a switch in a format's records.
func (f INTFormat) NodeBits() int {
	switch f {
	case INTIFA:
		return 20
	case INTMD:
		return 32
	case INTIOAM:
		return 24
	}
	return 12
}

// intFormatKeys are the keys that belong to some formats only.
var intFormatKeys = []struct {
	path    string
	formats []string
}{
	{"reserved", []string{string(INTHPCC)}}, {"max_hops", []string{string(INTHPCC)}},
	{"trace", []string{string(INTIOAM)}},
	{"udp_port", []string{string(INTHPCC), string(INTMD)}},
	{"protocol", []string{string(INTIFA)}}, {"lns", []string{string(INTIFA)}},
}

// intSource fills in the defaults and builds the configuration of an INT source. Problems are collected in d; the result is meaningful
// only when there are none.
func (d *decoder) intSource() Design {
	d.defaults(intKeys, "")
	c := &INT{
		Name:          d.word("name"),
		Prefix:        d.word("module_prefix"),
		AsyncReset:    d.word("reset") == "async_low",
		Ports:         d.integer("ports"),
		DataBits:      d.integer("stream_bits"),
		Format:        INTFormat(d.word("format")),
		TimeBits:      d.integer("timestamps.bits"),
		QlenBits:      d.integer("queue.bits"),
		QlenUnit:      int(d.whole("queue.unit", "bytes")),
		TxUnit:        int(d.whole("tx.unit", "bytes")),
		OverheadBytes: d.whole("tx.overhead", "bytes"),
	}
	d.txUnit(c)
	for _, v := range d.values["vlan"].items {
		if v.number != nil {
			c.VLANTPIDs = append(c.VLANTPIDs, uint16(v.number.Num().Uint64()))
		}
	}
	d.checkVLANs()
	if d.sound("format") {
		d.intFormat(c)
	}
	if d.sound("ports") {
		d.intPorts(c)
	}
	return c
}

// txUnit asks for a power of two: the counter's low bits are what a unit has.
func (d *decoder) txUnit(c *INT) {
	if d.sound("tx.unit") && c.TxUnit&(c.TxUnit-1) != 0 {
		grid := key{kind: kindInteger, powerOf2: true}
		d.refuse("tx.unit", Problem{What: fmt.Sprintf("tx.unit is %d bytes", c.TxUnit), Legal: "a power of two, 1B to 65536B", Reason: "the counter's low bits are what a unit has",
			Nearest: grid.onGrid(big.NewRat(int64(c.TxUnit), 1)).RatString() + "B"})
	}
}

// checkVLANs refuses TPIDs that cannot be told from each other or from IP.
func (d *decoder) checkVLANs() {
	ip := map[string]string{"0x0800": "the EtherType of IPv4", "0x86dd": "the EtherType of IPv6"}
	seen := map[string]int{}
	for i, v := range d.values["vlan"].items {
		if v.number == nil {
			continue
		}
		tpid := (&key{kind: kindTPID}).format(v.number)
		p := Problem{Key: "vlan", What: fmt.Sprintf("vlan[%d] is %s, %s", i, tpid, ip[tpid]), Legal: "a TPID of VLAN tags", Reason: "the device must tell tags apart"}
		first, again := seen[tpid]
		switch {
		case again:
			p.What = fmt.Sprintf("vlan[%d] is %s, as is vlan[%d]", i, tpid, first)
		case ip[tpid] == "":
			seen[tpid] = i
			continue
		}
		d.report(v.pos, p)
		d.spoil("vlan")
	}
}

// intFormat reads what belongs to the format, and refuses what belongs to another.
func (d *decoder) intFormat(c *INT) {
	for _, k := range intFormatKeys {
		if _, given := d.places[k.path]; given && !slices.Contains(k.formats, string(c.Format)) {
			d.refuse(k.path, Problem{What: fmt.Sprintf("%s is given, with format: %s%s", k.path, c.Format, d.byDefault("format")), Legal: "with format: " + oneOf(k.formats),
				Reason: "a format has its own parameters only", Nearest: "leave it out"})
		}
	}
	integer := func(path string, fallback int) int {
		if _, given := d.places[path]; !given {
			return fallback
		}
		return d.integer(path)
	}
	switch c.Format {
	case INTHPCC:
		c.MaxHops, c.Reserved = integer("max_hops", 5), d.word("reserved") == "true"
		c.Match = uint16(integer("udp_port", 4791))
	case INTMD:
		c.Match = uint16(integer("udp_port", 4791))
	case INTIFA:
		c.Match, c.Space = uint16(integer("protocol", 253)), uint16(integer("lns", 0))
	case INTIOAM:
		c.TxBit, c.Space = integer("trace.tx_bit", 12), uint16(integer("trace.namespace", 0))
		c.Order = IOAMByBit
		if word := d.word("trace.order"); word != "" {
			c.Order = IOAMOrder(word)
		}
	}
	if node := d.integer("node"); d.sound("node") && node>>c.Format.NodeBits() != 0 {
		most := fmt.Sprint(1<<c.Format.NodeBits() - 1)
		d.refuse("node", Problem{What: fmt.Sprintf("node is %d, with format: %s%s", node, c.Format, d.byDefault("format")), Legal: "0 to " + most,
			Reason: fmt.Sprintf("records of this format have %d bits for it", c.Format.NodeBits()), Nearest: most})
	}
	c.Node = uint32(d.integer("node"))
}

// intPorts reads what software writes for each port: the defaults, then the overrides in order.
func (d *decoder) intPorts(c *INT) {
	c.Port = make([]INTPort, c.Ports)
	set := func(path string, ports []int) {
		for _, i := range ports {
			p := &c.Port[i]
			if v, there := d.values[path+".enabled"]; there {
				p.Enabled = v.word == "true"
			}
			if _, there := d.values[path+".mtu"]; there {
				p.MTU = uint16(d.integer(path + ".mtu"))
			}
			if _, there := d.values[path+".rate_code"]; there {
				p.RateCode = uint8(d.integer(path + ".rate_code"))
			}
		}
	}
	set("port_defaults", upTo(c.Ports))
	for i := range d.lists["port_overrides"] {
		path := fmt.Sprintf("port_overrides[%d]", i)
		if !d.sound(path) {
			continue
		}
		if of, ok := d.overridden(c.Ports, path); ok {
			set(path, of)
		}
	}
}

// Canonical is the configuration as YAML with every key resolved: defaults written out, ports in ranges of equal ones, no comments. Files
// that mean the same have the same canonical form; ParseDesign accepts it and gives the same configuration. Hash is taken over it.
func (c *INT) Canonical() []byte {
	w := &canonical{}
	w.line(0, "design", KindINT)
	w.line(0, "name", "%q", c.Name)
	if c.Prefix != "" {
		w.line(0, "module_prefix", "%q", c.Prefix)
	}
	w.line(0, "reset", "%s", pick(c.AsyncReset, "sync", "async_low"))
	w.line(0, "ports", "%d", c.Ports)
	w.line(0, "stream_bits", "%d", c.DataBits)
	w.line(0, "format", "%s", c.Format)
	if c.Format == INTHPCC {
		w.line(0, "reserved", "%t", c.Reserved)
		w.line(0, "max_hops", "%d", c.MaxHops)
	}
	w.line(0, "timestamps", "")
	w.line(1, "bits", "%d", c.TimeBits)
	w.line(0, "queue", "")
	w.line(1, "bits", "%d", c.QlenBits)
	w.line(1, "unit", "%dB", c.QlenUnit)
	w.line(0, "tx", "")
	w.line(1, "unit", "%dB", c.TxUnit)
	w.line(1, "overhead", "%dB", c.OverheadBytes)
	vlans := make([]string, len(c.VLANTPIDs))
	for i, v := range c.VLANTPIDs {
		vlans[i] = tpidString(v)
	}
	w.line(0, "vlan", "[%s]", strings.Join(vlans, ", "))
	switch c.Format {
	case INTHPCC, INTMD:
		w.line(0, "udp_port", "%d", c.Match)
	case INTIFA:
		w.line(0, "protocol", "%d", c.Match)
		w.line(0, "lns", "%d", c.Space)
	case INTIOAM:
		w.line(0, "trace", "")
		w.line(1, "tx_bit", "%d", c.TxBit)
		w.line(1, "order", "%s", c.Order)
		w.line(1, "namespace", "%d", c.Space)
	}
	w.line(0, "node", "%d", c.Node)
	texts := make([]string, len(c.Port))
	for i, p := range c.Port {
		texts[i] = fmt.Sprintf("enabled: %t, mtu: %d, rate_code: %d", p.Enabled, p.MTU, p.RateCode)
	}
	w.overrides(texts)
	return w.Bytes()
}
