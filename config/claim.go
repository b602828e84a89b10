package config

import "math/big"

// Claim bounds the error of one step: the engine's result against the draft's equations in exact arithmetic (draft
// sections 4.2 and 4.3), from the same telemetry, T, B, eta, W_ai, W_min, W_max and the same U and Wc before
// the step, the latter two rounded to their formats.
//
// It holds in its Domain, where nothing saturates: every u' and U within its format, eta/U within that of the
// quotient, R within that of the rate. It does not cover a near tie, where rounding decides which of two things
// happens: two hops whose u' differ by less than 2 HopAbs may swap, and with them tau; a U within UAbs of eta
// may count as a stage or not.
type Claim struct {
	Domain Domain

	HopAbs    float64 // absolute error of u' of a hop
	AlphaAbs  float64 // absolute error of alpha = tau/T
	UAbs      float64 // absolute error of U
	URel      float64 // relative error of U
	QuotRel   float64 // relative error of eta/U
	WindowRel float64 // relative error of W
	RateRel   float64 // relative error of R

	Terms []Row // what URel to RateRel are made of
}

// noBound stands for an error that nothing is known of: a number, so that a budget can be written as JSON.
const noBound = 1e100

// constants are the properties of a configuration that a claim rests on, apart from the formats' fraction bits.
type constants struct {
	invB, invBT float64 // the smallest table entries, that is, those with the largest relative error
	qlenMax     float64
	rttMax      float64 // ticks
	windowMin   float64 // bytes
	tickNs      float64
	hop, quot   bound // relative errors of the dividers
}

func (c *NIC) constants() constants {
	fast := c.RatesBps[len(c.RatesBps)-1]
	return constants{
		invB:      below(c.unitTicks(c.Telemetry.TxUnitBytes, fast, 1)),
		invBT:     below(c.invBT(fast, c.MaxRTTTicks)),
		qlenMax:   float64(uint64(1)<<c.Telemetry.QlenBits - 1),
		rttMax:    float64(c.MaxRTTTicks),
		windowMin: float64(c.MinWindow),
		tickNs:    float64(c.Telemetry.TickNs),
		hop:       bound(c.HopDivider.RelBound()),
		quot:      bound(c.QuotientDivider.RelBound()),
	}
}

// invBT is the exact table entry of a rate and a T, with unit multiplier 1.
func (c *NIC) invBT(bps, rttTicks uint64) *big.Rat {
	v := ratUint(c.Telemetry.QlenUnitBytes)
	if !c.Sojourn {
		v = c.unitTicks(c.Telemetry.QlenUnitBytes, bps, 1)
	}
	return v.Quo(v, ratUint(rttTicks))
}

// claim propagates the roundings of docs/numeric.md through one step. An entry of a table is off by half
// an ulp at most, as is every rhu; h is that of U.
//
//	u2: InvB is off by a fraction relB, the divider by hop, so u2 by relB and hop, and h for its rounding.
//	u1: InvBT is off by a fraction relBT, and by half an ulp for each of the at most qlenMax units; and h.
//	alpha: 1/T is off by a fraction relT, and alpha by relT alpha and its rounding, hA. With tau >= T it is exact.
//	U_new - exact = (1-alpha) e_U + alpha e_u + e_alpha (u - U) + rounding: |e_U| <= h, rounding <= h.
//	    Relative to U_new >= max(alpha u, (1-alpha) U, UMin), and 1-alpha >= 1/T as both are whole ticks:
//	    alpha e_u is at most max(relB and hop, relBT) and 2 h / UMin; relT alpha |u-U| at most relT min(UMax/UMin, T).
//	q: U's relative error, the divider's, eta's h, and half an ulp of at least eta/UMax.
//	W: Wc off by half an ulp, times q, rounded; W_ai, or the clamp, off by half an ulp; all of at least MinWindow.
//	R: 1/T, and half an ulp of at least RateMin.
func (k constants) claim(f Formats, d Domain) (Claim, parts) {
	one := bound(1)
	h := halfUlp(f.U.Frac)
	etaMin := d.EtaMin
	uMax := bound(d.UMax)

	relB := halfUlp(f.InvB.Frac).over(k.invB)
	relBT := halfUlp(f.InvBT.Frac).over(k.invBT)
	relU2 := relB.compound(k.hop)
	queueAbs := min(relBT.times(uMax), halfUlp(f.InvBT.Frac).times(bound(k.qlenMax)))
	linkAbs := relU2.times(bound(d.LinkMax))
	relHop := max(relU2, relBT)
	hopAbs := min(linkAbs.plus(queueAbs), relHop.times(uMax)).plus(h).plus(h)

	relT := halfUlp(f.InvT.Frac).times(bound(k.rttMax))
	hA := halfUlp(f.Alpha.Frac)
	alphaAbs := relT.plus(hA)

	uAbs := max(hopAbs, h).plus(h).plus(alphaAbs.times(uMax))

	rounding := h.times(3).over(d.UMin)
	collapse := max(one, min(uMax.over(d.UMin), bound(k.rttMax)))
	alphaRel := relT.times(collapse.plus(relHop)).plus(hA.times(uMax).times(one.plus(relHop)).over(d.UMin))
	uRel := relHop.plus(rounding).plus(alphaRel)

	// 1/(1-e) = 1 + e/(1-e); beyond e = 1/2 nothing is known.
	inverse := uRel.over(down(1 - float64(uRel)))
	if uRel > 0.5 {
		inverse = noBound
	}
	etaRel := h.over(etaMin)
	quotUlp := halfUlp(f.Quot.Frac).times(uMax).over(etaMin)
	quotRel := inverse.compound(k.quot).compound(etaRel).plus(quotUlp)

	windowUlp := halfUlp(f.Window.Frac).over(k.windowMin)
	windowRel := quotRel.compound(windowUlp).plus(windowUlp.times(2))

	// R in bytes per tick.
	rateMin := down(down(d.RateMinBps*k.tickNs) / 8e9)
	rateUlp := halfUlp(f.Rate.Frac).over(rateMin)
	rateRel := windowRel.compound(relT).plus(rateUlp)

	return Claim{
			Domain: d,
			HopAbs: float64(hopAbs), AlphaAbs: float64(alphaAbs), UAbs: float64(uAbs), URel: float64(uRel),
			QuotRel: float64(quotRel), WindowRel: float64(windowRel), RateRel: float64(rateRel),
		}, parts{
			relB: relB, hop: k.hop, relBT: relBT, rounding: rounding, alpha: alphaRel,
			eta: etaRel, quot: k.quot, quotUlp: quotUlp, window: windowUlp.times(3), relT: relT, rateUlp: rateUlp,
		}
}

// parts are what a claim's relative errors are made of.
type parts struct {
	relB, hop, relBT, rounding, alpha bound
	eta, quot, quotUlp                bound
	window                            bound
	relT, rateUlp                     bound
}

func (p parts) rows(f Formats) []Row {
	list := []struct {
		term  string
		bound bound
		from  string
	}{
		{"U: 1/B", p.relB, "half an ulp of " + f.InvB.String() + " at the fastest rate"},
		{"U: hop divider", p.hop, "its reciprocal; the rounding is counted below"},
		{"U: 1/(B T)", p.relBT, "half an ulp of " + f.InvBT.String() +
			" at the fastest rate and largest T; counts where it exceeds the two above"},
		{"U: roundings", p.rounding, "U before, two of a hop, the average: half an ulp each of " + f.U.String() +
			" at the smallest U"},
		{"U: alpha", p.alpha, "1/T in " + f.InvT.String() + " and alpha in " + f.Alpha.String() +
			", U falling from the largest to the smallest"},
		{"quotient: eta", p.eta, "half an ulp of " + f.Eta.String()},
		{"quotient: divider", p.quot, "its reciprocal"},
		{"quotient: rounding", p.quotUlp, "half an ulp of " + f.Quot.String() + " at the largest U"},
		{"W: roundings", p.window, "Wc, its product, and W_ai or the clamp: half an ulp each of " + f.Window.String() +
			" at the smallest window"},
		{"R: 1/T", p.relT, "half an ulp of " + f.InvT.String() + " at the largest T"},
		{"R: rounding", p.rateUlp, "half an ulp of " + f.Rate.String() + " at the smallest rate"},
	}
	rows := make([]Row, len(list))
	for i, l := range list {
		rows[i] = Row{l.term, boundString(float64(l.bound)), l.from}
	}
	return rows
}
