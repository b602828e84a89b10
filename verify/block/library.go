package block

import (
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/divider"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
)

// DividerCase is a divider of a kind and shape.
type DividerCase struct {
	Name   string
	Config config.Divider
	Shape  lib.DividerShape
	Limbs  lib.Limbs
}

// Unit is the divider against the golden model's. With every set, the operands are all there are, once;
// otherwise they are random, with the places where the answer changes.
func (d DividerCase) Unit(every bool) (*Unit, error) {
	divide, err := divider.New(d.Config, d.Shape.NumBits, d.Shape.DenBits, d.Shape.Shift, d.Shape.QuotBits)
	if err != nil {
		return nil, err
	}
	operands := d.drawn
	if every {
		operands = Every(d.Shape.NumBits, d.Shape.DenBits)
	}
	m := lib.Divider(d.Name, d.Config, d.Shape, d.Limbs)
	return Pipeline(d.Name, m, operands, func(op, q []wide.Uint128) {
		q[0] = wide.From(divide(op[0], op[1].Lo))
	}), nil
}

// drawn returns random operands: unconstrained ones, exact quotients and halves between two, the edge of saturation.
func (d DividerCase) drawn(r *rand.Rand, _ int64, op []wide.Uint128) bool {
	s := d.Shape
	num, den := draw(r, s.NumBits), draw(r, s.DenBits)
	if r.IntN(2) == 0 && den.Lo != 0 {
		// num * 2^Shift close to den * (q + 1/2), or to den * 2^QuotBits.
		q := draw(r, s.QuotBits)
		if r.IntN(4) == 0 {
			q = wide.From(1).Lsh(s.QuotBits).Sub(wide.From(uint64(r.IntN(2))))
		}
		if q.BitLen()+den.BitLen() < 128 {
			num = q.Mul(den.Lo)
			if r.IntN(2) == 0 {
				num = num.Add(den.Rsh(1))
			}
			num = num.Rsh(s.Shift)
			if r.IntN(2) == 0 {
				num = num.Add(wide.From(uint64(r.IntN(3))))
			}
		}
	}
	op[0], op[1] = cut(num, s.NumBits), den
	return true
}
