package replay

import (
	"errors"
	"io"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/source"
)

// Options say what to replay, on what, and where the output goes.
type Options struct {
	Trace  string // NAME.trace.csv.gz or NAME.trace.csv
	Flows  string // "": NAME.flows.csv beside it
	Engine string // model, or a name that engine.Open knows; "": model
	Out    string // output file; "": none
	Resync bool   // take U, Wc and stage from the trace's ref_ columns before each row
	Limit  int    // stop after so many rows; 0: none

	Hardware engine.Hardware // that the engine runs the design on

	CacheDir string                // of the engines' builds; "": theirs
	VCD      string                // waveform of an engine other than the model; "": none
	Step     func(step string)     // told the steps of a build; may be nil
	Progress func(done, total int) // told the rows that are done; may be nil
	Open     Opener                // replaces engine.Open, for tests; may be nil
}

// Opener starts an instance of a design.
type Opener func(name string, d engine.Design, o engine.Options) (engine.Engine, error)

// Report is what a replay did.
type Report struct {
	Trace         string         `json:"trace"`
	Engine        string         `json:"engine"`
	Resync        bool           `json:"resync"`
	Rows          int            `json:"rows"`
	Flows         int            `json:"flows"`
	Kinds         map[string]int `json:"kinds"`
	Statuses      map[string]int `json:"statuses"`
	Cycles        int64          `json:"cycles,omitempty"` // of the design; none on the model
	Seconds       float64        `json:"seconds"`          // without build and file
	RowsPerSecond float64        `json:"rows_per_second"`
	Stats         *Stats         `json:"errors,omitempty"` // against the ref_ columns, when there are any
}

// Run replays a trace. The output file is written only when every row has its result. Errors of the input are
// of type *Error; a tool that an engine lacks is a toolchain.Missing.
func Run(cfg *config.NIC, o Options) (*Report, error) {
	tr, err := OpenTrace(o.Trace, o.Flows)
	if err != nil {
		return nil, err
	}
	rep, err := runTrace(cfg, tr, &o)
	return rep, errors.Join(err, tr.Close())
}

func runTrace(cfg *config.NIC, tr *Trace, o *Options) (*Report, error) {
	if o.Step != nil {
		o.Step("reading " + o.Trace)
	}
	plan, err := NewPlan(cfg, tr, o.Resync, o.Limit)
	if err != nil {
		return nil, err
	}
	rep := &Report{
		Trace: tr.File(), Engine: o.Engine, Resync: o.Resync, Rows: plan.Rows, Flows: len(tr.Flows),
		Kinds: map[string]int{}, Statuses: map[string]int{},
	}
	if rep.Engine == "" {
		rep.Engine = "model"
	}
	w := &writer{cfg: cfg, plan: plan, report: rep, progress: o.Progress}
	if o.Out != "" {
		if w.out, err = source.Create(o.Out); err != nil {
			return nil, err
		}
		defer w.out.Discard()
	}
	if tr.HasRef {
		w.comparison = newComparison(cfg, tr)
	}
	var l leg
	if rep.Engine == "model" {
		l, err = newModelLeg(cfg)
	} else {
		l, err = newDesignLeg(cfg, rep.Engine, o)
	}
	if err != nil {
		return nil, err
	}
	start := time.Now()
	spent, err := l.run(plan, w.add)
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
	if w.comparison != nil {
		rep.Stats = w.comparison.stats()
	}
	if w.out != nil {
		err = w.out.Commit()
	}
	return rep, err
}

// leg is a way to run a plan.
type leg interface {
	// run gives each row with its result to done, in the order of the trace. It says how long it took to read the rows.
	run(p *Plan, done func(row *Row, r *hpcc.Result) error) (reading time.Duration, err error)
	cycles() int64
	close() error
}

// modelLeg runs on the golden model, one operation after the other.
type modelLeg struct{ m *hpcc.Model }

func newModelLeg(cfg *config.NIC) (*modelLeg, error) {
	m, err := hpcc.New(cfg)
	return &modelLeg{m}, err
}

func (l *modelLeg) run(p *Plan, done func(row *Row, r *hpcc.Result) error) (time.Duration, error) {
	f, err := p.feed()
	if err != nil {
		return 0, err
	}
	prepare(l.m, p)
	for {
		it, err := f.next()
		if err == io.EOF {
			return f.spent, nil
		}
		if err != nil {
			return f.spent, err
		}
		if p.Resync {
			l.m.WriteContext(it.resync)
		}
		r := l.m.Event(it.ack)
		if err := done(it.Row, &r); err != nil {
			return f.spent, err
		}
	}
}

func (l *modelLeg) cycles() int64 { return 0 }
func (l *modelLeg) close() error  { return nil }
