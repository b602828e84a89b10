package csig

import (
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/model/wide"
)

// Scale is a factor Mantissa / 2^Shift. Software writes it; the device multiplies.
type Scale struct {
	Mantissa uint64
	Shift    int // 0 to 63
}

// NewScale is the factor closest to r (halves up) whose mantissa has all of bits bits: its relative error is at most
// 1/(2^bits - 1).
func NewScale(r *big.Rat, bits int) (Scale, error) {
	if r.Sign() > 0 {
		// The lengths of both terms give the shift to within one; a mantissa that rounds up to the next power of two
		// takes one more.
		at := bits - (r.Num().BitLen() - r.Denom().BitLen())
		for _, s := range []int{at, at - 1, at - 2} {
			if s < 0 || s > 63 {
				continue
			}
			power := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(s)))
			if m := round(power.Mul(power, r)); m.BitLen() == bits {
				return Scale{m.Uint64(), s}, nil
			}
		}
	}
	return Scale{}, fmt.Errorf("no factor of %d bits is close to %s", bits, r.FloatString(12))
}

// round is r rounded half up.
func round(r *big.Rat) *big.Int {
	num := new(big.Int).Lsh(r.Num(), 1)
	num.Add(num, r.Denom())
	return num.Div(num, new(big.Int).Lsh(r.Denom(), 1))
}

// Of is x times the factor, rounded half up, at most limit. x times the mantissa must fit in 127 bits.
func (s Scale) Of(x, limit uint64) uint64 {
	p := wide.Mul(x, s.Mantissa)
	if s.Shift > 0 {
		p = p.Add(wide.From(1 << (s.Shift - 1)))
		p = wide.Uint128{Hi: p.Hi >> s.Shift, Lo: p.Lo>>s.Shift | p.Hi<<(64-s.Shift)}
	}
	if p.Hi != 0 || p.Lo > limit {
		return limit
	}
	return p.Lo
}

// estimateScale converts the measured value to kbit/s: 8e6 / T, T the time in ns that it covers.
func (c *Config) estimateScale() (Scale, error) {
	s, err := NewScale(c.perUnit(), c.Widths.Recip)
	if err != nil {
		return s, fmt.Errorf("csig: measured time: %w", err)
	}
	return s, nil
}

// perUnit is the bandwidth in kbit/s of one unit of the measured value.
func (c *Config) perUnit() *big.Rat {
	e := &c.Estimate
	t := big.NewInt(1)
	switch e.Method {
	case Raw:
		t.SetUint64(e.Window)
	case EWMA:
		t.Lsh(t, uint(e.TimeShift+c.Widths.Frac))
	case DRE:
		t.Lsh(t, uint(e.TickShift+e.DecayShift+c.Widths.Frac))
	}
	return new(big.Rat).SetFrac(big.NewInt(8e6), t)
}

// portScales are the two factors of a port's capacity in kbit/s: from the measured value to its share of C in
// units of 2^-Ratio, and from bytes of queue to ns, 8e6 / C.
func (c *Config) portScales(capacity uint64) (ratio, depth Scale, err error) {
	by := new(big.Int).SetUint64(capacity)
	ratio, err = NewScale(new(big.Rat).Mul(c.perUnit(),
		new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), uint(c.Widths.Ratio)), by)), c.Widths.Recip)
	if err != nil {
		return ratio, depth, err
	}
	depth, err = NewScale(new(big.Rat).SetFrac(big.NewInt(8e6), by), c.Widths.Recip)
	return ratio, depth, err
}
