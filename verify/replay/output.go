package replay

import (
	"bufio"
	"math/bits"
	"strconv"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/hpcc"
)

// Header is the first line of the output.
const Header = "row,flow,kind,u,w_bytes,wc_bytes,rate_bps,stage,status\n"

// writer writes one line a result.
type writer struct {
	cfg *config.NIC
	tr  *Trace
	out *bufio.Writer
	row int
	buf []byte
}

func (w *writer) write(r *hpcc.Result) error {
	f := &w.cfg.Formats
	b := strconv.AppendInt(w.buf[:0], int64(w.row+1), 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, w.tr.Flows[w.tr.Rows[w.row].Flow].ID, 10)
	b = append(b, ',')
	b = append(b, r.Kind.String()...)
	for _, v := range []struct {
		f   fixed.Format
		raw uint64
	}{{f.U, r.U}, {f.Window, r.W}, {f.Window, r.Wc}} {
		b = append(b, ',')
		b = appendDecimal(b, v.f, v.raw)
	}
	b = append(b, ',')
	b = strconv.AppendUint(b, RateBps(w.cfg, r.Rate), 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, uint64(r.Stage), 10)
	b = append(b, ',')
	b = append(b, r.Status.String()...)
	b = append(b, '\n')
	w.buf = b
	w.row++
	_, err := w.out.Write(b)
	return err
}

// RateBps is a raw rate (bytes per tick) in bit/s, rounded half up.
func RateBps(cfg *config.NIC, raw uint64) uint64 {
	// raw * 8e9 / tick / 2^f; the product of two words, the quotient within one for any rate that exists.
	hi, lo := bits.Mul64(raw, 8e9)
	f := uint(cfg.Formats.Rate.Frac)
	div := cfg.Telemetry.TickNs
	if f+uint(bits.Len64(div)) < 64 {
		return roundedQuotient(hi, lo, div<<f)
	}
	// The format is so fine that the divisor leaves the word: drop fraction bits of the product, far below one bit/s.
	drop := f + uint(bits.Len64(div)) - 63
	lo = lo>>drop | hi<<(64-drop)
	return roundedQuotient(hi>>drop, lo, div<<(f-drop))
}

func roundedQuotient(hi, lo, d uint64) uint64 {
	lo, carry := bits.Add64(lo, d/2, 0)
	hi += carry
	if hi >= d {
		return ^uint64(0)
	}
	q, _ := bits.Div64(hi, lo, d)
	return q
}

// appendDecimal appends the exact decimal number that raw stands for, as fixed.Format.Decimal writes it.
func appendDecimal(b []byte, f fixed.Format, raw uint64) []byte {
	if f.Frac <= 0 || f.Frac > 60 {
		return append(b, f.Decimal(raw)...)
	}
	b = strconv.AppendUint(b, raw>>f.Frac, 10)
	rest := raw & mask(f.Frac)
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for rest != 0 { // each step turns one more of the fraction's bits into a decimal digit
		rest *= 10
		b = append(b, '0'+byte(rest>>f.Frac))
		rest &= mask(f.Frac)
	}
	return b
}
