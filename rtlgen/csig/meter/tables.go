package meter

import "math/big"

// Positions have cellBits for the cell and shareBits for the share of it; lines are in 2^-lineBits.
const (
	lineBits  = 26
	cellBits  = 9
	shareBits = 18
)

// The EWMA's rate is log2(e) in 2^-ewmaRateBits, that of the DRE has dreRateBits.
const (
	ewmaRate     = 5909
	ewmaRateBits = 12
	dreRateBits  = 30
)

// tablePrecision is the precision, in bits, of the functions that the lines approximate.
const tablePrecision = 128

// curve is a piecewise linear function: a word for each cell, with base and rise of its line.
type curve struct {
	words              []*big.Int
	baseBits, riseBits int
	falls              bool
}

// upCurve is 2^y, downCurve 2^-y, y from 0 to 1.
func upCurve() curve {
	c := curve{baseBits: lineBits + 1, riseBits: shareBits}
	c.draw(func(i uint64) *big.Float { return powerOfHalf(1<<cellBits*2-i, cellBits+1, 1) })
	return c
}

func downCurve() curve {
	c := curve{baseBits: lineBits, riseBits: shareBits, falls: true}
	c.draw(func(i uint64) *big.Float { return powerOfHalf(i, cellBits+1, 0) })
	return c
}

// gainCurve is G(x) for x from 0 to 1, followed for each j by 2^j G(x) for x from 2^j to 2^(j+1).
func gainCurve() curve {
	c := curve{baseBits: lineBits, riseBits: shareBits, falls: true}
	const parts = 2 << cellBits
	gain := func(n uint64, j int) *big.Float { // at x = n / parts
		if n == 0 {
			return exact().Mul(big.NewFloat(ewmaRate/float64(uint(1)<<ewmaRateBits)), ln2())
		}
		g := exact().Sub(big.NewFloat(1), powerOfHalf(ewmaRate*n, ewmaRateBits+cellBits+1, 0))
		g.Quo(g, exact().SetUint64(n))
		return g.SetMantExp(g, cellBits+1+j)
	}
	c.draw(func(i uint64) *big.Float { return gain(i, 0) })
	for j := range lateShift {
		c.draw(func(i uint64) *big.Float { return gain((parts+i)<<j, j) })
	}
	return c
}

// draw appends the lines that approximate a function, given at the ends of its cells and between.
func (c *curve) draw(f func(i uint64) *big.Float) {
	start := f(0)
	for cell := range uint64(1 << cellBits) {
		middle, end := f(2*cell+1), f(2*cell+2)
		// start - ((start + end) / 2 - middle) / 2 = (3 start - end + 2 middle) / 4
		base := exact().Mul(start, big.NewFloat(3))
		base.Sub(base, end)
		base.Add(base, middle)
		base.Add(base, middle)
		rise := exact().Sub(end, start)
		if c.falls {
			rise.Neg(rise)
		}
		word := nearest(base, lineBits-2)
		c.words = append(c.words, word.Or(word.Lsh(word, uint(c.riseBits)), nearest(rise, lineBits)))
		start = end
	}
}

func exact() *big.Float { return new(big.Float).SetPrec(tablePrecision) }

// nearest is v * 2^bits, rounded half up.
func nearest(v *big.Float, bits int) *big.Int {
	n, _ := exact().Add(exact().SetMantExp(v, bits), big.NewFloat(0.5)).Int(nil)
	return n
}

// powerOfHalf is 2^(up - n / 2^bits): roots of a half multiplied.
func powerOfHalf(n uint64, bits, up int) *big.Float {
	p, root := exact().SetInt64(1), exact().SetFloat64(0.5)
	for i := bits - 1; i >= 0; i-- {
		root = exact().Sqrt(root)
		if n>>i&1 == 1 {
			p.Mul(p, root)
		}
	}
	return p.SetMantExp(p, up-int(n>>bits))
}

// ln2 is 2 artanh(1/3).
func ln2() *big.Float {
	sum, power := exact(), exact().Quo(big.NewFloat(2), exact().SetInt64(3))
	for n := int64(1); n < tablePrecision; n += 2 {
		sum.Add(sum, exact().Quo(power, exact().SetInt64(n)))
		power.Quo(power, big.NewFloat(9))
	}
	return sum
}

// dreRate is -log2(1 - 2^-shift) in 2^-dreRateBits, rounded half up: digit by digit, by squaring.
func dreRate(shift int) uint64 {
	one := float64(uint(1) << shift)
	v := new(big.Float).SetPrec(2*tablePrecision).Quo(big.NewFloat(one), big.NewFloat(one-1))
	digits := uint64(0)
	for range dreRateBits + 2 {
		digits <<= 1
		if v.Cmp(big.NewFloat(2)) >= 0 {
			digits++
			v.SetMantExp(v, -1)
		}
		v.Mul(v, v)
	}
	return (digits + 1) / 2
}
