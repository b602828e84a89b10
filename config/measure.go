package config

import (
	"fmt"
	"math/big"
	"strings"
)

// read gives a value in bit/s, as a share of one, or in ns. A plain 0 needs no unit.
func (m measure) read(text string) (*big.Rat, bool) {
	if text == "0" {
		return new(big.Rat), true
	}
	switch m {
	case rateMeasure:
		return quantity(text, rateUnits)
	case shareMeasure:
		number, percent := strings.CutSuffix(text, "%")
		if !percent {
			return nil, false
		}
		v, ok := quantity(number, []unit{{"", 1}})
		if !ok {
			return nil, false
		}
		return v.Quo(v, ratUint(100)), true
	}
	return quantity(text, durationUnits)
}

// format writes what read has read.
func (m measure) format(v *big.Rat) string {
	switch m {
	case rateMeasure:
		return rateString(v)
	case shareMeasure:
		return decimalString(new(big.Rat).Mul(v, ratUint(100))) + "%"
	}
	return quantityString(v, durationUnits)
}

func (m measure) what() string {
	switch m {
	case rateMeasure:
		return "a rate of whole kbit/s"
	case shareMeasure:
		return "a percentage"
	}
	return "a duration of whole ns"
}

// raw turns a value into what the device compares: kbit/s, units of 2^-ratio, ns. A share is rounded up, so that a
// value of the signal has the code of its percentage. The others must be whole.
func (m measure) raw(v *big.Rat, ratio int) (uint64, bool) {
	u := new(big.Rat).Set(v)
	switch m {
	case rateMeasure:
		u.Quo(u, ratUint(1000))
	case shareMeasure:
		return ceil(u.Mul(u, pow2(ratio))), true
	}
	return floor(u), u.IsInt()
}

// canonical writes a raw value such that reading gives it again: for a share, the shortest decimal.
func (m measure) canonical(raw uint64, ratio int) string {
	switch m {
	case rateMeasure:
		return fmt.Sprintf("%dk", raw)
	case durationMeasure:
		return fmt.Sprintf("%dns", raw)
	}
	share := ratUint(raw)
	share.Mul(share, pow2(-ratio)).Mul(share, ratUint(100))
	for digits := 0; ; digits++ {
		scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
		short := ratUint(floor(new(big.Rat).Mul(share, scale)))
		short.Quo(short, scale)
		if back, _ := m.raw(new(big.Rat).Quo(short, ratUint(100)), ratio); back == raw {
			return short.FloatString(digits) + "%"
		}
	}
}
