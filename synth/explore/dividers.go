package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// Dividers are the two of an engine. Parameters that are 0 have the defaults of their kind.
type Dividers struct{ Hop, Quotient config.Divider }

// Of gives the dividers of a configuration.
func Of(c *config.NIC) Dividers { return Dividers{c.HopDivider, c.QuotientDivider} }

var kinds = []config.DividerKind{config.RestoringSerial, config.RestoringPipelined, config.ReciprocalTable,
	config.NewtonRaphson}

// parameter is one of a kind of divider, by its key.
type parameter struct {
	key  string
	kind config.DividerKind
	set  func(d *config.Divider, v float64) bool // false: not a value of the parameter
	get  func(d config.Divider) float64
}

var parameters = []parameter{
	{"eps", config.ReciprocalTable, func(d *config.Divider, v float64) bool { d.Eps = v; return true },
		func(d config.Divider) float64 { return d.Eps }},
	bits("index_bits", config.ReciprocalTable, func(d *config.Divider) *int { return &d.IndexBits }),
	bits("entry_bits", config.ReciprocalTable, func(d *config.Divider) *int { return &d.EntryBits }),
	bits("table_bits", config.NewtonRaphson, func(d *config.Divider) *int { return &d.TableBits }),
	bits("seed_bits", config.NewtonRaphson, func(d *config.Divider) *int { return &d.SeedBits }),
	bits("iterations", config.NewtonRaphson, func(d *config.Divider) *int { return &d.Iterations }),
	bits("recip_bits", config.NewtonRaphson, func(d *config.Divider) *int { return &d.RecipBits }),
}

func bits(key string, kind config.DividerKind, field func(*config.Divider) *int) parameter {
	return parameter{key, kind,
		func(d *config.Divider, v float64) bool {
			*field(d) = int(v)
			return v == float64(int(v))
		},
		func(d config.Divider) float64 { return float64(*field(&d)) },
	}
}

// ParseDividers reads the dividers of a point: a kind for both, "reciprocal_table", or one for the hops and one for the
// quotient, "restoring_pipelined+restoring_serial". Parameters follow their kind: "reciprocal_table:eps=0.001". "base"
// stands for those of the base.
func ParseDividers(text string, base *config.NIC) (Dividers, error) {
	if text == wordBase {
		return Of(base), nil
	}
	first, second, two := strings.Cut(text, "+")
	hop, err := parseDivider(first)
	if err != nil || !two {
		return Dividers{hop, hop}, err
	}
	quotient, err := parseDivider(second)
	return Dividers{hop, quotient}, err
}

func parseDivider(text string) (config.Divider, error) {
	fail := func(format string, args ...any) (config.Divider, error) {
		return config.Divider{}, fmt.Errorf("divider %q: %s", text, fmt.Sprintf(format, args...))
	}
	kind, rest, more := strings.Cut(text, ":")
	d := config.Divider{Kind: config.DividerKind(kind)}
	if !slices.Contains(kinds, d.Kind) {
		return fail("no such kind; legal: %s, two of them with a + between (hop, quotient), or %s", join(kinds, ", "),
			wordBase)
	}
	if !more {
		return d, nil
	}
	for field := range strings.SplitSeq(rest, ":") {
		key, value, _ := strings.Cut(field, "=")
		p := parameterOf(d.Kind, key)
		if p == nil {
			return fail("%q is no parameter of this kind; legal: %s", key, keysOf(d.Kind))
		}
		// 0 would be taken for a parameter that is not given.
		if v, err := strconv.ParseFloat(value, 64); err != nil || !(v > 0) || !p.set(&d, v) {
			return fail("%s is %q; legal: a number above 0, see docs/configuration.md", key, value)
		}
	}
	return d, nil
}

// String is the form that ParseDividers reads.
func (d Dividers) String() string {
	if d.Hop == d.Quotient {
		return dividerString(d.Hop)
	}
	return dividerString(d.Hop) + "+" + dividerString(d.Quotient)
}

func dividerString(d config.Divider) string {
	text := string(d.Kind)
	for _, p := range parameters {
		if v := p.get(d); p.kind == d.Kind && v != 0 {
			text += ":" + p.key + "=" + strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return text
}

func parameterOf(kind config.DividerKind, key string) *parameter {
	for i, p := range parameters {
		if p.kind == kind && p.key == key {
			return &parameters[i]
		}
	}
	return nil
}

func keysOf(kind config.DividerKind) string {
	var keys []string
	for _, p := range parameters {
		if p.kind == kind {
			keys = append(keys, p.key)
		}
	}
	if keys == nil {
		return "none"
	}
	return strings.Join(keys, ", ")
}

func join[T ~string](words []T, between string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(string(w))
	}
	return b.String()
}
