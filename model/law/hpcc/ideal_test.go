package hpcc_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/ideal"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

func idealParams(cfg *config.NIC, p config.Profile) ideal.Params {
	return ideal.Params{
		MaxHops: cfg.MaxHops, TSBits: cfg.Telemetry.TSBits, TxBits: cfg.Telemetry.TxBits, SeqBits: cfg.SeqBits,
		ClockBits: cfg.ClockBits,
		TickNs:    cfg.Telemetry.TickNs, TxUnitBytes: cfg.Telemetry.TxUnitBytes, QlenUnit: cfg.Telemetry.QlenUnitBytes,
		Sojourn: cfg.Sojourn,
		T:       p.BaseRTTNs, Eta: p.Eta, MaxStage: p.MaxStage, Fast: p.Fast, CommitByTime: cfg.CommitByTime,
		StageLimit: 1<<cfg.StageBits - 1,
		WInit:      p.WMax, WAI: p.WAI, WMin: p.WMin, WMax: p.WMax,
	}
}

func idealAck(a *hpcc.Ack) ideal.Ack {
	x := ideal.Ack{AckSeq: a.AckSeq, SndNxt: a.SndNxt, Now: a.Now, PathID: a.PathID}
	for i := range a.Nhop {
		h := ideal.Hop{TS: 0, RateBps: 0}
		if i < hpcc.MaxHops {
			r := a.Hop[i]
			h = ideal.Hop{LinkID: r.LinkID, TS: r.TS, Tx: r.Tx, Qlen: uint64(r.Qlen)}
			if r.RateCode == 1 {
				h.RateBps = 100e9
			}
		}
		x.Hops = append(x.Hops, h)
	}
	return x
}

// unclamped takes a clamped window for an ordinary one: a rounding error may cross the limit.
func unclamped(status string) string {
	if strings.HasPrefix(status, "clamped") {
		return "ok"
	}
	return status
}

// A flow's life with every kind of accident in it: the two models, written apart, call each ACK the same, and one step
// from the same state gives the same U and R except for rounding.
func TestStepsFollowTheIdeal(t *testing.T) {
	for name, byTime := range map[string]bool{"sender": false, "receiver": true} {
		t.Run(name, func(t *testing.T) { stepsFollowTheIdeal(t, byTime) })
	}
}

func stepsFollowTheIdeal(t *testing.T, byTime bool) {
	cfg := line(t)
	cfg.CommitByTime = byTime
	tables, flows := program(t, cfg, 1)
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		m, err := hpcc.New(cfg)
		require.NoError(t, err)
		for _, w := range tables {
			m.WriteTable(w)
		}
		m.WriteContext(flows[0])
		f := ideal.New[ideal.Exact](idealParams(cfg, typicalProfile()))
		pick := func(low, high int, what string) uint64 { return uint64(rapid.IntRange(low, high).Draw(t, what)) }
		accident := func(what string) bool { return pick(0, 15, what) == 0 }
		base := hpcc.Ack{Nhop: 3, PathID: 4, Now: pick(0, 1<<30, "start")}
		for h := range 5 {
			base.Hop[h] = hpcc.Record{RateCode: 1, LinkID: uint32(h), TS: pick(0, 1<<24-1, "ts"), Tx: pick(0, 1<<20-1, "tx")}
		}
		for range 12 {
			dt := pick(20, 9000, "dt")
			base.Now += dt
			base.AckSeq += uint32(dt * 10)
			base.SndNxt = base.AckSeq + 60000
			for h := range 5 {
				base.Hop[h].TS = (base.Hop[h].TS + dt) & (1<<24 - 1)
				base.Hop[h].Tx = (base.Hop[h].Tx + pick(int(dt/20), int(dt/10), "sent")) & (1<<20 - 1)
				base.Hop[h].Qlen = uint32(pick(0, 2000, "qlen"))
			}
			a := base
			if accident("nhop") {
				a.Nhop = int(pick(0, 15, "nhop"))
			}
			if accident("rate") {
				a.Hop[pick(0, 4, "hop")].RateCode = 5
			}
			if accident("path") {
				base.PathID ^= 1
			}
			if accident("link") {
				a.Hop[pick(0, 4, "hop")].LinkID++
			}
			if accident("idle") {
				base.Now += 1 << 23
			}
			if accident("time") {
				a.Hop[pick(0, 2, "hop")].TS -= dt
			}
			if accident("stale") {
				a.Hop[pick(0, 2, "hop")].TS -= dt + 1
			}
			for h := range a.Hop {
				a.Hop[h].TS &= 1<<24 - 1
			}
			c := m.Context(0)
			f.U = ideal.NewExact(cfg.Formats.U.Value(new(big.Int).SetUint64(c.U)))
			f.Wc = ideal.NewExact(cfg.Formats.Window.Value(new(big.Int).SetUint64(c.Wc)))
			f.W = ideal.NewExact(cfg.Formats.Window.Value(new(big.Int).SetUint64(c.W)))
			f.Stage = int(c.Stage)

			got, want := m.Event(a), f.Ack(idealAck(&a))
			require.Equal(t, want.Kind, got.Kind.String(), "%s against %s", want.Status, got.Status)
			require.Equal(t, unclamped(want.Status), unclamped(got.Status.String()))
			seen[unclamped(want.Status)]++
			if taps := m.Taps(); got.Kind.Reacts() && (nearTie(cfg, &taps) || taps.UMax == 1<<cfg.Formats.U.Width()-1) {
				continue // rounding may choose the other tau; the ideal does not saturate
			}
			eta := 0.95
			u := math.Ldexp(float64(got.U), -cfg.Formats.U.Frac)
			require.InDelta(t, want.U.Float(), u, math.Ldexp(1, -20))
			if math.Abs(u-eta) > 1e-6 { // at the threshold a rounding error may choose the other branch
				require.Equal(t, want.Stage, int(got.Stage))
				require.InEpsilon(t, want.R.Float(), math.Ldexp(float64(got.Rate), -cfg.Formats.Rate.Frac), math.Ldexp(1, -16))
			}
		}
	})
	for _, status := range []string{"ok", "first", "no_telemetry", "rejected_hops", "rejected_rate", "path_changed",
		"stale", "idle"} {
		require.Positive(t, seen[status], status)
	}
}
