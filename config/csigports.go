package config

import (
	"fmt"
	"math/big"
)

// LocatorBits is the number of bits of LM in compact and in expanded tags.
func (c *CSIG) LocatorBits() (compact, expanded int) {
	if c.UEC {
		return 6, 15
	}
	return 7, 16
}

// ports reads what software writes for each port: the defaults, then the overrides in order.
func (d *decoder) ports(c *CSIG) {
	c.Port = make([]CSIGPort, c.Ports)
	d.portKeys(c, "port_defaults", upTo(c.Ports))
	for i := range d.lists["port_overrides"] {
		path := fmt.Sprintf("port_overrides[%d]", i)
		if !d.sound(path) {
			continue
		}
		if of, ok := d.overridden(c.Ports, path); ok {
			d.portKeys(c, path, of)
		}
	}
	d.checkLocators(c)
	d.checkMeterRange(c)
}

// upTo are the ports below n.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// overridden are the ports that an override is for.
func (d *decoder) overridden(ports int, path string) (list []int, ok bool) {
	v, given := d.values[path+".ports"]
	if !given {
		if d.sound(path + ".ports") {
			d.refuse(path+".ports", Problem{What: path + ".ports is missing", Legal: d.lookupPath("port_overrides.ports").legal(), Reason: "it says which ports differ"})
		}
		return nil, false
	}
	first, last := int(v.items[0].number.Num().Int64()), int(v.items[1].number.Num().Int64())
	if last >= ports {
		nearest := fmt.Sprint(ports - 1)
		if first < ports-1 {
			nearest = fmt.Sprintf("%d-%s", first, nearest)
		}
		d.refuse(path+".ports", Problem{What: fmt.Sprintf("%s.ports is %s, with %d ports", path, v.word, ports), Legal: fmt.Sprintf("0 to %d", ports-1),
			Reason: "ports are counted from 0", Nearest: nearest})
		return nil, false
	}
	for i := first; i <= last; i++ {
		list = append(list, i)
	}
	return list, true
}

// portKeys sets in some ports what one place of the file says.
func (d *decoder) portKeys(c *CSIG, path string, of []int) {
	set := func(name string, f func(p *CSIGPort, v value)) {
		full := path + "." + name
		if v, there := d.values[full]; there && d.sound(full) {
			for _, i := range of {
				f(&c.Port[i], v)
			}
		}
	}
	if v := d.values[path+".capacity"]; v.number != nil {
		kbps := new(big.Rat).Quo(v.number, ratUint(1000))
		if !kbps.IsInt() {
			d.refuse(path+".capacity", Problem{What: fmt.Sprintf("%s.capacity is %s", path, rateString(v.number)), Legal: "a whole number of kbit/s",
				Reason: "it is written in kbit/s", Nearest: rateString(new(big.Rat).Mul(nearestWhole(kbps), ratUint(1000)))})
		}
		for _, i := range of {
			c.Port[i].CapacityKbps = floor(kbps)
		}
	}
	set("trusted", func(p *CSIGPort, v value) { p.Trusted = v.word == "true" })
	for t, s := range csigSignals {
		set("actions."+s.name, func(p *CSIGPort, v value) { p.Actions[t] = actionNamed(v.word) })
	}
	// The fourth signal is UEC's alone, so its default depends on the split.
	if _, given := d.values[path+".actions.max_queue"]; !given && path == "port_defaults" && c.UEC && d.sound(path+".actions.max_queue") {
		for _, i := range of {
			c.Port[i].Actions[3] = CSIGUpdate
		}
	}
	set("actions.others", func(p *CSIGPort, v value) {
		for t := CSIGTypes; t < CSIGTagTypes; t++ {
			p.Actions[t] = actionNamed(v.word)
		}
	})
	if c.CompactTPID == 0 {
		d.unused(path+".locator.compact", "tags.compact")
	}
	if c.ExpandedTPID == 0 {
		d.unused(path+".locator.expanded", "tags.expanded")
	}
}

// actionNamed is the action with a name; pass for one that was refused.
func actionNamed(word string) CSIGAction {
	switch word {
	case "strip":
		return CSIGStrip
	case "update":
		return CSIGUpdate
	}
	return CSIGPass
}

// checkLocators gives every port its locators, from the last place that names them, and refuses those that LM cannot hold.
func (d *decoder) checkLocators(c *CSIG) {
	if !d.sound("tags.split", "tags.compact", "tags.expanded") {
		return
	}
	compact, expanded := c.LocatorBits()
	if c.CompactTPID != 0 {
		d.locators(c, "compact", compact, func(p *CSIGPort) *[CSIGTypes]uint16 { return &p.Compact })
	}
	if c.ExpandedTPID != 0 {
		d.locators(c, "expanded", expanded, func(p *CSIGPort) *[CSIGTypes]uint16 { return &p.Expanded })
	}
}

func (d *decoder) locators(c *CSIG, size string, width int, of func(*CSIGPort) *[CSIGTypes]uint16) {
	from := make([]string, c.Ports)
	for i := range from {
		from[i] = "port_defaults.locator." + size
	}
	for o := range d.lists["port_overrides"] {
		path := fmt.Sprintf("port_overrides[%d]", o)
		if _, there := d.values[path+".locator."+size]; !there || !d.sound(path, path+".ports") {
			continue
		}
		v := d.values[path+".ports"]
		for i := v.items[0].number.Num().Int64(); i <= v.items[1].number.Num().Int64(); i++ {
			from[i] = path + ".locator." + size
		}
	}
	for i, path := range from {
		if !d.sound(path) {
			continue
		}
		items := d.values[path].items
		for t := range CSIGTypes {
			it := items[min(t, len(items)-1)]
			n, what := uint64(i), fmt.Sprintf("%s is port%s", path, d.byDefault(path))
			p := Problem{What: fmt.Sprintf("%s: port %d has no place in LM", what, i), Nearest: wordLowBits}
			switch {
			case it.word == wordLowBits:
				n &= 1<<width - 1
			case it.number != nil:
				n = it.number.Num().Uint64()
				p = Problem{What: fmt.Sprintf("%s is %d", path, n), Nearest: fmt.Sprint(1<<width - 1)}
			}
			if n>>width != 0 {
				p.Legal, p.Reason = fmt.Sprintf("0 to %d", 1<<width-1), fmt.Sprintf("LM of %s tags has %d bits in this split", size, width)
				d.refuse(path, p, "ports", "tags.split")
				break
			}
			of(&c.Port[i])[t] = uint16(n)
		}
	}
}
