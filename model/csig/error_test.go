package csig_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// rat is n/d.
func rat(n, d uint64) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(n), new(big.Int).SetUint64(d))
}

func shifted(n int) *big.Rat { // 2^n
	if n < 0 {
		return new(big.Rat).Inv(shifted(-n))
	}
	return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))
}

func add(list ...*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, r := range list {
		sum.Add(sum, r)
	}
	return sum
}

func mul(list ...*big.Rat) *big.Rat {
	p := rat(1, 1)
	for _, r := range list {
		p.Mul(p, r)
	}
	return p
}

func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

func atMost(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}

// exact is what docs/csig.md defines for a port, in exact arithmetic; averages in so many bits that nothing is left to
// see of their rounding.
type exact struct {
	cfg     *csig.Config
	sent    []sent   // Raw: all packets so far
	value   *big.Rat // bytes: EWMA, DRE
	pending *big.Rat // bytes since time
	time    uint64   // of the last update
}

type sent struct{ at, bytes uint64 }

// used is the bandwidth in kbit/s that a packet at time now finds in use.
func (e *exact) used(window [2]uint64) *big.Rat {
	est := &e.cfg.Estimate
	switch est.Method {
	case csig.Raw: // delta_txbit / delta_t over the window
		var bytes uint64
		for _, s := range e.sent {
			if s.at >= window[0] && s.at < window[1] {
				bytes += s.bytes
			}
		}
		return mul(rat(bytes, est.Window), rat(8e6, 1))
	case csig.EWMA:
		return mul(e.value, rat(8e6, 1), shifted(-est.TimeShift))
	}
	return mul(add(e.value, e.pending), rat(8e6, 1), shifted(-est.TickShift-est.DecayShift))
}

// advance is the averages of EWMA and DRE without any rounding.
func (e *exact) advance(now uint64) {
	est := &e.cfg.Estimate
	switch {
	case e.value == nil:
		e.value, e.pending = new(big.Rat), new(big.Rat)
	case est.Method == csig.EWMA:
		d := now - e.time
		if d < 1<<est.GapShift {
			return
		}
		if d >= 32<<est.TimeShift {
			e.value = new(big.Rat)
			break
		}
		x := mul(rat(d, 1), shifted(-est.TimeShift))
		keep := halved(mul(x, rat(5909, 4096)))
		e.value = add(mul(e.value, keep), mul(e.pending, sub(rat(1, 1), keep), new(big.Rat).Inv(x)))
	case est.Method == csig.DRE:
		n := now>>est.TickShift - e.time>>est.TickShift
		if n == 0 {
			return
		}
		if n >= 32<<est.DecayShift {
			e.value = new(big.Rat)
			break
		}
		// (2^DecayShift - 1)^n / 2^(n DecayShift)
		keep := new(big.Int).Exp(big.NewInt(1<<est.DecayShift-1), new(big.Int).SetUint64(n), nil)
		whole := new(big.Int).Lsh(big.NewInt(1), uint(n)*uint(est.DecayShift))
		e.value = mul(add(e.value, e.pending), new(big.Rat).SetFrac(keep, whole))
	}
	e.value, e.pending, e.time = in256(e.value), new(big.Rat), now
}

// in256 is r with 256 bits.
func in256(r *big.Rat) *big.Rat {
	out, _ := new(big.Float).SetPrec(256).SetRat(r).Rat(nil)
	return out
}

// halved is 2^-x, by the square roots of 2 that x is made of; its fraction has 60 bits at most.
func halved(x *big.Rat) *big.Rat {
	whole := new(big.Int).Div(x.Num(), x.Denom())
	out := new(big.Float).SetPrec(256).SetMantExp(big.NewFloat(1), -int(whole.Int64()))
	rest := sub(x, new(big.Rat).SetInt(whole))
	for _, root := range halvings {
		rest = mul(rest, rat(2, 1))
		if rest.Cmp(rat(1, 1)) >= 0 {
			rest = sub(rest, rat(1, 1))
			out.Mul(out, root)
		}
	}
	if rest.Sign() != 0 {
		panic("more than 60 bits")
	}
	r, _ := out.Rat(nil)
	return r
}

// halvings are 2^-(1/2), 2^-(1/4), ...
var halvings = func() (list [60]*big.Float) {
	r := new(big.Float).SetPrec(256).SetFloat64(0.5)
	for i := range list {
		r = new(big.Float).SetPrec(256).Sqrt(r)
		list[i] = r
	}
	return list
}()

func (e *exact) count(now, bytes uint64) {
	if e.cfg.Estimate.Method == csig.Raw {
		e.sent = append(e.sent, sent{now, bytes})
	}
	e.pending = add(e.pending, rat(bytes, 1))
}

// bounds are those of docs/csig.md.
type bounds struct{ abw, abwc, nqd *big.Rat }

func boundsOf(cfg *csig.Config, capacity uint64, nqd, used *big.Rat) bounds {
	w, est := &cfg.Widths, &cfg.Estimate
	delta := rat(1, 1<<w.Recip-1)
	half := rat(1, 2)
	meter := new(big.Rat) // kbit/s
	var updates, time int // as powers of two
	switch est.Method {
	case csig.EWMA:
		updates, time = est.TimeShift-est.GapShift, est.TimeShift
	case csig.DRE:
		updates, time = est.DecayShift, est.TickShift+est.DecayShift
	}
	if est.Method != csig.Raw {
		roundings := add(mul(rat(17, 32), shifted(updates)), rat(2, 1))
		meter = add(mul(shifted(-20), atMost(used, rat(capacity, 1))), mul(roundings, rat(8e6, 1), shifted(-time-w.Frac)))
	}
	c := rat(capacity, 1)
	abw := add(half, mul(c, delta), mul(meter, add(rat(1, 1), delta)))
	one := shifted(w.Ratio)
	return bounds{abw: abw, abwc: add(half, mul(one, delta), mul(meter, add(rat(1, 1), delta), one, rat(1, capacity))),
		nqd: add(half, mul(nqd, delta))}
}

// off tells by how much two values are further apart than a bound; "" when they are not.
func off(what string, got uint64, want, bound *big.Rat) string {
	d := sub(rat(got, 1), want)
	if d.Abs(d).Cmp(bound) > 0 {
		return fmt.Sprintf("%s is %d, exactly %s: more than %s apart", what, got, want.FloatString(6), bound.FloatString(6))
	}
	return ""
}

// offBandwidth reports the signal of bandwidth whose error exceeds its bound.
func offBandwidth(cfg *csig.Config, s *csig.Signals, capacity uint64, used *big.Rat) string {
	c := rat(capacity, 1)
	abw := sub(c, atMost(used, c))
	b := boundsOf(cfg, capacity, new(big.Rat), used)
	if problem := off("ABW", s.ABW, abw, b.abw); problem != "" {
		return problem
	}
	return off("ABW/C", s.ABWC, mul(abw, shifted(cfg.Widths.Ratio), rat(1, capacity)), b.abwc)
}

// compare runs traffic through a device and reports the first signal that is off.
func compare(t *rapid.T, cfg csig.Config, packets int, spoil func(*csig.Signals)) string {
	capacity := cfg.Port[0].Capacity
	d, err := csig.New(cfg)
	require.NoError(t, err)
	e := exact{cfg: &cfg}
	now := rapid.Uint64Range(0, 1<<20).Draw(t, "start")
	gap := rapid.SampledFrom([]uint64{0, 10, 200, 3000, 50_000, 5_000_000}).Draw(t, "gap")
	for range rapid.IntRange(1, packets).Draw(t, "packets") {
		now += rapid.Uint64Range(0, gap+1).Draw(t, "after")
		e.advance(now)
		size := rapid.IntRange(14, 1500).Draw(t, "size")
		m := csig.Meta{EgressNs: now, IngressNs: now - rapid.Uint64Range(0, min(now, 1<<34)).Draw(t, "delay"),
			QlenBytes: rapid.Uint64Range(0, 1<<32-1).Draw(t, "queue")}
		_, ev := d.Process(packet("", size-14), m)
		s := ev.Signals
		spoil(&s)
		var window [2]uint64
		if est := &cfg.Estimate; est.Method == csig.Raw {
			// The last whole window before the packet: that of the device, which must have ended at most a window ago.
			at := d.Meter(0).Time
			if at > now || now-at >= est.Window {
				return fmt.Sprintf("at %d the window has started at %d", now, at)
			}
			window = [2]uint64{at - min(at, est.Window), at}
		}
		used := e.used(window)
		nqd := mul(rat(m.QlenBytes, capacity), rat(8e6, 1))
		b := boundsOf(&cfg, capacity, nqd, used)
		for _, problem := range []string{
			offBandwidth(&cfg, &s, capacity, used),
			off("PD", s.PD, atMost(rat(now-m.IngressNs, 1), rat(1<<32-1, 1)), new(big.Rat)),
			off("nQD", s.NQD, atMost(nqd, rat(1<<32-1, 1)), b.nqd),
		} {
			if problem != "" {
				return problem
			}
		}
		e.count(now, uint64(max(size, 60))+cfg.Estimate.Overhead) // padded by the MAC
	}
	return ""
}

// anyConfig is a device of one port with any measurement, widths and capacity.
func anyConfig(t *rapid.T) csig.Config {
	cfg := csig.DefaultConfig(1, rapid.SampledFrom([]uint64{1e6, 10e6, 25e6, 100e6, 123_456_789, 800e6, 1600e6}).Draw(t,
		"capacity"))
	w := &cfg.Widths
	w.Ratio = rapid.IntRange(12, 24).Draw(t, "ratio")
	w.Recip = rapid.IntRange(w.Ratio+4, min(w.Ratio+8, 32)).Draw(t, "recip")
	w.Frac = rapid.IntRange(0, 16).Draw(t, "frac")
	cfg.Bounds = csig.AppendixA(w.Ratio)
	est := &cfg.Estimate
	est.Method = rapid.SampledFrom([]csig.Method{csig.Raw, csig.EWMA, csig.DRE}).Draw(t, "method")
	est.Window = rapid.Uint64Range(1000, 100_000).Draw(t, "window")
	est.TimeShift = rapid.IntRange(10, 20).Draw(t, "time shift")
	est.GapShift = rapid.IntRange(0, est.TimeShift-1).Draw(t, "gap shift")
	est.TickShift = rapid.IntRange(8, 14).Draw(t, "tick shift")
	est.DecayShift = rapid.IntRange(max(1, 10-est.TickShift), 6).Draw(t, "decay shift")
	return cfg
}

// Every signal of every packet is within its bound of the exact formula, for every method.
func TestSignalsWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if problem := compare(t, anyConfig(t), 40, func(*csig.Signals) {}); problem != "" {
			t.Fatal(problem)
		}
	})
}

// Errors of averages add up over many updates.
func TestAveragesWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := anyConfig(t)
		cfg.Estimate.Method = rapid.SampledFrom([]csig.Method{csig.EWMA, csig.DRE}).Draw(t, "average")
		cfg.Widths.Frac = rapid.IntRange(0, 2).Draw(t, "coarse")
		if problem := compare(t, cfg, 300, func(*csig.Signals) {}); problem != "" {
			t.Fatal(problem)
		}
	})
}

// The check notices one unit beyond the bound.
func TestBoundsNotice(t *testing.T) {
	for name, spoil := range map[string]func(*csig.Signals){
		"ABW is":   func(s *csig.Signals) { s.ABW += 3 },
		"ABW/C is": func(s *csig.Signals) { s.ABWC += 3 },
		"PD is":    func(s *csig.Signals) { s.PD++ },
		"nQD is":   func(s *csig.Signals) { s.NQD += 3 },
	} {
		rapid.Check(t, func(t *rapid.T) {
			problem := compare(t, csig.DefaultConfig(1, 100e6), 40, spoil)
			if name == "PD is" && problem == "" {
				return // saturated
			}
			require.Contains(t, problem, name)
		})
	}
}

// An idle link has exactly all of its capacity, at every capacity and width.
func TestIdleLinkIsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := anyConfig(t)
		cfg.Port[0].Capacity = rapid.Uint64Range(csig.MinCapacity, 1<<32-1).Draw(t, "capacity")
		d, err := csig.New(cfg)
		require.NoError(t, err)
		_, ev := d.Process(packet("", 50), csig.Meta{})
		require.Equal(t, cfg.Port[0].Capacity, ev.Signals.ABW)
		require.EqualValues(t, 1<<cfg.Widths.Ratio, ev.Signals.ABWC)
	})
}

// Factors are within half a unit of their last bit, and have all of their bits.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(8, 32).Draw(t, "bits")
		r := rat(rapid.Uint64Range(1, 1<<31).Draw(t, "n"), rapid.Uint64Range(1, 1<<31).Draw(t, "d"))
		s, err := csig.NewScale(r, bits)
		if err != nil {
			require.ErrorContains(t, err, fmt.Sprintf("no factor of %d bits is close to ", bits))
			require.True(t, r.Cmp(shifted(bits-1)) > 0 || r.Cmp(shifted(bits-64)) < 0, r)
			return
		}
		require.EqualValues(t, 1, s.Mantissa>>(bits-1))
		d := sub(mul(rat(s.Mantissa, 1), shifted(-s.Shift)), r)
		require.LessOrEqual(t, d.Abs(d).Cmp(mul(r, rat(1, 1<<bits-1))), 0)
		x := rapid.Uint64Range(0, 1<<56-1).Draw(t, "x")
		product := add(mul(rat(x, 1), rat(s.Mantissa, 1), shifted(-s.Shift)), rat(1, 2))
		want := new(big.Int).Div(product.Num(), product.Denom())
		if want.BitLen() > 32 {
			want.SetUint64(1<<32 - 1)
		}
		require.Equal(t, want.Uint64(), s.Of(x, 1<<32-1))
	})
	// Just below a power of two, and rounded up to it.
	s, err := csig.NewScale(rat(65535, 8), 14)
	require.NoError(t, err)
	require.Equal(t, csig.Scale{Mantissa: 1 << 13, Shift: 0}, s)
	_, err = csig.NewScale(new(big.Rat), 8)
	require.EqualError(t, err, "no factor of 8 bits is close to 0.000000000000")
}

// Every legal configuration has its factors: the extremes of all that goes into them.
func TestFactorsExist(t *testing.T) {
	for _, recip := range []int{16, 20, 32} {
		for _, frac := range []int{0, 16} {
			for _, e := range []csig.Estimate{
				{Window: 1000}, {Window: 1e9},
				{Method: csig.EWMA, TimeShift: 10}, {Method: csig.EWMA, TimeShift: 30},
				{Method: csig.DRE, TickShift: 4, DecayShift: 6}, {Method: csig.DRE, TickShift: 9, DecayShift: 1},
				{Method: csig.DRE, TickShift: 24, DecayShift: 6},
			} {
				for _, ratio := range []int{max(12, recip-8), min(28, recip-4)} {
					for _, capacity := range []uint64{csig.MinCapacity, 1<<32 - 1} {
						cfg := csig.DefaultConfig(1, capacity)
						cfg.Widths.Recip, cfg.Widths.Frac, cfg.Widths.Ratio = recip, frac, ratio
						cfg.Estimate = e
						_, err := csig.New(cfg)
						require.NoError(t, err, "%+v", cfg.Widths)
						s, err := cfg.EstimateScale()
						require.NoError(t, err)
						require.EqualValues(t, 1, s.Mantissa>>(recip-1))
						_, _, err = cfg.PortScales(capacity)
						require.NoError(t, err)
					}
				}
			}
		}
	}
}

// Section 5.1.1 by hand: 100G, 10 us windows. Bytes are on the wire, 24 more than the device sees.
func TestRawWindows(t *testing.T) {
	cfg := csig.DefaultConfig(1, 100e6)
	cfg.Estimate.Window = 10_000
	d := newDevice(t, cfg)
	for _, c := range []struct {
		at     uint64
		size   int
		abwG   uint64
		reason string
	}{
		{1000, 1226, 100, "first packet: nothing is known"},
		{2000, 1226, 100, "the first window is open"},
		{10999, 3726, 100, "its last ns"},
		{11000, 1226, 95, "6250 bytes in 10 us are 5 Gbit/s"},
		{20999, 1226, 95, "the same window"},
		{30999, 1226, 98, "2500 bytes in the second window; a gap of one ns less than two windows"},
		{40999, 1226, 99, "the third has one packet"},
		{51_000, 1226, 100, "two windows to the ns: the last one was empty"},
		{200_000, 1226, 100, "a whole window without packets"},
		{209_999, 1226, 100, "a new window has started with that packet"},
		{210_000, 1226, 98, "and ends here"},
		{150_000, 1226, 98, "time that runs backwards is no time"},
	} {
		_, ev := d.Process(packet("", c.size-14), csig.Meta{EgressNs: c.at, IngressNs: c.at})
		assert.Equal(t, c.abwG*1e6, ev.Signals.ABW, "%d ns: %s", c.at, c.reason)
	}
}

// Timestamps wrap at their width: windows, delays and ticks continue.
func TestTimeWraps(t *testing.T) {
	for _, method := range []csig.Method{csig.Raw, csig.EWMA, csig.DRE} {
		run := func(start uint64) (all []csig.Signals) {
			cfg := csig.DefaultConfig(1, 100e6)
			cfg.Estimate = csig.Estimate{Method: method, Window: 1000, TimeShift: 10, TickShift: 8, DecayShift: 2,
				Overhead: csig.WireOverhead}
			d := newDevice(t, cfg)
			for i := range uint64(40) {
				_, ev := d.Process(packet("", 500), csig.Meta{EgressNs: start + 100*i, IngressNs: start + 100*i - 70})
				all = append(all, ev.Signals)
			}
			return all
		}
		assert.Equal(t, run(1<<20), run(1<<48-2048), method)
	}
}

// Half of the range of time or more is time that runs backwards; a queue beyond its width is the largest of that width;
// delays saturate.
func TestLimits(t *testing.T) {
	cfg := csig.DefaultConfig(1, 100e6)
	cfg.Widths.Qlen = 16
	d := newDevice(t, cfg)
	for _, c := range []struct{ took, queue, pd, nqd uint64 }{
		{1<<32 - 1, 1<<16 - 1, 1<<32 - 1, 5243},
		{1 << 32, 1 << 16, 1<<32 - 1, 5243},
		{1<<47 - 1, 1 << 40, 1<<32 - 1, 5243},
		{1 << 47, 0, 0, 0},
		{1<<48 - 1, 0, 0, 0},
		{1 << 48, 100, 0, 8},
	} {
		_, ev := d.Process(packet("", 50), csig.Meta{IngressNs: 1 << 50, EgressNs: 1<<50 + c.took, QlenBytes: c.queue})
		assert.Equal(t, c.pd, ev.Signals.PD, "%d ns", c.took)
		assert.Equal(t, c.nqd, ev.Signals.NQD, "%d bytes", c.queue)
	}
}

// What counts is the packet that leaves, with its overhead.
func TestStrippedBytesDoNotCount(t *testing.T) {
	cfg := csig.DefaultConfig(2, 100e6)
	cfg.Port[1].Action = csig.StripAll()
	d := newDevice(t, cfg)
	for port, want := range []uint64{64 + 8 + 24, 64 + 24} {
		in := tagged(t, packet("", 50), telemetry.CSIG{Type: 2}, telemetry.CSIGExpanded, telemetry.CSIGIETF)
		d.Process(in, csig.Meta{EgressPort: port})
		assert.Equal(t, want, d.Meter(port).Pending)
	}
}

// Counts saturate: ABW stays 0 however much is sent.
func TestCountsSaturate(t *testing.T) {
	for _, method := range []csig.Method{csig.Raw, csig.EWMA, csig.DRE} {
		cfg := csig.DefaultConfig(1, 1e6)
		cfg.Widths.Bytes = 16
		cfg.Estimate = csig.Estimate{Method: method, Window: 1000, TimeShift: 10, TickShift: 10, DecayShift: 1}
		d := newDevice(t, cfg)
		for i := range uint64(100) {
			_, ev := d.Process(packet("", 9000), csig.Meta{EgressNs: 1024 + i*100})
			if i > 30 { // the third update
				require.Zero(t, ev.Signals.ABW, "%s packet %d", method, i)
				require.Zero(t, ev.Signals.ABWC)
			}
		}
		m := d.Meter(0)
		require.LessOrEqual(t, m.Pending, uint64(1<<16-1))
		require.LessOrEqual(t, m.Value, uint64(1<<33-1))
	}
}
