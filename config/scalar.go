package config

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/fixed"
)

// read turns text into a value of the key's form; ok is false when it is none. The range is not checked.
func (k *key) read(text string) (v value, ok bool) {
	f := k.kind
	switch {
	case f.list:
		return k.readItems(text)
	case f.text != nil:
		v, ok = f.text(text)
	case f.number == nil || k.none && text == wordNone:
		ok = true
	default:
		if v.number, ok = f.number(k, text); !ok && k.duration {
			v.number, ok = quantity(text, durationUnits)
			v.duration = ok
		}
	}
	v.word = text
	return v, ok
}

// check says whether v is legal for the key.
func (k *key) check(path string, v value) (Problem, bool) {
	switch {
	case k.kind.check != nil:
		return k.kind.check(k, path, v)
	case v.duration || v.number == nil:
		return Problem{}, true
	}
	return k.checkRange(path, v.number)
}

func (k *key) checkChoice(path string, v value) (Problem, bool) {
	return Problem{Key: path, What: fmt.Sprintf("%s is %q", path, shorten(v.word)), Legal: k.legal(), Reason: k.why,
		Nearest: closest(v.word, k.choices)}, slices.Contains(k.choices, v.word)
}

func (k *key) checkFormat(path string, v value) (Problem, bool) {
	w, nearest := v.format.Width(), v.format
	nearest.Frac = maxWidth - nearest.Int
	p := Problem{Key: path, What: fmt.Sprintf("%s is %s: %d bits", path, v.format, w), Legal: formatLegal,
		Reason: whyFormat}
	if nearest.Frac >= 0 {
		p.Nearest = nearest.String()
	}
	return p, w <= maxWidth
}

// checkRange says whether a number lies in the key's range and on its grid.
func (k *key) checkRange(path string, v *big.Rat) (Problem, bool) {
	low, high := k.bounds()
	nearest := v
	if v.Cmp(low) < 0 {
		nearest = low
	}
	if v.Cmp(high) > 0 {
		nearest = high
	}
	if k.kind.public == FormInteger && nearest == v {
		nearest = k.onGrid(v)
	}
	if nearest.Cmp(v) == 0 {
		return Problem{}, true
	}
	said := k.format(v)
	if gbps, ok := k.withoutUnit(v); ok {
		said, nearest = said+" bit/s", gbps
	}
	return Problem{Key: path, What: fmt.Sprintf("%s is %s", path, said), Legal: k.legalOne(), Reason: k.why,
		Nearest: k.format(nearest)}, false
}

// withoutUnit takes a rate of less than a kilobit per second for one of so many gigabits whose unit was left out, where
// that is legal.
func (k *key) withoutUnit(v *big.Rat) (gbps *big.Rat, ok bool) {
	if k.kind != kindRates && k.kind != kindRate || v.Sign() <= 0 || v.Cmp(ratUint(1000)) >= 0 {
		return nil, false
	}
	gbps = new(big.Rat).Mul(v, ratUint(1e9))
	_, high := k.bounds()
	return gbps, gbps.Cmp(high) <= 0
}

// legalOne is legal for one item of a list.
func (k *key) legalOne() string {
	if k.kind.list && !k.kind.single {
		return k.low + " to " + k.high
	}
	return k.legal()
}

// nearestTo is a legal value for a text that is none: the number nearest to it, the number with the unit that the
// default has, or the default.
func (k *key) nearestTo(text string) string {
	if v, ok := quantity(text, []unit{{"", 1}}); ok && k.kind.public == FormInteger {
		low, high := k.bounds()
		switch {
		case v.Cmp(low) < 0:
			v = low
		case v.Cmp(high) > 0:
			v = high
		}
		whole, _ := fixed.UQ(maxWidth, 0).Raw(v)
		return k.format(k.onGrid(new(big.Rat).SetInt(whole)))
	}
	if unit := strings.TrimLeft(k.fallback, ".0123456789"); numberText.MatchString(text) && k.kind.number != nil {
		low, high := k.bounds()
		if v, ok := k.kind.number(k, text+unit); ok && v.Cmp(low) >= 0 && v.Cmp(high) <= 0 {
			return text + unit
		}
	}
	return k.fallback
}

// onGrid is the legal integer nearest to v, which is in range.
func (k *key) onGrid(v *big.Rat) *big.Rat {
	n := v.Num().Int64()
	switch {
	case k.choices != nil: // the two ends of the range
		low, high := k.bounds()
		if new(big.Rat).Sub(v, low).Cmp(new(big.Rat).Sub(high, v)) < 0 {
			return low
		}
		return high
	case k.powerOf2:
		p := int64(1)
		for p*2 <= n {
			p *= 2
		}
		if n-p > 2*p-n {
			p *= 2
		}
		return big.NewRat(p, 1)
	}
	return v
}

// bounds are the ends of the range.
func (k *key) bounds() (low, high *big.Rat) {
	low, _ = k.kind.number(k, k.low)
	high, _ = k.kind.number(k, k.high)
	return low, high
}

// format writes a number of the key's form as a file would.
func (k *key) format(v *big.Rat) string {
	if k.kind.print == nil {
		return decimalString(v)
	}
	return k.kind.print(k, v)
}

// legal says in words what the key may hold.
func (k *key) legal() string { return k.kind.legal(k, k.low+" to "+k.high) }

// shortNumber writes small numbers with an exponent, as people do.
func shortNumber(v *big.Rat) string {
	f, _ := v.Float64()
	return strings.Replace(fmt.Sprintf("%g", f), "e-0", "e-", 1)
}

// closest is the word with the fewest edits from text; none when nothing is near.
func closest(text string, words []string) string {
	best, distance := "", len([]rune(text))/2+2
	for _, w := range words {
		if d := edits(text, w); d < distance {
			best, distance = w, d
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > 64 {
		return len(s)
	}
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j := range t {
			cost := diagonal
			if s[i] != t[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(t)]
}
