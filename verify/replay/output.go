package replay

import (
	"math/bits"
	"strconv"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/source"
)

// Header is the first line of the output.
const Header = "row,flow,kind,u,w_bytes,wc_bytes,rate_bps,stage,status\n"

// writerRows is how many results are kept before they are counted, compared and written.
const writerRows = 256

// writer takes rows with their results, in order: it counts them, compares them with the reference, and writes the
// output.
type writer struct {
	cfg        *config.NIC
	plan       *Plan
	report     *Report
	out        *source.Output // nil: none
	comparison *comparison    // nil: the trace has no reference
	progress   func(done, total int)
	rows       []*Row
	results    []hpcc.Result
	text       []byte
	done       int
	spent      time.Duration
}

func (w *writer) add(row *Row, r *hpcc.Result) error {
	w.rows, w.results = append(w.rows, row), append(w.results, *r)
	if len(w.rows) < writerRows {
		return nil
	}
	return w.flush()
}

func (w *writer) flush() error {
	start := time.Now()
	defer func() { w.spent += time.Since(start) }()
	w.text = w.text[:0]
	if w.done == 0 {
		w.text = append(w.text, Header...)
	}
	for i, row := range w.rows {
		r := &w.results[i]
		w.report.Kinds[r.Kind.String()]++
		w.report.Statuses[r.Status.String()]++
		if w.comparison != nil {
			w.comparison.add(row, r)
		}
		if w.out != nil {
			w.text = appendRow(w.text, w.cfg, row.Number, w.plan.Trace.Flows[row.Flow].ID, r)
		}
	}
	w.done += len(w.rows)
	w.rows, w.results = w.rows[:0], w.results[:0]
	if w.progress != nil {
		w.progress(w.done, w.plan.Rows)
	}
	if w.out == nil {
		return nil
	}
	_, err := w.out.Write(w.text)
	return err
}

func appendRow(b []byte, cfg *config.NIC, row int, flow uint64, r *hpcc.Result) []byte {
	f := &cfg.Formats
	b = strconv.AppendInt(b, int64(row), 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, flow, 10)
	b = append(b, ',')
	b = append(b, r.Kind.String()...)
	b = append(b, ',')
	b = appendDecimal(b, f.U, r.U)
	b = append(b, ',')
	b = appendDecimal(b, f.Window, r.W)
	b = append(b, ',')
	b = appendDecimal(b, f.Window, r.Wc)
	b = append(b, ',')
	b = strconv.AppendUint(b, RateBps(cfg, r.Rate), 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, uint64(r.Stage), 10)
	b = append(b, ',')
	b = append(b, r.Status.String()...)
	return append(b, '\n')
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
