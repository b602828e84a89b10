package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// Space is what is explored: every combination of the three, and the base itself.
type Space struct {
	Base       *config.NIC
	Orders     []Order
	Dividers   []Dividers
	Precisions []float64 // largest relative errors of W and R to derive the formats for; 0: the formats of the base
}

// Order says how the hops of an ACK are taken.
type Order string

// The orders, as the key hops.order has them.
const (
	Parallel Order = "parallel"
	Serial   Order = "serial"
)

// ParseOrder reads an order, or the word base for that of the base.
func ParseOrder(text string, base *config.NIC) (Order, error) {
	switch o := Order(text); o {
	case Parallel, Serial:
		return o, nil
	case wordBase:
		return orderOf(base), nil
	}
	return "", fmt.Errorf("order %q; legal: %s, %s, %s", text, Parallel, Serial, wordBase)
}

func orderOf(c *config.NIC) Order {
	if c.Serial {
		return Serial
	}
	return Parallel
}

// ParsePrecision reads a largest relative error, or the word base for the formats of the base. What range is legal, the
// configuration says of each point.
func ParsePrecision(text string) (float64, error) {
	if text == wordBase {
		return 0, nil
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && v > 0 && v < 1 {
		return v, nil
	}
	return 0,
		fmt.Errorf("precision %q; legal: a relative error below 1, such as 1e-3, or base for the formats of the base", text)
}

// wordBase stands for what the base has.
const wordBase = "base"

// Candidate is a point of a space before anything is known of it.
type Candidate struct {
	Base     bool // the base itself
	Order    Order
	Dividers Dividers
	MaxError float64 // 0: the formats of the base
}

// Name tells a candidate from the others of its space, and is fit to name a file.
func (c Candidate) Name() string {
	name := fmt.Sprintf("%s-%s-%s", c.Order, c.Dividers, c.precision())
	return strings.NewReplacer("_", "-", ":", "-", "=", "-").Replace(name)
}

func (c Candidate) precision() string {
	if c.MaxError == 0 {
		return wordBase
	}
	return shortError(c.MaxError)
}

// shortError writes 0.001 as 1e-3.
func shortError(v float64) string {
	text := strconv.FormatFloat(v, 'e', -1, 64)
	return strings.Replace(text, "e-0", "e-", 1)
}

// candidates are the points of a space: the base, then all combinations. Points that come twice are there once.
func (s Space) candidates() []Candidate {
	list := []Candidate{s.base()}
	for _, e := range s.Precisions {
		for _, o := range s.Orders {
			for _, d := range s.Dividers {
				c := Candidate{Order: o, Dividers: d, MaxError: e}
				if !slices.ContainsFunc(list, func(other Candidate) bool { return other.Name() == c.Name() }) {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

func (s Space) base() Candidate {
	return Candidate{Base: true, Order: orderOf(s.Base), Dividers: Of(s.Base)}
}

// configuration is the candidate as a checked configuration, and as the file that asks for it.
func (s Space) configuration(c Candidate) (*config.NIC, []byte, error) {
	if c.Base {
		return s.Base, s.Base.Canonical(), nil
	}
	return s.Base.Vary(config.Variant{Serial: c.Order == Serial, Hop: c.Dividers.Hop, Quotient: c.Dividers.Quotient,
		MaxError: c.MaxError})
}
