package fixed

import (
	"math"
	"strconv"
)

// Quantity says what a raw value means to an engineer: its format, and the physical unit of 1.
type Quantity struct {
	Format Format
	Unit   string  // "B", "bit/s", "s"; "" for a plain number
	Scale  float64 // in units, what 1 of the format stands for; 0 for 1
}

// Text writes a raw value in its unit with so many significant digits: "24.78 kB", "0.9988".
func (q Quantity) Text(raw uint64, digits int) string {
	v := math.Ldexp(float64(raw), -q.Format.Frac)
	if q.Scale != 0 {
		v *= q.Scale
	}
	return SI(v, q.Unit, digits)
}

// Pair writes two raw values with at least four digits, and with one more than tells them apart.
func (q Quantity) Pair(a, b uint64) (string, string) {
	digits := 4
	for digits < 16 && a != b && q.Text(a, digits) == q.Text(b, digits) {
		digits++
	}
	return q.Text(a, digits+1), q.Text(b, digits+1)
}

// SI writes a number of a unit with so many significant digits and an SI prefix, down to n for seconds: "4.16 us". A
// plain number has none.
func SI(v float64, unit string, digits int) string {
	text := func(v float64) string { return strconv.FormatFloat(v, 'g', digits, 64) }
	if unit == "" || v == 0 {
		return text(v) + gap(unit)
	}
	prefixes, exp := []string{"", "k", "M", "G", "T"}, 0
	if unit == "s" {
		prefixes, exp = []string{"n", "u", "m", ""}, -9
	}
	for i, p := range prefixes {
		scaled := v * math.Pow10(-exp-3*i)
		rounded, _ := strconv.ParseFloat(text(scaled), 64)
		if math.Abs(rounded) < 1000 || i == len(prefixes)-1 {
			return strconv.FormatFloat(rounded, 'f', -1, 64) + gap(p+unit)
		}
	}
	return ""
}

func gap(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}
