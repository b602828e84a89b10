package configtest

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// Classes of values, beside the words that a key can hold. A value belongs to one class of its key.
const (
	left    = "left out"
	lowest  = "lowest"
	highest = "highest"
	power   = "power of two"
	other   = "other"
	list    = "list"   // locators, one for each signal type
	empty   = "empty"  // a list
	single  = "one"    // a list of one, a range of one port, a name of one letter
	several = "some"   // a list
	fullest = "most"   // a list as long as it can be
	ranged  = "range"  // of ports
	widest  = "widest" // a format of 64 bits, a name of 64 characters
)

// classes are those of a key's values.
func classes(k config.Key) []string {
	var c []string
	switch k.Form {
	case config.FormWord:
		c = k.Words
	case config.FormInteger:
		switch {
		case k.Words != nil:
			c = k.Words
		case k.PowerOf2:
			low, high := ends(k)
			for n := low.Num().Int64(); n <= high.Num().Int64(); n *= 2 {
				c = append(c, fmt.Sprint(n))
			}
		default:
			c = integerClasses(k)
		}
	case config.FormNumber:
		c = []string{lowest, highest, other}
	case config.FormQuantity:
		c = append(slices.Clone(k.Words), lowest, highest, power, other)
	case config.FormIdentifier:
		c = []string{single, widest, other}
	case config.FormFormat:
		c = []string{widest, other}
	case config.FormTPID:
		c = append(slices.Clone(k.Words), lowest, highest, other)
	case config.FormTPIDs:
		c = []string{lowest, highest, single, several, fullest}
	case config.FormRates:
		c = []string{lowest, highest, single, several, fullest}
	case config.FormBounds:
		c = append(slices.Clone(k.Words), single, several, fullest)
	case config.FormLocator:
		c = append(slices.Clone(k.Words), lowest, highest, list, other)
	case config.FormPorts:
		c = []string{single, ranged}
	case config.FormList:
		c = []string{empty, single, several, fullest}
	}
	if !k.Required || strings.Contains(k.Path, "[].") { // which is not there without the list
		c = append(slices.Clone(c), left)
	}
	return c
}

// integerClasses leaves out the classes that a short range does not have.
func integerClasses(k config.Key) []string {
	low, high := ends(k)
	has := map[string]bool{}
	for n := low.Num().Int64(); n <= min(high.Num().Int64(), low.Num().Int64()+70); n++ {
		has[classOf(k, strconv.FormatInt(n, 10))] = true
	}
	has[highest] = true
	return slices.DeleteFunc([]string{lowest, highest, power, other}, func(c string) bool { return !has[c] })
}

func ends(k config.Key) (low, high *big.Rat) {
	low, okLow := k.Number(k.Low)
	high, okHigh := k.Number(k.High)
	if !okLow || !okHigh {
		panic(fmt.Sprintf("configtest: %s has no range: %q to %q", k.Path, k.Low, k.High))
	}
	return low, high
}

// classOf is the class of a value as a file has it; empty: the key is left out.
func classOf(k config.Key, text string) string {
	if text == "" {
		return left
	}
	if slices.Contains(k.Words, text) {
		return text
	}
	items := strings.Split(strings.Trim(text, "[]"), ", ")
	switch k.Form {
	case config.FormWord:
		return text
	case config.FormIdentifier:
		return byLength(len(text), 64, single, other, widest)
	case config.FormFormat:
		var i, f int
		if _, err := fmt.Sscanf(text, "UQ%d.%d", &i, &f); err == nil && i+f == 64 {
			return widest
		}
		return other
	case config.FormTPIDs, config.FormRates:
		for _, i := range items {
			if c := numberClass(k, i); c == lowest || c == highest {
				return c
			}
		}
		if k.Form == config.FormRates {
			return byLength(len(items), 17, single, several, fullest)
		}
		return byLength(len(items), k.Most, single, several, fullest)
	case config.FormBounds:
		return byLength(len(items), k.Most, single, several, fullest)
	case config.FormLocator:
		if strings.HasPrefix(text, "[") {
			return list
		}
		return numberClass(k, text)
	case config.FormPorts:
		if strings.Contains(text, "-") {
			return ranged
		}
		return single
	case config.FormList:
		if text == "0" {
			return empty
		}
		n, _ := strconv.Atoi(text)
		return byLength(n, k.Most, single, several, fullest)
	case config.FormInteger:
		if k.PowerOf2 {
			return text
		}
	}
	return numberClass(k, text)
}

func byLength(n, most int, one, between, all string) string {
	switch {
	case n <= 1:
		return one
	case n >= most:
		return all
	}
	return between
}

func numberClass(k config.Key, text string) string {
	v, ok := k.Number(text)
	low, high := ends(k)
	switch {
	case !ok:
		return text
	case v.Cmp(low) == 0:
		return lowest
	case v.Cmp(high) == 0:
		return highest
	case k.Form == config.FormNumber || k.Form == config.FormTPID || k.Form == config.FormLocator:
		return other
	}
	if v = new(big.Rat).Quo(v, unit(k)); isPower(v.Num()) && isPower(v.Denom()) {
		return power
	}
	return other
}

// unit is what a design counts a key in: kbit/s for rates.
func unit(k config.Key) *big.Rat {
	if strings.HasSuffix(k.High, "k") {
		return big.NewRat(1000, 1)
	}
	return big.NewRat(1, 1)
}

func isPower(n *big.Int) bool { return n.Sign() > 0 && int(n.TrailingZeroBits()) == n.BitLen()-1 }
