package replay

import (
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
	spent    time.Duration
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
