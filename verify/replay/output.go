package replay

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	model "github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/source"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// writerRows is how many results are kept before they are counted, compared and written.
const writerRows = 256

// writer takes rows with their results, in order: it counts them, compares them with the reference, and writes the
// output.
type writer[E, W, R any] struct {
	plan     *Plan[E, W, R]
	report   *Report
	bins     *stimulus.Bins
	codes    func(r *R) (kind, status uint8)
	out      *source.Output // nil: none
	picture  *picture       // nil: none
	progress func(done, total int)
	rows     []*Item[E, W]
	results  []R
	text     []byte
	done     int
	last     map[int]lastRow[E, W, R] // by flow; nil: there are too many
	latest   uint64                   // time of the rows so far, ns
	backward *Error                   // the first row that is earlier than one before it; nil: none
	earlier  int                      // how many are
	spent    time.Duration
}

// lastRow is the last row of a flow with its result.
type lastRow[E, W, R any] struct {
	row    *Item[E, W]
	result R
}

func (w *writer[E, W, R]) add(row *Item[E, W], r *R) error {
	w.rows, w.results = append(w.rows, row), append(w.results, *r)
	if len(w.rows) < writerRows {
		return nil
	}
	return w.flush()
}

func (w *writer[E, W, R]) flush() error {
	start := time.Now()
	defer func() { w.spent += time.Since(start) }()
	w.text = w.text[:0]
	if w.done == 0 {
		w.text = append(append(w.text, w.plan.Header...), '\n')
	}
	for i, row := range w.rows {
		r := &w.results[i]
		w.note(row, r)
		kind, status := w.codes(r)
		w.report.Kinds[w.bins.Kinds[kind]]++
		w.report.Statuses[model.Status(status).String()]++
		if w.plan.Compare != nil {
			w.plan.Compare(row, r)
		}
		begin := len(w.text)
		if w.out != nil || w.picture != nil {
			w.text = append(w.plan.Append(w.text, row, r), '\n')
		}
		if w.picture != nil {
			w.picture.add(w.text[begin:len(w.text)-1], row.TimeNs)
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

// note keeps what the report says of a row.
func (w *writer[E, W, R]) note(row *Item[E, W], r *R) {
	if w.last != nil {
		w.last[row.Flow] = lastRow[E, W, R]{row, *r}
	}
	if row.TimeNs >= w.latest {
		w.latest = row.TimeNs
		return
	}
	w.earlier++
	if w.backward == nil {
		w.backward = &Error{File: w.plan.File, Where: fmt.Sprintf("line %d, column t_ns", row.Line),
			Reason: fmt.Sprintf("time runs backward: %d, after %d", row.TimeNs, w.latest)}
	}
}

// summary completes the report, behind the last row.
func (w *writer[E, W, R]) summary() error {
	if w.backward != nil {
		w.backward.Reason += fmt.Sprintf("; rows that are earlier than one before them: %d of %d", w.earlier, w.done)
		w.report.Warnings = append(w.report.Warnings, w.backward.Error())
	}
	columns := strings.Split(w.plan.Header, ",")
	at := func(name string) int { return slices.Index(columns, name) }
	window, rate := at("w_bytes"), at("rate_bps")
	for _, flow := range slices.Sorted(maps.Keys(w.last)) {
		l := w.last[flow]
		fields := strings.Split(string(w.plan.Append(nil, l.row, &l.result)), ",")
		last := Last{Row: l.row.Number}
		var err [3]error
		last.Flow, err[0] = strconv.ParseUint(fields[at("flow")], 10, 64)
		last.WBytes, err[1] = strconv.ParseFloat(fields[window], 64)
		last.RateBps, err[2] = strconv.ParseFloat(fields[rate], 64)
		if err := errors.Join(err[:]...); err != nil {
			return err
		}
		w.report.Last = append(w.report.Last, last)
	}
	return nil
}
