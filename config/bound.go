package config

import (
	"math"
	"math/big"
)

// bound is an upper bound of something that is not negative. Every operation rounds up, so that a chain of
// them, each of which grows with its operands, is an upper bound as well.
type bound float64

func (a bound) plus(b bound) bound  { return bound(up(float64(a + b))) }
func (a bound) times(b bound) bound { return bound(up(float64(a * b))) }

// over divides by a number that is exact or too small, never too large.
func (a bound) over(b float64) bound { return bound(up(float64(a) / b)) }

// compound is (1+a)(1+b) - 1: two relative errors, one after the other.
func (a bound) compound(b bound) bound { return a.plus(b).plus(a.times(b)) }

// up and down are the neighbouring float64s: they turn a rounded result into a bound.
func up(x float64) float64   { return math.Nextafter(x, math.Inf(1)) }
func down(x float64) float64 { return math.Nextafter(x, 0) }

// below is a float64 that is at most v.
func below(v *big.Rat) float64 {
	f, exact := v.Float64()
	if exact {
		return f
	}
	return down(f)
}

// halfUlp is the error of rounding to frac fraction bits.
func halfUlp(frac int) bound { return bound(math.Ldexp(1, -frac-1)) }
