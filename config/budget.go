package config

import (
	"fmt"
	"math"
	"math/big"

	"github.com/hdlpkg/hpccgen/fixed"
)

// Budget is the proof that a configuration's formats are wide enough, and the bounds of one step's error.
type Budget struct {
	Claim          // over all that the configuration asks for
	Normal Claim   // over the part of it that ordinary traffic stays in
	Widths []Width // of every value, with the range that it reaches
}

// Row is one line of a budget.
type Row struct{ Term, Bound, From string }

// boundString writes a bound as a number and as a power of two.
func boundString(b float64) string {
	if b == 0 {
		return "0"
	}
	if b >= noBound {
		return "no bound"
	}
	// Three places, rounded up: what is printed is a bound as well.
	exp := math.Floor(math.Log10(b)) - 2
	text := fmt.Sprintf("%.2e", math.Ceil(b/math.Pow(10, exp))*math.Pow(10, exp))
	return fmt.Sprintf("%s (2^%.1f)", text, math.Ceil(math.Log2(b)*10)/10)
}

// Width shows that a value fits.
type Width struct {
	Name   string
	Format fixed.Format // integer and fraction bits that it has
	High   string       // the largest value that it reaches; or that it saturates
	Needed int          // integer bits that this takes; at most Format.Int
}

// Rows gives the budget for printing: the domain, the bound of each result, what it is made of, the widths.
func (b Budget) Rows() []Row {
	var rows []Row
	for _, c := range []struct {
		name string
		Claim
	}{{"whole range", b.Claim}, {"normal range", b.Normal}} {
		rows = append(rows,
			Row{c.name, "", c.Domain.text() + "; no near tie"},
			Row{"u' of a hop, absolute", boundString(c.HopAbs), "InvB, InvBT, divider, two roundings"},
			Row{"alpha, absolute", boundString(c.AlphaAbs), "1/T, rounding"},
			Row{"U, absolute", boundString(c.UAbs), "u', alpha, two roundings"},
			Row{"U, relative", boundString(c.URel), "terms named U"},
			Row{"eta/U, relative", boundString(c.QuotRel), c.quotientFrom()},
			Row{"W, relative", boundString(c.WindowRel), "eta/U, and terms named W"},
			Row{"R, relative", boundString(c.RateRel), "W, and terms named R"},
		)
		rows = append(rows, c.Terms...)
	}
	for _, w := range b.Widths {
		rows = append(rows, Row{"width of " + w.Name, w.Format.String(),
			fmt.Sprintf("reaches %s: %s needed", w.High, count(w.Needed, "integer bit"))})
	}
	return rows
}

// quotientFrom says what the bound of eta/U is made of, or why there is none: nor is there one of W and R then.
func (c Claim) quotientFrom() string {
	if c.QuotRel < noBound {
		return "U, and terms named quotient"
	}
	return fmt.Sprintf(
		"U near %g may be off by more than half of itself, so eta/U by any factor; a larger utilisation.min, "+
			"or more fraction bits in the format whose term is the largest, gives a bound", c.Domain.UMin)
}

// budget states the claims for the configuration's formats.
func (c *NIC) budget() Budget {
	k := c.constants()
	claim := func(d Domain) Claim {
		claim, parts := k.claim(c.Formats, d)
		claim.Terms = parts.rows(c.Formats)
		return claim
	}
	return Budget{Claim: claim(c.whole()), Normal: claim(c.normal()), Widths: c.widths()}
}

// widths lists every format and every exact product, with the range that it reaches.
func (c *NIC) widths() []Width {
	f, t := c.Formats, c.Telemetry
	var list []Width
	for _, n := range c.needs() {
		list = append(list, Width{n.name, n.format, approx(n.high) + " (" + n.where + ")", intBits(n.high)})
	}
	product := func(name string, frac int, factors ...*big.Int) {
		v := big.NewInt(1)
		for _, x := range factors {
			v.Mul(v, x)
		}
		width := v.BitLen()
		list = append(list, Width{name, fixed.UQ(width-frac, frac), "its factors' largest, exactly", width - frac})
	}
	all := func(bits int) *big.Int { return fixed.UQ(bits, 0).MaxRaw() }
	oneAlpha := new(big.Int).Lsh(big.NewInt(1), uint(f.Alpha.Frac))
	product("busy = dtx InvB", f.InvB.Frac, all(t.TxBits), f.InvB.MaxRaw())
	product("qmin InvBT", f.InvBT.Frac, all(t.QlenBits), f.InvBT.MaxRaw())
	product("tau InvT", f.InvT.Frac, all(c.RTTBits), f.InvT.MaxRaw())
	product("alpha |u - U|", f.Alpha.Frac+f.U.Frac, oneAlpha, f.U.MaxRaw())
	product("Wc q", f.Window.Frac+f.Quot.Frac, f.Window.MaxRaw(), f.Quot.MaxRaw())
	product("W InvT", f.Window.Frac+f.InvT.Frac, f.Window.MaxRaw(), f.InvT.MaxRaw())
	return list
}
