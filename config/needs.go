package config

import (
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/fixed"
)

// need is what a format must hold: the largest value, and, where a value that rounds to 0 would be an
// error, the smallest.
type need struct {
	name, key string
	format    fixed.Format
	low, high *big.Rat
	where     string // which value the largest is
	lowWhere  string
}

// needs lists the formats with the ranges that the configuration asks of them.
func (c *NIC) needs() []need {
	f := c.Formats
	one := big.NewRat(1, 1)
	slow, fast := c.RatesBps[0], c.RatesBps[len(c.RatesBps)-1]
	at := func(bps, ticks uint64) string {
		return fmt.Sprintf("at %s and T of %d ticks", bpsString(bps), ticks)
	}
	if c.Sojourn {
		at = func(_, ticks uint64) string { return fmt.Sprintf("at T of %d ticks", ticks) }
	}
	rate := ratUint(fast)
	rate.Mul(rate, ratUint(c.Telemetry.TickNs)).Quo(rate, big.NewRat(8e9, 1))
	return []need{
		{"1/B", "inv_b", f.InvB, c.unitTicks(c.Telemetry.TxUnitBytes, fast, 1), c.unitTicks(c.Telemetry.TxUnitBytes, slow, 1),
			"ticks that a unit of tx takes at " + bpsString(slow), "at " + bpsString(fast)},
		{"1/(B T)", "inv_bt", f.InvBT, c.invBT(fast, c.MaxRTTTicks), c.invBT(slow, c.MinRTTTicks), at(slow, c.MinRTTTicks),
			at(fast, c.MaxRTTTicks)},
		{"U", "u", f.U, nil, exactly(c.UMax), "utilisation.max; saturates above", ""},
		{"1/T", "inv_t", f.InvT, new(big.Rat).Quo(one, ratUint(c.MaxRTTTicks)), new(big.Rat).Quo(one, ratUint(c.MinRTTTicks)),
			fmt.Sprintf("at T of %d ticks", c.MinRTTTicks), fmt.Sprintf("at T of %d ticks", c.MaxRTTTicks)},
		{"alpha", "alpha", f.Alpha, nil, one, "tau of T or more", ""},
		{"eta", "", f.Eta, nil, one, "full utilisation", ""},
		{"eta/U", "quotient", f.Quot, nil, new(big.Rat).Inv(exactly(c.UMin)), "eta of 1 at utilisation.min; saturates above",
			""},
		{"W", "window", f.Window, nil, ratUint(c.MaxWindow), "window.max; W_max clamps", ""},
		{"R", "rate", f.Rate, nil, rate, "bytes per tick at " + bpsString(fast) + "; saturates above", ""},
	}
}

func exactly(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }

// holding is the format with frac fraction bits and the fewest integer bits that holds v rounded to it.
func holding(v *big.Rat, frac int) fixed.Format {
	f := fixed.UQ(intBits(v), frac)
	if f.Width() < 1 {
		f.Int = 1 - frac
	}
	for {
		if _, ok := f.Raw(v); ok {
			return f
		}
		f.Int++
	}
}

// intBits is the number of integer bits that v takes: the least i with v < 2^i.
func intBits(v *big.Rat) int {
	i := v.Num().BitLen() - v.Denom().BitLen()
	for v.Cmp(pow2(i)) >= 0 {
		i++
	}
	for v.Cmp(pow2(i-1)) < 0 {
		i--
	}
	return i
}

func pow2(n int) *big.Rat {
	p := new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n)))
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}
