package replay

import (
	"math"
	"math/big"
	"strconv"
)

// uint reads column i as an unsigned integer of at most limit.
func (t *table) uint(i int, limit uint64) (uint64, error) {
	s := t.fields[i]
	if s == "" {
		return 0, t.fault(t.columns[i], "empty; an unsigned integer is expected")
	}
	var v uint64
	for k := range len(s) {
		c := s[k]
		if c < '0' || c > '9' {
			return 0, t.fault(t.columns[i], "%q is not an unsigned integer", s)
		}
		d := uint64(c - '0')
		if v > (math.MaxUint64-d)/10 {
			return 0, t.fault(t.columns[i], "%s is too large; at most %d", s, limit)
		}
		v = v*10 + d
	}
	if v > limit {
		return 0, t.fault(t.columns[i], "%s is too large; at most %d", s, limit)
	}
	return v, nil
}

// number reads column i as a finite number that is not negative.
func (t *table) number(i int) (float64, error) {
	s := t.fields[i]
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return 0, t.fault(t.columns[i], "%q is not a number of at least 0", s)
	}
	return v, nil
}

// decimal reads column i as an exact decimal number that is not negative.
func (t *table) decimal(i int) (*big.Rat, error) {
	s := t.fields[i]
	// ParseFloat first: it bounds the exponent, which SetString would expand digit by digit.
	if _, err := t.number(i); err != nil {
		return nil, err
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || len(s) > 40 {
		return nil, t.fault(t.columns[i], "%q is not a decimal number", s)
	}
	return r, nil
}
