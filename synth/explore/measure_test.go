package explore

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/synth"
)

// Sizes and placements of a report: the cells of which there are the most, and the slowest clock.
func TestMeasurementOfReport(t *testing.T) {
	r := &synth.Report{
		Cells: synth.Cells{LUT: synth.Use{Used: 70}, FF: synth.Use{Used: 120}, Carry: synth.Use{Used: 5},
			RAM:    synth.Use{Used: 3},
			LUTRAM: synth.Use{Used: 2}, DSP: synth.Use{Used: 4}, Logic: synth.Use{Used: 90}},
		Fmax:    map[string]synth.Fmax{"clk": {Reached: 80}, "other": {Reached: 90}},
		Seconds: map[string]float64{"yosys": 1, "nextpnr": 2}, Seed: 7,
	}
	assert.Equal(t, Size{Cells: 120, LUT: 70, FF: 120, Carry: 5, RAM: 3, LUTRAM: 2, DSP: 4, Seconds: 3}, sizeOf(r))
	assert.Equal(t, Placement{Seed: 7, FmaxMHz: 80, Seconds: 2}, placementOf(r))
	r.Cells.Logic.Used = 200
	assert.Equal(t, 200, sizeOf(r).Cells)
}

// Of several placements the median counts, the lower one of two in the middle; one that was not legal is the slowest.
func TestMedianOfPlacements(t *testing.T) {
	m := &Measurement{Size: Size{Seconds: 5}}
	for i, f := range []float64{90, 110, 100, 80} {
		m.place(Placement{Seed: 4 - i, FmaxMHz: f, Path: fmt.Sprint(f), Seconds: 1})
	}
	assert.Equal(t, []float64{90, 80, 110}, []float64{m.FmaxMHz, m.FmaxMin, m.FmaxMax})
	assert.Equal(t, "90", m.Path)
	assert.Equal(t, 9.0, m.Took())
	assert.Equal(t, 1, m.Placements[0].Seed)
	m.place(Placement{Seed: 5, Failed: "no legal placement"})
	assert.Equal(t, []float64{90, 0, 110}, []float64{m.FmaxMHz, m.FmaxMin, m.FmaxMax})
	assert.Empty(t, m.TooLarge)
	one := &Measurement{}
	one.place(Placement{Seed: 1, Failed: "no legal placement"})
	assert.Equal(t, "no legal placement", one.TooLarge)
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
