package config

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

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

// nic fills in the defaults and builds the configuration of an engine. Problems are collected in d; the result is
// meaningful only when there are none.
func (d *decoder) nic() Design {
	d.defaults(nicKeys, "")
	c := &NIC{
		Name:     d.word("name"),
		Prefix:   d.word("module_prefix"),
		MaxHops:  d.integer("hops.max"),
		Serial:   d.word("hops.order") == "serial",
		Flows:    d.integer("flows"),
		Profiles: d.integer("profiles"),
		Telemetry: Telemetry{
			TSBits:       d.integer("telemetry.timestamp_bits"),
			TxBits:       d.integer("telemetry.tx_bits"),
			QlenBits:     d.integer("telemetry.qlen_bits"),
			RateCodeBits: d.integer("telemetry.rate_code_bits"),
			LinkIDBits:   d.integer("telemetry.link_id_bits"),
			PathIDBits:   d.integer("telemetry.path_id_bits"),
			TickNs:       d.whole("telemetry.tick", "nanoseconds"),
			TxUnitBytes:  d.whole("telemetry.tx_unit", "bytes"),
		},
		SeqBits:      d.integer("sequence_bits"),
		StageBits:    d.integer("stage_bits"),
		CountBits:    d.integer("counter_bits"),
		AsyncReset:   d.word("reset") == "async_low",
		CommitByTime: d.word("mode") == "receiver",
		Sojourn:      d.word("queue") == "sojourn",
	}
	d.clock(c)
	d.ranges(c)
	d.qlenUnit(c)
	c.HopDivider = d.divider("dividers.hop").forDivisor(c.Telemetry.TSBits - 1)
	c.QuotientDivider = d.divider("dividers.quotient")
	if d.sound("telemetry.timestamp_bits") {
		d.checkReciprocal("dividers.hop", c.HopDivider, c.Telemetry.TSBits-1)
	}
	d.checkExact("dividers.hop", c.HopDivider)
	d.checkExact("dividers.quotient", c.QuotientDivider)
	d.checkRanges(c)
	d.precision(c)
	return c
}

// defaults gives every key that the file leaves out its fallback. Keys in lists have none.
func (d *decoder) defaults(keys []key, path string) {
	for i := range keys {
		k := &keys[i]
		full := join(path, k.name)
		if k.kind == kindObject {
			d.defaults(k.keys, full)
			continue
		}
		if k.kind == kindList {
			continue
		}
		if _, given := d.places[full]; given {
			continue
		}
		if k.fallback != "" {
			v, _ := k.read(k.fallback)
			d.values[full] = v
		}
	}
}

// refuse reports a problem at the value of a key; when the file leaves the key out, at the first of the related
// ones that it gives, or else at what encloses the key.
func (d *decoder) refuse(path string, p Problem, related ...string) {
	p.Key = path
	at := d.at(path)
	for _, r := range append([]string{path}, related...) {
		if d.values[r].given {
			at = d.values[r].pos
			break
		}
	}
	d.report(at, p)
	d.spoil(path)
}

// at is the place of a key's value, or of what encloses the key.
func (d *decoder) at(path string) position {
	if v := d.values[path]; v.given {
		return v.pos
	}
	for p := path; p != ""; p = parent(p) {
		if at, ok := d.places[p]; ok {
			return at
		}
	}
	return position{1, 1}
}

// byDefault marks in a message a value that the file does not give.
func (d *decoder) byDefault(path string) string {
	if d.values[path].given {
		return ""
	}
	return " by default"
}

func (d *decoder) word(path string) string { return d.values[path].word }

// integer is 0 for a key that was refused; whoever divides by it checks sound first.
func (d *decoder) integer(path string) int {
	if v := d.values[path].number; v != nil {
		return int(v.Num().Int64())
	}
	return 0
}

// whole is a quantity that must be a whole number of its base unit.
func (d *decoder) whole(path, units string) uint64 {
	v := d.values[path].number
	if v == nil {
		return 0
	}
	if !v.IsInt() {
		d.refuse(path, Problem{What: fmt.Sprintf("%s is %s %s", path, decimalString(v), units), Legal: "a whole number of " + units,
			Reason: "the engine counts in whole units", Nearest: d.lookupPath(path).format(nearestWhole(v))})
		return 0
	}
	return v.Num().Uint64()
}

func nearestWhole(v *big.Rat) *big.Rat {
	raw, _ := fixed.UQ(maxWidth, 0).Raw(v)
	if raw.Sign() <= 0 {
		raw = big.NewInt(1)
	}
	return new(big.Rat).SetInt(raw)
}

func (d *decoder) clock(c *NIC) {
	const path = "clock_bits"
	ts := c.Telemetry.TSBits
	if _, given := d.values[path]; !given {
		c.ClockBits = max(40, ts+1)
		return
	}
	c.ClockBits = d.integer(path)
	if d.sound(path, "telemetry.timestamp_bits") && c.ClockBits <= ts {
		d.refuse(path, Problem{What: fmt.Sprintf("clock_bits is %d, with timestamp_bits %d", c.ClockBits, ts),
			Legal: fmt.Sprintf("%d to 64", ts+1), Reason: "a local clock no wider than the timestamps cannot notice an idle flow", Nearest: fmt.Sprint(ts + 1)})
	}
}

// ranges reads the rates, round-trip times and windows that the formats must hold.
func (d *decoder) ranges(c *NIC) {
	for _, r := range d.values["rates"].rates {
		c.RatesBps = append(c.RatesBps, r.Num().Uint64())
	}
	slices.Sort(c.RatesBps)
	c.RatesBps = slices.Compact(c.RatesBps)
	if n, codes := len(c.RatesBps), 1<<c.Telemetry.RateCodeBits; d.sound("rates", "telemetry.rate_code_bits") && n > codes {
		d.refuse("rates", Problem{What: fmt.Sprintf("rates lists %d rates, with rate_code_bits %d", n, c.Telemetry.RateCodeBits),
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
			d.refuse("base_rtt.min", Problem{What: fmt.Sprintf("base_rtt.min is %s, above base_rtt.max, %s", quantityString(low, durationUnits), quantityString(high, durationUnits)),
				Legal: "up to " + quantityString(high, durationUnits), Reason: "min and max are the ends of a range", Nearest: quantityString(high, durationUnits)})
		case c.MinRTTTicks == 0:
			d.refuse("base_rtt.min", Problem{What: fmt.Sprintf("base_rtt.min is %s, with a tick of %s", quantityString(low, durationUnits), quantityString(tick, durationUnits)),
				Legal: "one tick or more", Reason: "T is counted in ticks", Nearest: quantityString(tick, durationUnits)})
		}
	}

	c.MinWindow = d.whole("window.min", "bytes")
	if v, given := d.values["window.max"]; given {
		c.MaxWindow = d.whole("window.max", "bytes")
		if d.sound("window.min", "window.max") && c.MinWindow > c.MaxWindow {
			d.refuse("window.min", Problem{What: fmt.Sprintf("window.min is %d bytes, above window.max, %s bytes", c.MinWindow, decimalString(v.number)),
				Legal: fmt.Sprintf("up to %dB", c.MaxWindow), Reason: "min and max are the ends of a range", Nearest: fmt.Sprintf("%dB", c.MaxWindow)})
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
	legal, why := "a duration, a whole number of ticks up to 65536", "the sojourn time is compared with T, which counts ticks"
	if !v.duration {
		d.refuse(path, Problem{What: fmt.Sprintf("telemetry.qlen_unit is %s, with queue: sojourn", v.word), Legal: legal, Reason: why,
			Nearest: quantityString(tick, durationUnits)})
		return
	}
	ticks := new(big.Rat).Quo(v.number, tick)
	if !ticks.IsInt() || ticks.Cmp(big.NewRat(65536, 1)) > 0 || ticks.Sign() <= 0 {
		n := nearestWhole(ticks)
		if n.Cmp(big.NewRat(65536, 1)) > 0 {
			n.SetInt64(65536)
		}
		d.refuse(path, Problem{What: fmt.Sprintf("telemetry.qlen_unit is %s, with a tick of %s", v.word, quantityString(tick, durationUnits)), Legal: legal, Reason: why,
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
