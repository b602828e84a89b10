package explore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// Options say what to explore and how.
type Options struct {
	Space
	Measurer
	Dir     string // gets the results; made when missing
	Command string // the command line, for the page
	Jobs    int    // measurements at the same time; 0: as many as there are cores
	Limit   int    // most points to measure in this run; 0: all. Those that are known already do not count
	Fresh   bool   // measure again what is known
	// Progress is told how many of the points to measure are done, after each; may be nil.
	Progress func(done, total int)
}

// Files of a result's folder.
const (
	StoreFile  = "measurements.jsonl"
	ConfigsDir = "configs"
	PageFile   = "index.html"
)

// Run explores a space and writes the result into a folder, after each point anew, so that it can be looked at under
// way. When the context is cancelled it ends with what is known by then, and the context's error. A point that a tool
// failed on is part of the result; the error is then a FailedPoints.
func Run(ctx context.Context, o Options) (*Result, error) {
	id, err := o.Identity()
	if err != nil {
		return nil, err
	}
	r := &Result{Generator: output.Version, Command: o.Command, Base: o.Base.Name, BaseHash: o.Base.Hash, Identity: id}
	for i, c := range o.candidates() {
		p, err := o.newPoint(i+1, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name(), err)
		}
		r.Points = append(r.Points, p)
	}
	if err := os.MkdirAll(filepath.Join(o.Dir, ConfigsDir), 0o777); err != nil {
		return nil, err
	}
	known, err := openStore(filepath.Join(o.Dir, StoreFile))
	if err != nil {
		return nil, err
	}
	err = errors.Join(o.measureAll(ctx, r, known), known.close())
	if err == nil {
		err = r.failed()
	}
	return r, err
}

// measureAll measures the points that nothing is known of.
func (o *Options) measureAll(ctx context.Context, r *Result, known *store) error {
	var open []*Point
	for _, p := range r.Points {
		if p.design == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(o.Dir, ConfigsDir, p.Name+".yaml"), p.yaml, 0o666); err != nil {
			return err
		}
		var err error
		if p.key, err = keyOf(p.design, r.Identity); err != nil {
			return err
		}
		if m, found := known.get(p.key); found && !o.Fresh {
			p.take(m)
		} else {
			open = append(open, p)
		}
	}
	if o.Limit > 0 && len(open) > o.Limit {
		open = open[:o.Limit]
	}
	if err := r.write(o.Dir); err != nil {
		return err
	}
	w := worker{options: o, result: r, known: known, total: len(open)}
	return w.run(ctx, open)
}

// worker measures points in parallel. The lock is for the result and for all that follows.
type worker struct {
	options *Options
	result  *Result
	known   *store
	total   int

	mu   sync.Mutex
	done int
}

func (w *worker) run(ctx context.Context, open []*Point) error {
	jobs := w.options.Jobs
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan *Point)
	var wait sync.WaitGroup
	for range min(jobs, len(open)) {
		wait.Go(func() {
			for p := range next {
				if ctx.Err() != nil {
					continue // it was handed out while the run ended
				}
				m, err := w.options.Measure(ctx, p.design)
				if err == nil {
					err = m.check()
				}
				if err := w.finish(ctx, p, m, err); err != nil {
					stop(err)
				}
			}
		})
	}
feed:
	for _, p := range open {
		select {
		case next <- p:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wait.Wait()
	return context.Cause(ctx)
}

// finish keeps the result of a point. The error ends the run.
func (w *worker) finish(ctx context.Context, p *Point, m Measurement, failure error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case failure != nil && ctx.Err() != nil:
		return nil // interrupted: the point stays open
	case failure != nil && fatal(failure):
		return failure
	case failure != nil:
		p.State, p.Why = Failed, failure.Error()
	default:
		p.take(m)
		if err := w.known.put(p.key, p.Name, m); err != nil {
			return err
		}
	}
	w.done++
	if w.options.Progress != nil {
		w.options.Progress(w.done, w.total)
	}
	return w.result.write(w.options.Dir)
}

// take gives a point its measurement.
func (p *Point) take(m Measurement) {
	p.Measurement = &m
	p.State = Measured
	if m.TooLarge != "" {
		p.State, p.Why = TooLarge, m.TooLarge
	}
}
