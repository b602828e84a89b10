package config

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/fixed"
)

// A step in two arithmetics: docs/numeric.md in integers, and the draft's equations in rationals. This is a check of
// the bounds by trying; the golden model has a step of its own.

type hopInput struct{ dts, dtx, qmin, bps int64 }

type stepInput struct {
	rtt  int64 // ticks
	hops []hopInput
	u    *big.Rat // state before, exact
	wc   *big.Rat
	eta  *big.Rat
	wai  *big.Rat
	fast bool // no multiplicative step below eta
}

type stepResult struct {
	hop        []*big.Rat
	alpha, u   *big.Rat
	quot, w, r *big.Rat
	mi         bool
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// exact is the draft's procedure.
func exact(c *NIC, in stepInput) stepResult {
	var res stepResult
	u, tau := new(big.Rat), int64(0)
	for i, h := range in.hops {
		unit := new(big.Rat).Quo(rat(int64(c.Telemetry.TxUnitBytes)*8e9), rat(h.bps*int64(c.Telemetry.TickNs)))
		u2 := unit.Mul(unit, big.NewRat(h.dtx, h.dts))
		queue := new(big.Rat).Quo(rat(int64(c.Telemetry.QlenUnitBytes)*8e9), rat(h.bps*int64(c.Telemetry.TickNs)))
		u1 := queue.Mul(queue, big.NewRat(h.qmin, in.rtt))
		v := new(big.Rat).Add(u1, u2)
		res.hop = append(res.hop, v)
		if i == 0 || v.Cmp(u) > 0 {
			u, tau = v, h.dts
		}
	}
	res.alpha = big.NewRat(min(tau, in.rtt), in.rtt)
	res.u = new(big.Rat).Sub(u, in.u)
	res.u.Mul(res.u, res.alpha).Add(res.u, in.u)
	if res.u.Sign() == 0 {
		return res // below every domain
	}
	res.quot = new(big.Rat).Quo(in.eta, res.u)
	res.mi = res.u.Cmp(in.eta) >= 0 || !in.fast
	res.w = new(big.Rat).Set(in.wc)
	if res.mi {
		res.w.Mul(res.w, res.quot)
	}
	res.w.Add(res.w, in.wai)
	res.w = clampRat(res.w, rat(int64(c.MinWindow)), rat(int64(c.MaxWindow)))
	res.r = new(big.Rat).Quo(res.w, rat(in.rtt))
	return res
}

func clampRat(v, low, high *big.Rat) *big.Rat {
	if v.Cmp(low) < 0 {
		return low
	}
	if v.Cmp(high) > 0 {
		return high
	}
	return v
}

// rhu is x / 2^n rounded half up; n may be negative.
func rhu(x *big.Int, n int) *big.Int {
	return roundDiv(x, new(big.Int).Lsh(big.NewInt(1), uint(max(n, 0))), max(-n, 0))
}

func roundDiv(num, den *big.Int, shift int) *big.Int {
	v := new(big.Int).Lsh(num, uint(shift+1))
	v.Add(v, den)
	return v.Div(v, new(big.Int).Lsh(den, 1))
}

// divide is a divider of docs/numeric.md, not saturated.
func divide(d Divider, num, den *big.Int, width, shift int) *big.Int {
	if d.Kind != ReciprocalTable && d.Kind != NewtonRaphson {
		return roundDiv(num, den, shift)
	}
	x, e := reciprocal(d, den.Uint64(), width)
	product := new(big.Int).Mul(num, new(big.Int).SetUint64(x))
	return rhu(product, d.ReciprocalBits()+e-shift)
}

func entry(f fixed.Format, v *big.Rat) *big.Int { raw, _ := f.Raw(v); return raw }

func saturated(v *big.Int, f fixed.Format) *big.Int {
	if most := f.MaxRaw(); v.Cmp(most) > 0 {
		return most
	}
	return v
}

// fixedStep is docs/numeric.md. Of what is tried only errors at the ends of the ranges saturate, which makes them
// smaller.
func fixedStep(c *NIC, in stepInput) stepResult {
	f := c.Formats
	var res stepResult
	u, tau := new(big.Int), int64(0)
	for i, h := range in.hops {
		unit := new(big.Rat).Quo(rat(int64(c.Telemetry.TxUnitBytes)*8e9), rat(h.bps*int64(c.Telemetry.TickNs)))
		busy := new(big.Int).Mul(big.NewInt(h.dtx), entry(f.InvB, unit))
		u2 := divide(c.HopDivider, busy, big.NewInt(h.dts), c.Telemetry.TSBits-1, f.U.Frac-f.InvB.Frac)
		queue := new(big.Rat).Quo(rat(int64(c.Telemetry.QlenUnitBytes)*8e9), rat(h.bps*int64(c.Telemetry.TickNs)))
		queue.Quo(queue, rat(in.rtt))
		u1 := rhu(new(big.Int).Mul(big.NewInt(h.qmin), entry(f.InvBT, queue)), f.InvBT.Frac-f.U.Frac)
		v := saturated(u1.Add(u1, u2), f.U)
		res.hop = append(res.hop, f.U.Value(v))
		if i == 0 || v.Cmp(u) > 0 {
			u, tau = v, h.dts
		}
	}
	one := new(big.Int).Lsh(big.NewInt(1), uint(f.Alpha.Frac))
	invT := entry(f.InvT, big.NewRat(1, in.rtt))
	alpha := new(big.Int).Set(one)
	if tau < in.rtt {
		if alpha = rhu(new(big.Int).Mul(big.NewInt(tau), invT), f.InvT.Frac-f.Alpha.Frac); alpha.Cmp(one) > 0 {
			alpha = one
		}
	}
	before := entry(f.U, in.u)
	difference := new(big.Int).Sub(u, before)
	after := new(big.Int).Add(before, rhu(difference.Mul(difference, alpha), f.Alpha.Frac))
	eta := entry(f.Eta, in.eta)
	quot := saturated(divide(c.QuotientDivider, eta, after, f.U.Width(), f.Quot.Frac), f.Quot)
	res.mi = after.Cmp(eta) >= 0 || !in.fast
	w := entry(f.Window, in.wc)
	if res.mi {
		w = rhu(new(big.Int).Mul(w, quot), f.Quot.Frac)
	}
	w.Add(w, entry(f.Window, in.wai))
	for _, limit := range []struct {
		bytes uint64
		sign  int
	}{{c.MinWindow, -1}, {c.MaxWindow, 1}} {
		if l := entry(f.Window, ratUint(limit.bytes)); w.Cmp(l) == limit.sign {
			w = l
		}
	}
	res.alpha, res.u, res.quot, res.w = f.Alpha.Value(alpha), f.U.Value(after), f.Quot.Value(quot), f.Window.Value(w)
	res.r = f.Rate.Value(rhu(new(big.Int).Mul(w, invT), f.Window.Frac+f.InvT.Frac-f.Rate.Frac))
	return res
}

// logUniform draws between low and high, as many small as large.
func logUniform(r *rand.Rand, low, high float64) float64 {
	return low * math.Exp(r.Float64()*math.Log(high/low))
}

// sample draws a step of the domain; corners on purpose as often as not. ok is false when it is not in the domain.
func sample(r *rand.Rand, c *NIC, d Domain) (in stepInput, ok bool) {
	corner := func(low, high float64) float64 {
		switch r.IntN(6) {
		case 0:
			return low
		case 1:
			return high
		}
		return logUniform(r, low, high)
	}
	in.rtt = int64(corner(float64(c.MinRTTTicks), float64(c.MaxRTTTicks)))
	in.u = exactly(corner(d.UMin, d.UMax))
	in.wc = exactly(corner(float64(c.MinWindow), float64(c.MaxWindow)))
	in.eta = exactly(corner(d.EtaMin, 1))
	in.wai = exactly(corner(0.1, 1000))
	in.fast = r.IntN(2) == 0
	for range 1 + r.IntN(3) {
		var h hopInput
		h.bps = int64(c.RatesBps[r.IntN(len(c.RatesBps))])
		if r.IntN(2) == 0 {
			h.bps = int64(c.RatesBps[len(c.RatesBps)-1])
		}
		half := float64(uint64(1)<<(c.Telemetry.TSBits-1)) - 1
		switch r.IntN(3) {
		case 0:
			h.dts = int64(logUniform(r, 1, half))
		case 1:
			h.dts = max(1, in.rtt-int64(logUniform(r, 1, float64(in.rtt))))
		case 2:
			h.dts = int64(logUniform(r, 1, float64(in.rtt)))
		}
		unit := float64(c.Telemetry.TxUnitBytes) * 8e9 / float64(h.bps)
		h.dtx = int64(corner(1e-3, d.LinkMax) * float64(h.dts) / unit)
		h.qmin = int64(logUniform(r, 1, d.UMax*float64(in.rtt)*float64(h.bps)/8e9/float64(c.Telemetry.QlenUnitBytes)))
		if r.IntN(3) == 0 {
			h.qmin = 0
		}
		if r.IntN(8) == 0 { // all but idle
			h.dtx, h.qmin = r.Int64N(2), 0
		}
		if h.dtx >= 1<<c.Telemetry.TxBits || h.qmin >= 1<<c.Telemetry.QlenBits {
			return in, false
		}
		in.hops = append(in.hops, h)
	}
	return in, true
}

func float(v *big.Rat) float64 { f, _ := v.Float64(); return f }

// difference and ratio are the absolute and the relative error.
func difference(got, want *big.Rat) float64 {
	d := new(big.Rat).Sub(got, want)
	return math.Abs(float(d))
}

func ratio(got, want *big.Rat) float64 { return difference(got, want) / float(want) }

// worst tries steps and gives the largest error of each result as a part of its bound, and how many were tried.
func worst(seed uint64, c *NIC, claim Claim, steps int) (map[string]float64, int) {
	r := rand.New(rand.NewPCG(seed, 1))
	part := map[string]float64{}
	note := func(name string, e, bound float64) { part[name] = max(part[name], e/bound) }
	d := claim.Domain
	tried := 0
	for range steps {
		in, ok := sample(r, c, d)
		if !ok {
			continue
		}
		want := exact(c, in)
		if !inDomain(c, claim, in, want) {
			continue
		}
		got := fixedStep(c, in)
		tried++
		for i := range got.hop {
			note("u'", difference(got.hop[i], want.hop[i]), claim.HopAbs)
		}
		note("alpha", difference(got.alpha, want.alpha), claim.AlphaAbs)
		note("U", difference(got.u, want.u), claim.UAbs)
		note("U relative", ratio(got.u, want.u), claim.URel)
		note("eta/U", ratio(got.quot, want.quot), claim.QuotRel)
		note("W", ratio(got.w, want.w), claim.WindowRel)
		note("R", ratio(got.r, want.r), claim.RateRel)
	}
	return part, tried
}

func inDomain(c *NIC, claim Claim, in stepInput, want stepResult) bool {
	d := claim.Domain
	low, high := exactly(d.UMin), exactly(d.UMax)
	for i, u := range want.hop {
		if u.Cmp(high) > 0 {
			return false
		}
		for j := range i {
			if difference(u, want.hop[j]) <= 2*claim.HopAbs {
				return false
			}
		}
		link := float64(in.hops[i].dtx) * float64(c.Telemetry.TxUnitBytes) * 8e9 / float64(in.hops[i].bps) / float64(
			in.hops[i].dts)
		if link > d.LinkMax {
			return false
		}
	}
	rateMax := float64(c.RatesBps[len(c.RatesBps)-1]) / 8e9
	return want.u.Cmp(low) >= 0 && want.u.Cmp(high) <= 0 &&
		difference(want.u, in.eta) > claim.UAbs && float(want.r) <= rateMax && float(want.r) >= d.RateMinBps/8e9
}

func budgetConfigs(t *testing.T) map[string]*NIC {
	list := map[string]*NIC{}
	for _, p := range PresetsOf(KindNIC) {
		list[p.Name] = load(t, p.Name)
	}
	for _, target := range []string{"1e-2", "1e-3", "1e-5"} {
		for _, kind := range []DividerKind{RestoringSerial, NewtonRaphson, ReciprocalTable} {
			if kind == ReciprocalTable && target != "1e-2" {
				continue
			}
			text := fmt.Sprintf(
				"design: nic\nprecision: {max_error: %s}\ndividers: {hop: {kind: %s}, quotient: {kind: %s}}\n", target, kind, kind)
			c, err := Parse("f.yaml", []byte(text))
			require.NoError(t, err)
			list[target+" "+string(kind)] = c
		}
	}
	// Each of the formats once so coarse that its error is by far the largest: no other's hides that it is counted.
	text, found := presetData("nic-line")
	require.True(t, found)
	for _, format := range []struct{ key, from, to string }{
		{"inv_b", "UQ7.20", "UQ7.6"}, {"inv_bt", "UQ-2.36", "UQ-2.24"}, {"inv_t", "UQ-9.45", "UQ-9.34"},
		{"alpha", "UQ1.34", "UQ1.8"}, {"quotient", "UQ8.27", "UQ8.10"}, {"window", "UQ24.12", "UQ24.1"},
		{"rate", "UQ8.24", "UQ8.10"},
	} {
		was := " " + format.key + ": " + format.from
		require.Contains(t, string(text), was)
		c, err := Parse("f.yaml", bytes.Replace(text, []byte(was), []byte(" "+format.key+": "+format.to), 1))
		require.NoError(t, err)
		list["coarse "+format.key] = c
	}
	return list
}

func TestNoStepExceedsItsBound(t *testing.T) {
	for name, c := range budgetConfigs(t) {
		for domain, claim := range map[string]Claim{"whole": c.Budget.Claim, "normal": c.Budget.Normal} {
			part, tried := worst(1, c, claim, 3000)
			require.Greater(t, tried, 100, name)
			for what, p := range part {
				assert.LessOrEqual(t, p, 1.0, "%s, %s range: %s", name, domain, what)
			}
			t.Logf("%s, %s range, %d steps: worst errors as parts of their bounds: %s", name, domain, tried, partsText(part))
		}
	}
}

// Any format with six fraction bits fewer breaks a bound: the trial above can fail, and no format is there in vain.
func TestCoarserFormatsExceedTheBound(t *testing.T) {
	c, err := Parse("f.yaml", []byte("design: nic\nprecision: {max_error: 1e-3}\n"))
	require.NoError(t, err)
	for i, g := range c.Formats.given() {
		coarse := *c
		g.format = coarse.Formats.given()[i].format
		g.format.Frac -= 6
		if g.key == "u" {
			coarse.Formats.InvB.Frac = min(coarse.Formats.InvB.Frac, coarse.Formats.U.Frac)
			coarse.Formats.Eta.Frac = coarse.Formats.U.Frac
		}
		part, _ := worst(2, &coarse, c.Budget.Claim, 3000)
		most := 0.0
		for _, p := range part {
			most = max(most, p)
		}
		assert.Greater(t, most, 1.0, g.key)
	}
}

// The targets of the default preset.
func TestBudgetOfNicLine(t *testing.T) {
	b := load(t, "nic-line").Budget
	assert.Less(t, b.Normal.UAbs, math.Ldexp(1, -16))
	assert.Less(t, b.Normal.RateRel, math.Ldexp(1, -14))
	assert.Less(t, b.WindowRel, 2e-4)
	assert.Equal(t, Domain{UMin: 1.0 / 16, UMax: 32, LinkMax: 4, EtaMin: 0.5, RateMinBps: 10e6}, b.Normal.Domain)
	assert.Equal(t, 1023.0, b.Domain.UMax)
	assert.Equal(t, 0.004, b.Domain.UMin)
	assert.InDelta(t, 2.56e6, b.Domain.RateMinBps, 1)
}

func TestDerivedFormatsMeetTheErrorAndNoneCanLoseABit(t *testing.T) {
	for _, target := range []float64{0.05, 1e-2, 1e-3, 3e-4, 1e-4, 1e-6, 1e-8} {
		c, err := Parse("f.yaml", fmt.Appendf(nil, "design: nic\nprecision: {max_error: %g}\n", target))
		require.NoError(t, err, target)
		assert.LessOrEqual(t, c.Budget.WindowRel, target)
		assert.LessOrEqual(t, c.Budget.RateRel, target)
		for i, g := range c.Formats.given() {
			f := c.Formats
			f.given()[i].format.Frac--
			f.Eta.Frac = f.U.Frac
			if f.U.Frac < f.InvB.Frac || f.InvBT.Frac < f.U.Frac || f.InvT.Frac < f.Alpha.Frac {
				continue
			}
			claim, _ := c.constants().claim(f, c.whole())
			assert.Greater(t, max(claim.WindowRel, claim.RateRel), target, "%g: %s of %s has a bit too many", target,
				g.key, c.Formats)
		}
	}
}

func TestRows(t *testing.T) {
	rows := load(t, "nic-line").Budget.Rows()
	var text strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&text, "%s | %s | %s\n", r.Term, r.Bound, r.From)
	}
	for _, line := range []string{
		"normal range |  | U from 0.0625 to 32, u' up to 32, a link's tx up to 4 times its rate, eta from 0.5 to 1, R from 10Mbit/s; no near tie\n",
		"width of 1/B | UQ7.20 | reaches 102.4 (ticks that a unit of tx takes at 10G): 7 integer bits needed\n",
		"width of Wc q | UQ32.39 | reaches its factors' largest, exactly: 32 integer bits needed\n",
		"U: hop divider | 0 | its reciprocal; the rounding is counted below\n",
	} {
		assert.Contains(t, text.String(), line)
	}
	for _, w := range load(t, "nic-serial").Budget.Widths {
		assert.LessOrEqual(t, w.Needed, w.Format.Int, w.Name)
	}
}

// Where U is too coarse for its smallest value, the row of eta/U says why there is no bound.
func TestRowsSayWhyThereIsNoBound(t *testing.T) {
	text, found := presetData("nic-line")
	require.True(t, found)
	coarse := regexp.MustCompile(`( inv_b| u): UQ(\d+)\.\d+`).ReplaceAllString(string(text), "$1: UQ$2.9")
	c, err := Parse("f.yaml", []byte(coarse))
	require.NoError(t, err)
	for _, r := range c.Budget.Rows() {
		switch r.Term {
		case "eta/U, relative":
			assert.Equal(t, "no bound", r.Bound)
			assert.Equal(t,
				"U near 0.004 may be off by more than half of itself, so eta/U by any factor; a larger utilisation.min, "+
					"or more fraction bits in the format whose term is the largest, gives a bound", r.From)
			return
		}
	}
	assert.Fail(t, "no row of eta/U")
}

// What is printed of a bound is not below it.
func TestBoundStringRoundsUp(t *testing.T) {
	assert.Equal(t, "0", boundString(0))
	assert.Equal(t, "1.01e-05 (2^-16.6)", boundString(1.0001e-5))
	assert.Equal(t, "no bound", boundString(noBound))
	assert.Equal(t, "1.6e-4", roundedUp(1.51e-4))
	assert.Equal(t, "2e-3", roundedUp(1.99e-3))
}

func partsText(part map[string]float64) string {
	var list []string
	for _, what := range []string{"u'", "alpha", "U", "U relative", "eta/U", "W", "R"} {
		list = append(list, fmt.Sprintf("%s %.2f", what, part[what]))
	}
	return strings.Join(list, ", ")
}
