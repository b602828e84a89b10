package hpcc_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

// The oracle of this file is the section "React" of docs/numeric.md in rationals: each line as written there, with
// rhu and sat as its only operations. It covers the exact dividers; the other kinds are checked by themselves.

type rationals struct {
	cfg *config.NIC
	f   config.Formats
	rhu func(*big.Rat) *big.Rat
}

func exactly(cfg *config.NIC) rationals { return rationals{cfg, cfg.Formats, rhu} }

func ratU(x uint64) *big.Rat { return new(big.Rat).SetUint64(x) }

func scaled(x *big.Rat, n int) *big.Rat { // x * 2^n
	p := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n))))
	if n < 0 {
		p.Inv(p)
	}
	return p.Mul(p, x)
}

func mulR(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }

func rhu(x *big.Rat) *big.Rat {
	y := new(big.Rat).Add(x, big.NewRat(1, 2))
	return new(big.Rat).SetInt(new(big.Int).Div(y.Num(), y.Denom()))
}

// truncate is the rounding of an engine that forgot to round.
func truncate(x *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom()))
}

func minR(x, y *big.Rat) *big.Rat {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

func sat(x *big.Rat, f fixed.Format) *big.Rat { return minR(x, new(big.Rat).SetInt(f.MaxRaw())) }

func raw(x *big.Rat) uint64 {
	if !x.IsInt() || !x.Num().IsUint64() {
		panic("not a raw value: " + x.String())
	}
	return x.Num().Uint64()
}

func (o rationals) div(n, d *big.Rat, shift int, f fixed.Format) *big.Rat {
	if d.Sign() == 0 {
		return new(big.Rat).SetInt(f.MaxRaw())
	}
	return sat(o.rhu(new(big.Rat).Quo(scaled(n, shift), d)), f)
}

// react returns the context after a reaction of c to a; the caller decides commit.
func (o rationals) react(t *hpcc.Tables, c hpcc.Context, a *hpcc.Ack, commit bool) (hpcc.Context, hpcc.Taps) {
	p := t.Profile[c.Profile]
	tele := o.cfg.Telemetry
	taps := hpcc.Taps{Kind: hpcc.KindFast}
	u, tau := new(big.Rat), new(big.Rat)
	next := c
	for i := range a.Nhop {
		dts := (a.Hop[i].TS - c.L[i].TS) & (1<<tele.TSBits - 1)
		if dts == 0 {
			continue
		}
		dtx := (a.Hop[i].Tx - c.L[i].Tx) & (1<<tele.TxBits - 1)
		busy := mulR(ratU(dtx), ratU(t.Rate[a.Hop[i].RateCode].InvB))
		u2 := o.div(busy, ratU(dts), o.f.U.Frac-o.f.InvB.Frac, o.f.U)
		qmin := min(a.Hop[i].Qlen, c.L[i].Qlen)
		invBT := t.Queue[int(a.Hop[i].RateCode)*o.cfg.Profiles+int(c.Profile)]
		u1 := o.rhu(scaled(mulR(ratU(uint64(qmin)), ratU(invBT)), o.f.U.Frac-o.f.InvBT.Frac))
		ui := sat(new(big.Rat).Add(u1, u2), o.f.U)
		taps.HopValid[i], taps.UHop[i] = true, raw(ui)
		if tau.Sign() == 0 || ui.Cmp(u) > 0 {
			u, tau, taps.ArgMax = ui, ratU(dts), i
		}
		next.L[i] = hpcc.Stored{TS: a.Hop[i].TS, Tx: a.Hop[i].Tx, Qlen: a.Hop[i].Qlen, LinkID: a.Hop[i].LinkID}
	}
	one := scaled(big.NewRat(1, 1), o.f.Alpha.Frac)
	alpha := one
	if tau.Cmp(ratU(p.T)) < 0 {
		alpha = minR(o.rhu(scaled(mulR(tau, ratU(p.InvT)), o.f.Alpha.Frac-o.f.InvT.Frac)), one)
	}
	delta := o.rhu(scaled(mulR(alpha, new(big.Rat).Sub(u, ratU(c.U))), -o.f.Alpha.Frac))
	average := new(big.Rat).Add(ratU(c.U), delta)
	q := o.div(ratU(p.Eta), average, o.f.Quot.Frac, o.f.Quot)
	mi := average.Cmp(ratU(p.Eta)) >= 0 || c.Stage >= p.MaxStage
	w, stage := ratU(c.Wc), min(c.Stage+1, 1<<o.cfg.StageBits-1)
	if mi {
		w, stage = o.rhu(scaled(mulR(w, q), -o.f.Quot.Frac)), 0
	}
	w = new(big.Rat).Add(w, ratU(p.WAI))
	if w.Cmp(ratU(p.WMin)) < 0 {
		w, taps.Status = ratU(p.WMin), hpcc.StatusClampedMin
	} else if w.Cmp(ratU(p.WMax)) > 0 {
		w, taps.Status = ratU(p.WMax), hpcc.StatusClampedMax
	}
	next.U, next.W, next.LastTime = raw(average), raw(w), a.Now
	if commit {
		next.Wc, next.Stage, next.Seq = next.W, stage, uint64(a.SndNxt)
		taps.Kind = hpcc.KindUpdate
	}
	taps.UMax, taps.Tau, taps.Alpha, taps.U, taps.Quotient, taps.Window = raw(u), raw(tau), raw(alpha), next.U, raw(
		q), next.W
	taps.Rate = raw(sat(o.rhu(scaled(mulR(w, ratU(p.InvT)), o.f.Rate.Frac-o.f.Window.Frac-o.f.InvT.Frac)), o.f.Rate))
	taps.Stage = next.Stage
	return next, taps
}

// someFormats are formats as they might be configured, up to 64 bits.
func someFormats(t *rapid.T, base *config.NIC) *config.NIC {
	cfg := *base
	num := func(low, high int, name string) int { return rapid.IntRange(low, high).Draw(t, name) }
	if !rapid.Bool().Draw(t, "other formats") {
		return &cfg
	}
	cfg.Telemetry.TSBits = num(8, 48, "ts bits")
	cfg.Telemetry.TxBits = num(8, 48, "tx bits")
	cfg.Telemetry.QlenBits = num(4, 32, "qlen bits")
	cfg.ClockBits = num(60, 64, "clock bits")
	cfg.RTTBits = num(4, 40, "T bits")
	cfg.StageBits = num(1, 8, "stage bits")
	invB := num(4, 40, "InvB frac")
	u := num(invB, 48, "U frac")
	alpha := num(4, 40, "alpha frac")
	invT := num(alpha, 64, "InvT frac")
	win := num(0, 30, "window frac")
	frac := func(int_, frac int) fixed.Format { return fixed.UQ(int_, frac) }
	invBT := num(u, 80, "InvBT frac")
	cfg.Formats = config.Formats{
		InvB: frac(num(1, 16, "InvB int"), invB), InvBT: frac(num(1-invBT, 64-invBT, "InvBT int"), invBT),
		U: frac(num(1, 16, "U int"), u), InvT: frac(num(1-invT, 64-invT, "InvT int"), invT),
		Alpha: frac(1, alpha), Eta: frac(1, u), Quot: frac(num(1, 16, "quotient int"), num(4, 40, "quotient frac")),
		Window: frac(num(1, 34, "window int"), win),
		Rate:   frac(num(1, 24, "rate int"), num(0, min(40, win+invT), "rate frac")),
	}
	return &cfg
}

// upTo is a value of up to n bits, often with corners.
func upTo(t *rapid.T, n int, name string) uint64 {
	length := rapid.IntRange(0, n).Draw(t, name+" length")
	if length == 0 {
		return 0
	}
	x := rapid.Uint64().Draw(t, name)
	if rapid.IntRange(0, 4).Draw(t, name+" ones") == 0 {
		x = ^uint64(0)
	}
	return x >> (64 - length)
}

// someStep is a design, tables, a context with telemetry and an ACK that is neither stale nor of another path.
func someStep(t *rapid.T, base *config.NIC) (*hpcc.Design, *hpcc.Tables, hpcc.Context, hpcc.Ack) {
	cfg := someFormats(t, base)
	d, err := hpcc.NewDesign(cfg)
	if err != nil {
		t.Fatal(err)
	}
	tables, f, tele := d.NewTables(), cfg.Formats, cfg.Telemetry
	for i := range tables.Rate {
		tables.Rate[i] = hpcc.RateEntry{Valid: true, InvB: upTo(t, f.InvB.Width(), "InvB")}
	}
	c := hpcc.Context{Life: engine.Life{Open: true}, HasTelemetry: true,
		Profile: uint8(rapid.IntRange(0, cfg.Profiles-1).Draw(t, "profile"))}
	p := &tables.Profile[c.Profile]
	*p = hpcc.ProfileEntry{
		T: upTo(t, cfg.RTTBits, "T"), InvT: upTo(t, f.InvT.Width(), "InvT"), Eta: upTo(t, f.Eta.Width(), "eta"),
		MaxStage: uint32(upTo(t, cfg.StageBits, "maxStage")), Fast: true, WAI: upTo(t, f.Window.Width(), "W_ai"),
		WMin: upTo(t, f.Window.Width(), "W_min"), WMax: upTo(t, f.Window.Width(), "W_max"),
	}
	a := hpcc.Ack{AckSeq: uint32(rapid.IntRange(0, 2).Draw(t, "seq")), SndNxt: 9,
		Nhop: rapid.IntRange(1, cfg.MaxHops).Draw(t, "nhop")}
	c.Seq, c.Nhop = 1, uint8(a.Nhop)
	c.U, c.Wc, c.Stage = upTo(t, f.U.Width(), "U"), upTo(t, f.Window.Width(), "Wc"), uint32(upTo(t, cfg.StageBits,
		"stage"))
	c.LastTime = upTo(t, cfg.ClockBits, "last time")
	a.Now = (c.LastTime + upTo(t, tele.TSBits-1, "dt")) & (1<<(cfg.ClockBits-1)<<1 - 1)
	for i := range a.Nhop {
		c.L[i] = hpcc.Stored{TS: upTo(t, tele.TSBits, "old ts"), Tx: upTo(t, tele.TxBits, "old tx"),
			Qlen: uint32(upTo(t, tele.QlenBits, "old qlen"))}
		a.Hop[i] = hpcc.Record{
			RateCode: uint32(rapid.IntRange(0, len(tables.Rate)-1).Draw(t, "code")),
			TS:       (c.L[i].TS + upTo(t, tele.TSBits-1, "dts")) & (1<<tele.TSBits - 1),
			Tx:       upTo(t, tele.TxBits, "tx"), Qlen: uint32(upTo(t, tele.QlenBits, "qlen")),
		}
		if i > 0 && rapid.IntRange(0, 3).Draw(t, "tie") == 0 {
			c.L[i], a.Hop[i] = c.L[i-1], a.Hop[i-1]
		}
		tables.Queue[int(a.Hop[i].RateCode)*cfg.Profiles+int(c.Profile)] = upTo(t, f.InvBT.Width(), "InvBT")
	}
	return d, tables, c, a
}

func TestStepAgainstRationals(t *testing.T) {
	base := load(t, "nic-line")
	rapid.Check(t, func(t *rapid.T) {
		d, tables, c, a := someStep(t, base)
		got, r, taps := engine.Next(d, tables, c, a)
		if r.Status == hpcc.StatusNoTime {
			require.Equal(t, c, got)
			return
		}
		require.True(t, r.Kind.Reacts(), "%v %v", r.Kind, r.Status)
		want, wantTaps := exactly(d.Config()).react(tables, c, &a, a.AckSeq > 1)
		require.Equal(t, wantTaps, taps)
		require.Equal(t, want, got)
		require.Equal(t, hpcc.Result{
			Flow: a.Flow, Kind: wantTaps.Kind, Status: wantTaps.Status, U: want.U, W: want.W, Wc: want.Wc,
			Rate: wantTaps.Rate, Stage: want.Stage,
		}, r)
	})
}

// disagreements replays the start of a trace in the model and in rationals, and counts the rows that differ.
func disagreements(t *testing.T, name string, rows int, round func(*big.Rat) *big.Rat) (differ int) {
	cfg := load(t, "nic-line")
	l := loadTrace(t, cfg, name)
	o := rationals{cfg, cfg.Formats, round}
	for i := range l.trace.Rows[:rows] {
		a := l.ack(&l.trace.Rows[i])
		before := l.Context(a.Flow)
		r := l.Event(a)
		if !r.Kind.Reacts() {
			continue
		}
		next, taps := o.react(l.Tables(), before, &a, r.Kind == hpcc.KindUpdate)
		if next != l.Context(a.Flow) || taps != l.Taps() {
			differ++
		}
	}
	return differ
}

func TestTracesAgainstRationals(t *testing.T) {
	for _, name := range []string{"s_solo_mi0", "s_solo_mi5", "d_hetero_mi0", "w_wrap_mtu4000_mi5"} {
		require.Zero(t, disagreements(t, name, 1000, rhu), name)
		require.Greater(t, disagreements(t, name, 1000, truncate), 500, "%s: truncation must be noticed", name)
	}
}
