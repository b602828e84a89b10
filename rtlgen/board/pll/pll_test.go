package pll

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Settings that are known: by the vendor's tool, or by hand.
func TestKnown(t *testing.T) {
	ice40, err := ForICE40(12e6, 24e6)
	require.NoError(t, err)
	assert.Equal(t, ICE40{OutHz: 24e6, DivF: 63, DivQ: 5, FilterRange: 1}, ice40)
	ice40, err = ForICE40(12e6, 80e6)
	require.NoError(t, err)
	assert.Equal(t, ICE40{OutHz: 79_500_000, DivF: 52, DivQ: 3, FilterRange: 1}, ice40)
	ice40, err = ForICE40(48e6, 60e6)
	require.NoError(t, err)
	assert.Equal(t, 60_000_000, ice40.OutHz)

	ecp5, err := ForECP5(25e6, 150e6)
	require.NoError(t, err)
	assert.Equal(t, ECP5{OutHz: 150e6, CLKIDiv: 1, CLKFBDiv: 6, CLKOPDiv: 5}, ecp5)
	ecp5, err = ForECP5(48e6, 100e6)
	require.NoError(t, err)
	assert.Equal(t, 96_000_000, ecp5.OutHz, "48 / 12 at the phase detector would be too slow")

	gowin, err := ForGowin(27e6, 54e6)
	require.NoError(t, err)
	assert.Equal(t, Gowin{OutHz: 54e6, FBDivSel: 1, ODivSel: 16}, gowin)
}

func TestRefused(t *testing.T) {
	_, err := ForICE40(12e6, 12e6)
	assert.EqualError(t, err, "the iCE40 PLL gives 16 MHz to 275 MHz, not 12 MHz")
	_, err = ForECP5(5e6, 100e6)
	assert.EqualError(t, err, "the ECP5 PLL takes 8 MHz to 400 MHz; the oscillator has 5 MHz")
}

// The chosen settings obey the data sheet and do not exceed the requested frequency; no legal settings are closer to
// it.
func TestChosen(t *testing.T) {
	for _, l := range []limits{ice40Limits, ecp5Limits, gowinLimits} {
		rapid.Check(t, func(t *rapid.T) {
			in := rapid.IntRange(12, 50).Draw(t, "in, MHz") * 1_000_000
			want := rapid.IntRange(20_000, 200_000).Draw(t, "wanted, kHz") * 1000
			d, err := l.choose(in, want)
			if err != nil {
				t.Fatal(err)
			}
			out := func(d dividers) float64 {
				f := float64(in) / float64(d.input) * float64(d.feedback)
				if l.feedbackFromOscillator {
					f /= float64(d.output)
				}
				return f
			}
			legal := func(d dividers) bool {
				phase, vco := float64(in)/float64(d.input), out(d)*float64(d.output)
				return phase >= float64(l.minPhase) && phase <= float64(l.maxPhase) && vco > float64(l.minVCO)-1 &&
					vco < float64(l.maxVCO)+1
			}
			if !legal(d) || math.Abs(out(d)-float64(d.out)) >= 1 || d.out > want {
				t.Fatalf("%s: %+v for %d of %d", l.name, d, want, in)
			}
			other := dividers{
				input:    rapid.IntRange(1, min(l.inputs, 5)).Draw(t, "input"),
				feedback: rapid.IntRange(1, l.feedbacks).Draw(t, "feedback"),
				output:   rapid.SampledFrom(l.outputs).Draw(t, "output"),
			}
			if f := out(other); legal(other) && f <= float64(want) && f >= float64(l.minOut) && f >= float64(d.out+1) {
				t.Fatalf("%s: %+v gives %g, nearer to %d than %+v", l.name, other, f, want, d)
			}
		})
	}
}
