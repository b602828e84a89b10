package cosim

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// Run compares the generated design of a configuration with the golden model. A mismatch is not an error: it is in
// the report. A tool that the engine lacks is an engine.MissingTool.
func Run(cfg *config.NIC, o Options) (*Report, error) {
	o = o.withDefaults(cfg)
	target, err := stimulus.NewTarget(cfg, true)
	if err != nil {
		return nil, err
	}
	rep := &Report{Design: cfg.Name, ConfigHash: cfg.Hash, Engine: o.Engine, Seed: o.Seed, Jobs: o.Jobs}

	jobs := make([]*job, o.Jobs)
	for i := range jobs {
		// The first instance builds, so that the others find the build.
		jobs[i], err = newJob(cfg, target, &o, i)
		if err != nil {
			return nil, errors.Join(err, closeAll(jobs[:i]))
		}
	}
	start := time.Now()
	err = runAll(jobs, &o)
	rep.Seconds = time.Since(start).Seconds()
	if err := errors.Join(err, closeAll(jobs)); err != nil {
		return nil, err
	}

	cov := stimulus.NewCoverage(cfg)
	var bad *job
	for _, j := range jobs {
		rep.Cycles += j.out.cycles
		rep.Acks += j.out.acks
		rep.TapsCompared += j.out.taps
		rep.Mismatches += len(j.out.first)
		cov.Merge(j.cov)
		if bad == nil && j.out.first != nil {
			bad = j
		}
	}
	rep.CyclesPerSecond = float64(rep.Cycles) / max(rep.Seconds, 1e-9)
	rep.Coverage, rep.Holes = cov.Rows(), cov.Holes()
	if bad != nil {
		rep.Divergence, rep.VCD, err = diagnose(bad, &o)
	} else if o.VCD != "" {
		rep.VCD, err = o.VCD, traceStart(target, &o)
	}
	return rep, err
}

// job is one seed's run.
type job struct {
	target *stimulus.Target
	seed   uint64
	cycles int64
	eng    engine.Engine
	leg    *leg
	cov    *stimulus.Coverage
	out    outcome
}

func newJob(cfg *config.NIC, t *stimulus.Target, o *Options, n int) (*job, error) {
	j := &job{target: t, seed: stimulus.DeriveSeed(o.Seed, n), cov: stimulus.NewCoverage(cfg)}
	j.cycles = o.Cycles / int64(o.Jobs)
	if int64(n) < o.Cycles%int64(o.Jobs) {
		j.cycles++
	}
	var err error
	if j.leg, err = randomLeg(t, o, j.seed, j.cov); err != nil {
		return nil, err
	}
	j.eng, err = open(t, o, "")
	return j, err
}

// randomLeg is the model's side of a seed.
func randomLeg(t *stimulus.Target, o *Options, seed uint64, cov *stimulus.Coverage) (*leg, error) {
	l, err := newLeg(t, func(m *hpcc.Clocked) stimulus.Source {
		return stimulus.New(t.Config, t.Timing, seed, m.Model().Context, cov)
	})
	if err != nil {
		return nil, err
	}
	l.skipReset = t.Config.AsyncReset && o.Engine == "go"
	return l, nil
}

// open starts an instance of the design, and checks that it has the target's ports and taps.
func open(t *stimulus.Target, o *Options, vcd string) (engine.Engine, error) {
	e, err := o.Open(o.Engine, t.Design, engine.Options{VCD: vcd, CacheDir: o.CacheDir, Progress: o.Step})
	if err != nil {
		return nil, err
	}
	if l, want := e.Layout(), t.Binding.Layout; l.InWords != want.InWords || l.OutWords != want.OutWords {
		return nil, errors.Join(fmt.Errorf("engine %s: records of %d and %d words; the design has %d and %d", e.Name(), l.InWords, l.OutWords, want.InWords, want.OutWords), e.Close())
	}
	return e, nil
}

func closeAll(jobs []*job) error {
	var err error
	for _, j := range jobs {
		err = errors.Join(err, j.eng.Close())
	}
	return err
}

func runAll(jobs []*job, o *Options) error {
	var wg sync.WaitGroup
	var done atomic.Int64
	errs := make([]error, len(jobs))
	for i, j := range jobs {
		wg.Go(func() {
			last := int64(0)
			j.out, errs[i] = lockstep(j.leg, j.eng, j.cycles, func(n int64) {
				total := done.Add(n - last)
				last = n
				if o.Progress != nil {
					o.Progress(total, o.Cycles)
				}
			})
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// traceStart writes the waveform of a run's first cycles.
func traceStart(t *stimulus.Target, o *Options) error {
	l, err := randomLeg(t, o, o.Seed, nil)
	if err != nil {
		return err
	}
	e, err := open(t, o, o.VCD)
	if err != nil {
		return err
	}
	_, err = lockstep(l, e, min(o.Cycles, vcdCycles), nil)
	return errors.Join(err, e.Close())
}
