package config

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hdlpkg/hpccgen/fixed"
)

// read turns text into a value of the key's kind; ok is false when it is none. The range is not checked.
func (k *key) read(text string) (v value, ok bool) {
	v.word = text
	switch k.kind {
	case kindInteger:
		if !integerText.MatchString(text) {
			return v, false
		}
		v.number, ok = new(big.Rat).SetString(text)
	case kindNumber:
		if !numberText.MatchString(text) {
			return v, false
		}
		v.number, ok = new(big.Rat).SetString(text)
	case kindDuration:
		v.number, ok = quantity(text, durationUnits)
	case kindSize:
		if integerText.MatchString(text) {
			text += "B"
		}
		if v.number, ok = quantity(text, sizeUnits); !ok && k.duration {
			v.number, ok = quantity(text, durationUnits)
			v.duration = ok
		}
	case kindFormat:
		f, err := fixed.Parse(text)
		v.format, ok = f, err == nil
	case kindBool:
		ok = text == "true" || text == "false"
	case kindRate:
		v.number, ok = quantity(text, rateUnits)
	case kindTPID:
		if k.none && text == wordNone {
			return v, true
		}
		v.word = ""
		v.number, ok = tpid(text)
	case kindValue:
		if k.none && text == wordNone {
			return v, true
		}
		v.word = ""
		v.number, ok = k.measure.read(text)
	case kindPorts:
		v.items, ok = portRange(text)
	case kindTPIDs, kindLocator, kindBounds:
		v.items, v.word, ok = k.readItems(text)
	case kindChoice, kindIdentifier:
		ok = true
	case kindRates:
		v.rates, ok = []*big.Rat{}, true
		for _, item := range strings.Split(strings.Trim(text, "[]"), ",") {
			bps, good := quantity(strings.TrimSpace(item), rateUnits)
			v.rates, ok = append(v.rates, bps), ok && good
		}
	}
	return v, ok
}

// check says whether v is legal for the key.
func (k *key) check(path string, v value) (Problem, bool) {
	switch k.kind {
	case kindChoice:
		for _, c := range k.choices {
			if v.word == c {
				return Problem{}, true
			}
		}
		return Problem{Key: path, What: fmt.Sprintf("%s is %q", path, shorten(v.word)), Legal: k.legal(), Reason: k.why, Nearest: closest(v.word, k.choices)}, false
	case kindIdentifier:
		return checkIdentifier(path, v.word)
	case kindFormat:
		if w := v.format.Width(); w > maxWidth {
			nearest := v.format
			nearest.Frac = maxWidth - nearest.Int
			p := Problem{Key: path, What: fmt.Sprintf("%s is %s: %d bits", path, v.format, w), Legal: formatLegal, Reason: whyFormat}
			if nearest.Frac >= 0 {
				p.Nearest = nearest.String()
			}
			return p, false
		}
		return Problem{}, true
	case kindPorts:
		return k.checkPorts(path, v)
	case kindInteger, kindNumber, kindDuration, kindSize, kindRate, kindTPID, kindValue:
		if v.duration || v.number == nil {
			return Problem{}, true
		}
		return k.checkRange(path, v.number)
	}
	return Problem{}, true
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
	if k.kind == kindInteger && nearest == v {
		nearest = k.onGrid(v)
	}
	if nearest.Cmp(v) == 0 {
		return Problem{}, true
	}
	return Problem{Key: path, What: fmt.Sprintf("%s is %s", path, k.format(v)), Legal: k.legalOne(), Reason: k.why, Nearest: k.format(nearest)}, false
}

// legalOne is legal for one item of a list.
func (k *key) legalOne() string {
	switch k.kind {
	case kindRates, kindTPIDs, kindBounds:
		return k.low + " to " + k.high
	}
	return k.legal()
}

// nearestTo is a legal value for a text that is none: the number nearest to it, or the default.
func (k *key) nearestTo(text string) string {
	if v, ok := quantity(text, []unit{{"", 1}}); ok && k.kind == kindInteger {
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

func (k *key) bounds() (low, high *big.Rat) {
	switch k.kind {
	case kindRates:
		low, _ = quantity(k.low, rateUnits)
		high, _ = quantity(k.high, rateUnits)
		return low, high
	case kindTPIDs, kindBounds, kindLocator, kindPorts, kindList:
		return k.oneItem(k.low).number, k.oneItem(k.high).number
	}
	l, _ := k.read(k.low)
	h, _ := k.read(k.high)
	return l.number, h.number
}

// format writes a number of the key's kind as a file would.
func (k *key) format(v *big.Rat) string {
	switch k.kind {
	case kindDuration:
		return quantityString(v, durationUnits)
	case kindSize:
		return quantityString(v, sizeUnits)
	case kindRates, kindRate:
		return rateString(v)
	case kindNumber:
		return shortNumber(v)
	case kindTPID, kindTPIDs:
		return fmt.Sprintf("0x%04x", v.Num())
	case kindValue, kindBounds:
		return k.measure.format(v)
	}
	return decimalString(v)
}

// legal says in words what the key may hold.
func (k *key) legal() string {
	between := k.low + " to " + k.high
	switch k.kind {
	case kindInteger:
		switch {
		case k.choices != nil:
			return strings.Join(k.choices, " or ")
		case k.powerOf2:
			return "a power of two, " + between
		}
		return "an integer, " + between
	case kindNumber:
		return "a number, " + between
	case kindChoice:
		return oneOf(k.choices)
	case kindIdentifier:
		return "a Verilog identifier: letters, digits and _, not starting with a digit, no keyword, up to 64 characters"
	case kindDuration:
		return "a duration with ns, us, ms or s, " + between
	case kindSize:
		return "a size with B, kB, MB, GB, KiB, MiB or GiB, " + between
	case kindRates:
		return "a list of rates, such as [25G, 100G], each " + between
	case kindFormat:
		return formatLegal
	case kindBool:
		return "true or false"
	case kindRate:
		return "a rate, such as 25G or 1.6T, " + between
	case kindTPID:
		return k.orNone("a TPID, " + between)
	case kindTPIDs:
		return fmt.Sprintf("a list of 1 to %d TPIDs, each %s", maxVLANs, between)
	case kindValue:
		return k.orNone(k.measure.what() + ", " + between)
	case kindBounds:
		return fmt.Sprintf("appendix_a, none, or a list of 1 to %d bounds that starts with 0 and does not decrease, each %s, %s", maxBuckets, k.measure.what(), between)
	case kindLocator:
		return fmt.Sprintf("port, low_bits, an integer, %s, or a list of %d of these", between, CSIGTypes)
	case kindPorts:
		return "a port or a range of ports, such as 3 or 0-3, within " + between
	case kindList:
		return "a list of up to " + k.high + " mappings with the keys " + strings.Join(names(k.keys), ", ")
	}
	return ""
}

func (k *key) orNone(text string) string {
	if k.none {
		return text + ", or none"
	}
	return text
}

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
