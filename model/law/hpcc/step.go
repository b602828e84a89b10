package hpcc

// Step is the per-ACK procedure of docs/numeric.md from row 2 of its classification table on: it classifies the ACK,
// reacts, and leaves the flow's next state in c. It depends on nothing but its arguments. taps is filled when the
// result's kind reacts, else left alone.
func (d *Design) Step(t *Tables, c *Context, a *Ack, r *Result, taps *Taps) (reacts bool) {
	var dts [MaxHops]uint64
	kind, status := d.classify(t, c, a, &dts)
	if kind.Reacts() {
		d.react(t, c, a, &dts, kind, r, taps)
		return true
	}
	if kind == KindFirst {
		d.store(c, a, nil)
		c.Seq = d.mark(a)
	}
	r.Kind, r.Status = kind, status
	r.U, r.W, r.Wc, r.Stage = c.U, c.W, c.Wc, c.Stage
	r.Rate = d.rate(c.W, t.Profile[c.Profile].InvT)
	return false
}

// classify finds the row of the classification table, and the time differences of the hops.
func (d *Design) classify(t *Tables, c *Context, a *Ack, dts *[MaxHops]uint64) (Kind, Status) {
	nhop := a.hops()
	if nhop > d.maxHops { // row 2
		return KindNone, StatusRejectedHops
	}
	if nhop == 0 { // row 3
		return KindNone, StatusNoTelemetry
	}
	hops := a.Hop[:nhop]
	for i := range hops { // row 4
		if !t.Rate[hops[i].RateCode&d.rateMask].Valid {
			return KindNone, StatusRejectedRate
		}
	}
	if !c.HasTelemetry { // row 5
		return KindFirst, StatusFirst
	}
	if d.pathChanged(c, a) { // row 6
		return KindFirst, StatusPathChanged
	}
	if (a.Now-c.LastTime)&d.clockMask > d.halfTS { // row 7
		return KindFirst, StatusIdle
	}
	moved := false
	for i := range hops { // row 8
		dts[i] = (hops[i].TS - c.L[i].TS) & d.tsMask
		if dts[i] >= d.halfTS {
			return KindNone, StatusStale
		}
		moved = moved || dts[i] != 0
	}
	if !moved { // row 9
		return KindNone, StatusNoTime
	}
	profile := &t.Profile[c.Profile]
	switch { // rows 10 and 11
	case d.commits(c, a, profile.T):
		return KindUpdate, StatusOK
	case profile.Fast:
		return KindFast, StatusOK
	}
	return KindNone, StatusNoCommit
}

func (d *Design) pathChanged(c *Context, a *Ack) bool {
	if a.PathID&d.pathMask != c.PathID || a.hops() != int(c.Nhop) {
		return true
	}
	for i := range a.hops() {
		if a.Hop[i].LinkID&d.linkMask != c.L[i].LinkID {
			return true
		}
	}
	return false
}

// commits reports whether the ACK acknowledges something sent after the last commit (draft, line 22), or in
// receiver mode whether T has passed since (line 29).
func (d *Design) commits(c *Context, a *Ack, t uint64) bool {
	if d.commitByTime {
		return (a.Now-c.Seq)&d.clockMask > t
	}
	ahead := (uint64(a.AckSeq) - c.Seq) & d.seqMask
	return ahead >= 1 && ahead < d.halfSeq
}

// mark is the value that a commit stores: snd_nxt, or in receiver mode the time.
func (d *Design) mark(a *Ack) uint64 {
	if d.commitByTime {
		return a.Now & d.clockMask
	}
	return uint64(a.SndNxt) & d.seqMask
}

// store keeps the ACK's telemetry. With dts, the record of a hop whose time has not advanced stays: the bytes
// that it counted belong to the next difference.
func (d *Design) store(c *Context, a *Ack, dts *[MaxHops]uint64) {
	c.HasTelemetry = true
	c.PathID = a.PathID & d.pathMask
	c.Nhop = uint8(a.hops())
	c.LastTime = a.Now & d.clockMask
	for i := range a.hops() {
		if dts != nil && dts[i] == 0 {
			continue
		}
		h := &a.Hop[i]
		c.L[i] = Stored{TS: h.TS & d.tsMask, Tx: h.Tx & d.txMask, Qlen: h.Qlen & d.qlenMask, LinkID: h.LinkID & d.linkMask}
	}
}
