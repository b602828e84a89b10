package block

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/rtlgen/csig"
)

// bucketShapes are the architectures.
func bucketShapes(valueBits, codeBits int) []csig.BucketShape {
	return []csig.BucketShape{
		{ValueBits: valueBits, CodeBits: codeBits, Interval: 1},
		{ValueBits: valueBits, CodeBits: codeBits, Interval: 1, Search: true},
		{ValueBits: valueBits, CodeBits: codeBits, Interval: 2, Search: true},
	}
}

func TestBucketizerExhaustively(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			widths, cycles := [][2]int{{8, 1}, {5, 2}, {3, 3}, {1, 2}}, int64(500_000)
			if e == "go" || testing.Short() {
				widths, cycles = [][2]int{{5, 1}, {4, 2}, {2, 3}}, 60_000
			}
			var units []*Unit
			for _, w := range widths {
				for i, s := range bucketShapes(w[0], w[1]) {
					units = append(units, Bucketizer(fmt.Sprintf("bucket%d_%d_%d", i, w[0], w[1]), s, true))
				}
			}
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 1})
			for _, u := range units {
				assert.True(t, u.Finished(), "%s: not every table was tried", u.Name)
			}
		})
	}
}

func TestBucketizerAtItsBounds(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			var units []*Unit
			for _, w := range [][2]int{{32, 5}, {8, 3}, {32, 4}} {
				for i, s := range bucketShapes(w[0], w[1]) {
					units = append(units, Bucketizer(fmt.Sprintf("bounds%d_%d_%d", i, w[0], w[1]), s, false))
				}
			}
			cycles := int64(200_000)
			if e == "go" || testing.Short() {
				cycles = 20_000
			}
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 3})
		})
	}
}
