// Package units writes the values of engines as people say them.
package units

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// Decimal is a fixed-point value with four decimals.
func Decimal(f fixed.Format, raw uint64) string {
	return f.Value(new(big.Int).SetUint64(raw)).FloatString(4)
}

// Bytes is a window.
func Bytes(f fixed.Format, raw uint64) string {
	return Grouped(f.Value(new(big.Int).SetUint64(raw)).FloatString(1)) + " B"
}

// Rate is a pacing rate, of bytes a tick.
func Rate(f fixed.Format, tickNs, raw uint64) string { return BitRate(replay.RateBps(f, tickNs, raw)) }

// BitRate is a rate in bit/s with a prefix.
func BitRate(bps uint64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}} {
		if v := float64(bps) / unit.of; v >= 1 {
			return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", v), "0"), ".") + " " + unit.name
		}
	}
	return fmt.Sprint(bps, " bit/s")
}

// Grouped puts commas between the thousands of a decimal number.
func Grouped(number string) string {
	whole, rest, point := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return whole
}
