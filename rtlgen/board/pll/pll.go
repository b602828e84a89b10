// Package pll chooses PLL divider settings of FPGAs by the rules of their data sheets: the highest frequency that is
// not above the requested one, so that a design that meets timing at the requested one also meets it here.
package pll

import "fmt"

// limits of a PLL, Hz.
type limits struct {
	name                   string
	minIn, maxIn           int
	minPhase, maxPhase     int // at the phase detector
	minVCO, maxVCO         int
	minOut, maxOut         int
	inputs, feedbacks      int   // largest dividers, from 1 on
	outputs                []int // dividers of the oscillator
	feedbackFromOscillator bool  // the feedback divider has the oscillator's frequency before it; else the output's
}

// dividers of a PLL: the phase detector has in/input; out follows.
type dividers struct{ input, feedback, output, out int }

// choose tries all dividers. Of those that give the same frequency it takes the one with the fastest phase detector,
// then the fastest oscillator.
func (l limits) choose(in, want int) (dividers, error) {
	if in < l.minIn || in > l.maxIn {
		return dividers{}, fmt.Errorf("the %s takes %s to %s; the oscillator has %s", l.name, mhz(l.minIn),
			mhz(l.maxIn), mhz(in))
	}
	if want < l.minOut || want > l.maxOut {
		return dividers{}, fmt.Errorf("the %s gives %s to %s, not %s", l.name, mhz(l.minOut), mhz(l.maxOut), mhz(want))
	}
	var best dividers
	var bestVCO float64
	for input := 1; input <= l.inputs; input++ {
		phase := float64(in) / float64(input)
		if phase < float64(l.minPhase) || phase > float64(l.maxPhase) {
			continue
		}
		for feedback := 1; feedback <= l.feedbacks; feedback++ {
			for _, output := range l.outputs {
				vco := phase * float64(feedback)
				if !l.feedbackFromOscillator {
					vco *= float64(output)
				}
				if vco < float64(l.minVCO) || vco > float64(l.maxVCO) {
					continue
				}
				// The division is last and rounds down: in Hz it loses less than one.
				out := in * feedback / input
				if l.feedbackFromOscillator {
					out = in * feedback / (input * output)
				}
				if out < l.minOut || out > want || out < best.out {
					continue
				}
				if out > best.out || input < best.input || input == best.input && vco > bestVCO {
					best, bestVCO = dividers{input, feedback, output, out}, vco
				}
			}
		}
	}
	if best.out == 0 {
		return dividers{}, fmt.Errorf("no dividers of the %s make %s of %s", l.name, mhz(want), mhz(in))
	}
	return best, nil
}

func mhz(hz int) string { return fmt.Sprintf("%g MHz", float64(hz)/1e6) }
