package explore

import (
	"cmp"
	"fmt"
	"slices"
)

// Size is what packing says of a design, before it is placed.
type Size struct {
	Cells    int     `json:"cells"` // logic cells: a LUT with its flip-flop
	LUT      int     `json:"lut"`
	FF       int     `json:"ff"`
	Carry    int     `json:"carry"`
	RAM      int     `json:"ram"`
	LUTRAM   int     `json:"lut_ram"`
	DSP      int     `json:"dsp"`
	Seconds  float64 `json:"size_seconds"`        // wall clock of synthesis and packing
	TooLarge string  `json:"too_large,omitempty"` // why it does not fit the part; "" when it does
}

// Placement is one run of place and route.
type Placement struct {
	Seed    int     `json:"seed"`
	FmaxMHz float64 `json:"fmax_mhz"` // worst case of the part; 0: no legal placement was found
	Path    string  `json:"critical_path"`
	Seconds float64 `json:"seconds"` // wall clock
	Failed  string  `json:"failed,omitempty"`
}

// Measurement is what is known of a design.
type Measurement struct {
	Size
	FmaxMHz    float64     `json:"fmax_mhz,omitempty"` // median over the seeds, the lower of two in the middle; 0: not placed
	FmaxMin    float64     `json:"fmax_min_mhz,omitempty"`
	FmaxMax    float64     `json:"fmax_max_mhz,omitempty"`
	Path       string      `json:"critical_path,omitempty"` // of the median
	Placements []Placement `json:"placements,omitempty"`    // by seed
}

// place adds a placement, and counts anew.
func (m *Measurement) place(p Placement) {
	m.Placements = append(m.Placements, p)
	slices.SortFunc(m.Placements, func(a, b Placement) int { return cmp.Compare(a.Seed, b.Seed) })
	list := slices.SortedFunc(slices.Values(m.Placements), func(a, b Placement) int {
		return cmp.Or(cmp.Compare(a.FmaxMHz, b.FmaxMHz), cmp.Compare(a.Seed, b.Seed))
	})
	median := list[(len(list)-1)/2]
	m.FmaxMHz, m.Path = median.FmaxMHz, median.Path
	m.FmaxMin, m.FmaxMax = list[0].FmaxMHz, list[len(list)-1].FmaxMHz
	if m.FmaxMHz == 0 {
		m.TooLarge = median.Failed
	}
}

// Took is the wall-clock time of all tools, in seconds.
func (m *Measurement) Took() float64 {
	sum := m.Seconds
	for _, p := range m.Placements {
		sum += p.Seconds
	}
	return sum
}

// check refuses figures that no part has: a file of measurements may be damaged, and a tool may print anything.
func (s Size) check() error {
	for _, f := range []struct {
		name  string
		value int
	}{
		{"cells", s.Cells}, {"LUTs", s.LUT}, {"flip-flops", s.FF}, {"carry cells", s.Carry}, {"RAM blocks", s.RAM},
		{"LUT RAM", s.LUTRAM}, {"DSP blocks", s.DSP},
	} {
		if err := within(float64(f.value), 1e9, f.name); err != nil {
			return err
		}
	}
	return within(s.Seconds, 1e9, "seconds")
}

func (p Placement) check() error {
	if err := within(p.FmaxMHz, 1e5, "MHz"); err != nil {
		return err
	}
	return within(p.Seconds, 1e9, "seconds")
}

func within(v, most float64, unit string) error {
	if v >= 0 && v <= most {
		return nil
	}
	return fmt.Errorf("the measurement says %g %s; plausible are 0 to %g", v, unit, most)
}
