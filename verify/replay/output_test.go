package replay

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/fixed"
)

func TestDecimalIsExact(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := fixed.UQ(rapid.IntRange(-4, 24).Draw(r, "int"), rapid.IntRange(4, 40).Draw(r, "frac"))
		raw := rapid.Uint64Range(0, f.MaxRaw().Uint64()).Draw(r, "raw")
		if got := string(AppendDecimal(nil, f, raw)); got != f.Decimal(raw) {
			r.Fatalf("%s of %s: %s, want %s", f, "raw", got, f.Decimal(raw))
		}
	})
}

func TestRateBpsRoundsHalfUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		format := fixed.UQ(8, rapid.IntRange(0, 40).Draw(r, "frac"))
		tick := rapid.Uint64Range(1, 1000).Draw(r, "tick")
		raw := rapid.Uint64Range(0, 1<<uint(format.Width())-1).Draw(r, "raw")
		v := format.Value(new(big.Int).SetUint64(raw))
		v.Mul(v, big.NewRat(8e9, int64(tick)))
		want, _ := fixed.UQ(64, 0).Raw(v)
		if got := RateBps(format, tick, raw); got != want.Uint64() {
			r.Fatalf("%d, want %s", got, want)
		}
	})
	assert.EqualValues(t, 100_000_000_000, RateBps(fixed.UQ(8, 24), 1, 25<<23))
}
