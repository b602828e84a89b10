package configtest

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// value draws a value of a class, as a file has it. What depends on other keys is left to mend, but for numbers of
// ports.
func (f *file) value(r *rand.Rand, k config.Key, class string) string {
	if class == left {
		return ""
	}
	if slices.Contains(k.Words, class) {
		return class
	}
	switch k.Form {
	case config.FormIdentifier:
		const letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
		n := map[string]int{single: 1, widest: 64}[class]
		if n == 0 {
			n = 2 + r.IntN(20)
		}
		name := []byte{letters[r.IntN(len(letters)-1)]}
		for len(name) < n {
			name = append(name, letters[r.IntN(len(letters))])
		}
		return string(name)
	case config.FormFormat:
		if k.Default != "" {
			width := 1 + r.IntN(63)
			if class == widest {
				width = 64
			}
			frac := r.IntN(width + 30)
			return fmt.Sprintf("UQ%d.%d", width-frac, frac)
		}
		// They come from an error wanted (giveFormats), and are at most changed.
		var i, frac int
		if _, err := fmt.Sscanf(f.text[f.index[k.Path]], "UQ%d.%d", &i, &frac); err != nil {
			return ""
		}
		if frac += r.IntN(5) - 2; class == widest {
			frac = 64 - i
		}
		return fmt.Sprintf("UQ%d.%d", i, frac)
	case config.FormTPIDs, config.FormRates:
		return items(r, k, class)
	case config.FormBounds:
		n := map[string]int{single: 1, fullest: k.Most}[class]
		if n == 0 {
			n = 2 + r.IntN(k.Most-2)
		}
		texts := []string{"0"}
		if n > 1 {
			texts = append(texts, sorted(r, k, n-1)...)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case config.FormLocator:
		if class == list {
			var four []string
			for range k.Most {
				four = append(four, []string{"low_bits", "port", number(r, k, lowest), number(r, k, other)}[r.IntN(4)])
			}
			return "[" + strings.Join(four, ", ") + "]"
		}
	case config.FormPorts:
		first := r.IntN(f.ports())
		if class == single {
			return fmt.Sprint(first)
		}
		return fmt.Sprintf("%d-%d", first, first+r.IntN(f.ports()-first))
	case config.FormList:
		return fmt.Sprint(map[string]int{empty: 0, single: 1, several: 2 + r.IntN(4), fullest: k.Most}[class])
	case config.FormInteger:
		if k.PowerOf2 {
			return class
		}
	}
	text := number(r, k, class)
	if v, ok := k.Number(text); ok && k.Duration() && f.text[f.index["queue"]] == "sojourn" {
		return v.RatString() + "ns"
	}
	return text
}

// items draws a list of TPIDs or of rates.
func items(r *rand.Rand, k config.Key, class string) string {
	most, many := 16, 48
	if k.Form == config.FormTPIDs {
		most, many = k.Most-1, k.Most
	}
	n := 1
	switch class {
	case several:
		n = 2 + r.IntN(most-1)
	case fullest:
		n = many
	case lowest, highest:
		n = 1 + r.IntN(3)
	}
	var texts []string
	for len(texts) < n {
		text := number(r, k, other)
		if class == lowest || class == highest {
			text, class = number(r, k, class), other
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// sorted draws n values of a key, the smallest first.
func sorted(r *rand.Rand, k config.Key, n int) []string {
	var texts []string
	for range n {
		texts = append(texts, number(r, k, other))
	}
	slices.SortFunc(texts, func(a, b string) int {
		x, _ := k.Number(a)
		y, _ := k.Number(b)
		return x.Cmp(y)
	})
	return texts
}

// number draws a number of a class.
func number(r *rand.Rand, k config.Key, class string) string {
	switch class {
	case lowest:
		return k.Low
	case highest:
		return k.High
	}
	low, high := ends(k)
	share := strings.HasSuffix(k.High, "%")
	for range 1000 {
		var text string
		switch {
		case k.Form == config.FormNumber:
			l, _ := low.Float64()
			h, _ := high.Float64()
			text = fmt.Sprintf("%.3g", math.Exp(math.Log(l)+r.Float64()*(math.Log(h)-math.Log(l))))
			if strings.Contains(text, "e+") {
				text = fmt.Sprint(int64(h / 2))
			}
		case share && class == power:
			text = k.Text(big.NewRat(1, 1<<(1+r.IntN(12))))
		case share:
			text = k.Text(big.NewRat(int64(1+r.IntN(99_999)), 100_000))
		case class == power:
			n := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(r.IntN(high.Num().BitLen()))))
			text = k.Text(n.Mul(n, unit(k)))
		default:
			text = k.Text(whole(r, low, high, unit(k)))
		}
		if v, ok := k.Number(text); ok && v.Cmp(low) >= 0 && v.Cmp(high) <= 0 && numberClass(k, text) == class {
			return text
		}
	}
	panic(fmt.Sprintf("configtest: no value of %s is %s", k.Path, class))
}

// whole draws a whole number of a unit, of each length about as often.
func whole(r *rand.Rand, low, high, unit *big.Rat) *big.Rat {
	low, high = new(big.Rat).Quo(low, unit), new(big.Rat).Quo(high, unit)
	least, most := low.Num().Uint64()/low.Denom().Uint64(), high.Num().Uint64()
	span := most - least
	if span > 1 && r.IntN(2) == 0 {
		span = min(span, 1<<(1+r.IntN(bits.Len64(span))))
	}
	n := new(big.Rat).SetInt(new(big.Int).SetUint64(least + r.Uint64N(max(span, 1))))
	return n.Mul(n, unit)
}
