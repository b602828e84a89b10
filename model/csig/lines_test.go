package csig

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every cell of every curve is within the share that docs/csig.md says, at its ends, in its middle, and between.
func TestLines(t *testing.T) {
	rate := float64(ewmaRate) / (1 << ewmaRateBits)
	gain := func(x float64) float64 {
		if x == 0 {
			return rate * math.Ln2
		}
		return -math.Expm1(-rate*x*math.Ln2) / x
	}
	worst := func(c *curve, f func(y float64) float64) (share float64) {
		for i := range c {
			for _, r := range []uint64{0, 1, 1 << 15, 1 << 16, 1 << 17, 3 << 16, 1<<shareBits - 1} {
				y := uint64(i)<<shareBits | r
				want := f(float64(y) / (1 << (cellBits + shareBits)))
				share = max(share, math.Abs(float64(c.at(y, cellBits+shareBits))/(1<<lineBits)/want-1))
			}
		}
		return share
	}
	l := lines()
	up, down := worst(&l.up, math.Exp2), worst(&l.down, func(y float64) float64 { return math.Exp2(-y) })
	assert.Less(t, up, math.Exp2(-22.7))
	assert.Less(t, down, math.Exp2(-22.7))
	largest := worst(&l.gain[0], gain)
	for j := range lateShift {
		scale := float64(uint64(1) << j)
		largest = max(largest, worst(&l.gain[1+j], func(y float64) float64 { return scale * gain(scale*(1+y)) }))
	}
	assert.Less(t, largest, math.Exp2(-20.9))
	// What is cut off a position, and the rounding of H, which is above 0.43.
	cut, rounding := 2*math.Ln2*math.Exp2(-cellBits-shareBits)+math.Exp2(-cellBits-shareBits), math.Exp2(-lineBits-1)/0.43
	assert.Less(t, up+down+largest+cut+rounding, math.Exp2(-20))
	t.Logf("up 2^%.2f, down 2^%.2f, gain 2^%.2f", math.Log2(up), math.Log2(down), math.Log2(largest))
}
