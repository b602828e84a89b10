// Package fixed describes fixed-point formats: width, position of the binary point, and the interval of numbers that a
// format covers.
//
// It holds data, not circuit arithmetic: the golden model and the generator read the same formats and do their own
// rounding and saturation, so that they do not share a bug.
package fixed

import (
	"fmt"
	"math/big"
)

// Format is an unsigned fixed-point format. A raw integer r represents r / 2^Frac and takes
// Int+Frac bits. Int may be negative: UQ-8.44 is a 36-bit value below 2^-8.
type Format struct {
	Int  int `json:"int"`
	Frac int `json:"frac"`
}

// UQ is the unsigned format with i integer and f fraction bits.
func UQ(i, f int) Format { return Format{Int: i, Frac: f} }

// Width is the number of bits that a raw value takes.
func (f Format) Width() int { return f.Int + f.Frac }

// String gives the format in Q notation, for example UQ7.24.
func (f Format) String() string { return fmt.Sprintf("UQ%d.%d", f.Int, f.Frac) }

// MaxRaw is the largest raw value, 2^Width - 1.
func (f Format) MaxRaw() *big.Int {
	one := big.NewInt(1)
	m := new(big.Int).Lsh(one, uint(f.Width()))
	return m.Sub(m, one)
}

// Max is the largest value that the format holds.
func (f Format) Max() *big.Rat { return f.Value(f.MaxRaw()) }

// Ulp is the distance between neighbouring values, 2^-Frac.
func (f Format) Ulp() *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(f.Frac)))
}

// Value returns the number that raw represents.
func (f Format) Value(raw *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(raw, new(big.Int).Lsh(big.NewInt(1), uint(f.Frac)))
}

// Raw rounds v half up to the format. ok is false when the result is negative or does not fit;
// raw is then the unrounded-range integer, so that a message can name it.
func (f Format) Raw(v *big.Rat) (raw *big.Int, ok bool) {
	num := new(big.Int).Lsh(v.Num(), uint(f.Frac)+1)
	num.Add(num, v.Denom())
	den := new(big.Int).Lsh(v.Denom(), 1)
	raw = new(big.Int).Div(num, den) // Euclidean division: floor for a positive divisor
	return raw, raw.Sign() >= 0 && raw.Cmp(f.MaxRaw()) <= 0
}

// Decimal writes raw as an exact decimal number.
func (f Format) Decimal(raw uint64) string {
	v := f.Value(new(big.Int).SetUint64(raw))
	s := v.FloatString(f.Frac)
	return trimZeros(s)
}

func trimZeros(s string) string {
	point := -1
	for i := range s {
		if s[i] == '.' {
			point = i
		}
	}
	if point < 0 {
		return s
	}
	end := len(s)
	for end > point+1 && s[end-1] == '0' {
		end--
	}
	if end == point+1 {
		end = point
	}
	return s[:end]
}
