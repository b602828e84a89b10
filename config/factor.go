package config

import (
	"errors"
	"fmt"
	"math/big"
)

// Factor is what software writes of a factor: it stands for Mantissa / 2^Shift (docs/csig.md, Factors).
type Factor struct {
	Mantissa uint64
	Shift    int // 0 to 63
}

// NewFactor is the factor closest to r, halves up, whose mantissa has exactly so many bits; of two, the one with the
// larger shift. Its relative error is at most 1 / (2^bits - 1). The error says that the shift would have to be outside
// of 0 to 63, which the limits of a configuration exclude.
func NewFactor(r *big.Rat, bits int) (Factor, error) {
	if r.Sign() > 0 {
		// The lengths of the terms give the shift to within one, and a mantissa that rounds up to the next power of two takes
		// one more.
		first := bits - r.Num().BitLen() + r.Denom().BitLen()
		for shift := first; shift >= first-2; shift-- {
			if shift < 0 || shift > 63 {
				continue
			}
			if m := halfUp(new(big.Rat).Mul(r, pow2(shift))); m.BitLen() == bits {
				return Factor{m.Uint64(), shift}, nil
			}
		}
	}
	return Factor{}, fmt.Errorf("no factor of %d bits is close to %s", bits, r.FloatString(12))
}

// halfUp rounds to an integer, halves up.
func halfUp(r *big.Rat) *big.Int {
	n := new(big.Int).Lsh(r.Num(), 1)
	n.Add(n, r.Denom())
	return n.Div(n, new(big.Int).Lsh(r.Denom(), 1))
}

// MeasuredNs is the time that a meter's value covers, in ns: the window, or the time constant.
func (c *CSIG) MeasuredNs() uint64 {
	switch c.Method {
	case CSIGEWMA:
		return 1 << c.TimeShift
	case CSIGDRE:
		return 1 << (c.TickShift + c.DecayShift)
	}
	return c.WindowNs
}

// valueFrac is the fraction of a byte that a meter's value has, in bits.
func (c *CSIG) valueFrac() int {
	if c.Method == CSIGRaw {
		return 0
	}
	return c.FracBits
}

// EstimateFactor turns a meter's value into kbit/s.
func (c *CSIG) EstimateFactor() (Factor, error) {
	return NewFactor(c.estimate(), c.RecipBits)
}

func (c *CSIG) estimate() *big.Rat {
	r := new(big.Rat).Quo(ratUint(8e6), ratUint(c.MeasuredNs()))
	return r.Mul(r, pow2(-c.valueFrac()))
}

// RatioFactor turns a meter's value into the share that is in use of a capacity in kbit/s, in units of 2^-RatioBits.
func (c *CSIG) RatioFactor(capacity uint64) (Factor, error) {
	return c.perCapacity(new(big.Rat).Mul(c.estimate(), pow2(c.RatioBits)), capacity)
}

// DepthFactor turns bytes of a queue into ns at a capacity in kbit/s.
func (c *CSIG) DepthFactor(capacity uint64) (Factor, error) {
	return c.perCapacity(ratUint(8e6), capacity)
}

func (c *CSIG) perCapacity(v *big.Rat, capacity uint64) (Factor, error) {
	if capacity == 0 {
		return Factor{}, errors.New("the capacity is 0")
	}
	return NewFactor(v.Quo(v, ratUint(capacity)), c.RecipBits)
}
