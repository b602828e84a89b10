package config

import (
	"math/big"

	"github.com/hdlpkg/hpccgen/fixed"
)

// candidate is a choice of fraction bits; the integer bits follow from the ranges.
type candidate struct {
	k     constants
	whole Domain
	quot  Divider
	bound map[int]bound // relative error of quot by its RecipBits, which depends on the width of U
	high  []*big.Rat    // largest values, in the order of Formats.given
	frac  []int
	goal  float64
}

// derive finds formats such that W and R of one step are off by at most target, over all that the
// configuration asks for: from formats that are more than good enough it takes away bits, one at a time, always the
// one that costs the least, until none can go. best is the smallest error that any formats
// reach; ok is false when that exceeds target.
func (c *NIC) derive(target float64) (f Formats, best float64, ok bool) {
	s := candidate{k: c.constants(), whole: c.whole(), goal: target, quot: c.QuotientDivider, bound: map[int]bound{}}
	needs := map[string]*big.Rat{}
	for _, n := range c.needs() {
		needs[n.key] = n.high
	}
	for _, g := range f.given() {
		s.high = append(s.high, needs[g.key])
	}
	s.frac = make([]int, len(s.high))
	for i, high := range s.high {
		s.frac[i] = maxWidth - max(intBits(high), 1) - 2 // one for the valid bit of a rate entry, one for rounding up
	}
	s.order()
	best = s.error()
	if best > target {
		return s.formats(), best, false
	}
	for s.narrow() {
	}
	return s.formats(), best, true
}

// Places of the formats in candidate.frac, in the order of Formats.given.
const (
	placeInvB = iota
	placeInvBT
	placeU
	placeInvT
	placeAlpha
	placeQuot
	placeWindow
	placeRate
)

// order makes the widest formats obey the relations among their fraction bits.
func (s *candidate) order() {
	f := s.frac
	f[placeU] = min(f[placeU], f[placeInvBT])
	f[placeInvB] = min(f[placeInvB], f[placeU])
	f[placeAlpha] = min(f[placeAlpha], f[placeInvT])
	f[placeRate] = min(f[placeRate], f[placeWindow]+f[placeInvT])
}

// legal says whether the relations hold and no value rounds to nothing.
func (s *candidate) legal() bool {
	f := s.frac
	for _, v := range f {
		if v < 0 {
			return false
		}
	}
	if f[placeU] < f[placeInvB] || f[placeInvBT] < f[placeU] || f[placeInvT] < f[placeAlpha] ||
		f[placeRate] > f[placeWindow]+f[placeInvT] {
		return false
	}
	return true
}

func (s *candidate) formats() Formats {
	var f Formats
	for i, g := range f.given() {
		*g.format = holding(s.high[i], s.frac[i])
	}
	f.Alpha.Int = 1
	f.Eta = fixed.UQ(1, f.U.Frac)
	return f
}

// error is the larger of the errors of W and R.
func (s *candidate) error() float64 {
	f := Formats{}
	for i, g := range f.given() {
		g.format.Frac = s.frac[i]
	}
	div := s.quot
	if div.Kind == NewtonRaphson && div.RecipBits == 0 {
		div = div.forDivisor(holding(s.high[placeU], f.U.Frac).Width())
	}
	quot, known := s.bound[div.RecipBits]
	if !known {
		quot = bound(div.RelBound())
		s.bound[div.RecipBits] = quot
	}
	k := s.k
	k.quot = quot
	claim, _ := k.claim(f, s.whole)
	return max(claim.WindowRel, claim.RateRel)
}

// narrow takes away one bit; false when none can go.
func (s *candidate) narrow() bool {
	cheapest, least := -1, s.goal
	for i := range s.frac {
		s.frac[i]--
		if s.legal() {
			if e := s.error(); e < least || e == least && cheapest < 0 {
				cheapest, least = i, e
			}
		}
		s.frac[i]++
	}
	if cheapest < 0 {
		return false
	}
	s.frac[cheapest]--
	return true
}
