package drive

import (
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Frame describes a design to a comparison: how to run it, and where its outputs and taps lie in the records
// of a cycle.
type Frame struct {
	Design  engine.Design
	Layout  *vgen.Layout
	Streams []Stream
	Taps    []vgen.Tap // as in Layout.Taps; a latency counts from the issue of an item
	// Words is the length of the record that a Side expects: the outputs without taps, then what else Streams refer to.
	Words int
	Units bind.Units // of ports, without the name of their stream, and of taps
}

// Stream groups output ports that are judged together.
type Stream struct {
	Valid int    // word of an expected record that holds whether they are valid; negative: they always do
	Ports []int  // indices into Layout.Outputs
	Lanes []Lane // ports of which only some bytes mean something
}

// Lane is a port of bytes, and the port with a bit for each byte that means something: indices into Layout.Outputs.
type Lane struct{ Data, Keep int }

// NewFrame makes the frame of a design with the given layout and taps.
func NewFrame(d engine.Design, l *vgen.Layout, taps []vgen.Tap) Frame {
	f := Frame{Design: d, Layout: l, Streams: streams(l.Outputs), Taps: taps, Words: l.OutWords}
	if len(l.Taps) > 0 {
		f.Words = l.Taps[0].Offset
	}
	return f
}

// streams groups output ports by the valid that says when they mean something, first those that always do. A port of
// data with one of keep beside it is a lane.
func streams(outputs []vgen.Slot) []Stream {
	list := []Stream{{Valid: -1}}
	groups := map[int]int{} // by word of the valid
	for i, s := range outputs {
		g := 0
		if valid, ok := bind.Governor(outputs, s.Name); ok {
			if g = groups[valid.Offset]; g == 0 {
				g = len(list)
				groups[valid.Offset] = g
				list = append(list, Stream{Valid: valid.Offset})
			}
		}
		if p, ok := strings.CutSuffix(s.Name, "data"); ok {
			if keep := slices.IndexFunc(outputs, func(k vgen.Slot) bool { return k.Name == p+"keep" }); keep >= 0 {
				list[g].Lanes = append(list[g].Lanes, Lane{Data: i, Keep: keep})
				continue
			}
		}
		list[g].Ports = append(list[g].Ports, i)
	}
	return list
}

// async reports whether the reset of the emitted Verilog is asynchronous.
func (f *Frame) async() bool { return f.Design.Reset == vgen.AsyncLow }

// mayBeUnknown is the rule for unknown outputs: no fault in a tap, in the payload of a stream whose valid is low, and
// in bytes that do not count.
func (f *Frame) mayBeUnknown() engine.UnknownRule {
	type place struct{ valid, keep int } // words; negative: none
	free := map[string]place{}
	for _, s := range f.Streams {
		if s.Valid < 0 {
			continue
		}
		for _, p := range s.Ports {
			free[f.Layout.Outputs[p].Name] = place{s.Valid, -1}
		}
		for _, l := range s.Lanes {
			free[f.Layout.Outputs[l.Data].Name] = place{s.Valid, f.Layout.Outputs[l.Keep].Offset}
		}
	}
	taps := f.Layout.OutWords
	if len(f.Layout.Taps) > 0 {
		taps = f.Layout.Taps[0].Offset
	}
	return func(slot vgen.Slot, record, mask []uint64) bool {
		p, ok := free[slot.Name]
		switch {
		case slot.Offset >= taps:
			return true
		case !ok || mask[p.valid] != 0:
			return false
		case record[p.valid] == 0:
			return true
		case p.keep < 0 || mask[p.keep] != 0:
			return false
		}
		for w := range slot.Words {
			if mask[slot.Offset+w]&byteMask(uint8(record[p.keep]>>(8*w))) != 0 {
				return false
			}
		}
		return true
	}
}
