package pll

// ICE40 is the setting of an SB_PLL40 with simple feedback: out = in (DivF + 1) / ((DivR + 1) 2^DivQ).
type ICE40 struct {
	OutHz       int // rounded down
	DivR        int // 0 to 15
	DivF        int // 0 to 127
	DivQ        int // 1 to 6
	FilterRange int // 1 to 6, by the frequency at the phase detector
}

// ice40Limits are those of the data sheet of the iCE40 LP/HX family (FPGA-DS-02029, sysCLOCK PLL timing), which hold
// for UltraPlus too.
var ice40Limits = limits{
	name: "iCE40 PLL", minIn: 10e6, maxIn: 133e6, minPhase: 10e6, maxPhase: 133e6, minVCO: 533e6, maxVCO: 1066e6,
	minOut: 16e6, maxOut: 275e6,
	inputs: 16, feedbacks: 128, outputs: []int{2, 4, 8, 16, 32, 64}, feedbackFromOscillator: true,
}

// ForICE40 chooses the dividers of an iCE40.
func ForICE40(inHz, wantHz int) (ICE40, error) {
	d, err := ice40Limits.choose(inHz, wantHz)
	if err != nil {
		return ICE40{}, err
	}
	p := ICE40{OutHz: d.out, DivR: d.input - 1, DivF: d.feedback - 1}
	for d.output > 1 {
		p.DivQ++
		d.output /= 2
	}
	// Technical note FPGA-TN-02052 leaves the loop filter to the vendor's tool; these steps are that tool's.
	phase := inHz / (p.DivR + 1)
	for i, below := range []int{17e6, 26e6, 44e6, 66e6, 101e6} {
		if phase < below {
			p.FilterRange = i + 1
			return p, nil
		}
	}
	p.FilterRange = 6
	return p, nil
}
