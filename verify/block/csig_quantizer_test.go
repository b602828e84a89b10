package block

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// quantizerIntervals are how many cycles at least lie between values.
var quantizerIntervals = []int{1, 2, 3, 4}

func TestQuantizer(t *testing.T) {
	every := func(width, codeBits, interval int) *Unit {
		return Quantizer(fmt.Sprintf("quantizer_%d_%d_%d", width, codeBits, interval), width, codeBits, interval, true)
	}
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			small := []*Unit{
				every(2, 1, 1), every(4, 1, 3), every(4, 3, 1), every(5, 2, 3), every(5, 3, 2), every(5, 4, 1),
				every(5, 4, 2), every(6, 3, 1),
			}
			cycles, wideCycles := int64(900_000), int64(400_000)
			if e == "go" || testing.Short() {
				small, cycles, wideCycles = small[:7], 200_000, 20_000
			}
			run(t, small, Options{Engine: e, Cycles: cycles, Seed: 1})
			for _, u := range small {
				assert.True(t, u.Finished(), "%s: not every operand was tried", u.Name)
			}
			var large []*Unit
			for _, interval := range quantizerIntervals {
				large = append(large, Quantizer(fmt.Sprintf("large%d", interval), 32, 20, interval, false),
					Quantizer(fmt.Sprintf("middle%d", interval), 20, 12, interval, false))
			}
			run(t, large, Options{Engine: e, Cycles: wideCycles, Seed: 2, Resets: true})
		})
	}
}
