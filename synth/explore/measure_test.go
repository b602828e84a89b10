package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/synth"
)

// A measurement has the slowest clock of a report, and the cells of which there are the most.
func TestMeasurementOfReport(t *testing.T) {
	r := &synth.Report{
		Cells: synth.Cells{LUT: synth.Use{Used: 70}, FF: synth.Use{Used: 120}, Carry: synth.Use{Used: 5},
			RAM:    synth.Use{Used: 3},
			LUTRAM: synth.Use{Used: 2}, DSP: synth.Use{Used: 4}, Logic: synth.Use{Used: 90}},
		Fmax:    map[string]synth.Fmax{"clk": {Reached: 80}, "other": {Reached: 90}},
		Seconds: map[string]float64{"yosys": 1, "route": 2},
	}
	m := measurement(r)
	assert.Equal(t, Measurement{Cells: 120, LUT: 70, FF: 120, Carry: 5, RAM: 3, LUTRAM: 2, DSP: 4, FmaxMHz: 80,
		Seconds: 3}, m)
	r.Cells.Logic.Used = 200
	assert.Equal(t, 200, measurement(r).Cells)
	assert.Zero(t, measurement(&synth.Report{}).FmaxMHz, "not routed")
}

func TestShortage(t *testing.T) {
	e := &synth.TooLarge{Design: "d",
		Over: []synth.Shortage{{Resource: "logic cells", Use: synth.Use{Used: 9000, Available: 7680}},
			{Resource: "block RAMs", Use: synth.Use{Used: 40, Available: 32}}}}
	assert.Equal(t, "takes 9000 logic cells of 7680, 40 block RAMs of 32", shortage(e))
	assert.Equal(t, "no legal placement: of a carry chain", shortage(&synth.TooLarge{Reason: "of a carry chain"}))
}

// The clock that placement works towards is one that no engine reaches, unless another is asked for.
func TestClockOfSynthesis(t *testing.T) {
	for _, f := range synth.Families() {
		assert.NotZero(t, targets[f], f)
	}
	assert.Equal(t, 200.0, Synthesis{Part: synth.ECP5x85}.clock())
	assert.Equal(t, 30.0, Synthesis{Part: synth.ECP5x85, ClockMHz: 30}.clock())
}
