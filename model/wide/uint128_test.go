package wide_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/model/wide"
)

// drawn is a value of up to n bits, with the corners likely.
func drawn(t *rapid.T, n int, name string) wide.Uint128 {
	width := rapid.IntRange(0, n).Draw(t, name+" bits")
	x := wide.Uint128{Hi: rapid.Uint64().Draw(t, name+" hi"), Lo: rapid.Uint64().Draw(t, name+" lo")}
	if rapid.Bool().Draw(t, name+" ones") {
		x = wide.Uint128{Hi: ^uint64(0), Lo: ^uint64(0)}
	}
	return x.Rsh(128 - width)
}

func lsh(x *big.Int, n int) *big.Int { return new(big.Int).Lsh(x, uint(n)) }

func TestAgainstBigIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawn(t, 127, "x"), drawn(t, 127, "y")
		bx, by := x.Big(), y.Big()
		equal := func(want *big.Int, got wide.Uint128, what string) {
			t.Helper()
			require.Zero(t, want.Cmp(got.Big()), "%s: want %s, got %s", what, want, got.Big())
		}
		equal(new(big.Int).Add(bx, by), x.Add(y), "add")
		require.Equal(t, bx.Cmp(by), x.Cmp(y))
		require.Equal(t, bx.BitLen(), x.BitLen())
		if x.Cmp(y) >= 0 {
			equal(new(big.Int).Sub(bx, by), x.Sub(y), "sub")
		}
		equal(new(big.Int).Mul(new(big.Int).SetUint64(x.Lo), new(big.Int).SetUint64(y.Lo)), wide.Mul(x.Lo, y.Lo), "product")
		small := drawn(t, 128-x.BitLen(), "small").Lo
		if x.BitLen()+wide.From(small).BitLen() <= 128 {
			equal(new(big.Int).Mul(bx, new(big.Int).SetUint64(small)), x.Mul(small), "wide product")
		}
		n := rapid.IntRange(0, 140).Draw(t, "n")
		equal(new(big.Int).Rsh(bx, uint(n)), x.Rsh(n), "right shift")
		half := new(big.Int)
		if n > 0 {
			half = lsh(big.NewInt(1), n-1)
		}
		equal(new(big.Int).Rsh(half.Add(half, bx), uint(n)), x.Round(n), "round")
		up := rapid.IntRange(0, 128-x.BitLen()).Draw(t, "up")
		equal(lsh(bx, up), x.Lsh(up), "left shift")
		equal(lsh(bx, up), x.Round(-up), "round by a negative number")
		if d := y.Lo; d != 0 {
			q, r := x.DivMod(d)
			wantQ, wantR := new(big.Int).DivMod(bx, new(big.Int).SetUint64(d), new(big.Int))
			equal(wantQ, q, "quotient")
			require.Equal(t, wantR.Uint64(), r)
		}
		limit := y.Lo
		want := limit
		if bx.Cmp(new(big.Int).SetUint64(limit)) < 0 {
			want = bx.Uint64()
		}
		require.Equal(t, want, x.Sat(limit))
	})
}

func TestRoundHalvesUp(t *testing.T) {
	for _, c := range []struct {
		x    uint64
		n    int
		want uint64
	}{{0, 2, 0}, {1, 2, 0}, {2, 2, 1}, {3, 2, 1}, {5, 2, 1}, {6, 2, 2}, {7, 2, 2}} {
		require.Equal(t, c.want, wide.From(c.x).Round(c.n).Lo, "%d / 2^%d", c.x, c.n)
	}
	ones := wide.Uint128{Hi: ^uint64(0), Lo: ^uint64(0)}
	require.Equal(t, wide.Uint128{Hi: 1 << 63}, ones.Round(1), "adding the half does not overflow")
	require.Equal(t, wide.From(1), ones.Round(128))
	require.Equal(t, wide.From(0), ones.Round(129))
}

func TestMask(t *testing.T) {
	require.Equal(t, uint64(0), wide.Mask(0))
	require.Equal(t, uint64(0xff), wide.Mask(8))
	require.Equal(t, ^uint64(0), wide.Mask(64))
}
