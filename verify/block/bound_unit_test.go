package block

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/divider"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// ErrorSeen is the measured error of a divider, next to its stated bound.
type ErrorSeen struct {
	// Bound is the divider's stated bound on the relative error of a quotient, before its one rounding of at most half
	// an ulp.
	Bound float64

	Reciprocal float64 // largest relative error of a reciprocal
	Tried      int64   // mantissas tried
	All        bool    // they are all there are

	Quotient  float64 // largest relative error of quotients seen, beyond half an ulp
	Quotients int64   // compared; saturated ones and those of a divisor of 0 are not
}

func (e ErrorSeen) String() string {
	how := "sampled"
	if e.All {
		how = "all"
	}
	return fmt.Sprintf("bound %.4g, reciprocal %.4g (%d mantissas, %s), quotient %.4g (%d seen)",
		e.Bound, e.Reciprocal, e.Tried, how, e.Quotient, e.Quotients)
}

// Reciprocals measures the reciprocal that a divider multiplies by, over all mantissas where there are at most limit,
// otherwise over that many drawn at random and both ends of every interval of the table. The restoring kinds have
// none: they are exact.
func (d DividerCase) Reciprocals(limit int64, seed uint64) (e ErrorSeen, err error) {
	e.Bound = d.Config.RelBound()
	var reciprocal func(mant uint64) uint64
	var tableBits int
	switch d.Config.Kind {
	case config.ReciprocalTable:
		t, err := divider.NewTable(d.Config)
		if err != nil {
			return e, err
		}
		reciprocal = func(mant uint64) uint64 { return t.Reciprocal(mant, d.Shape.DenBits) }
		tableBits = d.Config.IndexBits
	case config.NewtonRaphson:
		n, err := divider.NewNewton(d.Config, d.Shape.DenBits)
		if err != nil {
			return e, err
		}
		reciprocal = n.Reciprocal
		tableBits = d.Config.TableBits
	default:
		e.All = true
		return e, nil
	}
	frac := d.Shape.DenBits - 1
	one := wide.From(1).Lsh(frac + d.Config.ReciprocalBits())
	try := func(mant uint64) {
		p := wide.Mul(mant, reciprocal(mant))
		off := p.Sub
		if p.Cmp(one) < 0 {
			off = func(wide.Uint128) wide.Uint128 { return one.Sub(p) }
		}
		e.Reciprocal = max(e.Reciprocal, toFloat(off(one))/toFloat(one))
		e.Tried++
	}
	first := uint64(1) << frac
	if e.All = int64(first) <= limit; e.All {
		for m := range first {
			try(first + m)
		}
		return e, nil
	}
	step := first >> min(tableBits, frac)
	for m := first; m < 2*first; m += step {
		try(m)
		try(m + step - 1)
	}
	r := rand.New(rand.NewPCG(seed, 3))
	for range limit {
		try(first + r.Uint64N(first))
	}
	return e, nil
}

// Judge adds a quotient to the measurements of a divider.
func (e *ErrorSeen) Judge(d DividerCase, num wide.Uint128, den, quot uint64) {
	if den == 0 || quot == wide.Mask(d.Shape.QuotBits) {
		return
	}
	e.Quotients++
	// |q den - num 2^Shift| - den/2, over num 2^Shift.
	exact := new(big.Int).Lsh(num.Big(), uint(d.Shape.Shift))
	off := new(big.Int).Mul(new(big.Int).SetUint64(quot), new(big.Int).SetUint64(den))
	off.Sub(off, exact).Abs(off)
	off.Lsh(off, 1).Sub(off, new(big.Int).SetUint64(den))
	if off.Sign() <= 0 {
		return
	}
	if exact.Sign() == 0 {
		e.Quotient = math.Inf(1)
		return
	}
	f, _ := new(big.Rat).SetFrac(off, exact.Lsh(exact, 1)).Float64()
	e.Quotient = max(e.Quotient, f)
}

func toFloat(v wide.Uint128) float64 { return math.Ldexp(float64(v.Hi), 64) + float64(v.Lo) }
