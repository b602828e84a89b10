package vgen

// Layout says where each port of a design is in a batch of cycles. One cycle of
// inputs is InWords words of 64 bits, one cycle of outputs and taps is OutWords; the
// cycles of a batch follow one another. Every engine that runs a design in batches
// uses this layout.
//
// The inputs are rst, when the design has state, and then the input ports in the
// order of their declaration; clk is not among them. rst is active high whatever the
// reset style of the RTL. The outputs are the output ports in the order of their
// declaration, and after them the taps in the order of [Taps]. A signal of w bits
// takes ceil(w/64) words, the least significant first; the bits above w are 0 in
// outputs and ignored in inputs.
type Layout struct {
	Inputs, Outputs, Taps []Slot
	InWords, OutWords     int // words per cycle
}

// Slot is the place of one signal in a cycle's words.
type Slot struct {
	Name   string // port name, or path of the tap
	Width  int    // bits
	Offset int    // first word, counted from the start of the cycle
	Words  int
}

// NewLayout is the layout of a design, with or without its taps.
func NewLayout(top *Module, withTaps bool) Layout {
	var l Layout
	if top == nil {
		return l
	}
	slot := func(name string, width int, words *int) Slot {
		s := Slot{Name: name, Width: width, Offset: *words, Words: wordsFor(width)}
		*words += s.Words
		return s
	}
	if top.stateful() {
		l.Inputs = append(l.Inputs, slot("rst", 1, &l.InWords))
	}
	for _, p := range top.ports {
		if p.dir == "in" {
			l.Inputs = append(l.Inputs, slot(p.name, p.width, &l.InWords))
		}
	}
	for _, p := range top.ports {
		if p.dir == "out" {
			l.Outputs = append(l.Outputs, slot(p.name, p.width, &l.OutWords))
		}
	}
	if withTaps {
		for _, t := range Taps(top) {
			l.Taps = append(l.Taps, slot(t.Path, t.Width, &l.OutWords))
		}
	}
	return l
}

func wordsFor(width int) int { return (width + 63) / 64 }

// maskFor has the low w bits set, all for w >= 64.
func maskFor(w int) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<w - 1
}

// topMask is the mask of the last word of w bits.
func topMask(w int) uint64 { return maskFor((w-1)%64 + 1) }
