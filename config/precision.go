package config

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/fixed"
)

// checkRanges checks what the formats take for granted of the ranges.
func (d *decoder) checkRanges(c *NIC) {
	c.RTTBits = bits.Len64(c.MaxRTTTicks)
	if d.sound("base_rtt.max", "telemetry.timestamp_bits", "telemetry.tick") && c.RTTBits > c.Telemetry.TSBits-1 {
		longest := new(big.Rat).SetInt(fixed.UQ(c.Telemetry.TSBits-1, 0).MaxRaw())
		longest.Mul(longest, ratUint(c.Telemetry.TickNs))
		text := quantityString(longest, durationUnits)
		d.refuse("base_rtt.max", Problem{
			What: fmt.Sprintf("base_rtt.max is %d ticks%s, with timestamp_bits %d", c.MaxRTTTicks, d.byDefault("base_rtt.max"),
				c.Telemetry.TSBits),
			Legal:   "up to " + text,
			Reason:  "T must be below half the range of the timestamps, or newer telemetry cannot be told from older",
			Nearest: text},
			"telemetry.timestamp_bits", "telemetry.tick")
	}
}

// rangePaths are the keys that the ranges of all formats follow from.
var rangePaths = []string{
	"telemetry.timestamp_bits", "telemetry.tick", "telemetry.tx_bits", "telemetry.tx_unit", "telemetry.qlen_bits",
	"telemetry.qlen_unit",
	"queue", "rates", "base_rtt.min", "base_rtt.max", "window.min", "window.max", "utilisation.min", "utilisation.max",
}

// precision takes the formats from the file, or derives them, and states the budget.
func (d *decoder) precision(c *NIC) {
	_, given := d.places["precision.formats"]
	_, target := d.places["precision.max_error"]
	switch {
	case given && target:
		d.refuse("precision.max_error", Problem{What: "precision has both max_error and formats", Legal: "one of the two",
			Reason: "max_error chooses the formats", Nearest: "leave out max_error"})
	case given:
		d.givenFormats(c)
	default:
		d.derivedFormats(c, target)
	}
	if d.sound(rangePaths...) && d.sound("precision", "dividers.hop", "dividers.quotient") && len(d.problems) == 0 {
		c.Budget = c.budget()
	}
}

func (d *decoder) number(path string) float64 {
	if v := d.values[path].number; v != nil {
		f, _ := v.Float64()
		return f
	}
	return 0
}

func (d *decoder) givenFormats(c *NIC) {
	const path = "precision.formats"
	if !d.sound(path) {
		return
	}
	var missing []string
	for _, g := range c.Formats.given() {
		full := join(path, g.key)
		if _, ok := d.values[full]; !ok && d.sound(full) {
			missing = append(missing, g.key)
			d.spoil(full)
		}
	}
	if missing != nil {
		d.refuse(path, Problem{What: path + " lacks " + strings.Join(missing, ", "), Legal: "all of " +
			strings.Join(names(d.lookupPath(path).keys), ", "),
			Reason: "formats are given all or none; without them, max_error chooses"})
	}
	c.Formats.Eta = fixed.UQ(1, c.Formats.U.Frac)
	if d.sound(rangePaths...) {
		for _, n := range c.needs() {
			if full := join(path, n.key); d.has(full) {
				d.checkNeed(full, n)
			}
		}
	}
	d.checkRelations(c)
	if d.has(path + ".u") {
		c.QuotientDivider = c.QuotientDivider.forDivisor(c.Formats.U.Width())
		d.checkReciprocal("dividers.quotient", c.QuotientDivider, c.Formats.U.Width())
	}
	if d.sound(path) && d.has(d.formatPaths()...) {
		d.checkProducts(c, path)
	}
}

// checkNeed refuses a format that does not hold its range.
func (d *decoder) checkNeed(path string, n need) {
	f := n.format
	if _, ok := f.Raw(n.high); !ok {
		better := holding(n.high, f.Frac)
		d.refuse(path, Problem{What: fmt.Sprintf("%s is %s, which holds values below %s", path, f, approx(pow2(f.Int))),
			Legal: atLeast(better.Int, "integer bit"), Reason: fmt.Sprintf("%s reaches %s (%s)", n.name, approx(n.high),
				n.where), Nearest: better.String()})
		return
	}
	if n.low == nil {
		return
	}
	if raw, _ := f.Raw(n.low); raw.Sign() == 0 {
		better := f
		for ; raw.Sign() == 0; raw, _ = better.Raw(n.low) {
			better.Frac++
		}
		d.refuse(path, Problem{What: fmt.Sprintf("%s is %s, with an ulp of %s", path, f, approx(f.Ulp())),
			Legal: atLeast(better.Frac, "fraction bit"), Reason: fmt.Sprintf("%s is as small as %s (%s) and would round to 0",
				n.name, approx(n.low), n.lowWhere), Nearest: better.String()})
	}
}

func atLeast(n int, what string) string { return count(n, what) + " or more" }

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// checkRelations refuses formats whose binary points the engine cannot line up.
func (d *decoder) checkRelations(c *NIC) {
	const path = "precision.formats."
	f := c.Formats
	relation := func(key, other string, ok bool, legal, why, nearest string) {
		if !d.has(path+key, path+other) || ok {
			return
		}
		d.refuse(path+key, Problem{
			What: fmt.Sprintf("%s%s is %s, with %s %s", path, key, d.values[path+key].format, other,
				d.values[path+other].format),
			Legal: legal, Reason: why, Nearest: nearest})
	}
	relation("u", "inv_b", f.U.Frac >= f.InvB.Frac, atLeast(f.InvB.Frac, "fraction bit"),
		"the hop divider shifts left from 1/B to U", fixed.UQ(f.U.Int, f.InvB.Frac).String())
	relation("inv_bt", "u", f.InvBT.Frac >= f.U.Frac, atLeast(f.U.Frac, "fraction bit"),
		"the queue term is rounded from 1/(B T) to U", fixed.UQ(f.InvBT.Int, f.U.Frac).String())
	relation("alpha", "inv_t", f.Alpha.Frac <= f.InvT.Frac, fmt.Sprintf("up to %d fraction bits", f.InvT.Frac),
		"alpha is rounded from tau/T", fixed.UQ(1, f.InvT.Frac).String())
	relation("rate", "inv_t", f.Rate.Frac <= f.Window.Frac+f.InvT.Frac || !d.has(path+"window"),
		fmt.Sprintf("up to %d fraction bits", f.Window.Frac+f.InvT.Frac),
		"R is rounded from W/T", fixed.UQ(f.Rate.Int, f.Window.Frac+f.InvT.Frac).String())
	if d.has(path+"alpha") && f.Alpha.Int != 1 {
		d.refuse(path+"alpha", Problem{What: fmt.Sprintf("%salpha is %s", path, f.Alpha), Legal: "one integer bit",
			Reason: "alpha is at most 1, and reaches it", Nearest: fixed.UQ(1, f.Alpha.Frac).String()})
	}
	for _, least := range []struct {
		key    string
		format fixed.Format
		frac   int
		why    string
	}{
		{"u", f.U, 4, "coarser, eta is no different from 1"},
		{"alpha", f.Alpha, 2, "coarser, U either stays or jumps"},
		{"quotient", f.Quot, 4, "coarser, a window never changes by little"},
	} {
		if d.has(path+least.key) && least.format.Frac < least.frac {
			d.refuse(path+least.key, Problem{What: fmt.Sprintf("%s%s is %s", path, least.key, least.format),
				Legal:  atLeast(least.frac, "fraction bit"),
				Reason: least.why, Nearest: fixed.UQ(least.format.Int, least.frac).String()})
		}
	}
	if d.has(path+"alpha") && f.Alpha.Width() == maxWidth {
		d.refuse(path+"alpha", Problem{What: fmt.Sprintf("%salpha is %s: 64 bits", path, f.Alpha), Legal: "up to 63 bits",
			Reason: "alpha (u - U) is signed", Nearest: fixed.UQ(1, f.Alpha.Frac-1).String()})
	}
	if d.has(path+"inv_b") && f.InvB.Width() == maxWidth {
		d.refuse(path+"inv_b", Problem{What: fmt.Sprintf("%sinv_b is %s: 64 bits", path, f.InvB), Legal: "up to 63 bits",
			Reason:  "its table entry holds the valid bit as well, and an entry has at most 64 bits",
			Nearest: fixed.UQ(f.InvB.Int, f.InvB.Frac-1).String()})
	}
}

func (d *decoder) formatPaths() []string {
	var list []string
	for _, k := range d.lookupPath("precision.formats").keys {
		list = append(list, "precision.formats."+k.name)
	}
	return list
}

// has says whether keys hold usable values.
func (d *decoder) has(paths ...string) bool {
	for _, p := range paths {
		if _, ok := d.values[p]; !ok || !d.sound(p) {
			return false
		}
	}
	return true
}

// maxProduct is the widest exact intermediate value: the golden model computes in two 64-bit words.
const maxProduct = 128

// checkProducts refuses formats whose exact intermediate values are too wide.
func (d *decoder) checkProducts(c *NIC, path string) {
	f, t := c.Formats, c.Telemetry
	if f.U.Frac < f.InvB.Frac || !d.sound("telemetry.tx_bits", "telemetry.qlen_bits", "dividers.hop.kind",
		"dividers.quotient.kind") {
		return
	}
	hop := t.TxBits + f.InvB.Width() + f.U.Frac - f.InvB.Frac + c.HopDivider.ReciprocalBits() + 2
	quotient := f.Eta.Width() + f.Quot.Frac + c.QuotientDivider.ReciprocalBits() + 2
	for _, p := range []struct {
		name  string
		width int
		keys  string
	}{
		{"the dividend of a hop", hop, "telemetry.tx_bits, inv_b, u, dividers.hop"},
		{"the dividend of eta/U", quotient, "u, quotient, dividers.quotient"},
		{"qlen/(B T)", t.QlenBits + f.InvBT.Width(), "telemetry.qlen_bits, inv_bt"},
		{"alpha (u - U)", f.Alpha.Width() + f.U.Width() + 1, "alpha, u"},
		{"Wc eta/U", f.Window.Width() + f.Quot.Width() + 1, "window, quotient"},
	} {
		if p.width > maxProduct {
			d.refuse(path, Problem{What: fmt.Sprintf("%s takes %d bits", p.name, p.width),
				Legal:   fmt.Sprintf("up to %d bits", maxProduct),
				Reason:  "exact intermediate values are held in two words of 64 bits; they follow from " + p.keys,
				Nearest: count(p.width-maxProduct, "bit") + " fewer among these"})
		}
	}
}

// derivedFormats chooses formats for the error wanted.
func (d *decoder) derivedFormats(c *NIC, given bool) {
	const path = "precision.max_error"
	if !d.sound(rangePaths...) || !d.sound(path, "precision", "dividers.hop", "dividers.quotient") ||
		!d.sound("dividers.hop.kind", "dividers.quotient.kind") || len(d.problems) > 0 {
		return
	}
	target := 1e-4
	if given {
		target = d.number(path)
	}
	formats, best, ok := c.derive(target)
	if !ok {
		nearest := roundedUp(best)
		reason := "no formats of up to 64 bits come closer"
		if worst := c.largestDividerError(); worst > target {
			reason = fmt.Sprintf("the dividers alone are off by %.2g", worst)
		}
		p := Problem{What: fmt.Sprintf("precision.max_error is %s%s", shortNumber(exactly(target)), d.byDefault(path)),
			Legal: nearest + " or more", Reason: reason, Nearest: nearest}
		if best > 0.1 {
			p.Legal, p.Nearest = "", ""
			p.Reason = "no formats reach 0.1 for these ranges and dividers"
		}
		d.refuse(path, p, "dividers.hop.kind", "dividers.quotient.kind")
		return
	}
	c.Formats = formats
	c.QuotientDivider = c.QuotientDivider.forDivisor(formats.U.Width())
	d.checkReciprocal("dividers.quotient", c.QuotientDivider, formats.U.Width())
	d.checkProducts(c, path)
	for _, g := range formats.given() {
		if g.format.Width() > maxWidth || g.key == "inv_b" && g.format.Width() == maxWidth {
			d.refuse(path, Problem{What: fmt.Sprintf("precision.max_error takes %s of %d bits", g.key, g.format.Width()),
				Legal: formatLegal, Reason: whyFormat})
		}
	}
}

func (c *NIC) largestDividerError() float64 {
	return max(c.HopDivider.RelBound(), c.QuotientDivider.forDivisor(maxWidth).RelBound())
}

// roundedUp writes v with two digits, not below v.
func roundedUp(v float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	text := fmt.Sprintf("%.1e", math.Ceil(v/unit)*unit)
	return strings.Replace(strings.Replace(text, ".0e", "e", 1), "e-0", "e-", 1)
}
