package pll

// ECP5 is the setting of an EHXPLLL with feedback from CLKOP: out = in CLKFBDiv / CLKIDiv, the oscillator has out
// CLKOPDiv.
type ECP5 struct {
	OutHz    int // rounded down
	CLKIDiv  int // 1 to 128
	CLKFBDiv int // 1 to 80
	CLKOPDiv int // 1 to 128
}

// ecp5Limits are those of the data sheet of the ECP5 family (FPGA-DS-02012, sysCLOCK PLL timing).
var ecp5Limits = limits{
	name: "ECP5 PLL", minIn: 8e6, maxIn: 400e6, minPhase: 10e6, maxPhase: 400e6, minVCO: 400e6, maxVCO: 800e6,
	minOut: 3125e3, maxOut: 400e6,
	inputs: 128, feedbacks: 80, outputs: upTo(128),
}

// ForECP5 chooses the dividers of an ECP5.
func ForECP5(inHz, wantHz int) (ECP5, error) {
	d, err := ecp5Limits.choose(inHz, wantHz)
	return ECP5{OutHz: d.out, CLKIDiv: d.input, CLKFBDiv: d.feedback, CLKOPDiv: d.output}, err
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}
