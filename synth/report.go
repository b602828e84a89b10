package synth

// Use is how much of a resource is used, and how much the part has. Available is 0 where nextpnr does not say.
type Use struct {
	Used      int `json:"used"`
	Available int `json:"available"`
}

// Cells counts the cells of a design.
type Cells struct {
	LUT    Use `json:"lut"`   // LUTs of four inputs
	FF     Use `json:"ff"`    // flip-flops
	Carry  Use `json:"carry"` // carry cells: one bit each in an iCE40 and a Gowin part, two in an ECP5
	RAM    Use `json:"ram"`   // block RAMs: 4 kbit in an iCE40, 18 kbit in an ECP5
	LUTRAM Use `json:"lut_ram"`
	DSP    Use `json:"dsp"`   // multipliers: 16 x 16 in an iCE40, 18 x 18 in an ECP5
	Logic  Use `json:"logic"` // logic cells after packing; a LUT, a carry and a flip-flop can share one in an iCE40
}

// Fmax is what became of a clock.
type Fmax struct {
	Reached float64 `json:"reached"` // MHz, worst case of the part
	Target  float64 `json:"target"`  // MHz
	Met     bool    `json:"met"`
}

// Report is the result of synthesis, and of place and route if requested.
type Report struct {
	Design     string             `json:"design,omitempty"`
	ConfigHash string             `json:"config_hash,omitempty"`
	Board      string             `json:"board,omitempty"`
	Part       Part               `json:"part"`
	Top        string             `json:"top"`
	Seed       int                `json:"seed"`
	ClockMHz   float64            `json:"clock_mhz,omitempty"` // of the board: the nearest that its PLL can make
	Baud       int                `json:"baud,omitempty"`      // of the board's serial line
	Cells      Cells              `json:"cells"`
	Resources  map[string]Use     `json:"resources,omitempty"` // all that nextpnr counts, by its names
	Fmax       map[string]Fmax    `json:"fmax_mhz"`            // by clock
	Paths      []Path             `json:"critical_paths"`      // one for each clock, the slowest clock first; then those between clocks
	Bitstream  string             `json:"bitstream"`           // path; "" when there is none
	Tools      map[string]string  `json:"tools"`               // versions
	Seconds    map[string]float64 `json:"seconds"`             // by step; what came from the cache took as long when it was made
	Cached     []string           `json:"cached"`              // steps whose result was in the cache
	Wrapper    *Cells             `json:"wrapper,omitempty"`   // cells of the wrapper of Measure: taken off Cells already
}

// Met reports whether every clock meets its target.
func (r *Report) Met() bool {
	for _, f := range r.Fmax {
		if !f.Met {
			return false
		}
	}
	return true
}

// Slowest is the clock with the least reached; "" without clocks.
func (r *Report) Slowest() (clock string, f Fmax) {
	for name, c := range r.Fmax {
		if clock == "" || c.Reached < f.Reached || c.Reached == f.Reached && name < clock {
			clock, f = name, c
		}
	}
	return clock, f
}

// PathOf is the critical path of a clock.
func (r *Report) PathOf(clock string) (Path, bool) {
	for _, p := range r.Paths {
		if p.From == clock && p.To == clock {
			return p, true
		}
	}
	return Path{}, false
}
