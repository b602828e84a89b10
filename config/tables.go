package config

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hdlpkg/hpccgen/fixed"
)

// Table names a table of the engine: the code of tw_table.
type Table int

// The tables, docs/architecture.md.
const (
	TableRate   Table = iota // InvB and valid, by rate code
	TableQueue               // InvBT, by rate code and profile
	TableRTT                 // T, by profile, as are the following
	TableInvRTT              // 1/T
	TableEta                 // target utilisation
	TableStage               // maxStage and fast
	TableWAI                 // W_ai
	TableWMin                // W_min
	TableWMax                // W_max
)

// TableWrite is one write to a table: a transfer on stream tw.
type TableWrite struct {
	Table Table
	Index int
	Data  uint64
}

// Profile holds the constants of a group of flows, in the units that people use. ProfileEntries
// turns them into table entries.
type Profile struct {
	BaseRTTNs  uint64   // T, nanoseconds
	QueueRTTNs *big.Rat // T' of the queue term qlen/(B T'), nanoseconds; nil: T
	Eta        *big.Rat // target utilisation, above 0, at most 1
	MaxStage   int      // additive steps before a multiplicative one
	Fast       bool     // react to every ACK; false: only at commits

	WAI, WMin, WMax *big.Rat // bytes
}

// RateEntry makes known a rate code: the time InvB that one unit of tx takes on a link of bps bit/s,
// in ticks. The unit of tx is the configured one times unitMultiplier. It fails when the code is
// beyond the table, or InvB is beyond its format or rounds to nothing.
func (c *NIC) RateEntry(code int, bps, unitMultiplier uint64) (TableWrite, error) {
	if err := c.checkRate(code, bps, unitMultiplier); err != nil {
		return TableWrite{}, err
	}
	v := c.unitTicks(c.Telemetry.TxUnitBytes, bps, unitMultiplier)
	raw, err := positive("InvB", c.Formats.InvB, v)
	if err != nil {
		return TableWrite{}, fmt.Errorf("rate code %d, %s with unit multiplier %d: %w", code, bpsString(bps), unitMultiplier,
			err)
	}
	return TableWrite{TableRate, code, 1<<c.Formats.InvB.Width() | raw}, nil
}

// ForgetRate makes a rate code unknown.
func (c *NIC) ForgetRate(code int) (TableWrite, error) {
	if code < 0 || code >= c.RateCodes() {
		return TableWrite{}, fmt.Errorf("rate code %d: legal: 0 to %d (rate_code_bits is %d)", code, c.RateCodes()-1,
			c.Telemetry.RateCodeBits)
	}
	return TableWrite{TableRate, code, 0}, nil
}

// QueueEntry gives InvBT, the normalised inflight of one unit of qlen: qlen_unit/(B T'). The unit of
// qlen is the configured one times unitMultiplier. Where qlen carries the sojourn time the entry is
// qlen_unit/T' whatever the rate.
func (c *NIC) QueueEntry(code, profile int, bps, unitMultiplier uint64, p Profile) (TableWrite, error) {
	if err := c.checkRate(code, bps, unitMultiplier); err != nil {
		return TableWrite{}, err
	}
	if err := c.checkProfileIndex(profile); err != nil {
		return TableWrite{}, err
	}
	t := p.QueueRTTNs
	if t == nil {
		t = new(big.Rat).SetUint64(p.BaseRTTNs)
	}
	if t.Sign() <= 0 {
		return TableWrite{}, fmt.Errorf("profile %d: the round-trip time of the queue term is %s ns: it must be above 0",
			profile, decimalString(t))
	}
	ticks := new(big.Rat).Quo(t, ratUint(c.Telemetry.TickNs))
	unit := ratUint(c.Telemetry.QlenUnitBytes)
	unit.Mul(unit, ratUint(unitMultiplier))
	if !c.Sojourn {
		unit = c.unitTicks(c.Telemetry.QlenUnitBytes, bps, unitMultiplier)
	}
	raw, err := positive("InvBT", c.Formats.InvBT, unit.Quo(unit, ticks))
	if err != nil {
		return TableWrite{}, fmt.Errorf("rate code %d, profile %d, %s with unit multiplier %d and T' = %s ns: %w",
			code, profile, bpsString(bps), unitMultiplier, decimalString(t), err)
	}
	return TableWrite{TableQueue, code<<c.ProfileBits() | profile, raw}, nil
}

// ProfileEntries gives the entries of a profile in the tables TableRTT to TableWMax; those of
// TableQueue depend on the rates as well and come from QueueEntry. It fails, naming every value
// at fault, when one is beyond its format.
func (c *NIC) ProfileEntries(index int, p Profile) ([]TableWrite, error) {
	var f faults

	// T is a whole number of ticks, and 1/T is that of this number, so that tau = T gives alpha = 1.
	t := new(big.Rat).Quo(ratUint(p.BaseRTTNs), ratUint(c.Telemetry.TickNs))
	ticks, fits := fixed.UQ(c.RTTBits, 0).Raw(t)
	var invT uint64
	switch {
	case ticks.Sign() == 0:
		f.add("T is %d ns, less than half a tick of %d ns", p.BaseRTTNs, c.Telemetry.TickNs)
	case !fits:
		f.add("T is %s ticks: legal: 1 to %d (%d bits)", ticks, uint64(1)<<c.RTTBits-1, c.RTTBits)
	default:
		var err error
		if invT, err = positive("1/T", c.Formats.InvT, new(big.Rat).SetFrac(big.NewInt(1), ticks)); err != nil {
			shortest := new(big.Rat).Inv(c.Formats.InvT.Max())
			f.add("T is %s ticks: %v; T must be above %s ticks", ticks, err, shortest.FloatString(1))
		}
	}

	var eta uint64
	if p.Eta == nil || p.Eta.Sign() <= 0 || p.Eta.Cmp(big.NewRat(1, 1)) > 0 {
		f.add("eta is %s: legal: above 0, at most 1", ratOrNone(p.Eta))
	} else if v, err := positive("eta", c.Formats.Eta, p.Eta); err != nil {
		f.add("%v", err)
	} else {
		eta = v
	}

	largest := 1<<c.StageBits - 1
	if p.MaxStage < 0 || p.MaxStage > largest {
		f.add("maxStage is %d: legal: 0 to %d (stage_bits is %d)", p.MaxStage, largest, c.StageBits)
	}
	stage := uint64(p.MaxStage)
	if p.Fast {
		stage |= 1 << c.StageBits
	}

	wai, wmin, wmax := f.windows(c.Formats.Window, p)
	if err := f.of(&c.Engine, index); err != nil {
		return nil, err
	}
	return []TableWrite{
		{TableRTT, index, ticks.Uint64()},
		{TableInvRTT, index, invT},
		{TableEta, index, eta},
		{TableStage, index, stage},
		{TableWAI, index, wai},
		{TableWMin, index, wmin},
		{TableWMax, index, wmax},
	}, nil
}

// unitTicks is the time, in ticks, that multiplier units of unitBytes bytes take at bps bit/s.
func (c *NIC) unitTicks(unitBytes, bps, multiplier uint64) *big.Rat {
	v := ratUint(unitBytes)
	v.Mul(v, ratUint(multiplier))
	v.Mul(v, big.NewRat(8e9, 1))
	v.Quo(v, ratUint(bps))
	return v.Quo(v, ratUint(c.Telemetry.TickNs))
}

func (c *NIC) checkRate(code int, bps, multiplier uint64) error {
	switch {
	case code < 0 || code >= c.RateCodes():
		return fmt.Errorf("rate code %d: legal: 0 to %d (rate_code_bits is %d)", code, c.RateCodes()-1,
			c.Telemetry.RateCodeBits)
	case bps == 0:
		return fmt.Errorf("rate code %d: the rate is 0 bit/s: it must be above 0", code)
	case multiplier == 0:
		return fmt.Errorf("rate code %d: the unit multiplier is 0: it must be at least 1", code)
	}
	return nil
}

func (c *Engine) checkProfileIndex(index int) error {
	if index < 0 || index >= c.Profiles {
		return fmt.Errorf("profile %d: legal: 0 to %d (profiles is %d)", index, c.Profiles-1, c.Profiles)
	}
	return nil
}

// faults are what is wrong with the constants of a profile.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// windows are the entries of W_ai, W_min and W_max.
func (f *faults) windows(format fixed.Format, p Profile) (wai, wmin, wmax uint64) {
	largest := decimalString(format.Max())
	entry := func(name string, v *big.Rat) uint64 {
		switch {
		case v == nil:
			f.add("%s is not given: legal: 0 to %s bytes", name, largest)
			return 0
		case v.Sign() < 0:
			f.add("%s is %s bytes: legal: 0 to %s bytes", name, decimalString(v), largest)
			return 0
		}
		raw, ok := format.Raw(v)
		if !ok {
			f.add("%s is %s bytes: legal: 0 to %s bytes (%s)", name, decimalString(v), largest, format)
			return 0
		}
		return raw.Uint64()
	}
	wai, wmin, wmax = entry("W_ai", p.WAI), entry("W_min", p.WMin), entry("W_max", p.WMax)
	if p.WMin != nil && p.WMax != nil && p.WMin.Cmp(p.WMax) > 0 {
		f.add("W_min is %s bytes, above W_max, %s bytes", decimalString(p.WMin), decimalString(p.WMax))
	}
	return wai, wmin, wmax
}

// of is the error about a profile of an engine; nil if nothing is wrong.
func (f faults) of(c *Engine, index int) error {
	if err := c.checkProfileIndex(index); err != nil || len(f) == 0 {
		return err
	}
	return fmt.Errorf("profile %d: %s", index, strings.Join(f, "; "))
}

// positive rounds v to f. A v that is beyond f, or that rounds to zero and so would silently
// drop out of every product, is an error.
func positive(name string, f fixed.Format, v *big.Rat) (uint64, error) {
	raw, ok := f.Raw(v)
	switch {
	case !ok:
		return 0, fmt.Errorf("%s is %s: legal: up to %s (%s)", name, approx(v), approx(f.Max()), f)
	case raw.Sign() == 0:
		return 0, fmt.Errorf("%s is %s and rounds to 0: legal: from %s (%s)", name, approx(v), approx(f.Ulp()), f)
	}
	return raw.Uint64(), nil
}

func ratUint(v uint64) *big.Rat { return new(big.Rat).SetUint64(v) }

func bpsString(bps uint64) string { return rateString(ratUint(bps)) }

func ratOrNone(v *big.Rat) string {
	if v == nil {
		return "not given"
	}
	return decimalString(v)
}

// approx writes v with six significant digits.
func approx(v *big.Rat) string {
	f, _ := v.Float64()
	return fmt.Sprintf("%.6g", f)
}

// FairIncrease is W_ai = W_init (1 - eta) / N in bytes, the draft's rule of thumb for N flows on a link
// (section 5): together they add no more in a round than the headroom that eta leaves. A receiver that
// counts its flows writes it anew when their number changes (section 6.3.2).
func FairIncrease(windowInit, eta *big.Rat, flows int) *big.Rat {
	headroom := new(big.Rat).Sub(big.NewRat(1, 1), eta)
	w := headroom.Mul(headroom, windowInit)
	return w.Quo(w, new(big.Rat).SetInt64(int64(max(flows, 1))))
}
