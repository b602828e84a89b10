package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/hdlpkg/hpccgen/internal/outfolder"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// Options say what to explore and how.
type Options struct {
	Space
	Measurer
	Dir     string // gets the results; made when missing
	Command string // the command line, for the page
	Seeds   []int  // of placement: each point is placed with each of them
	Jobs    int    // measurements at the same time; 0: as many as there are cores
	Limit   int    // most points to measure in this run; 0: all. Those that are known already do not count
	Fresh   bool   // measure again what is known
	// Progress is told what is going on, when something begins or ends; may be nil.
	Progress func(Progress)
}

// Progress is how far a run is.
type Progress struct {
	Stage       string // "cells" or "place and route"
	Done, Total int    // runs of the tools in this stage
	Running     string // a point that is being measured, and what is done with it
}

// Files of a result's folder.
const (
	StoreFile  = "measurements.jsonl"
	ConfigsDir = "configs"
	PageFile   = "index.html"
)

// Run explores a space and writes the result into a folder, after each point anew, so that it can be looked at under
// way. It counts the cells of all points first and then places those that fit the part, small ones first, so that much is
// known early. When the context is cancelled it ends with what is known by then, and the context's error. A point that a
// tool failed on is part of the result; the error is then a FailedPoints.
func Run(ctx context.Context, o Options) (*Result, error) {
	id, err := o.Identity()
	if err != nil {
		return nil, err
	}
	r := &Result{Generator: output.Version, Command: o.Command, Base: o.Base.Name, BaseHash: o.Base.Hash, Identity: id}
	if id.ClockMHz > 0 {
		r.Seeds = o.Seeds
	}
	for i, c := range o.candidates() {
		p, err := o.newPoint(i+1, c)
		if err == nil && p.design != nil {
			p.key, err = keyOf(p.design, id)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name(), err)
		}
		r.add(p)
	}
	dir, err := outfolder.Open(o.Dir)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	for _, p := range r.Points {
		if p.design == nil {
			continue
		}
		if err := dir.Put(filepath.Join(ConfigsDir, p.Name+".yaml"), p.yaml); err != nil {
			return nil, err
		}
	}
	known, err := openStore(dir, StoreFile)
	if err != nil {
		return nil, err
	}
	w := worker{options: &o, result: r, known: known, dir: dir}
	err = errors.Join(w.run(ctx), known.close())
	if err == nil {
		err = r.failed()
	}
	return r, err
}

// worker measures points in parallel. The lock is for the result and for all that follows.
type worker struct {
	options *Options
	result  *Result
	known   *store
	dir     *outfolder.Folder

	mu       sync.Mutex
	progress Progress
}

// task is one run of the tools.
type task struct {
	point *Point
	what  string // beside the point's name
	// do measures, and gives what takes the result in while the lock is held.
	do func(ctx context.Context, step func(string)) (keep func() error, err error)
}

// run measures what is not known yet.
func (w *worker) run(ctx context.Context) error {
	open := w.recall()
	if err := w.result.write(w.dir); err != nil {
		return err
	}
	var tasks []task
	for _, p := range open {
		if p.Measurement == nil {
			tasks = append(tasks, w.size(p))
		}
	}
	if err := w.all(ctx, "cells", tasks); err != nil {
		return err
	}
	open = slices.DeleteFunc(open, func(p *Point) bool { return p.State != Sized })
	slices.SortStableFunc(open, func(a, b *Point) int { return cmp.Compare(a.Cells, b.Cells) })
	tasks = nil
	for _, p := range open {
		for _, seed := range w.result.Seeds {
			if !slices.ContainsFunc(p.Placements, func(q Placement) bool { return q.Seed == seed }) {
				tasks = append(tasks, w.place(p, seed))
			}
		}
	}
	return w.all(ctx, "place and route", tasks)
}

// recall takes what is known, and gives the points that are left, those with the least Verilog first.
func (w *worker) recall() []*Point {
	var open []*Point
	for _, p := range w.result.Points {
		if p.State != Open {
			continue
		}
		if size, found := w.known.sizes[p.key]; found && !w.options.Fresh {
			w.take(p, size)
		}
		if p.State == Open || p.State == Sized {
			open = append(open, p)
		}
	}
	slices.SortStableFunc(open, func(a, b *Point) int { return cmp.Compare(a.verilog(), b.verilog()) })
	if n := w.options.Limit; n > 0 && len(open) > n {
		open = open[:n]
	}
	return open
}

// take gives a point its size, and what is known of its placements.
func (w *worker) take(p *Point, size Size) {
	p.take(size, w.result.Seeds)
	for _, seed := range w.result.Seeds {
		placed, found := w.known.placed[placementKey{p.key, w.result.ClockMHz, seed}]
		if found && !w.options.Fresh {
			p.place(placed, w.result.Seeds)
		}
	}
}

func (w *worker) size(p *Point) task {
	return task{p, "", func(ctx context.Context, step func(string)) (func() error, error) {
		size, err := w.options.Size(ctx, p.design, step)
		if err == nil {
			err = size.check()
		}
		return func() error {
			w.take(p, size)
			return w.known.putSize(p.key, p.Name, size)
		}, err
	}}
}

func (w *worker) place(p *Point, seed int) task {
	return task{p, fmt.Sprintf(", seed %d", seed), func(ctx context.Context, step func(string)) (func() error, error) {
		placed, err := w.options.Place(ctx, p.design, seed, step)
		if err == nil {
			err = placed.check()
		}
		return func() error {
			p.place(placed, w.result.Seeds)
			return w.known.putPlacement(placementKey{p.key, w.result.ClockMHz, seed}, p.Name, placed)
		}, err
	}}
}

// all runs tasks, as many at once as there are jobs.
func (w *worker) all(ctx context.Context, stage string, tasks []task) error {
	w.progress = Progress{Stage: stage, Total: len(tasks)}
	jobs := w.options.Jobs
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	for _, t := range tasks {
		group.Go(func() error {
			if inner.Err() != nil {
				return inner.Err()
			}
			keep, err := t.do(inner, func(step string) {
				w.say(func(p *Progress) { p.Running = fmt.Sprintf("point %d%s: %s", t.point.Number, t.what, step) })
			})
			return w.finish(inner, t, keep, err)
		})
	}
	return group.Wait()
}

func (w *worker) say(change func(*Progress)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tell(change)
}

// tell is say with the lock held.
func (w *worker) tell(change func(*Progress)) {
	change(&w.progress)
	if w.options.Progress != nil {
		w.options.Progress(w.progress)
	}
}

// finish keeps the result of a task. The error ends the run.
func (w *worker) finish(ctx context.Context, t task, keep func() error, failure error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case failure != nil && ctx.Err() != nil:
		return ctx.Err() // interrupted: the point stays open
	case failure != nil && fatal(failure):
		return failure
	case failure != nil:
		t.point.State, t.point.Why = Failed, failure.Error()
	default:
		if err := keep(); err != nil {
			return err
		}
	}
	w.tell(func(p *Progress) { p.Done++ })
	return w.result.write(w.dir)
}
