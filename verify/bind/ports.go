// Package bind connects the ports of a design with the fields of Go records.
//
// The ports of a design and their widths are stated twice: by the layout of the generated design, and by a table that
// verification writes from the design's document. Check compares the two. Names determine which field of a record is at
// which port (Record).
package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Port is a port that a design has by its document. With 0 bits the configuration leaves it out.
type Port struct {
	Name string
	Bits int
}

// At makes a Port.
func At(name string, bits int) Port { return Port{name, bits} }

// Table is the ports of a kind of design.
type Table struct {
	Owner, Doc      string // in messages: "the engine", "docs/architecture.md"
	Inputs, Outputs []Port
}

// Input is the width of an input port; 0 without such a port.
func (t *Table) Input(name string) int {
	if i := slices.IndexFunc(t.Inputs, func(p Port) bool { return p.Name == name }); i >= 0 {
		return t.Inputs[i].Bits
	}
	return 0
}

// Check holds a layout against the table. The error lists every port that is missing, of another width, or unknown.
func (t *Table) Check(l *vgen.Layout) error {
	faults := append(t.side("input", l.Inputs, t.Inputs), t.side("output", l.Outputs, t.Outputs)...)
	if len(faults) > 0 {
		return errors.New(strings.Join(faults, "\n"))
	}
	return nil
}

func (t *Table) side(side string, slots []vgen.Slot, ports []Port) (faults []string) {
	found := map[string]bool{}
	for _, s := range slots {
		found[s.Name] = true
		switch i := slices.IndexFunc(ports, func(p Port) bool { return p.Name == s.Name }); {
		case i < 0:
			faults = append(faults, fmt.Sprintf("%s port %s is not one of %s's (%s)", side, s.Name, t.Owner, t.Doc))
		case ports[i].Bits != s.Width:
			faults = append(faults, fmt.Sprintf("%s port %s has %d bits; the configuration gives %d",
				side, s.Name, s.Width, ports[i].Bits))
		}
	}
	for _, p := range ports {
		if p.Bits > 0 && !found[p.Name] {
			faults = append(faults, fmt.Sprintf("%s port %s (%d bits) is missing", side, p.Name, p.Bits))
		}
	}
	return faults
}

// Layout is the layout of a design with these ports, in the order of the table and without taps.
func (t *Table) Layout() *vgen.Layout {
	l := &vgen.Layout{}
	slots := func(ports []Port, words *int) (list []vgen.Slot) {
		for _, p := range ports {
			if n := (p.Bits + 63) / 64; n > 0 {
				list = append(list, vgen.Slot{Name: p.Name, Width: p.Bits, Offset: *words, Words: n})
				*words += n
			}
		}
		return list
	}
	l.Inputs, l.Outputs = slots(t.Inputs, &l.InWords), slots(t.Outputs, &l.OutWords)
	return l
}

// Find is the slot of a port; the zero Slot when there is none.
func Find(slots []vgen.Slot, name string) vgen.Slot {
	if i := slices.IndexFunc(slots, func(s vgen.Slot) bool { return s.Name == name }); i >= 0 {
		return slots[i]
	}
	return vgen.Slot{}
}
