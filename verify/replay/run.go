package replay

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	model "github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/source"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// Options say what to replay, on what, and where the output goes.
type Options struct {
	Trace  string // NAME.trace.csv.gz or NAME.trace.csv
	Flows  string // "": NAME.flows.csv beside it
	Engine string // model, or a name that engine.Open knows; "": model
	Out    string // output file; "": none
	Plot   string // picture of W and R over time, SVG; "": none
	Resync bool   // take U, Wc and stage from the trace's ref_ columns before each row
	Limit  int    // stop after so many rows; 0: none
	Timed  *Clock // ACKs arrive when the trace says; nil: as fast as the design takes them

	Hardware engine.Hardware // that the engine runs the design on

	CacheDir string                // of the engines' builds; "": theirs
	VCD      string                // waveform of an engine other than the model; "": none
	Step     func(step string)     // told the steps of a build; may be nil
	Progress func(done, total int) // told the rows that are done; may be nil
	Open     Opener                // replaces engine.Open, for tests; may be nil
}

// Opener starts an instance of a design.
type Opener func(name string, d engine.Design, o engine.Options) (engine.Engine, error)

// Report is the result of a replay.
type Report struct {
	Trace         string         `json:"trace"`
	Engine        string         `json:"engine"`
	Resync        bool           `json:"resync"`
	Rows          int            `json:"rows"`
	Flows         int            `json:"flows"`
	Kinds         map[string]int `json:"kinds"`
	Statuses      map[string]int `json:"statuses"`
	Last          []Last         `json:"last,omitempty"`     // of each flow, where there are few
	Warnings      []string       `json:"warnings,omitempty"` // what is legal in the input and probably not meant
	Cycles        int64          `json:"cycles,omitempty"`   // of the design; none on the model
	Seconds       float64        `json:"seconds"`            // without build and file
	RowsPerSecond float64        `json:"rows_per_second"`
	Waits         *Waits         `json:"waits,omitempty"`  // of a timed replay
	Stats         *Stats         `json:"errors,omitempty"` // against the ref_ columns, when there are any
}

// Last is where a flow is after its last row.
type Last struct {
	Flow    uint64  `json:"flow"` // its number in the trace
	Row     int     `json:"row"`  // from 1
	WBytes  float64 `json:"w_bytes"`
	RateBps float64 `json:"rate_bps"`
}

// mostLast is how many flows are few.
const mostLast = 8

// Run replays a plan of a law, which it closes. The output file is written only when every row has its result. Errors
// of the input are of type *Error; a tool that an engine lacks is a toolchain.Missing.
func Run[E, C, W, D, R, T, P any](l *stimulus.Law[E, C, W, D, R, T, P], p *Plan[E, W, R], o Options) (*Report, error) {
	rep, err := runPlan(l, p, &o)
	return rep, errors.Join(err, p.Close())
}

func runPlan[E, C, W, D, R, T, P any](law *stimulus.Law[E, C, W, D, R, T, P], p *Plan[E, W, R], o *Options) (
	*Report, error,
) {
	rep := &Report{
		Trace: p.File, Engine: o.Engine, Resync: o.Resync, Rows: p.Rows, Flows: p.Flows,
		Kinds: map[string]int{}, Statuses: map[string]int{},
	}
	if rep.Engine == "" {
		rep.Engine = "model"
	}
	for _, warning := range p.Warnings {
		rep.Warnings = append(rep.Warnings, warning.Error())
	}
	w := &writer[E, W, R]{
		plan: p, report: rep, bins: &law.Bins, progress: o.Progress,
		codes: func(r *R) (kind, status uint8) { return law.Kind(r), law.Model.Status(r) },
	}
	if p.Flows <= mostLast {
		w.last = map[int]lastRow[E, W, R]{}
	}
	var err error
	if o.Out != "" {
		if w.out, err = source.Create(o.Out); err != nil {
			return nil, err
		}
		defer w.out.Discard()
	}
	if o.Plot != "" {
		if w.picture, err = newPicture(strings.TrimSuffix(filepath.Base(p.File), ".gz")+" on "+rep.Engine, p.Header); err != nil {
			return nil, err
		}
		if w.picture.file, err = source.Create(o.Plot); err != nil {
			return nil, err
		}
		defer w.picture.file.Discard()
	}
	var l leg[E, W, R]
	var waits *waits
	switch {
	case o.Timed != nil:
		var timed *timedLeg[E, C, W, D, R, T, P]
		if timed, err = newTimedLeg(law, rep.Engine, o); err == nil {
			l, waits = timed, timed.waits
			if w.picture != nil {
				waits.onWait = w.picture.wait
			}
		}
	case rep.Engine == "model":
		l, err = newModelLeg(law)
	case law.Engine.AXILite:
		l, err = newRegistersLeg(law, rep.Engine, o)
	default:
		l, err = newDesignLeg(law, rep.Engine, o)
	}
	if err != nil {
		return nil, err
	}
	start := time.Now()
	spent, err := l.run(p, w.add)
	if err == nil {
		err = w.flush()
	}
	rep.Seconds = (time.Since(start) - spent - w.spent).Seconds()
	rep.Cycles = l.cycles()
	if cerr := l.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	rep.RowsPerSecond = float64(rep.Rows) / max(rep.Seconds, 1e-9)
	if p.Stats != nil {
		rep.Stats = p.Stats()
	}
	if err := w.summary(); err != nil {
		return nil, err
	}
	if waits != nil {
		rep.Waits = waits.report()
	}
	if w.picture != nil {
		if err := w.picture.write(); err != nil {
			return nil, err
		}
	}
	if w.out != nil {
		err = w.out.Commit()
	}
	return rep, err
}

// leg is an engine that runs a plan.
type leg[E, W, R any] interface {
	// run gives each row with its result to done, in the order of the trace. It says how long it took to read the rows.
	run(p *Plan[E, W, R], done func(row *Item[E, W], r *R) error) (reading time.Duration, err error)
	cycles() int64
	close() error
}

// modelLeg runs on the golden model, one operation after the other.
type modelLeg[E, C, W, D, R, T, P any] struct {
	m *model.Model[E, C, W, D, R, T, P]
}

func newModelLeg[E, C, W, D, R, T, P any](l *stimulus.Law[E, C, W, D, R, T, P]) (leg[E, W, R], error) {
	m, err := model.New(l.Engine, l.Model)
	return &modelLeg[E, C, W, D, R, T, P]{m}, err
}

func (l *modelLeg[E, C, W, D, R, T, P]) run(p *Plan[E, W, R], done func(row *Item[E, W], r *R) error) (
	time.Duration, error,
) {
	f, err := newFeed(p)
	if err != nil {
		return 0, err
	}
	Prepare(l.m, p)
	for {
		it, err := f.next()
		if err == io.EOF {
			return f.spent, nil
		}
		if err != nil {
			return f.spent, err
		}
		if p.Resync {
			l.m.WriteContext(it.Resync)
		}
		r := l.m.Event(it.Event)
		if err := done(it, &r); err != nil {
			return f.spent, err
		}
	}
}

// Prepare writes the tables and contexts of a plan to a model.
func Prepare[E, C, W, D, R, T, P any](m *model.Model[E, C, W, D, R, T, P], p *Plan[E, W, R]) {
	for _, w := range p.Tables {
		m.WriteTable(w)
	}
	for _, w := range p.Contexts {
		m.WriteContext(w)
	}
}

func (l *modelLeg[E, C, W, D, R, T, P]) cycles() int64 { return 0 }
func (l *modelLeg[E, C, W, D, R, T, P]) close() error  { return nil }
