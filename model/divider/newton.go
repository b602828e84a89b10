package divider

import (
	"fmt"
	"math"
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Newton is the reciprocal of a mantissa by a seed from a table and one or two Newton-Raphson steps.
type Newton struct {
	Seeds      []uint64 // 2^TableBits seeds in units of 2^-SeedBits
	mantFrac   int      // M
	tableBits  int      // k
	seedBits   int      // s
	recipBits  int      // r
	iterations int
}

// NewNewton computes the seeds for denominators of denBits bits.
//
// It is an error when a width is out of range or when a step would need fraction bits that its product
// does not have.
func NewNewton(d config.Divider, denBits int) (*Newton, error) {
	n := &Newton{mantFrac: denBits - 1, tableBits: d.TableBits, seedBits: d.SeedBits,
		recipBits: d.RecipBits, iterations: d.Iterations}
	switch {
	case d.TableBits < 0 || d.TableBits > 16:
		return nil, fmt.Errorf("newton_raphson: table bits are %d; they must lie between 0 and 16", d.TableBits)
	case d.SeedBits < 1 || d.SeedBits > 62:
		return nil, fmt.Errorf("newton_raphson: seed bits are %d; they must lie between 1 and 62", d.SeedBits)
	case d.RecipBits < 1 || d.RecipBits > 62:
		return nil, fmt.Errorf("newton_raphson: reciprocal bits are %d; they must lie between 1 and 62", d.RecipBits)
	case d.Iterations < 1 || d.Iterations > 2:
		return nil, fmt.Errorf("newton_raphson: iterations are %d; they must be 1 or 2", d.Iterations)
	case d.RecipBits > n.mantFrac+d.SeedBits:
		return nil,
			fmt.Errorf("newton_raphson: reciprocal bits are %d; a seed of %d bits and a denominator of %d bits give at most %d",
				d.RecipBits, d.SeedBits, denBits, n.mantFrac+d.SeedBits)
	}
	for j := range uint64(1) << d.TableBits {
		num := new(big.Int).Lsh(big.NewInt(1), uint(d.SeedBits+d.TableBits+1))
		seed := roundQuo(num, 2*(1<<d.TableBits+j)+1)
		n.Seeds = append(n.Seeds, min(seed, wide.Mask(d.SeedBits)))
	}
	return n, nil
}

// FracBits is XB, the fraction bits of the reciprocal.
func (n *Newton) FracBits() int { return n.recipBits }

// Seed is X0 for the mantissa mant.
func (n *Newton) Seed(mant uint64) uint64 {
	return n.Seeds[rescale(mant, n.mantFrac, n.tableBits)-1<<n.tableBits]
}

// Reciprocal is X for the mantissa mant, at most 2^FracBits.
func (n *Newton) Reciprocal(mant uint64) uint64 {
	x := n.Step(mant, n.Seed(mant), n.seedBits)
	for range n.iterations - 1 {
		x = n.Step(mant, x, n.recipBits)
	}
	return x
}

// Step is one Newton-Raphson step x' = x (2 - m x), from an x with b fraction bits.
func (n *Newton) Step(mant, x uint64, b int) uint64 {
	t := wide.Mul(mant, x)
	two := wide.From(1).Lsh(n.mantFrac + b + 1)
	c := two.Sub(t).Rsh(n.mantFrac + b - n.recipBits).Lo
	return wide.Mul(x, c).Round(b).Sat(1 << n.recipBits)
}

// RelBound is the bound that docs/numeric.md states for the relative error of the reciprocal.
func (n *Newton) RelBound() float64 {
	e := math.Ldexp(1, -(n.tableBits+1)) + math.Ldexp(1, -n.seedBits)
	for range n.iterations {
		e = e*e + math.Ldexp(1, 1-n.recipBits)
	}
	return e
}
