package source

import (
	"math"
	"strconv"
)

// Uint reads the field of a column as an unsigned integer of at most limit.
func (t *Table) Uint(column int, limit uint64) (uint64, error) {
	s := t.Fields[column]
	if s == "" {
		return 0, t.Fault(t.Columns[column], "empty; an unsigned integer is expected")
	}
	var v uint64
	for k := range len(s) {
		c := s[k]
		if c < '0' || c > '9' {
			return 0, t.Fault(t.Columns[column], "%q is not an unsigned integer", s)
		}
		d := uint64(c - '0')
		if v > (math.MaxUint64-d)/10 {
			return 0, t.Fault(t.Columns[column], "%s is too large; at most %d", s, limit)
		}
		v = v*10 + d
	}
	if v > limit {
		return 0, t.Fault(t.Columns[column], "%s is too large; at most %d", s, limit)
	}
	return v, nil
}

// Number reads the field of a column as a finite number that is not negative.
func (t *Table) Number(column int) (float64, error) {
	s := t.Fields[column]
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return 0, t.Fault(t.Columns[column], "%q is not a number of at least 0", s)
	}
	return v, nil
}
