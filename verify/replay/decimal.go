package replay

import (
	"math/bits"
	"strconv"

	"github.com/hdlpkg/hpccgen/fixed"
)

// RateBps is a raw rate (bytes per tick) in bit/s, rounded half up.
func RateBps(format fixed.Format, tickNs, raw uint64) uint64 {
	// raw * 8e9 / tick / 2^f; the product of two words, the quotient within one for any rate that exists.
	hi, lo := bits.Mul64(raw, 8e9)
	f := uint(format.Frac)
	div := tickNs
	if f+uint(bits.Len64(div)) < 64 {
		return roundedQuotient(hi, lo, div<<f)
	}
	// The format is so fine that the divisor leaves the word: drop fraction bits of the product, far below one bit/s.
	drop := f + uint(bits.Len64(div)) - 63
	lo = lo>>drop | hi<<(64-drop)
	return roundedQuotient(hi>>drop, lo, div<<(f-drop))
}

func roundedQuotient(hi, lo, d uint64) uint64 {
	lo, carry := bits.Add64(lo, d/2, 0)
	hi += carry
	if hi >= d {
		return ^uint64(0)
	}
	q, _ := bits.Div64(hi, lo, d)
	return q
}

// AppendDecimal appends the exact decimal number that raw stands for, as fixed.Format.Decimal writes it.
func AppendDecimal(b []byte, f fixed.Format, raw uint64) []byte {
	if f.Frac <= 0 || f.Frac > 60 {
		return append(b, f.Decimal(raw)...)
	}
	b = strconv.AppendUint(b, raw>>f.Frac, 10)
	rest := raw & (1<<f.Frac - 1)
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for rest != 0 { // each step turns one more of the fraction's bits into a decimal digit
		rest *= 10
		b = append(b, '0'+byte(rest>>f.Frac))
		rest &= (1<<f.Frac - 1)
	}
	return b
}
