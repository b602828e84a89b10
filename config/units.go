package config

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// The lengths are bounded so that no number can be written whose exact value takes long to compute.
var (
	integerText  = regexp.MustCompile(`^-?[0-9]{1,18}$`)
	numberText   = regexp.MustCompile(`^-?[0-9]{1,18}(\.[0-9]{1,18})?([eE][-+]?[0-9]{1,2})?$`)
	quantityText = regexp.MustCompile(`^(-?[0-9]{1,18}(?:\.[0-9]{1,18})?)([A-Za-z]*)$`)
)

type unit struct {
	suffix string
	factor int64
}

// From small to large; the first is what a quantity is counted in.
var (
	durationUnits = []unit{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}
	sizeUnits     = []unit{{"B", 1}, {"kB", 1e3}, {"KiB", 1 << 10}, {"MB", 1e6}, {"MiB", 1 << 20}, {"GB", 1e9}, {"GiB",
		1 << 30}}
	rateUnits = []unit{{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}
)

// quantity reads a number with a unit, exactly.
func quantity(text string, units []unit) (*big.Rat, bool) {
	m := quantityText.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	for _, u := range units {
		if u.suffix == m[2] {
			v, _ := new(big.Rat).SetString(m[1]) // the expression admits only what SetString reads
			return v.Mul(v, new(big.Rat).SetInt64(u.factor)), true
		}
	}
	return nil, false
}

// quantityString writes v in the largest unit in which it is a whole number, or, when pretty, a short decimal.
func quantityString(v *big.Rat, units []unit) string {
	best := decimalString(v) + units[0].suffix
	for _, u := range units {
		if strings.Contains(u.suffix, "i") {
			continue
		}
		q := new(big.Rat).Quo(v, new(big.Rat).SetInt64(u.factor))
		if q.IsInt() && q.Sign() > 0 {
			best = q.RatString() + u.suffix
		}
	}
	return best
}

// rateString writes a rate as people do: 100G, 1.6T.
func rateString(bps *big.Rat) string {
	best := decimalString(bps)
	for _, u := range rateUnits {
		q := new(big.Rat).Quo(bps, new(big.Rat).SetInt64(u.factor))
		if q.Cmp(big.NewRat(1, 1)) < 0 {
			continue
		}
		if s := decimalString(q) + u.suffix; len(s) <= len(best) {
			best = s
		}
	}
	return best
}

// decimalString writes v exactly when its decimal expansion ends, otherwise rounded to nine significant places.
func decimalString(v *big.Rat) string {
	if v.IsInt() {
		return v.RatString()
	}
	if digits, exact := v.FloatPrec(); exact && digits <= 40 {
		return v.FloatString(digits)
	}
	f, _ := v.Float64()
	return fmt.Sprintf("%.9g", f)
}
