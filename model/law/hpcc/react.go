package hpcc

import "github.com/hdlpkg/hpccgen/model/wide"

// react is the reaction to an ACK (draft, Figures 4 and 5): U, then W, then R, then the flow's next state.
func (d *Design) react(t *Tables, c *Context, a *Ack, dts *[MaxHops]uint64, kind Kind, r *Result, taps *Taps) {
	p := &t.Profile[c.Profile]

	*taps = Taps{Kind: kind}
	for i := range a.hops() {
		if dts[i] == 0 {
			continue
		}
		taps.HopValid[i] = true
		taps.UHop[i] = d.hopInflight(t, c, &a.Hop[i], &c.L[i], dts[i])
	}
	arg, u := MaxHop(taps.UHop[:a.hops()], taps.HopValid[:a.hops()])
	tau := dts[arg]
	alpha := Alpha(tau, p.T, p.InvT, d.cutAlpha, d.alphaFrac)
	average := EWMA(c.U, u, alpha, d.alphaFrac)

	quotient := d.quotDiv(wide.From(p.Eta), average)
	multiply, stage := StageStep(average, p.Eta, c.Stage, p.MaxStage, d.stageMask)
	factor, cut := uint64(1), 0
	if multiply {
		factor, cut = quotient, d.cutW
	}
	window, clamp := MulAddClamp(c.Wc, factor, cut, p.WAI, p.WMin, p.WMax)
	status := [...]Status{Inside: StatusOK, Raised: StatusClampedMin, Lowered: StatusClampedMax}[clamp]

	d.store(c, a, dts)
	c.U, c.W = average, window
	if kind == KindUpdate {
		c.Wc, c.Stage, c.Seq = window, stage, d.mark(a)
	}

	rate := d.rate(window, p.InvT)
	r.Kind, r.Status = kind, status
	r.U, r.W, r.Wc, r.Rate, r.Stage = average, window, c.Wc, rate, c.Stage

	taps.ArgMax, taps.UMax, taps.Tau, taps.Alpha = arg, u, tau, alpha
	taps.U, taps.Quotient, taps.Window, taps.Rate = average, quotient, window, rate
	taps.Stage, taps.Status = r.Stage, status
}

// hopInflight is u' of one hop whose time has advanced by dts.
func (d *Design) hopInflight(t *Tables, c *Context, now *Record, last *Stored, dts uint64) uint64 {
	code := now.RateCode & d.rateMask
	sent := (now.Tx - last.Tx) & d.txMask
	busy := d.hopDiv(wide.Mul(sent, t.Rate[code].InvB), dts)
	qmin := min(now.Qlen&d.qlenMask, last.Qlen)
	return HopInflight(uint64(qmin), t.Queue[code<<d.profileBits|uint32(c.Profile)], d.cutU1, busy, d.uMask)
}

// rate is R = W/T, rounded and saturated.
func (d *Design) rate(w, invT uint64) uint64 {
	return wide.Mul(w, invT).Round(d.cutR).Sat(d.rateMax)
}
