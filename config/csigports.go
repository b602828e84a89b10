package config

import (
	"fmt"
)

// LocatorBits is the number of bits of LM in compact and in expanded tags.
func (c *CSIG) LocatorBits() (compact, expanded int) {
	if c.UEC {
		return 6, 15
	}
	return 7, 16
}

// checkLocators gives every port its locators, from the last place that names them, and refuses those that LM cannot
// hold.
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
				p.Legal, p.Reason = fmt.Sprintf("0 to %d", 1<<width-1), fmt.Sprintf("LM of %s tags has %d bits in this split", size,
					width)
				d.refuse(path, p, "ports", "tags.split")
				break
			}
			of(&c.Port[i])[t] = uint16(n)
		}
	}
}
