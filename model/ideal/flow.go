package ideal

import "math/big"

// Flow is one flow's state and the algorithm on it. Not safe for concurrent use.
type Flow[N Number[N]] struct {
	State[N]
	p      Params
	stored bool
	links  []Hop
	pathID uint32
	last   uint64 // local clock at the last store
	mark   uint64 // lastUpdateSeq, or with CommitByTime lastUpdateTime

	t, eta, wai, wmin, wmax, zero, one, eight N
	tick, queueT                              N // seconds
}

// State is the state that an ACK changes besides the stored telemetry. It may be set between ACKs.
type State[N any] struct {
	U, W, Wc N
	Stage    int
}

// New starts a flow: U = 1, W = Wc = WInit, no telemetry.
func New[N Number[N]](p Params) *Flow[N] {
	var n N
	f := &Flow[N]{p: p, zero: n.Of(new(big.Rat)), one: n.Uint(1), eight: n.Uint(8)}
	f.t = n.Of(new(big.Rat).SetUint64(p.T))
	tick := big.NewRat(int64(p.TickNs), 1e9)
	queueT := p.QueueT
	if queueT == nil {
		queueT = new(big.Rat).SetUint64(p.T)
	}
	f.tick, f.queueT = n.Of(tick), n.Of(new(big.Rat).Mul(queueT, tick))
	f.eta, f.wai, f.wmin, f.wmax = n.Of(p.Eta), n.Of(p.WAI), n.Of(p.WMin), n.Of(p.WMax)
	f.U, f.W = f.one, n.Of(p.WInit)
	f.Wc = f.W
	return f
}

// Ack takes one ACK (draft, Figure 6 or 8).
func (f *Flow[N]) Ack(a Ack) Result[N] {
	dts, kind, status := f.classify(a)
	r := Result[N]{ArgMax: -1}
	switch kind {
	case "first":
		f.store(a, nil)
		f.setMark(a)
	case "update", "fast":
		u := f.measureInflight(a, dts, &r)
		status = f.computeWind(u, kind == "update")
		f.store(a, dts)
		if kind == "update" {
			f.setMark(a)
		}
	}
	r.Kind, r.Status = kind, status
	r.U, r.W, r.Wc, r.Stage = f.U, f.W, f.Wc, f.Stage
	r.R = f.W.Div(f.t)
	return r
}

// classify is the table of cases, but for the row of flows that do not exist.
func (f *Flow[N]) classify(a Ack) (dts []uint64, kind, status string) {
	switch {
	case len(a.Hops) > f.p.MaxHops:
		return nil, "none", "rejected_hops"
	case len(a.Hops) == 0:
		return nil, "none", "no_telemetry"
	}
	for _, h := range a.Hops {
		if h.RateBps == 0 {
			return nil, "none", "rejected_rate"
		}
	}
	switch {
	case !f.stored:
		return nil, "first", "first"
	case f.pathChanged(a):
		return nil, "first", "path_changed"
	case modular(a.Now-f.last, f.p.ClockBits) > 1<<(f.p.TSBits-1):
		return nil, "first", "idle"
	}
	moved := false
	for i, h := range a.Hops {
		d := modular(h.TS-f.links[i].TS, f.p.TSBits)
		if d >= 1<<(f.p.TSBits-1) {
			return nil, "none", "stale"
		}
		moved = moved || d > 0
		dts = append(dts, d)
	}
	switch {
	case !moved:
		return nil, "none", "no_time"
	case f.commits(a):
		return dts, "update", ""
	case f.p.Fast:
		return dts, "fast", ""
	}
	return nil, "none", "no_commit"
}

func (f *Flow[N]) pathChanged(a Ack) bool {
	if a.PathID != f.pathID || len(a.Hops) != len(f.links) {
		return true
	}
	for i, h := range a.Hops {
		if h.LinkID != f.links[i].LinkID {
			return true
		}
	}
	return false
}

func (f *Flow[N]) commits(a Ack) bool {
	if f.p.CommitByTime {
		return modular(a.Now-f.mark, f.p.ClockBits) > f.p.T
	}
	ahead := modular(uint64(a.AckSeq)-f.mark, f.p.SeqBits)
	return ahead > 0 && ahead < 1<<(f.p.SeqBits-1)
}

func (f *Flow[N]) setMark(a Ack) {
	f.mark = uint64(a.SndNxt)
	if f.p.CommitByTime {
		f.mark = a.Now
	}
}

// store keeps the telemetry (draft, line 27), except of hops at which no time has passed.
func (f *Flow[N]) store(a Ack, dts []uint64) {
	if dts == nil {
		f.links = append(f.links[:0], a.Hops...)
	}
	for i, d := range dts {
		if d > 0 {
			f.links[i] = a.Hops[i]
		}
	}
	f.stored, f.pathID, f.last = true, a.PathID, a.Now
}

// measureInflight is Figure 4. Of hops whose u' are equal the first counts, also where all are 0.
func (f *Flow[N]) measureInflight(a Ack, dts []uint64, r *Result[N]) N {
	u, tau := f.zero, f.zero
	for i, h := range a.Hops {
		r.UHop = append(r.UHop, f.zero)
		r.HopValid = append(r.HopValid, dts[i] > 0)
		if dts[i] == 0 {
			continue
		}
		r.UHop[i] = f.hop(h, f.links[i], dts[i])
		if r.ArgMax < 0 || r.UHop[i].Cmp(u) > 0 {
			u, tau = r.UHop[i], f.uint(dts[i])
			r.ArgMax, r.Tau = i, dts[i]
		}
	}
	if tau.Cmp(f.t) > 0 {
		tau = f.t
	}
	share := tau.Div(f.t)
	return f.one.Sub(share).Mul(f.U).Add(share.Mul(u))
}

// hop is u' (lines 4 and 5), with rates in bit/s. The order of the operations of line 4 is that of the
// authors' simulator: in doubles it decides which of two hops that tie is the larger.
func (f *Flow[N]) hop(now, last Hop, dts uint64) N {
	rate := f.uint(now.RateBps)
	sent := f.uint(modular(now.Tx-last.Tx, f.p.TxBits) * f.p.TxUnitBytes)
	txRate := sent.Mul(f.eight).Div(f.uint(dts).Mul(f.tick))
	queue := f.uint(min(now.Qlen, last.Qlen) * f.p.QlenUnit)
	if f.p.Sojourn {
		queue = queue.Mul(f.tick)
	} else {
		queue = queue.Mul(f.eight).Div(rate)
	}
	return txRate.Div(rate).Add(queue.Div(f.queueT))
}

// computeWind is Figure 5, with W limited to [WMin, WMax] before it is stored. It gives the status.
func (f *Flow[N]) computeWind(u N, updateWc bool) string {
	f.U = u
	var w N
	stage := 0
	if u.Cmp(f.eta) >= 0 || f.Stage >= f.p.MaxStage {
		if u.Cmp(f.zero) == 0 { // an idle path: eta/U is beyond any limit
			w = f.wmax.Add(f.one)
		} else {
			w = f.Wc.Mul(f.eta).Div(u).Add(f.wai)
		}
	} else {
		w = f.Wc.Add(f.wai)
		stage = min(f.Stage+1, f.p.StageLimit)
	}
	status := "ok"
	if w.Cmp(f.wmin) < 0 {
		w, status = f.wmin, "clamped_min"
	} else if w.Cmp(f.wmax) > 0 {
		w, status = f.wmax, "clamped_max"
	}
	f.W = w
	if updateWc {
		f.Wc, f.Stage = w, stage
	}
	return status
}

func (f *Flow[N]) uint(x uint64) N {
	var n N
	return n.Uint(x)
}

// modular is a difference of counters of n bits.
func modular(d uint64, n int) uint64 {
	if n >= 64 {
		return d
	}
	return d & (1<<n - 1)
}
