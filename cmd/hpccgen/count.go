package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// count is a number of things on the command line: 100000, 100_000 or 1e5.
type count int64

// UnmarshalText reads a count.
func (c *count) UnmarshalText(text []byte) error {
	s := string(text)
	if n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64); err == nil && !strings.HasPrefix(s, "_") &&
		!strings.HasSuffix(s, "_") {
		*c = count(n)
	} else if f, err := strconv.ParseFloat(s, 64); err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		*c = count(f)
	} else {
		return fmt.Errorf("%q is not a whole number of 1 or more, such as 100000, 100_000 or 1e5", s)
	}
	if *c < 1 {
		return fmt.Errorf("%s is below 1; legal are whole numbers of 1 or more", s)
	}
	return nil
}

// seed is the number that a stimulus begins with.
type seed uint64

// UnmarshalText reads a seed: as cosim prints it, or 0x and hexadecimal.
func (v *seed) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number from 0 to %d", text, uint64(math.MaxUint64))
	}
	*v = seed(n)
	return nil
}

// megahertz is a clock on the command line; 0 is one that is not given.
type megahertz float64

// UnmarshalText reads a frequency.
func (m *megahertz) UnmarshalText(text []byte) error {
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(f > 0) || math.IsInf(f, 0) {
		return fmt.Errorf("%q is no frequency; legal are MHz above 0, such as 25 or 12.5", text)
	}
	*m = megahertz(f)
	return nil
}
