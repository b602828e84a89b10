package config

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Worked by hand: docs/csig.md, Factors.
func TestFactors(t *testing.T) {
	d, err := LoadDesign("csig-64p")
	require.NoError(t, err)
	c := d.(*CSIG)
	for _, w := range []struct {
		name string
		of   func() (Factor, error)
		want Factor
	}{
		{"Estimate, 62.5 times 2^26", c.EstimateFactor, Factor{4194304000, 26}},
		{"Ratio at 100G over 128 us, 10.48576 times 2^28", func() (Factor, error) { return c.RatioFactor(100e6) },
			Factor{2814749767, 28}},
		{"Depth at 100G, 0.08 times 2^35", func() (Factor, error) { return c.DepthFactor(100e6) }, Factor{2748779069, 35}},
	} {
		f, err := w.of()
		require.NoError(t, err)
		assert.Equal(t, w.want, f, w.name)
	}
	for _, r := range []*big.Rat{new(big.Rat), big.NewRat(-1, 2), big.NewRat(1<<40, 1), pow2(-100)} {
		_, err := NewFactor(r, 32)
		assert.Error(t, err)
	}
	// The mantissa rounds up to the next power of two: then the shift is one less.
	f, err := NewFactor(new(big.Rat).Sub(ratUint(8192), big.NewRat(1, 8)), 14)
	require.NoError(t, err)
	assert.Equal(t, Factor{8192, 0}, f)
}

// A factor is the one that docs/csig.md asks for, and as close as it says.
func TestFactorsAreClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(14, 32).Draw(t, "bits")
		r := big.NewRat(rapid.Int64Range(1, 1<<40).Draw(t, "num"), rapid.Int64Range(1, 1<<40).Draw(t, "den"))
		f, err := NewFactor(r, bits)
		if err != nil {
			small := new(big.Rat).Mul(r, pow2(63)).Cmp(pow2(bits-1)) < 0
			require.True(t, small || r.Cmp(pow2(bits-1)) > 0, "only what is too small or too large has none")
			return
		}
		require.Equal(t, bits, new(big.Int).SetUint64(f.Mantissa).BitLen())
		require.True(t, f.Shift >= 0 && f.Shift <= 63)
		require.Equal(t, f.Mantissa, halfUp(new(big.Rat).Mul(r, pow2(f.Shift))).Uint64())
		off := new(big.Rat).Quo(new(big.Rat).Mul(ratUint(f.Mantissa), pow2(-f.Shift)), r)
		off.Sub(off, ratUint(1)).Abs(off)
		d := new(big.Rat).Inv(new(big.Rat).Sub(pow2(bits), ratUint(1)))
		require.LessOrEqual(t, off.Cmp(d), 0)
	})
}

// Within the limits of the keys every factor exists: the ends of each range, and all shifts.
func TestFactorsExist(t *testing.T) {
	n := 0
	check := func(c CSIG) {
		n++
		_, err := c.EstimateFactor()
		require.NoError(t, err, "%+v", c)
		for _, capacity := range []uint64{1000, 1001, 1<<20 - 1, 1 << 20, 1<<20 + 1, 1<<32 - 1} {
			_, err := c.RatioFactor(capacity)
			require.NoError(t, err, "%+v", c)
			_, err = c.DepthFactor(capacity)
			require.NoError(t, err, "%+v", c)
		}
	}
	for recip := 16; recip <= 32; recip++ {
		for ratio := max(12, recip-8); ratio <= recip-4; ratio++ {
			for _, window := range []uint64{1000, 1001, 128_000, 1e9 - 1, 1e9} {
				check(CSIG{Method: CSIGRaw, WindowNs: window, RecipBits: recip, RatioBits: ratio})
			}
			for _, frac := range []int{0, 5, 16} {
				for shift := 10; shift <= 30; shift++ {
					check(CSIG{Method: CSIGEWMA, TimeShift: shift, FracBits: frac, RecipBits: recip, RatioBits: ratio})
				}
				for shift := 10; shift <= 30; shift++ { // only the sum counts
					check(CSIG{Method: CSIGDRE, TickShift: shift - 6, DecayShift: 6, FracBits: frac, RecipBits: recip,
						RatioBits: ratio})
				}
			}
		}
	}
	t.Logf("%d configurations", n)
}
