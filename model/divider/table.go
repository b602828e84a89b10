package divider

import (
	"fmt"
	"math"
	"math/big"
	"sort"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Table is the reciprocal table of the published HPCC NIC: one entry for each fraction eps of the
// mantissa, over one octave.
type Table struct {
	IndexBits int      // fraction bits of the mantissa that select an entry
	EntryBits int      // fraction bits of an entry
	Bounds    []uint64 // K+1 boundaries B_j in units of 2^-IndexBits, from 1 to 2
	Entries   []uint64 // K reciprocals X_j in units of 2^-EntryBits
}

// NewTable computes the boundaries B_j = ceil(2^(I + j/K)) and the entries
// X_j = rhu(2^EntryBits * 2^(I+1) / (B_j + B_{j+1})), K = ceil(ln 2 / ln(1+eps)).
//
// It is an error when eps is not in (0, 1], and when IndexBits is too small to tell two boundaries apart.
func NewTable(d config.Divider) (*Table, error) {
	if !(d.Eps > 0 && d.Eps <= 1) {
		return nil, fmt.Errorf("reciprocal_table: eps is %g; it must be above 0 and at most 1", d.Eps)
	}
	if d.IndexBits < 0 || d.IndexBits > 30 {
		return nil, fmt.Errorf("reciprocal_table: index bits are %d; they must lie between 0 and 30", d.IndexBits)
	}
	if d.EntryBits < 1 || d.EntryBits > 62 {
		return nil, fmt.Errorf("reciprocal_table: entry bits are %d; they must lie between 1 and 62", d.EntryBits)
	}
	k := entries(d.Eps)
	if k > 1<<d.IndexBits {
		return nil,
			fmt.Errorf("reciprocal_table: eps %g needs %d entries, more than the %d that %d index bits can tell apart",
				d.Eps, k, 1<<d.IndexBits, d.IndexBits)
	}
	t := &Table{IndexBits: d.IndexBits, EntryBits: d.EntryBits}
	for j := 0; j <= k; j++ {
		b := boundary(d.IndexBits, j, k)
		if j > 0 && b == t.Bounds[j-1] {
			return nil,
				fmt.Errorf("reciprocal_table: with %d index bits the boundaries %d and %d are the same; more bits tell them apart",
					d.IndexBits, j-1, j)
		}
		t.Bounds = append(t.Bounds, b)
	}
	for j := range k {
		num := new(big.Int).Lsh(big.NewInt(1), uint(d.EntryBits+d.IndexBits+1))
		t.Entries = append(t.Entries, roundQuo(num, t.Bounds[j]+t.Bounds[j+1]))
	}
	return t, nil
}

// entries is ceil(ln 2 / ln(1+eps)): the smallest K with (1+eps)^K >= 2.
func entries(eps float64) int {
	k := int(math.Round(math.Ln2 / math.Log1p(eps)))
	if k > 1<<20 {
		return k + 1 // far above any table; the caller refuses it
	}
	// The logarithms only guess; the powers decide.
	base := new(big.Float).SetPrec(512).SetFloat64(eps)
	base.Add(base, big.NewFloat(1))
	two := big.NewFloat(2)
	for k = max(k-1, 1); power(base, k).Cmp(two) < 0; {
		k++
	}
	return k
}

func power(base *big.Float, n int) *big.Float {
	p := new(big.Float).SetPrec(base.Prec()).SetInt64(1)
	square := new(big.Float).Copy(base)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p.Mul(p, square)
		}
		square.Mul(square, square)
	}
	return p
}

// boundary is ceil(2^(i + j/k)), exactly.
func boundary(i, j, k int) uint64 {
	switch j {
	case 0:
		return 1 << i
	case k:
		return 2 << i
	}
	guess := math.Exp2(float64(i) + float64(j)/float64(k))
	near := math.Round(guess)
	if math.Abs(guess-near) > 1e-3 {
		return uint64(math.Ceil(guess)) // the error of the guess is far below: i is at most 30
	}
	// Near an integer n, 2^(i+j/k) <= n decides, which is 2^(i k + j) <= n^k.
	n := uint64(near)
	pow := new(big.Int).Exp(new(big.Int).SetUint64(n), big.NewInt(int64(k)), nil)
	if pow.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(i*k+j))) >= 0 {
		return n
	}
	return n + 1
}

// roundQuo is rhu(num / den).
func roundQuo(num *big.Int, den uint64) uint64 {
	d := new(big.Int).SetUint64(den)
	n := new(big.Int).Lsh(num, 1)
	n.Add(n, d)
	return n.Div(n, d.Lsh(d, 1)).Uint64()
}

// forWidth gives the lookup for mantissas of denBits bits.
func (t *Table) forWidth(denBits int) func(mant uint64) uint64 {
	frac := denBits - 1
	if t.IndexBits > 16 {
		return func(mant uint64) uint64 { return t.Entries[t.find(rescale(mant, frac, t.IndexBits))] }
	}
	flat := make([]uint64, 1<<t.IndexBits)
	for i := range flat {
		flat[i] = t.Entries[t.find(uint64(i)+1<<t.IndexBits)]
	}
	return func(mant uint64) uint64 {
		return flat[rescale(mant, frac, t.IndexBits)-1<<t.IndexBits]
	}
}

// Reciprocal is X for the mantissa mant, which has denBits-1 fraction bits.
func (t *Table) Reciprocal(mant uint64, denBits int) uint64 {
	return t.Entries[t.find(rescale(mant, denBits-1, t.IndexBits))]
}

// find is the largest j with Bounds[j] <= m, for m from Bounds[0] to below Bounds[K].
func (t *Table) find(m uint64) int {
	return sort.Search(len(t.Bounds), func(j int) bool { return t.Bounds[j] > m }) - 1
}

// RelBound is the bound that docs/numeric.md states for the relative error of an entry.
func (t *Table) RelBound() float64 {
	worst := 0.0
	for j := range t.Entries {
		low, high := float64(t.Bounds[j]), float64(t.Bounds[j+1])
		worst = max(worst, (high-low)/(low+high))
	}
	return worst + math.Ldexp(1, -t.EntryBits)
}

// rescale is floor(m * 2^to) for a mantissa with from fraction bits.
func rescale(mant uint64, from, to int) uint64 {
	if from >= to {
		return mant >> (from - to)
	}
	return wide.From(mant).Lsh(to - from).Lo
}
