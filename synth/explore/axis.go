package explore

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// axis is a logarithmic scale from low to high, drawn from pixel from to pixel to.
type axis struct {
	low, high float64
	from, to  float64
}

// axisEnd bounds the values on an axis, so that all that is computed of them is finite.
const axisEnd = 1e100

// newAxis spans values above 0 with some room at both ends: an eighth of an octave, and at least an octave in all.
func newAxis(values []float64, from, to float64) axis {
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		if v > 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	if high == 0 {
		low, high = 1, 10
	}
	low, high = min(max(low, 1/axisEnd), axisEnd), min(max(high, 1/axisEnd), axisEnd)
	room := max(math.Pow(high/low, 0.06), math.Sqrt(2/(high/low)), 1.09)
	return axis{low / room, high * room, from, to}
}

func (a axis) at(v float64) float64 {
	return a.from + (a.to-a.from)*math.Log(v/a.low)/math.Log(a.high/a.low)
}

// tick is a line of the grid; minor ones have no label.
type tick struct {
	value float64
	label bool
}

// ticks are the powers of ten, and where they are few also twice and five times these, all multiples, or halves
// between.
func (a axis) ticks() []tick {
	decades := math.Log10(a.high / a.low)
	labelled := func(digit int) bool {
		switch {
		case decades < 0.8:
			return true
		case decades < 2.2:
			return digit == 1 || digit == 2 || digit == 5
		}
		return digit == 1
	}
	var list []tick
	for e := math.Floor(math.Log10(a.low)); e <= math.Log10(a.high); e++ {
		for half := 2; half <= 19; half++ { // from 1 to 9.5
			if half%2 == 1 && decades > 0.4 {
				continue
			}
			digit := half / 2
			v, _ := strconv.ParseFloat(fmt.Sprintf("%ge%d", float64(half)/2, int(e)), 64)
			if v < a.low || v > a.high {
				continue
			}
			if decades > 5 && digit > 1 {
				continue
			}
			list = append(list, tick{v, labelled(digit)})
		}
	}
	return list
}

// siPrefix writes 1500000 as 1.5M.
func siPrefix(v float64) string {
	units := []struct {
		factor float64
		sign   string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}
	for _, u := range units {
		if v >= u.factor*0.9995 {
			return significant(v/u.factor) + u.sign
		}
	}
	return significant(v)
}

// significant writes three digits, without zeros at the end.
func significant(v float64) string {
	if v == 0 {
		return "0"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(v))))
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// fraction writes 0.2 as 1/5, for ACKs a cycle.
func fraction(v float64) string {
	if v < 1 {
		return "1/" + significant(1/v)
	}
	return significant(v)
}

// noBound is where the numbers begin that stand for an error that nothing is known of.
const noBound = 1e99

// boundText writes the bound of an error: 4.16e-4.
func boundText(v float64) string {
	if v >= noBound {
		return "none"
	}
	return strings.Replace(fmt.Sprintf("%.2e", v), "e-0", "e-", 1)
}
