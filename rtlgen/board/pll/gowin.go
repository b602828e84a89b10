package pll

// Gowin is the setting of an rPLL: out = in (FBDivSel + 1) / (IDivSel + 1), the oscillator has out ODivSel.
type Gowin struct {
	OutHz    int // rounded down
	IDivSel  int // 0 to 63
	FBDivSel int // 0 to 63
	ODivSel  int
}

// gowinLimits are those of a GW1N(R)-9, grade C6/I5 (data sheet DS117, PLL switching characteristics).
var gowinLimits = limits{
	name: "Gowin PLL", minIn: 3e6, maxIn: 400e6, minPhase: 3e6, maxPhase: 400e6, minVCO: 400e6, maxVCO: 1200e6,
	minOut: 3125e3, maxOut: 600e6,
	inputs: 64, feedbacks: 64, outputs: []int{2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128},
}

// ForGowin chooses the dividers of a GW1N(R)-9.
func ForGowin(inHz, wantHz int) (Gowin, error) {
	d, err := gowinLimits.choose(inHz, wantHz)
	return Gowin{OutHz: d.out, IDivSel: d.input - 1, FBDivSel: d.feedback - 1, ODivSel: d.output}, err
}
