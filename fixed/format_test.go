package fixed

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFormat(t *testing.T) {
	f := UQ(7, 20)
	assert.Equal(t, 27, f.Width())
	assert.Equal(t, "UQ7.20", f.String())
	assert.Equal(t, big.NewInt(1<<27-1), f.MaxRaw())
	assert.Equal(t, big.NewRat(1, 1<<20), f.Ulp())
	assert.Equal(t, big.NewRat(1<<27-1, 1<<20), f.Max())

	small := UQ(-8, 44)
	assert.Equal(t, 36, small.Width())
	assert.Equal(t, "UQ-8.44", small.String())
	assert.Negative(t, small.Max().Cmp(big.NewRat(1, 256)), "every value lies below 2^-8")
}

func TestRawRoundsHalfUp(t *testing.T) {
	f := UQ(3, 1)
	for _, c := range []struct {
		num, den int64
		raw      int64
		ok       bool
	}{
		{0, 1, 0, true}, {1, 4, 1, true}, {249, 1000, 0, true}, {3, 4, 2, true}, {15, 2, 15, true},
		{774, 100, 15, true}, {775, 100, 16, false}, {-1, 4, 0, true}, {-26, 100, -1, false}, {100, 1, 200, false},
	} {
		raw, ok := f.Raw(big.NewRat(c.num, c.den))
		assert.Equal(t, c.raw, raw.Int64(), "%d/%d", c.num, c.den)
		assert.Equal(t, c.ok, ok, "%d/%d", c.num, c.den)
	}
}

func TestDecimalIsExact(t *testing.T) {
	assert.Equal(t, "0", UQ(4, 4).Decimal(0))
	assert.Equal(t, "1", UQ(4, 4).Decimal(16))
	assert.Equal(t, "10", UQ(4, 0).Decimal(10))
	assert.Equal(t, "0.0625", UQ(4, 4).Decimal(1))
	assert.Equal(t, "1.5", UQ(4, 4).Decimal(24))
	assert.Equal(t, "0.00000000000005684341886080801486968994140625", UQ(-8, 44).Decimal(1))
	rapid.Check(t, func(t *rapid.T) {
		f := UQ(rapid.IntRange(0, 20).Draw(t, "i"), rapid.IntRange(1, 40).Draw(t, "f"))
		raw := rapid.Uint64Range(0, 1<<f.Width()-1).Draw(t, "raw")
		v, ok := new(big.Rat).SetString(f.Decimal(raw))
		require.True(t, ok)
		require.Zero(t, v.Cmp(f.Value(new(big.Int).SetUint64(raw))))
		again, fits := f.Raw(v)
		require.True(t, fits)
		require.Equal(t, raw, again.Uint64())
	})
}

func TestParse(t *testing.T) {
	for _, f := range []Format{UQ(7, 20), UQ(-8, 44), UQ(1, 0), UQ(0, 1), UQ(64, 0)} {
		again, err := Parse(f.String())
		require.NoError(t, err)
		assert.Equal(t, f, again)
	}
	for text, want := range map[string]string{
		"Q7.20":     `"Q7.20" is not a format: write UQi.f with i integer and f fraction bits, for example UQ7.20`,
		"UQ7":       `"UQ7" is not a format: write UQi.f with i integer and f fraction bits, for example UQ7.20`,
		"UQ7.-20":   `"UQ7.-20" is not a format: write UQi.f with i integer and f fraction bits, for example UQ7.20`,
		"UQ70000.1": `"UQ70000.1" is not a format: write UQi.f with i integer and f fraction bits, for example UQ7.20`,
		"UQ0.0":     "UQ0.0 has 0 bits: a format has at least one",
		"UQ-8.4":    "UQ-8.4 has -4 bits: a format has at least one",
	} {
		_, err := Parse(text)
		assert.EqualError(t, err, want)
	}
}
