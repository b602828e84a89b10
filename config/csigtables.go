package config

import (
	"fmt"
	"math/big"
)

// appendixA are the buckets of the draft's Appendix A, Table 2, in the units of a file: of bandwidth, of the share of
// the capacity, of time. The table has no queue depth, which has the buckets of the delay, both being times.
func appendixA(m measure) []*big.Rat {
	// Gbit/s, percent, us.
	table := [...][8]int64{
		rateMeasure:     {0, 1, 5, 10, 20, 50, 75, 90},
		shareMeasure:    {0, 1, 5, 10, 20, 50, 75, 90},
		durationMeasure: {0, 10, 50, 100, 200, 400, 800, 2000},
	}
	factor := [...]*big.Rat{rateMeasure: big.NewRat(1e9, 1), shareMeasure: big.NewRat(1, 100),
		durationMeasure: big.NewRat(1000, 1)}
	var list []*big.Rat
	for _, n := range table[m] {
		list = append(list, new(big.Rat).Mul(big.NewRat(n, 1), factor[m]))
	}
	return list
}

// buckets reads the bucket tables.
func (d *decoder) buckets(c *CSIG) {
	if !d.sound("tags.compact", "widths.ratio") || c.CompactTPID == 0 {
		return
	}
	for t, s := range csigSignals {
		path := "buckets." + s.name
		v := d.values[path]
		if !d.sound(path) || v.word == wordNone {
			continue
		}
		if v.word == wordDraft {
			for _, b := range appendixA(s.measure) {
				raw, _ := s.measure.raw(b, c.RatioBits)
				c.Bounds[t] = append(c.Bounds[t], raw)
			}
			continue
		}
		c.Bounds[t] = d.bounds(path, s.measure, c.RatioBits, v.items)
	}
}

func (d *decoder) bounds(path string, m measure, ratio int, items []item) (list []uint64) {
	for i, b := range items {
		name := fmt.Sprintf("%s[%d]", path, i)
		raw, whole := m.raw(b.number, ratio)
		p := Problem{Key: path, What: fmt.Sprintf("%s is %s", name, m.format(b.number))}
		switch {
		case !whole:
			p.Legal, p.Reason, p.Nearest = m.what(), "the device compares whole ones", m.canonical(raw, ratio)
		case i == 0 && raw != 0:
			p.Legal, p.Reason, p.Nearest = "0", "every value must have a bucket", "0"
		case i > 0 && raw < list[i-1]:
			before := m.format(items[i-1].number)
			p.What += ", below the " + before + " before it"
			p.Legal, p.Reason, p.Nearest = before+" or more", "lower bounds do not decrease", before
		}
		if p.Legal != "" {
			d.report(b.pos, p)
			d.spoil(path)
		}
		list = append(list, raw)
	}
	return list
}

// quantizers reads the quantizers.
func (d *decoder) quantizers(c *CSIG) {
	if !d.sound("tags.expanded", "widths.ratio") || c.ExpandedTPID == 0 {
		return
	}
	for t, s := range csigSignals {
		path := "quantizers." + s.name
		if !d.sound(path+".base", path+".step") {
			continue
		}
		step := d.values[path+".step"]
		if step.word == wordNone {
			continue
		}
		c.Quantizer[t] = CSIGQuantizer{
			Base: d.raw(path+".base", s.measure, c.RatioBits, d.values[path+".base"].number),
			Step: d.raw(path+".step", s.measure, c.RatioBits, step.number),
		}
	}
}

// raw is a value in the units of the device; one that is between two of them is refused.
func (d *decoder) raw(path string, m measure, ratio int, v *big.Rat) uint64 {
	raw, whole := m.raw(v, ratio)
	if !whole {
		d.refuse(path, Problem{What: fmt.Sprintf("%s is %s", path, m.format(v)), Legal: m.what(),
			Reason: "the device counts whole ones", Nearest: m.canonical(max(raw, 1), ratio)})
	}
	return raw
}
