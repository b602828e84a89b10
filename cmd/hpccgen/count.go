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
	if n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64); err == nil && !strings.HasPrefix(s, "_") && !strings.HasSuffix(s, "_") {
		*c = count(n)
	} else if f, err := strconv.ParseFloat(s, 64); err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		*c = count(f)
	} else {
		return fmt.Errorf("%q is not a whole number, such as 100000, 100_000 or 1e5", s)
	}
	if *c < 1 {
		return fmt.Errorf("%s is below 1", s)
	}
	return nil
}
