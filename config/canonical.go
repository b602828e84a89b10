package config

import (
	"math/big"
	"strconv"
	"strings"
)

// Canonical is the configuration as YAML with every key resolved: defaults written out, formats in place
// of max_error, keys in one order, no comments. Files that mean the same have the same canonical form;
// Parse accepts it and gives the same configuration. Hash is taken over it.
func (c *NIC) Canonical() []byte {
	w := &canonical{}
	c.head(w)
	w.line(0, "precision", "")
	c.formats(w)
	return w.Bytes()
}

// formats writes precision.formats.
func (c *NIC) formats(w *canonical) {
	w.line(1, "formats", "")
	for _, f := range c.Formats.given() {
		w.line(2, f.key, "%s", *f.format)
	}
}

// head writes everything but the precision. Parameters of dividers that are 0 are left out: only a Variant has such.
func (c *NIC) head(w *canonical) {
	line := w.line
	t := c.Telemetry
	line(0, "design", "nic")
	line(0, "name", "%q", c.Name)
	if c.Prefix != "" {
		line(0, "module_prefix", "%q", c.Prefix)
	}
	line(0, "hops", "")
	line(1, "max", "%d", c.MaxHops)
	line(1, "order", "%s", pick(c.Serial, "parallel", "serial"))
	line(0, "flows", "%d", c.Flows)
	line(0, "profiles", "%d", c.Profiles)
	line(0, "telemetry", "")
	line(1, "timestamp_bits", "%d", t.TSBits)
	line(1, "tick", "%dns", t.TickNs)
	line(1, "tx_bits", "%d", t.TxBits)
	line(1, "tx_unit", "%dB", t.TxUnitBytes)
	line(1, "qlen_bits", "%d", t.QlenBits)
	if c.Sojourn {
		line(1, "qlen_unit", "%dns", t.QlenUnitBytes*t.TickNs)
	} else {
		line(1, "qlen_unit", "%dB", t.QlenUnitBytes)
	}
	line(1, "rate_code_bits", "%d", t.RateCodeBits)
	line(1, "link_id_bits", "%d", t.LinkIDBits)
	line(1, "path_id_bits", "%d", t.PathIDBits)
	line(0, "queue", "%s", pick(c.Sojourn, "length", "sojourn"))
	line(0, "mode", "%s", pick(c.CommitByTime, "sender", "receiver"))
	line(0, "sequence_bits", "%d", c.SeqBits)
	line(0, "clock_bits", "%d", c.ClockBits)
	line(0, "stage_bits", "%d", c.StageBits)
	line(0, "counter_bits", "%d", c.CountBits)
	line(0, "reset", "%s", pick(c.AsyncReset, "sync", "async_low"))
	rates := make([]string, len(c.RatesBps))
	for i, r := range c.RatesBps {
		rates[i] = strconv.FormatUint(r, 10)
	}
	line(0, "rates", "[%s]", strings.Join(rates, ", "))
	line(0, "base_rtt", "")
	line(1, "min", "%s", nanoseconds(c.MinRTTTicks, t.TickNs))
	line(1, "max", "%s", nanoseconds(c.MaxRTTTicks, t.TickNs))
	line(0, "window", "")
	line(1, "min", "%dB", c.MinWindow)
	line(1, "max", "%dB", c.MaxWindow)
	line(0, "utilisation", "")
	line(1, "min", "%s", plainNumber(c.UMin))
	line(1, "max", "%s", plainNumber(c.UMax))
	line(0, "dividers", "")
	for _, d := range []struct {
		name string
		Divider
	}{{"hop", c.HopDivider}, {"quotient", c.QuotientDivider}} {
		line(1, d.name, "")
		line(2, "kind", "%s", d.Kind)
		if d.Kind == ReciprocalTable && d.Eps != 0 {
			line(2, "eps", "%s", plainNumber(d.Eps))
		}
		for _, p := range []struct {
			key    string
			value  int
			ofKind DividerKind
		}{
			{"index_bits", d.IndexBits, ReciprocalTable}, {"entry_bits", d.EntryBits, ReciprocalTable},
			{"table_bits", d.TableBits, NewtonRaphson}, {"seed_bits", d.SeedBits, NewtonRaphson},
			{"iterations", d.Iterations, NewtonRaphson}, {"recip_bits", d.RecipBits, NewtonRaphson},
		} {
			if p.ofKind == d.Kind && p.value != 0 {
				line(2, p.key, "%d", p.value)
			}
		}
	}
}

// plainNumber writes f without an exponent, and so that reading gives f again.
func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// nanoseconds writes a number of ticks as a duration.
func nanoseconds(ticks, tickNs uint64) string {
	v := new(big.Int).Mul(new(big.Int).SetUint64(ticks), new(big.Int).SetUint64(tickNs))
	if longest := big.NewInt(1e9); v.Cmp(longest) > 0 { // rounded up to a tick beyond the key's range
		v = longest
	}
	return v.String() + "ns"
}
