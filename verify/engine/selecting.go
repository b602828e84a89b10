package engine

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Selecting returns the layout with one more input after the others, of the given width in bits.
func Selecting(l *vgen.Layout, name string, width int) *vgen.Layout {
	wide := *l
	wide.Inputs = append(append([]vgen.Slot(nil), l.Inputs...), vgen.Slot{Name: name, Width: width, Offset: l.InWords,
		Words: 1})
	wide.InWords++
	return &wide
}

// Selected is an instance of a design whose layout is one of Selecting, with that input fixed at a number. It has the
// records of the layout without that input.
func Selected(e Engine, plain *vgen.Layout, number uint64) Engine {
	return &selected{Engine: e, layout: plain, number: number}
}

// selected is an instance without the last of its inputs.
type selected struct {
	Engine
	layout *vgen.Layout
	number uint64
	in     []uint64
}

func (s *selected) Layout() *vgen.Layout { return s.layout }

func (s *selected) Run(cycles int, in, out []uint64) error {
	few := s.layout.InWords
	wide := few + 1
	if cap(s.in) < cycles*wide {
		s.in = make([]uint64, cycles*wide)
	}
	for c := range cycles {
		copy(s.in[c*wide:], in[c*few:(c+1)*few])
		s.in[c*wide+few] = s.number
	}
	return s.Engine.Run(cycles, s.in[:cycles*wide], out)
}
