package block

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQuantizer(t *testing.T) {
	every := func(width, codeBits int) *Unit {
		return Quantizer(fmt.Sprintf("quantizer_%d_%d", width, codeBits), width, codeBits, true)
	}
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			small := []*Unit{
				every(2, 1), every(4, 1), every(4, 3),
				every(5, 2), every(5, 4), every(6, 3),
			}
			cycles, wideCycles := int64(900_000), int64(400_000)
			if e == "go" || testing.Short() {
				small, cycles, wideCycles = small[:5], 120_000, 20_000
			}
			run(t, small, Options{Engine: e, Cycles: cycles, Seed: 1})
			for _, u := range small {
				assert.True(t, u.Finished(), "%s: not every operand was tried", u.Name)
			}
			run(t, []*Unit{Quantizer("quantizer_32_20", 32, 20, false), Quantizer("quantizer_20_12", 20, 12, false)},
				Options{Engine: e, Cycles: wideCycles, Seed: 2, Resets: true})
		})
	}
}
