package config

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/hdlpkg/hpccgen/fixed"
)

// checkRanges checks what the formats take for granted of the ranges.
func (d *decoder) checkRanges(c *NIC) {
	c.RTTBits = bits.Len64(c.MaxRTTTicks)
	if d.sound("base_rtt.max", "telemetry.timestamp_bits", "telemetry.tick") && c.RTTBits > c.Telemetry.TSBits-1 {
		longest := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(c.Telemetry.TSBits-1)))
		longest.Sub(longest, big.NewRat(1, 1)).Mul(longest, ratUint(c.Telemetry.TickNs))
		text := quantityString(longest, durationUnits)
		d.refuse("base_rtt.max", Problem{What: fmt.Sprintf("base_rtt.max is %d ticks, with timestamp_bits %d", c.MaxRTTTicks, c.Telemetry.TSBits),
			Legal: "up to " + text, Reason: "T must be below half the range of the timestamps, or newer telemetry cannot be told from older", Nearest: text})
	}
}

// precision takes the formats from the file, or derives them.
func (d *decoder) precision(c *NIC) {
	const path = "precision.formats"
	_, given := d.places[path]
	_, target := d.places["precision.max_error"]
	if given && target {
		d.refuse("precision.max_error", Problem{What: "precision has both max_error and formats", Legal: "one of the two",
			Reason: "max_error chooses the formats", Nearest: "leave out max_error"})
		return
	}
	if !given {
		c.Formats = d.derive(c)
		c.QuotientDivider = c.QuotientDivider.forDivisor(c.Formats.U.Width())
		return
	}
	for _, f := range c.Formats.given() {
		full := join(path, f.key)
		if v, ok := d.values[full]; ok {
			*f.format = v.format
		} else if d.sound(full) {
			d.refuse(full, Problem{What: full + " is missing", Legal: formatLegal, Reason: "formats are given all or none; without them, max_error chooses"})
		}
	}
	c.Formats.Eta = fixed.UQ(1, c.Formats.U.Frac)
	c.QuotientDivider = c.QuotientDivider.forDivisor(c.Formats.U.Width())
}

func (d *decoder) derive(c *NIC) Formats {
	i := func(v *big.Rat) int { return intBits(v) }
	one := big.NewRat(1, 1)
	slow, fast := c.RatesBps[0], c.RatesBps[len(c.RatesBps)-1]
	minT := ratUint(c.MinRTTTicks)
	return Formats{
		InvB:   fixed.UQ(i(c.unitTicks(c.Telemetry.TxUnitBytes, slow, 1)), 16),
		InvBT:  fixed.UQ(i(new(big.Rat).Quo(c.unitTicks(c.Telemetry.QlenUnitBytes, slow, 1), minT)), 30),
		U:      fixed.UQ(7, 20),
		InvT:   fixed.UQ(i(new(big.Rat).Quo(one, minT)), 34),
		Alpha:  fixed.UQ(1, 20),
		Eta:    fixed.UQ(1, 20),
		Quot:   fixed.UQ(8, 20),
		Window: fixed.UQ(i(ratUint(c.MaxWindow)), 8),
		Rate:   fixed.UQ(i(new(big.Rat).SetFrac64(int64(fast/8e6), 1000)), 16),
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
