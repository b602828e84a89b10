package csig_test

import (
	"encoding/csv"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// naive is the definition of the draft: the last range that has begun. Searching backwards and by binary search are two
// more ways to say it.
func naive(bounds []uint64, v uint64) (backwards, searched uint32) {
	i := len(bounds) - 1
	for bounds[i] > v {
		i--
	}
	n, _ := slices.BinarySearchFunc(bounds, v, func(b, v uint64) int {
		if b <= v {
			return -1
		}
		return 1
	})
	return uint32(i), uint32(n - 1)
}

// Every value of small widths, against every table of up to four buckets of 4-bit values, and random ones of 32 buckets
// of 8-bit values.
func TestBucketExhaustive(t *testing.T) {
	check := func(bounds []uint64, width int) {
		for v := range uint64(1) << width {
			a, b := naive(bounds, v)
			if got := csig.Bucket(bounds, v); got != a || got != b {
				t.Fatalf("%v: %d has code %d, want %d, %d", bounds, v, got, a, b)
			}
		}
	}
	for a := range uint64(16) {
		for b := a; b < 16; b++ {
			for c := b; c < 16; c++ {
				check([]uint64{0, a, b, c}, 4)
			}
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		bounds := rapid.SliceOfN(rapid.Uint64Range(0, 255), 31, 31).Draw(r, "bounds")
		slices.Sort(bounds)
		check(append([]uint64{0}, bounds...), 8)
	})
}

// At full width, each lower bound and its neighbours.
func TestBucketBoundaries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := rapid.SliceOfN(rapid.Uint64Range(0, 1<<32-1), 0, 31).Draw(t, "bounds")
		slices.Sort(bounds)
		bounds = append([]uint64{0}, bounds...)
		for _, b := range bounds {
			for _, v := range []uint64{b - min(b, 1), b, min(b+1, 1<<32-1)} {
				want, _ := naive(bounds, v)
				require.Equal(t, want, csig.Bucket(bounds, v))
			}
		}
	})
}

// Any step, exact: the largest code whose start is not above the value, and saturation at both ends.
func TestQuantizer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := csig.Quantizer{Base: rapid.Uint64Range(0, 1<<32-1).Draw(t, "base"),
			Step: rapid.Uint64Range(1, 1<<32-1).Draw(t, "step")}
		k := rapid.Uint64Range(0, 1<<20+5).Draw(t, "k")
		edge := q.Base + k*q.Step
		for _, v := range []uint64{edge, edge - min(edge, 1), edge + 1, rapid.Uint64Range(0, 1<<32-1).Draw(t, "v")} {
			if v > 1<<32-1 {
				continue
			}
			// floor
			want := new(big.Int).Div(new(big.Int).Sub(new(big.Int).SetUint64(v), new(big.Int).SetUint64(q.Base)),
				new(big.Int).SetUint64(q.Step))
			if want.Sign() < 0 {
				want.SetInt64(0)
			}
			if want.Cmp(big.NewInt(1<<20-1)) > 0 {
				want.SetInt64(1<<20 - 1)
			}
			require.EqualValues(t, want.Uint64(), q.Code(v), "value %d", v)
		}
	})
}

// Section 4.1.3.2: a quantum of 8 Mbit/s reaches 8 Tbit/s, one of 128 ns 128 ms; in binary multiples, as 20 bits have
// it.
func TestQuantaOfTheDraft(t *testing.T) {
	assert.EqualValues(t, 400_000/8, csig.Quantizer{Step: 8000}.Code(400e6))
	assert.EqualValues(t, 1<<20-1, csig.Quantizer{Step: 128}.Code(1<<27))
	assert.EqualValues(t, 1<<20-1, csig.Quantizer{Step: 128}.Code(1<<27-128))
	assert.EqualValues(t, 1<<20-2, csig.Quantizer{Step: 128}.Code(1<<27-129))
}

// The shipped buckets are the table of Appendix A: the start of each range has the row's code, just below it the one
// before.
func TestAppendixA(t *testing.T) {
	file, err := os.Open("../../testdata/csig/appendix_a.csv")
	require.NoError(t, err)
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 9)
	for _, ratio := range []int{16, 24, 30} {
		bounds := csig.AppendixA(ratio)
		for i, row := range rows[1:] {
			require.Equal(t, strconv.Itoa(i), row[0])
			for column, signal := range map[int]int{1: telemetry.CSIGMinABWC, 2: telemetry.CSIGMinABW, 3: telemetry.CSIGMaxPD} {
				low, ok := new(big.Rat).SetString(strings.TrimPrefix(strings.Split(row[column], "-")[0], ">"))
				require.True(t, ok)
				unit := map[int]*big.Rat{1: big.NewRat(1<<ratio, 100), 2: big.NewRat(1e6, 1), 3: big.NewRat(1e3, 1)}[column]
				low.Mul(low, unit)
				// ceiling
				v := new(big.Int).Div(new(big.Int).Add(low.Num(), new(big.Int).Sub(low.Denom(), big.NewInt(1))),
					low.Denom()).Uint64()
				assert.EqualValues(t, i, csig.Bucket(bounds[signal], v), "row %d, type %d", i, signal)
				if v > 0 {
					assert.EqualValues(t, i-1, csig.Bucket(bounds[signal], v-1), "row %d, type %d", i, signal)
				}
			}
		}
		for _, b := range bounds {
			assert.Len(t, b, 8)
		}
	}
}

// Section 4.1.3.2: the initial value is the neutral element. Any code replaces it or is equal to it; it replaces none.
func TestInitial(t *testing.T) {
	for signal := range uint8(csig.Types) {
		for _, size := range sizes {
			initial, largest := csig.Initial(signal, size), uint32(1)<<telemetry.CSIGIETF.Layout(size).Value-1
			for _, code := range []uint32{0, 1, largest / 2, largest - 1, largest} {
				assert.Equal(t, code != initial, csig.Replaces(signal, code, initial))
				assert.False(t, csig.Replaces(signal, initial, code))
			}
		}
	}
}

// Compare-and-replace is the minimum or maximum, for every pair of compact codes.
func TestReplacesExhaustive(t *testing.T) {
	for a := range uint32(32) {
		for b := range uint32(32) {
			assert.Equal(t, min(a, b) == a && a != b, csig.Replaces(0, a, b))
			assert.Equal(t, min(a, b) == a && a != b, csig.Replaces(1, a, b))
			assert.Equal(t, max(a, b) == a && a != b, csig.Replaces(2, a, b))
			assert.Equal(t, max(a, b) == a && a != b, csig.Replaces(3, a, b))
		}
	}
}
