package config

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/hdlpkg/hpccgen/fixed"
)

// givenFormat ties a format to its key below precision.formats.
type givenFormat struct {
	key    string
	format *fixed.Format
}

// given lists the formats that a file gives, in the order of its keys. Eta follows from U.
func (f *Formats) given() []givenFormat {
	return []givenFormat{
		{"inv_b", &f.InvB}, {"inv_bt", &f.InvBT}, {"u", &f.U}, {"inv_t", &f.InvT},
		{"alpha", &f.Alpha}, {"quotient", &f.Quot}, {"window", &f.Window}, {"rate", &f.Rate},
	}
}

// finishNIC fills in what the table does not say. Problems are collected in d; the result is meaningful only when there
// are none.
func (d *decoder) finishNIC(c *NIC) {
	d.ranges(c)
	d.qlenUnit(c)
	c.HopDivider = c.HopDivider.forDivisor(c.Telemetry.TSBits - 1)
	d.checkIndex("dividers.hop", c.HopDivider)
	d.checkIndex("dividers.quotient", c.QuotientDivider)
	if d.sound("telemetry.timestamp_bits") {
		d.checkReciprocal("dividers.hop", c.HopDivider, c.Telemetry.TSBits-1)
	}
	d.checkExact("dividers.hop", c.HopDivider)
	d.checkExact("dividers.quotient", c.QuotientDivider)
	d.checkRanges(c)
	d.precision(c)
}

func nearestWhole(v *big.Rat) *big.Rat {
	raw, _ := fixed.UQ(maxWidth, 0).Raw(v)
	if raw.Sign() <= 0 {
		raw = big.NewInt(1)
	}
	return new(big.Rat).SetInt(raw)
}

// ranges reads round-trip times and checks them, rates and windows, which the formats must hold.
func (d *decoder) ranges(c *NIC) {
	if n, codes := len(c.RatesBps), 1<<c.Telemetry.RateCodeBits; d.sound("rates", "telemetry.rate_code_bits") &&
		n > codes {
		d.refuse("rates", Problem{
			What:  fmt.Sprintf("rates lists %d rates, with rate_code_bits %d", n, c.Telemetry.RateCodeBits),
			Legal: fmt.Sprintf("up to %d rates", codes), Reason: "every rate needs a code",
			Nearest: fmt.Sprintf("rate_code_bits: %d", bits.Len(uint(n-1)))})
	}

	if d.sound("base_rtt.min", "base_rtt.max", "telemetry.tick") {
		low, high := d.values["base_rtt.min"].number, d.values["base_rtt.max"].number
		tick := ratUint(c.Telemetry.TickNs)
		// Outwards, so that every T between the two is held.
		c.MinRTTTicks = floor(new(big.Rat).Quo(low, tick))
		c.MaxRTTTicks = ceil(new(big.Rat).Quo(high, tick))
		switch {
		case low.Cmp(high) > 0:
			d.refuse("base_rtt.min", Problem{
				What: fmt.Sprintf("base_rtt.min is %s, above base_rtt.max, %s", quantityString(low, durationUnits),
					quantityString(high, durationUnits)),
				Legal: "up to " + quantityString(high, durationUnits), Reason: "min and max are the ends of a range",
				Nearest: quantityString(high, durationUnits)})
		case c.MinRTTTicks == 0:
			d.refuse("base_rtt.min", Problem{
				What: fmt.Sprintf("base_rtt.min is %s, with a tick of %s", quantityString(low, durationUnits), quantityString(tick,
					durationUnits)),
				Legal: "one tick or more", Reason: "T is counted in ticks", Nearest: quantityString(tick, durationUnits)})
		}
	}

	if v, given := d.values["window.max"]; given {
		if d.sound("window.min", "window.max") && c.MinWindow > c.MaxWindow {
			d.refuse("window.min", Problem{
				What:  fmt.Sprintf("window.min is %d bytes, above window.max, %s bytes", c.MinWindow, decimalString(v.number)),
				Legal: fmt.Sprintf("up to %dB", c.MaxWindow), Reason: "min and max are the ends of a range",
				Nearest: fmt.Sprintf("%dB", c.MaxWindow)})
		}
	} else if d.sound("window.max", "rates", "base_rtt.min", "base_rtt.max", "telemetry.tick") {
		bdp := ratUint(c.RatesBps[len(c.RatesBps)-1])
		bdp.Mul(bdp, ratUint(c.MaxRTTTicks)).Mul(bdp, ratUint(c.Telemetry.TickNs)).Quo(bdp, big.NewRat(8e9, 1))
		c.MaxWindow = max(ceil(bdp), 64, c.MinWindow)
	}
}

// qlenUnit reads the unit of qlen: bytes, or a duration where qlen carries the sojourn time.
func (d *decoder) qlenUnit(c *NIC) {
	const path = "telemetry.qlen_unit"
	v, given := d.values[path]
	if !c.Sojourn {
		if !given {
			c.Telemetry.QlenUnitBytes = 80
			return
		}
		if v.duration {
			d.refuse(path, Problem{What: fmt.Sprintf("telemetry.qlen_unit is %s, with queue: length", v.word),
				Legal: "a size, 1B to 65536B", Reason: "qlen counts bytes; only a sojourn time is a duration", Nearest: "80B"})
			return
		}
		c.Telemetry.QlenUnitBytes = d.whole(path, "bytes")
		return
	}
	if !given {
		c.Telemetry.QlenUnitBytes = 1
		return
	}
	if !d.sound(path, "telemetry.tick", "queue") {
		return
	}
	tick := ratUint(c.Telemetry.TickNs)
	legal, why := "a duration, a whole number of ticks up to 65536",
		"the sojourn time is compared with T, which counts ticks"
	if !v.duration {
		d.refuse(path, Problem{What: fmt.Sprintf("telemetry.qlen_unit is %s, with queue: sojourn", v.word), Legal: legal,
			Reason:  why,
			Nearest: quantityString(tick, durationUnits)})
		return
	}
	ticks := new(big.Rat).Quo(v.number, tick)
	if !ticks.IsInt() || ticks.Cmp(big.NewRat(65536, 1)) > 0 || ticks.Sign() <= 0 {
		n := nearestWhole(ticks)
		if n.Cmp(big.NewRat(65536, 1)) > 0 {
			n.SetInt64(65536)
		}
		d.refuse(path, Problem{
			What:  fmt.Sprintf("telemetry.qlen_unit is %s, with a tick of %s", v.word, quantityString(tick, durationUnits)),
			Legal: legal, Reason: why,
			Nearest: quantityString(n.Mul(n, tick), durationUnits)})
		return
	}
	c.Telemetry.QlenUnitBytes = ticks.Num().Uint64()
}

func floor(v *big.Rat) uint64 { return new(big.Int).Div(v.Num(), v.Denom()).Uint64() }

func ceil(v *big.Rat) uint64 {
	n := new(big.Int).Add(v.Num(), v.Denom())
	return n.Sub(n, big.NewInt(1)).Div(n, v.Denom()).Uint64()
}
