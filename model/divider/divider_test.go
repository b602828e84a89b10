package divider_test

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/divider"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// The oracle of this file is docs/numeric.md once more, in rationals and without a thought for speed.

func rat(num, den int64) *big.Rat { return big.NewRat(num, den) }

func pow2(n int) *big.Rat {
	one := big.NewInt(1)
	if n < 0 {
		return new(big.Rat).SetFrac(one, new(big.Int).Lsh(one, uint(-n)))
	}
	return new(big.Rat).SetInt(new(big.Int).Lsh(one, uint(n)))
}

func mul(x ...*big.Rat) *big.Rat {
	p := rat(1, 1)
	for _, f := range x {
		p.Mul(p, f)
	}
	return p
}

func ratOf(x *big.Int) *big.Rat { return new(big.Rat).SetInt(x) }

func floor(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }

func rhu(x *big.Rat) *big.Int { return floor(new(big.Rat).Add(x, rat(1, 2))) }

func smaller(x, y *big.Int) *big.Int {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

// oracle is div(n, d) of the kind.
func oracle(d config.Divider, w divider.Widths, num *big.Int, den uint64) uint64 {
	top := new(big.Int).SetUint64(wide.Mask(w.Quot))
	if den == 0 {
		return top.Uint64()
	}
	rden := ratOf(new(big.Int).SetUint64(den))
	n := ratOf(num)
	n.Mul(n, pow2(w.Shift))
	if d.Kind == config.RestoringSerial || d.Kind == config.RestoringPipelined {
		return smaller(rhu(n.Quo(n, rden)), top).Uint64()
	}
	e := new(big.Int).SetUint64(den).BitLen() - 1
	m := mul(rden, pow2(-e))
	var x *big.Rat
	if d.Kind == config.ReciprocalTable {
		x = oracleTable(d, m)
	} else {
		x = oracleNewton(d, m, w.Den-1)
	}
	return smaller(rhu(mul(n, x, pow2(-e))), top).Uint64()
}

// oracleTable finds the interval of m by stepping through the boundaries.
func oracleTable(d config.Divider, m *big.Rat) *big.Rat {
	bounds := oracleBounds(d)
	at := floor(mul(m, pow2(d.IndexBits))).Int64()
	j := 0
	for j+2 < len(bounds) && bounds[j+1] <= at {
		j++
	}
	entry := rhu(new(big.Rat).Quo(pow2(d.EntryBits+d.IndexBits+1), rat(bounds[j]+bounds[j+1], 1)))
	return mul(ratOf(entry), pow2(-d.EntryBits))
}

var boundsOf = map[config.Divider][]int64{}

// oracleBounds are the B_j: the smallest b with b^k >= 2^(I k + j).
func oracleBounds(d config.Divider) []int64 {
	if b, ok := boundsOf[d]; ok {
		return b
	}
	k := int(math.Ceil(math.Ln2/math.Log1p(d.Eps) - 1e-12))
	var bounds []int64
	for j := 0; j <= k; j++ {
		power := new(big.Int).Lsh(big.NewInt(1), uint(d.IndexBits*k+j))
		at := sort.Search(1<<(d.IndexBits+1), func(b int) bool {
			return new(big.Int).Exp(big.NewInt(int64(b)), big.NewInt(int64(k)), nil).Cmp(power) >= 0
		})
		bounds = append(bounds, int64(at))
	}
	boundsOf[d] = bounds
	return bounds
}

func oracleNewton(d config.Divider, m *big.Rat, mantFrac int) *big.Rat {
	j := floor(mul(new(big.Rat).Sub(m, rat(1, 1)), pow2(d.TableBits)))
	den := new(big.Int).Lsh(big.NewInt(1), uint(d.TableBits))
	den.Add(den, j).Lsh(den, 1).Add(den, big.NewInt(1))
	x := smaller(rhu(new(big.Rat).Quo(pow2(d.SeedBits+d.TableBits+1), ratOf(den))),
		new(big.Int).SetUint64(wide.Mask(d.SeedBits)))
	b := d.SeedBits
	for range d.Iterations {
		value := mul(ratOf(x), pow2(-b))
		c := floor(mul(new(big.Rat).Sub(rat(2, 1), mul(m, value)), pow2(d.RecipBits)))
		x = smaller(rhu(mul(ratOf(x), ratOf(c), pow2(-b))), pow2(d.RecipBits).Num())
		b = d.RecipBits
	}
	return mul(ratOf(x), pow2(-b))
}

var kinds = map[string]config.Divider{
	"restoring": {Kind: config.RestoringPipelined},
	"table":     {Kind: config.ReciprocalTable, Eps: 0.1, IndexBits: 7, EntryBits: 9},
	"newton":    {Kind: config.NewtonRaphson, TableBits: 3, SeedBits: 5, Iterations: 1, RecipBits: 8},
	// the first seed is limited
	"seed1":   {Kind: config.NewtonRaphson, TableBits: 5, SeedBits: 4, Iterations: 1, RecipBits: 6},
	"newton2": {Kind: config.NewtonRaphson, TableBits: 2, SeedBits: 4, Iterations: 2, RecipBits: 8},
}

func TestSmallWidthsExhaustively(t *testing.T) {
	for name, d := range kinds {
		for _, w := range []divider.Widths{
			{Num: 6, Den: 6, Shift: 0, Quot: 6}, {Num: 5, Den: 7, Shift: 4, Quot: 6}, {Num: 6, Den: 5, Shift: 7, Quot: 9},
			{Num: 1, Den: 5, Shift: 12, Quot: 3}, {Num: 7, Den: 8, Shift: 3, Quot: 1},
		} {
			t.Run(fmt.Sprintf("%s/%+v", name, w), func(t *testing.T) {
				div, err := divider.New(d, w.Num, w.Den, w.Shift, w.Quot)
				require.NoError(t, err)
				for den := range uint64(1) << w.Den {
					for num := range uint64(1) << w.Num {
						want := oracle(d, w, new(big.Int).SetUint64(num), den)
						if got := div(wide.From(num), den); got != want {
							t.Fatalf("%d * 2^%d / %d: want %d, got %d", num, w.Shift, den, want, got)
						}
					}
				}
			})
		}
	}
}

// largeKinds have the widths of engines.
var largeKinds = []config.Divider{
	{Kind: config.RestoringSerial},
	{Kind: config.RestoringPipelined},
	{Kind: config.ReciprocalTable, Eps: 0.05, IndexBits: 8, EntryBits: 14},
	{Kind: config.ReciprocalTable, Eps: 0.02, IndexBits: 17, EntryBits: 40},
	{Kind: config.NewtonRaphson, TableBits: 7, SeedBits: 10, Iterations: 1, RecipBits: 20},
	{Kind: config.NewtonRaphson, TableBits: 6, SeedBits: 9, Iterations: 2, RecipBits: 34},
}

func TestLargeWidths(t *testing.T) {
	for i, d := range largeKinds {
		t.Run(fmt.Sprintf("%d_%s", i, d.Kind), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := divider.Widths{
					Num: rapid.IntRange(1, 112).Draw(t, "num bits"), Den: rapid.IntRange(30, 64).Draw(t, "den bits"),
					Shift: rapid.IntRange(0, 60).Draw(t, "shift"), Quot: rapid.IntRange(1, 64).Draw(t, "quotient bits"),
				}
				div, err := divider.New(d, w.Num, w.Den, w.Shift, w.Quot)
				require.NoError(t, err)
				for range 10 {
					num := wide.Uint128{Hi: rapid.Uint64().Draw(t, "hi"), Lo: rapid.Uint64().Draw(t, "lo")}
					num = num.Rsh(128 - rapid.IntRange(0, w.Num).Draw(t, "num length"))
					den := rapid.Uint64().Draw(t, "den") >> (64 - rapid.IntRange(0, w.Den).Draw(t, "den length"))
					require.Equal(t, oracle(d, w, num.Big(), den), div(num, den), "%s * 2^%d / %d in %+v", num.Big(), w.Shift, den, w)
				}
			})
		})
	}
}

// Where the rounded quotient changes, a restoring divider must change with it.
func TestRestoringAtEveryTie(t *testing.T) {
	w := divider.Widths{Num: 47, Den: 23, Shift: 4, Quot: 31}
	d := config.Divider{Kind: config.RestoringSerial}
	div, err := divider.New(d, w.Num, w.Den, w.Shift, w.Quot)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		den := rapid.Uint64Range(1, 1<<23-1).Draw(t, "den")
		q := rapid.Uint64Range(0, 1<<27).Draw(t, "q")
		edge := (2*q + 1) * den / 2 >> w.Shift // the quotient passes q + 1/2 here
		for num := max(edge, 2) - 2; num <= edge+2; num++ {
			require.Equal(t, oracle(d, w, new(big.Int).SetUint64(num), den), div(wide.From(num), den), "%d / %d", num, den)
		}
	})
}

// The relative error of every reciprocal stays within the bound that docs/numeric.md states, over all mantissas of
// the width.
func TestReciprocalBounds(t *testing.T) {
	const denBits = 18
	for _, d := range []config.Divider{
		{Kind: config.ReciprocalTable, Eps: 0.004, IndexBits: 10, EntryBits: 16},
		{Kind: config.ReciprocalTable, Eps: 0.05, IndexBits: 8, EntryBits: 20},
		{Kind: config.NewtonRaphson, TableBits: 7, SeedBits: 9, Iterations: 1, RecipBits: 17},
		{Kind: config.NewtonRaphson, TableBits: 4, SeedBits: 6, Iterations: 2, RecipBits: 22},
	} {
		reciprocal, fracBits, bound := reciprocalOf(t, d, denBits)
		worst := 0.0
		for mant := uint64(1) << (denBits - 1); mant < 1<<denBits; mant++ {
			m := math.Ldexp(float64(mant), 1-denBits)
			worst = max(worst, math.Abs(m*math.Ldexp(float64(reciprocal(mant)), -fracBits)-1))
		}
		t.Logf("%+v: relative error %.3g, bound %.3g", d, worst, bound)
		require.LessOrEqual(t, worst, bound)
		require.Greater(t, worst, bound/50, "a bound far above the truth says nothing")
	}
}

func reciprocalOf(t *testing.T, d config.Divider,
	denBits int) (reciprocal func(uint64) uint64, fracBits int, bound float64) {
	if d.Kind == config.ReciprocalTable {
		tab, err := divider.NewTable(d)
		require.NoError(t, err)
		return func(mant uint64) uint64 { return tab.Reciprocal(mant, denBits) }, d.EntryBits, tab.RelBound()
	}
	n, err := divider.NewNewton(d, denBits)
	require.NoError(t, err)
	return n.Reciprocal, n.FracBits(), n.RelBound()
}

func TestTableHasOneEntryPerEps(t *testing.T) {
	tab, err := divider.NewTable(config.Divider{Eps: 0.004, IndexBits: 12, EntryBits: 20})
	require.NoError(t, err)
	require.Len(t, tab.Entries, 174) // ceil(ln 2 / ln 1.004) = ceil(173.63)
	require.Equal(t, uint64(1)<<12, tab.Bounds[0])
	require.Equal(t, uint64(2)<<12, tab.Bounds[174])

	whole, err := divider.NewTable(config.Divider{Eps: 1, IndexBits: 4, EntryBits: 8})
	require.NoError(t, err)
	require.Equal(t, []uint64{171}, whole.Entries) // 256 * 2/3, one entry for the octave
}

func TestZeroDenominatorSaturates(t *testing.T) {
	for name, d := range kinds {
		div, err := divider.New(d, 8, 8, 4, 10)
		require.NoError(t, err)
		require.Equal(t, uint64(1023), div(wide.From(0), 0), name)
		require.Equal(t, uint64(1023), div(wide.From(255), 0), name)
		require.Equal(t, uint64(0), div(wide.From(0), 255), name)
	}
}

func TestIllegalDividersAreNamed(t *testing.T) {
	for want, d := range map[string]config.Divider{
		`divider kind "srt" is unknown; known are restoring_serial, restoring_pipelined, reciprocal_table and newton_raphson`: {Kind: "srt"},
		"reciprocal_table: eps is 0; it must be above 0 and at most 1":                                                        {Kind: config.ReciprocalTable},
		"reciprocal_table: eps 0.004 needs 174 entries, more than the 128 that 7 index bits can tell apart":                   {Kind: config.ReciprocalTable, Eps: 0.004, IndexBits: 7, EntryBits: 10},
		"reciprocal_table: with 8 index bits the boundaries 4 and 5 are the same; more bits tell them apart":                  {Kind: config.ReciprocalTable, Eps: 0.003, IndexBits: 8, EntryBits: 10},
		"newton_raphson: iterations are 0; they must be 1 or 2":                                                               {Kind: config.NewtonRaphson, TableBits: 4, SeedBits: 6, RecipBits: 9},
		"newton_raphson: reciprocal bits are 14; a seed of 6 bits and a denominator of 8 bits give at most 13":                {Kind: config.NewtonRaphson, TableBits: 4, SeedBits: 6, Iterations: 1, RecipBits: 14},
	} {
		_, err := divider.New(d, 8, 8, 4, 10)
		require.EqualError(t, err, want)
	}
	_, err := divider.New(config.Divider{Kind: config.RestoringSerial}, 8, 65, 4, 10)
	require.EqualError(t, err, "divider restoring_serial: denominator bits are 65; they must lie between 1 and 64")
}

// The comparison with the oracle notices a divider that truncates.
func TestOracleNoticesTruncation(t *testing.T) {
	w := divider.Widths{Num: 6, Den: 6, Shift: 2, Quot: 8}
	differ := 0
	for den := uint64(1); den < 64; den++ {
		for num := range uint64(64) {
			if num<<2/den != oracle(config.Divider{Kind: config.RestoringSerial}, w, new(big.Int).SetUint64(num), den) {
				differ++
			}
		}
	}
	require.Greater(t, differ, 1000)
}
