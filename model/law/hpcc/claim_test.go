package hpcc_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/ideal"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

// aStep is one reaction, from a given state: the profile, the link rate of all hops and the multiplier of their
// units, and the telemetry of each hop.
type aStep struct {
	profile     config.Profile
	bps, factor uint64
	hops        []aHop
	u, wc       *big.Rat
}

type aHop struct{ dts, dtx, qlen uint64 }

// run takes the step in the golden model and, from the same state, in exact arithmetic.
func (s aStep) run(t require.TestingT, cfg *config.NIC) (hpcc.Result, ideal.Result[ideal.Exact]) {
	m, err := hpcc.New(cfg)
	require.NoError(t, err)
	entries, err := cfg.ProfileEntries(0, s.profile)
	require.NoError(t, err)
	rate, err := cfg.RateEntry(0, s.bps, s.factor)
	require.NoError(t, err)
	queue, err := cfg.QueueEntry(0, 0, s.bps, s.factor, s.profile)
	require.NoError(t, err)
	for _, e := range append(entries, rate, queue) {
		m.WriteTable(e)
	}
	f := cfg.Formats
	u, held := f.U.Raw(s.u)
	require.True(t, held)
	wc := rawWindow(cfg, s.wc)
	m.WriteContext(hpcc.ContextWrite{Mask: 0x7f, U: u.Uint64(), Wc: wc, W: wc})

	p := idealParams(cfg, s.profile)
	p.TxUnitBytes, p.QlenUnit = p.TxUnitBytes*s.factor, p.QlenUnit*s.factor
	x := ideal.New[ideal.Exact](p)
	x.U, x.Wc = ideal.NewExact(f.U.Value(u)), ideal.NewExact(f.Window.Value(new(big.Int).SetUint64(wc)))

	first, second := hpcc.Ack{Nhop: len(s.hops)}, hpcc.Ack{Nhop: len(s.hops), AckSeq: 1}
	was, is := ideal.Ack{}, ideal.Ack{AckSeq: 1}
	for i, h := range s.hops {
		first.Hop[i] = hpcc.Record{Qlen: uint32(h.qlen)}
		second.Hop[i] = hpcc.Record{TS: h.dts, Tx: h.dtx, Qlen: uint32(h.qlen)}
		was.Hops = append(was.Hops, ideal.Hop{RateBps: s.bps, Qlen: h.qlen})
		is.Hops = append(is.Hops, ideal.Hop{RateBps: s.bps, TS: h.dts, Tx: h.dtx, Qlen: h.qlen})
	}
	m.Event(first)
	x.Ack(was)
	got, want := m.Event(second), x.Ack(is)
	require.Equal(t, want.Kind, got.Kind.String())
	require.True(t, got.Kind.Reacts())
	return got, want
}

// stepErrors are the errors of a step: U absolute, W and R relative.
func stepErrors(cfg *config.NIC, got hpcc.Result, want ideal.Result[ideal.Exact]) (u, w, r float64) {
	off := func(raw uint64, format fixed.Format, exact ideal.Exact) float64 {
		d := format.Value(new(big.Int).SetUint64(raw))
		return math.Abs(floatOf(d.Sub(d, exact.Rat())))
	}
	f := cfg.Formats
	w, r = off(got.W, f.Window, want.W)/want.W.Float(), off(got.Rate, f.Rate, want.R)/want.R.Float()
	return off(got.U, f.U, want.U), w, r
}

// nearTieOf reports whether a hop lies so near the largest that rounding may choose it, with another tau.
func nearTieOf(claim config.Claim, s aStep, want ideal.Result[ideal.Exact]) bool {
	t := s.profile.BaseRTTNs
	top := want.UHop[want.ArgMax].Float()
	for i, h := range s.hops {
		if top-want.UHop[i].Float() <= 2*claim.HopAbs && min(h.dts, t) != min(s.hops[want.ArgMax].dts, t) {
			return true
		}
	}
	return false
}

// held requires that a step stays within the bounds of the claim for all that the configuration asks for. It
// reports whether the step is one that the claim speaks of.
func (s aStep) held(t require.TestingT, cfg *config.NIC) bool {
	claim := cfg.Budget.Claim
	got, want := s.run(t, cfg)
	for _, u := range append(want.UHop, want.U) {
		if u.Float() > cfg.UMax {
			return false
		}
	}
	eta, _ := s.profile.Eta.Float64()
	if want.U.Float() < cfg.UMin || nearTieOf(claim, s, want) {
		return false
	}
	u, w, r := stepErrors(cfg, got, want)
	require.LessOrEqual(t, u, claim.UAbs, "U: %d against %v", got.U, want.U.Float())
	require.LessOrEqual(t, u/want.U.Float(), claim.URel, "U, relative")
	if math.Abs(want.U.Float()-eta) > claim.UAbs {
		require.LessOrEqual(t, w, claim.WindowRel, "W: %v bytes", want.W.Float())
		require.LessOrEqual(t, r, claim.RateRel, "R")
	}
	return true
}

// someEngine draws a configuration whose formats follow from an error wanted: the coarser, the larger an u' that
// rounds to 0.
func someEngine(t *rapid.T) *config.NIC {
	errors := []string{"0.1", "0.05", "0.02", "0.005", "1e-4"}
	rates := []string{"[1G, 10G]", "[10G, 400G]", "[100G, 1.6T]"}
	rtts := []string{"{min: 1us, max: 100us}", "{min: 10us, max: 20us}", "{min: 100ns, max: 1us}"}
	ranges := []string{"{min: 0.004, max: 127}", "{min: 0.05, max: 8}", "{min: 0.0005, max: 2}"}
	units := []string{"{tx_unit: 1B, qlen_unit: 1B}", "{}"}
	text := fmt.Sprintf("design: nic\nflows: 2\nprofiles: 1\ntelemetry: %s\nrates: %s\nbase_rtt: %s\nutilisation: %s\n"+
		"window: {min: 64B}\nprecision: {max_error: %s}\n", rapid.SampledFrom(units).Draw(t, "units"),
		rapid.SampledFrom(rates).Draw(t, "rates"), rapid.SampledFrom(rtts).Draw(t, "rtt"),
		rapid.SampledFrom(ranges).Draw(t, "utilisation"), rapid.SampledFrom(errors).Draw(t, "max_error"))
	cfg, err := config.Parse("f.yaml", []byte(text))
	require.NoError(t, err, text)
	return cfg
}

// Where links are all but idle, every u' may round to 0, and the bounds hold still.
func TestClaimHoldsWhereNothingIsSent(t *testing.T) {
	held, rounded := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		cfg := someEngine(t)
		rtt := rapid.Uint64Range(cfg.MinRTTTicks, cfg.MaxRTTTicks).Draw(t, "T")
		bps := rapid.SampledFrom(cfg.RatesBps).Draw(t, "rate")
		bdp := window(bps, rtt)
		if low := new(big.Rat).SetUint64(cfg.MinWindow); bdp.Cmp(low) < 0 {
			bdp = low
		}
		s := aStep{bps: bps, factor: 1, wc: bdp, profile: config.Profile{
			BaseRTTNs: rtt, Eta: big.NewRat(95, 100), Fast: true, WAI: big.NewRat(0, 1),
			MaxStage: rapid.IntRange(0, 1).Draw(t, "maxStage"), WMin: new(big.Rat).SetUint64(cfg.MinWindow), WMax: bdp,
		}}
		var state big.Rat
		s.u = state.SetFloat64(min(cfg.UMax, math.Exp2(rapid.Float64Range(-2, 2).Draw(t, "U"))))
		dts := rtt - rapid.Uint64Range(0, rtt/2).Draw(t, "short")
		quiet := rapid.Bool().Draw(t, "quiet")
		for range rapid.IntRange(1, 3).Draw(t, "hops") {
			h := aHop{dts: max(dts, 1)}
			if !quiet {
				h.dtx, h.qlen = rapid.Uint64Range(0, 2).Draw(t, "dtx"), rapid.Uint64Range(0, 1).Draw(t, "qlen")
			}
			if rapid.IntRange(0, 3).Draw(t, "other") == 0 {
				h.dts = rapid.Uint64Range(0, 2*rtt).Draw(t, "dts")
			}
			s.hops = append(s.hops, h)
		}
		if s.hops[0].dts == 0 && len(s.hops) == 1 {
			s.hops[0].dts = 1
		}
		moved := false
		for _, h := range s.hops {
			moved = moved || h.dts > 0
		}
		if !moved {
			return
		}
		if s.held(t, cfg) {
			held++
			if s.silent(cfg) {
				rounded++
			}
		}
	})
	require.Greater(t, held, 30)
	require.Positive(t, rounded, "no u' rounded to 0")
}

// silent reports whether the telemetry of all hops adds less than half an ulp of U.
func (s aStep) silent(cfg *config.NIC) bool {
	for _, h := range s.hops {
		link := float64(h.dtx*cfg.Telemetry.TxUnitBytes) * 8e9 / float64(s.bps) / float64(max(h.dts, 1))
		queue := float64(h.qlen*cfg.Telemetry.QlenUnitBytes) * 8e9 / float64(s.bps) / float64(s.profile.BaseRTTNs)
		if max(link, queue) >= math.Ldexp(0.5, -cfg.Formats.U.Frac) {
			return false
		}
	}
	return true
}

// One unit sent in nearly T, worth less than half an ulp: U falls by tau/T of itself, as the draft has it.
func TestOneUnitInARoundTrip(t *testing.T) {
	cfg, err := config.Parse("f.yaml", []byte("design: nic\nprecision: {max_error: 0.05}\n"))
	require.NoError(t, err)
	s := aStep{bps: 1.6e12, factor: 1, hops: []aHop{{dts: 99_000, dtx: 1}}, u: big.NewRat(1, 1), wc: big.NewRat(1e6, 1)}
	s.profile = config.Profile{
		BaseRTTNs: 100_000, Eta: big.NewRat(95, 100), Fast: true,
		WAI: new(big.Rat), WMin: big.NewRat(32, 1), WMax: big.NewRat(16e6, 1),
	}
	require.True(t, s.silent(cfg))
	require.True(t, s.held(t, cfg))
}
