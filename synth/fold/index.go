package fold

import (
	"maps"
	"slices"
)

// place is a pin of a cell.
type place struct {
	cell string
	pin  string
}

// index tells who drives and who reads a wire.
type index struct {
	module  *module
	drivers map[bit][]place
	readers map[bit][]place // a port of the module reads as the cell ""
}

// newIndex indexes a module. Pins of an unknown direction, and ports that are not inputs, read and drive.
func newIndex(m *module) *index {
	x := &index{m, map[bit][]place{}, map[bit][]place{}}
	for _, name := range slices.Sorted(maps.Keys(m.Cells)) {
		c := m.Cells[name]
		for pin, bits := range c.Connections {
			direction := c.Directions[pin]
			for _, b := range bits {
				x.add(b, place{name, pin}, direction != "input", direction != "output")
			}
		}
	}
	for name, p := range m.Ports {
		for _, b := range p.Bits {
			x.add(b, place{"", name}, p.Direction != "output", p.Direction != "input")
		}
	}
	return x
}

func (x *index) add(b bit, p place, drives, reads bool) {
	if b.constant() {
		return
	}
	if drives {
		x.drivers[b] = append(x.drivers[b], p)
	}
	if reads {
		x.readers[b] = append(x.readers[b], p)
	}
}

// used reports whether a wire has a reader.
func (x *index) used(b bit) bool { return len(x.readers[b]) > 0 }
