package replay

import (
	"fmt"
	"os"
	"time"

	"github.com/google/renameio/v2"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/engine"
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

	Results []hpcc.Result `json:"-"`
}

// Run replays a trace. The output file is written only when every row has its result. Errors of the input are
// of type *Error; a tool that an engine lacks is a toolchain.Missing.
func Run(cfg *config.NIC, o Options) (*Report, error) {
	tr, err := Load(o.Trace, o.Flows)
	if err != nil {
		return nil, err
	}
	if o.Limit > 0 && o.Limit < len(tr.Rows) {
		tr.Rows = tr.Rows[:o.Limit]
	}
	rep, err := RunTrace(cfg, tr, o)
	if err != nil {
		return nil, err
	}
	if o.Out != "" {
		if err := writeFile(o.Out, Format(cfg, tr, rep.Results)); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

// RunTrace replays a trace that is already loaded; Trace, Flows, Out and Limit of o are not used.
func RunTrace(cfg *config.NIC, tr *Trace, o Options) (*Report, error) {
	plan, err := NewPlan(cfg, tr, o.Resync)
	if err != nil {
		return nil, err
	}
	rep := &Report{
		Trace: tr.File, Engine: o.Engine, Resync: o.Resync, Rows: len(tr.Rows), Flows: len(tr.Flows),
		Kinds: map[string]int{}, Statuses: map[string]int{},
	}
	if rep.Engine == "" {
		rep.Engine = "model"
	}
	var l leg
	if rep.Engine == "model" {
		l, err = newModelLeg(cfg)
	} else {
		l, err = newDesignLeg(cfg, rep.Engine, &o)
	}
	if err != nil {
		return nil, err
	}
	start := time.Now()
	rep.Results, err = l.run(plan, o.Progress)
	rep.Seconds = time.Since(start).Seconds()
	rep.Cycles = l.cycles()
	if cerr := l.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	rep.RowsPerSecond = float64(rep.Rows) / max(rep.Seconds, 1e-9)
	for i := range rep.Results {
		rep.Kinds[rep.Results[i].Kind.String()]++
		rep.Statuses[rep.Results[i].Status.String()]++
	}
	if tr.HasRef {
		s := Compare(cfg, tr, rep.Results)
		rep.Stats = &s
	}
	return rep, nil
}

// leg is a way to run a plan.
type leg interface {
	run(p *Plan, progress func(done, total int)) ([]hpcc.Result, error)
	cycles() int64
	close() error
}

// modelLeg runs on the golden model, one operation after the other.
type modelLeg struct{ m *hpcc.Model }

func newModelLeg(cfg *config.NIC) (*modelLeg, error) {
	m, err := hpcc.New(cfg)
	return &modelLeg{m}, err
}

func (l *modelLeg) run(p *Plan, progress func(done, total int)) ([]hpcc.Result, error) {
	for _, w := range p.Tables {
		l.m.WriteTable(w)
	}
	for _, w := range p.Contexts {
		l.m.WriteContext(w)
	}
	p.rewind()
	results := make([]hpcc.Result, len(p.Trace.Rows))
	for i := range p.Trace.Rows {
		row := &p.Trace.Rows[i]
		if p.Resync {
			w, err := p.resync(row)
			if err != nil {
				return nil, err
			}
			l.m.WriteContext(w)
		}
		results[i] = l.m.Ack(*p.toAck(row))
		if progress != nil && i%1024 == 0 {
			progress(i, len(results))
		}
	}
	return results, nil
}

func (l *modelLeg) cycles() int64 { return 0 }
func (l *modelLeg) close() error  { return nil }

// writeFile replaces a file as a whole: either the old content or all of the new one is there. Devices and pipes,
// which cannot be replaced, are written to.
func writeFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		return err
	}
	if err := renameio.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("the output cannot be written: %w", err)
	}
	return nil
}
