package config

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// Entries is the number of entries of a divider's table: one octave of reciprocals neighbouring ones of which
// differ by Eps, or the seeds of Newton-Raphson; 0 for the restoring kinds.
func (d Divider) Entries() int {
	switch d.Kind {
	case ReciprocalTable:
		return int(math.Ceil(math.Ln2 / math.Log1p(d.Eps)))
	case NewtonRaphson:
		return 1 << d.TableBits
	}
	return 0
}

// ReciprocalBits is the number of fraction bits of the reciprocal that a table kind multiplies by; 0 for the
// restoring kinds.
func (d Divider) ReciprocalBits() int {
	switch d.Kind {
	case ReciprocalTable:
		return d.EntryBits
	case NewtonRaphson:
		return d.RecipBits
	}
	return 0
}

// RelBound is an upper bound of the relative error of a quotient before its one rounding, which adds at
// most half an ulp. It holds for every dividend and every divisor but 0.
//
//   - The restoring kinds are exact: 0.
//   - ReciprocalTable: the largest |1 - m x| over the ends of all intervals of the mantissa, from the table itself.
//   - NewtonRaphson: the same over the seeds; a step turns an error e into at most e^2 + (2 + e) 2^-r:
//     1 - m x' = e^2 but for the truncation of 2 - m x, which m x <= 1 + e scales, and the rounding of the
//     product, half an ulp that m < 2 scales.
func (d Divider) RelBound() float64 {
	switch d.Kind {
	case ReciprocalTable:
		bounds := d.boundaries()
		worst := 0.0
		for j := range len(bounds) - 1 {
			x := d.tableEntry(bounds, j)
			for _, b := range []int64{bounds[j], bounds[j+1]} {
				// Both factors have few enough bits for the product to be exact in a float64.
				m := math.Ldexp(float64(b), -d.IndexBits)
				worst = max(worst, math.Abs(1-m*x))
			}
		}
		return worst
	case NewtonRaphson:
		e := 0.0
		for j := range int64(1) << d.TableBits {
			x := d.seed(j)
			for _, b := range []int64{j, j + 1} {
				m := 1 + math.Ldexp(float64(b), -d.TableBits)
				e = max(e, math.Abs(1-m*x))
			}
		}
		for range d.Iterations {
			e = up(up(e*e) + up((2+e)*math.Ldexp(1, -d.RecipBits)))
		}
		return e
	}
	return 0
}

// boundaries are the B_j of docs/numeric.md: ceil(2^(I + j/K)) for j from 0 to K.
func (d Divider) boundaries() []int64 {
	k := d.Entries()
	bounds := make([]int64, k+1)
	for j := range bounds {
		f := math.Exp2(float64(d.IndexBits) + float64(j)/float64(k))
		b := int64(math.Ceil(f))
		if n := math.Round(f); math.Abs(f-n) < 1e-6 { // too close for a float64: b is the least with b^K >= 2^(I K + j)
			b = int64(n)
			if power := new(big.Int).Exp(big.NewInt(b), big.NewInt(int64(k)), nil); power.Cmp(new(big.Int).Lsh(big.NewInt(1),
				uint(d.IndexBits*k+j))) < 0 {
				b++
			}
		}
		bounds[j] = b
	}
	return bounds
}

// tableEntry is X_j / 2^EntryBits.
func (d Divider) tableEntry(bounds []int64, j int) float64 {
	num := new(big.Int).Lsh(big.NewInt(1), uint(d.EntryBits+d.IndexBits+1))
	x := roundHalfUp(num, big.NewInt(bounds[j]+bounds[j+1]))
	return math.Ldexp(float64(x), -d.EntryBits)
}

// seed is X0 / 2^SeedBits for index j.
func (d Divider) seed(j int64) float64 {
	num := new(big.Int).Lsh(big.NewInt(1), uint(d.SeedBits+d.TableBits+1))
	x := roundHalfUp(num, big.NewInt(2*(1<<d.TableBits+j)+1))
	return math.Ldexp(float64(min(x, 1<<d.SeedBits-1)), -d.SeedBits)
}

func roundHalfUp(num, den *big.Int) int64 {
	n := new(big.Int).Lsh(num, 1)
	n.Add(n, den)
	return n.Div(n, new(big.Int).Lsh(den, 1)).Int64()
}

// distinct says whether all boundaries differ, so that every entry is the reciprocal of some mantissa.
func (d Divider) distinct() bool {
	bounds := d.boundaries()
	for j := range len(bounds) - 1 {
		if bounds[j] == bounds[j+1] {
			return false
		}
	}
	return true
}

// leastIndexBits is the smallest IndexBits with which all boundaries differ.
func (d Divider) leastIndexBits() int {
	for d.IndexBits = 1; !d.distinct(); d.IndexBits++ {
	}
	return d.IndexBits
}

// dividerKind is the kind of a divider by default. With hops in serial order an operation has an interval of many
// cycles: for its one quotient a step a cycle is soon enough.
func dividerKind(d *decoder, path string) string {
	if path == "dividers.quotient.kind" && d.word("hops.order") == "serial" {
		return string(RestoringSerial)
	}
	return string(RestoringPipelined)
}

// indexBits is the default of index_bits: the bits that tell the entries apart, and three more.
func indexBits(d *decoder, path string) string {
	eps := d.values[join(parent(path), "eps")].number
	if eps == nil { // it was refused
		return "2"
	}
	div := Divider{Kind: ReciprocalTable}
	div.Eps, _ = eps.Float64()
	return strconv.Itoa(div.leastIndexBits() + 3)
}

// checkIndex refuses an index that does not tell the entries of a table apart.
func (d *decoder) checkIndex(path string, div Divider) {
	if div.Kind != ReciprocalTable || !d.sound(path+".kind", path+".eps", path+".index_bits") {
		return
	}
	if least := div.leastIndexBits(); div.IndexBits < least {
		d.refuse(path+".index_bits", Problem{
			What: fmt.Sprintf("%s.index_bits is %d, with eps %s", path, div.IndexBits,
				shortNumber(new(big.Rat).SetFloat64(div.Eps))),
			Legal:   fmt.Sprintf("%d to 16", least),
			Reason:  fmt.Sprintf("fewer cannot tell the %d entries apart", div.Entries()),
			Nearest: fmt.Sprint(least),
		})
	}
}

// forDivisor fills in RecipBits for a divisor of that many bits, when it is left open.
func (d Divider) forDivisor(width int) Divider {
	if d.Kind == NewtonRaphson && d.RecipBits == 0 {
		d.RecipBits = min(30, width-1+d.SeedBits)
	}
	return d
}

// checkReciprocal refuses a reciprocal with more bits than a divisor of that many bits gives it.
func (d *decoder) checkReciprocal(path string, div Divider, width int) {
	most := width - 1 + div.SeedBits
	if div.Kind != NewtonRaphson || !d.sound(path+".kind", path+".recip_bits", path+".seed_bits") ||
		div.RecipBits <= most {
		return
	}
	d.refuse(path+".recip_bits", Problem{
		What: fmt.Sprintf("%s.recip_bits is %d, with a divisor of %d bits and seed_bits %d", path, div.RecipBits, width,
			div.SeedBits),
		Legal: fmt.Sprintf("8 to %d", most), Reason: "the first step knows no more bits of 2 - m x",
		Nearest: fmt.Sprint(most)})
}

// newtonError is the error that a Newton-Raphson divider stays below.
const newtonError = 1e-4

// checkExact refuses Newton-Raphson parameters that make it coarse.
func (d *decoder) checkExact(path string, div Divider) {
	if div.Kind != NewtonRaphson || !d.sound(path+".kind", path+".table_bits", path+".seed_bits", path+".iterations",
		path+".recip_bits") {
		return
	}
	bound := div.forDivisor(maxWidth).RelBound()
	if bound < newtonError {
		return
	}
	nearest := "table_bits: 7, the others left out"
	if better := div.forDivisor(maxWidth); better.Iterations == 1 {
		if better.Iterations = 2; better.RelBound() < newtonError {
			nearest = "iterations: 2"
		}
	}
	d.refuse(path+".kind", Problem{What: fmt.Sprintf("%s is off by up to %.2g of the quotient", path, bound),
		Legal:   "below 1e-4",
		Reason:  "newton_raphson stands for an exact quotient; coarse ones are what reciprocal_table is for",
		Nearest: nearest})
	d.spoil(path)
}
