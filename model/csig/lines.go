package csig

import (
	"math/big"
	"sync"
)

// Positions have cellBits for the cell and shareBits for the share of it; lines are in 2^-lineBits.
const (
	lineBits  = 26
	cellBits  = 9
	shareBits = 18
)

// linePrecision is that of the functions under the lines, in bits.
const linePrecision = 128

// line is a function over one cell: from base on, up or down by rise.
type line struct {
	base, rise uint64
	falls      bool
}

// curve is a function over an interval, as a line for each cell.
type curve [1 << cellBits]line

// at is the curve at position y of so many bits: y / 2^width of the interval.
func (c *curve) at(y uint64, width int) uint64 {
	if missing := cellBits + shareBits - width; missing > 0 {
		y <<= missing
	} else {
		y >>= -missing
	}
	l := &c[y>>shareBits]
	part := (l.rise*(y&(1<<shareBits-1)) + 1<<(shareBits-1)) >> shareBits
	if l.falls {
		return l.base - part
	}
	return l.base + part
}

// curves are those that averages need.
type curves struct {
	up, down curve
	gain     [1 + lateShift]curve // below T, then by octave
}

// lines are the curves of all devices.
var lines = sync.OnceValue(func() *curves {
	c := &curves{}
	const parts = 2 << cellBits // ends and middles of the cells
	c.up = newCurve(func(i int) *big.Float { return powerOfE(ln2(ratio(i, parts))) })
	c.down = newCurve(func(i int) *big.Float { return powerOfE(ln2(ratio(-i, parts))) })
	c.gain[0] = newCurve(func(i int) *big.Float { return gainAt(ratio(i, parts)) })
	for j := range lateShift {
		c.gain[1+j] = newCurve(func(i int) *big.Float {
			g := gainAt(ratio((parts+i)<<j, parts))
			return g.SetMantExp(g, j)
		})
	}
	return c
})

// newCurve draws lines over a function that is given at the ends of the cells and in their middles, in turn.
func newCurve(f func(i int) *big.Float) (c curve) {
	p := f(0)
	for i := range c {
		m, q := f(2*i+1), f(2*i+2)
		half := big.NewFloat(0.5)
		above := newFloat().Add(p, q)
		above.Mul(above, half)
		above.Sub(above, m)
		rise := newFloat().Sub(q, p)
		c[i] = line{units(newFloat().Sub(p, above.Mul(above, half))), units(newFloat().Abs(rise)), rise.Sign() < 0}
		p = q
	}
	return c
}

// units are 2^-lineBits, rounded half up.
func units(v *big.Float) uint64 {
	v = newFloat().SetMantExp(v, lineBits)
	n, _ := v.Add(v, big.NewFloat(0.5)).Uint64()
	return n
}

func newFloat() *big.Float { return new(big.Float).SetPrec(linePrecision) }

func ratio(n, d int) *big.Float {
	return newFloat().Quo(newFloat().SetInt64(int64(n)), newFloat().SetInt64(int64(d)))
}

// powerOfE is e^x, for |x| up to 64.
func powerOfE(x *big.Float) *big.Float {
	const squarings, terms = 10, 14
	y := newFloat().SetMantExp(x, -squarings)
	sum, term := newFloat().SetInt64(1), newFloat().SetInt64(1)
	for n := int64(1); n <= terms; n++ {
		term.Mul(term, y)
		term.Quo(term, newFloat().SetInt64(n))
		sum.Add(sum, term)
	}
	for range squarings {
		sum.Mul(sum, sum)
	}
	return sum
}

// minusLog is -ln(1 - y), y from 0 to 1/2.
func minusLog(y *big.Float) *big.Float {
	sum, power := newFloat(), newFloat().SetInt64(1)
	for n := int64(1); n <= linePrecision; n++ {
		power.Mul(power, y)
		sum.Add(sum, newFloat().Quo(power, newFloat().SetInt64(n)))
	}
	return sum
}

// ln2 is x ln 2.
var ln2 = func() func(x *big.Float) *big.Float {
	of2 := sync.OnceValue(func() *big.Float { return minusLog(ratio(1, 2)) })
	return func(x *big.Float) *big.Float { return newFloat().Mul(x, of2()) }
}()

// gainAt is G(x).
func gainAt(x *big.Float) *big.Float {
	rate := ratio(ewmaRate, 1<<ewmaRateBits)
	if x.Sign() == 0 {
		return ln2(rate)
	}
	forgotten := newFloat().SetInt64(1)
	forgotten.Sub(forgotten, powerOfE(newFloat().Neg(ln2(newFloat().Mul(rate, x)))))
	return forgotten.Quo(forgotten, x)
}

// dreRate is -log2(1 - 2^-shift) in 2^-dreRateBits.
func dreRate(shift int) uint64 {
	log := minusLog(ratio(1, 1<<shift))
	log.Quo(log, ln2(ratio(1, 1)))
	n, _ := log.SetMantExp(log, dreRateBits).Add(log, big.NewFloat(0.5)).Uint64()
	return n
}
