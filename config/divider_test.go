package config

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reciprocal is X of docs/numeric.md for a divisor of width bits, and its exponent; written from that page.
func reciprocal(d Divider, divisor uint64, width int) (x uint64, e int) {
	e = bits.Len64(divisor) - 1
	m := width - 1
	mant := divisor << (m - e)
	shift := func(v uint64, by int) uint64 { // by may be negative
		if by < 0 {
			return v << -by
		}
		return v >> by
	}
	switch d.Kind {
	case ReciprocalTable:
		index := shift(mant, m-d.IndexBits)
		bounds := d.boundaries()
		j := 0
		for j+1 < len(bounds)-1 && uint64(bounds[j+1]) <= index {
			j++
		}
		return uint64(roundHalfUp(new(big.Int).Lsh(big.NewInt(1), uint(d.EntryBits+d.IndexBits+1)),
			big.NewInt(bounds[j]+bounds[j+1]))), e
	case NewtonRaphson:
		j := shift(mant, m-d.TableBits) - 1<<d.TableBits
		k, s, r := d.TableBits, d.SeedBits, d.RecipBits
		x := min(uint64(roundHalfUp(new(big.Int).Lsh(big.NewInt(1), uint(s+k+1)),
			new(big.Int).SetUint64(2*(1<<k+j)+1))), 1<<s-1)
		b := s
		for range d.Iterations {
			// Products of more than 64 bits, with wide divisors.
			c := new(big.Int).Lsh(big.NewInt(2), uint(m+b))
			c.Sub(c, new(big.Int).Mul(new(big.Int).SetUint64(mant), new(big.Int).SetUint64(x))).Rsh(c, uint(m+b-r))
			x = min(rhu(c.Mul(c, new(big.Int).SetUint64(x)), b).Uint64(), 1<<r)
			b = r
		}
		return x, e
	}
	panic("no reciprocal")
}

// Every divisor of 14 bits: the reciprocal is within the bound, and the bound is not far from the worst.
func TestRelBoundHoldsAndIsTight(t *testing.T) {
	for _, c := range []struct {
		div   Divider
		tight float64 // the worst error is at least this part of the bound
	}{
		{Divider{Kind: ReciprocalTable, Eps: 0.004, IndexBits: 11, EntryBits: 15}, 0.95},
		{Divider{Kind: ReciprocalTable, Eps: 0.05, IndexBits: 8, EntryBits: 10}, 0.95},
		{Divider{Kind: ReciprocalTable, Eps: 0.25, IndexBits: 5, EntryBits: 6}, 0.95},
		{Divider{Kind: NewtonRaphson, TableBits: 4, SeedBits: 6, Iterations: 1, RecipBits: 16}, 0.8},
		{Divider{Kind: NewtonRaphson, TableBits: 7, SeedBits: 9, Iterations: 1, RecipBits: 18}, 0.5},
		{Divider{Kind: NewtonRaphson, TableBits: 4, SeedBits: 6, Iterations: 2, RecipBits: 18}, 0.3},
		{Divider{Kind: NewtonRaphson, TableBits: 3, SeedBits: 3, Iterations: 2, RecipBits: 12}, 0.3},
	} {
		t.Run(fmt.Sprintf("%s/%+v", c.div.Kind, c.div), func(t *testing.T) {
			const width = 14
			bound, worst := c.div.RelBound(), 0.0
			for divisor := uint64(1); divisor < 1<<width; divisor++ {
				x, e := reciprocal(c.div, divisor, width)
				m := math.Ldexp(float64(divisor), -e)
				worst = max(worst, math.Abs(1-m*math.Ldexp(float64(x), -c.div.ReciprocalBits())))
			}
			assert.LessOrEqual(t, worst, bound)
			assert.GreaterOrEqual(t, worst, c.tight*bound)
		})
	}
}

func TestRelBoundOfTheKinds(t *testing.T) {
	assert.Zero(t, Divider{Kind: RestoringSerial}.RelBound())
	assert.Zero(t, Divider{Kind: RestoringPipelined}.RelBound())
	table := load(t, "nic-table").HopDivider
	assert.InDelta(t, 0.002, table.RelBound(), 0.0003, "half of eps")
	newton, err := Parse("f.yaml",
		[]byte("design: nic\ndividers: {hop: {kind: newton_raphson}, quotient: {kind: newton_raphson}}\n"))
	require.NoError(t, err)
	assert.Equal(t, Divider{Kind: NewtonRaphson, TableBits: 7, SeedBits: 9, Iterations: 2, RecipBits: 30},
		newton.HopDivider)
	assert.Less(t, newton.HopDivider.RelBound(), 1e-8)
	assert.Less(t, newton.QuotientDivider.RelBound(), 1e-8)
}

// boundaries are the least integers with B^K >= 2^(I K + j), the ceiling of an irrational number, exactly.
func TestBoundaries(t *testing.T) {
	for _, eps := range []float64{0.25, 0.1, 0.05, 0.02, 0.004} {
		d := Divider{Kind: ReciprocalTable, Eps: eps, IndexBits: 9}
		k := d.Entries()
		assert.Equal(t, int(math.Ceil(math.Log(2)/math.Log(1+eps))), k)
		bounds := d.boundaries()
		require.Len(t, bounds, k+1)
		assert.EqualValues(t, 512, bounds[0])
		assert.EqualValues(t, 1024, bounds[k])
		for j, b := range bounds {
			power := new(big.Int).Lsh(big.NewInt(1), uint(9*k+j))
			least := func(b int64) bool {
				return new(big.Int).Exp(big.NewInt(b), big.NewInt(int64(k)), nil).Cmp(power) >= 0
			}
			require.True(t, least(b) && !least(b-1), "eps %v, boundary %d", eps, j)
		}
	}
	assert.Equal(t, 174, Divider{Kind: ReciprocalTable, Eps: 0.004}.Entries())
}

func TestLeastIndexBits(t *testing.T) {
	d := Divider{Kind: ReciprocalTable, Eps: 0.004}
	d.IndexBits = d.leastIndexBits()
	assert.Equal(t, 8, d.IndexBits)
	assert.True(t, d.distinct())
	d.IndexBits--
	assert.False(t, d.distinct())
}
