package cosim

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// RunDesign compares the generated design of a configuration with the golden model. A mismatch is not an error: it is in
// the report. A tool that the engine lacks is a toolchain.Missing.
func RunDesign(d config.Design, o Options) (*Report, error) {
	switch c := d.(type) {
	case *config.NIC:
		return Run(c, o)
	case *config.CSIG:
		s, err := newCSIG(c, o.hasTaps())
		if err != nil {
			return nil, err
		}
		return run(s, c.Name, c.Hash, o)
	case *config.INT:
		s, err := newINT(c)
		if err != nil {
			return nil, err
		}
		return run(s, c.Name, c.Hash, o)
	}
	return nil, fmt.Errorf("there is no golden model for designs of kind %s", d.DesignKind())
}

// Run compares the generated engine of a NIC with the golden model, as RunDesign does.
func Run(cfg *config.NIC, o Options) (*Report, error) {
	s, err := newNIC(cfg, o.hasTaps())
	if err != nil {
		return nil, err
	}
	return run(s, cfg.Name, cfg.Hash, o)
}

func run(s subject, name, hash string, o Options) (*Report, error) {
	o = o.withDefaults(name)
	rep := &Report{Design: name, ConfigHash: hash, Engine: o.Engine, Seed: o.Seed, Jobs: o.Jobs}
	var err error
	jobs := make([]*job, o.Jobs)
	for i := range jobs {
		// The first instance builds, so that the others find the build.
		jobs[i], err = newJob(s, &o, i)
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

	var bad *job
	sides := make([]side, len(jobs))
	for i, j := range jobs {
		rep.Cycles += j.out.cycles
		rep.items += j.out.items
		rep.TapsCompared += j.out.taps
		rep.Mismatches += len(j.out.first)
		sides[i] = j.leg.side
		if bad == nil && j.out.first != nil {
			bad = j
		}
	}
	rep.CyclesPerSecond = float64(rep.Cycles) / max(rep.Seconds, 1e-9)
	s.report(rep, sides)
	if bad != nil {
		rep.Divergence, rep.VCD, err = diagnose(bad, &o)
	} else if o.VCD != "" {
		rep.VCD, err = o.VCD, traceStart(s, &o)
	}
	return rep, err
}

// job is one seed's run.
type job struct {
	subject subject
	seed    uint64
	cycles  int64
	eng     engine.Engine
	leg     *leg
	out     outcome
}

func newJob(s subject, o *Options, n int) (*job, error) {
	j := &job{subject: s, seed: random.DeriveSeed(o.Seed, n)}
	j.cycles = o.Cycles / int64(o.Jobs)
	if int64(n) < o.Cycles%int64(o.Jobs) {
		j.cycles++
	}
	var err error
	if j.leg, err = randomLeg(s, o, j.seed, true); err != nil {
		return nil, err
	}
	j.eng, err = open(s.frame(), o, "")
	return j, err
}

// randomLeg is the model's side of a seed.
func randomLeg(s subject, o *Options, seed uint64, counted bool) (*leg, error) {
	r, err := s.random(seed, counted)
	if err != nil {
		return nil, err
	}
	return legOf(s, o, r), nil
}

// legOf is a leg to compare with an engine.
func legOf(s subject, o *Options, r side) *leg {
	l := newLeg(s.frame(), r)
	l.skipReset = l.frame.async && o.Engine == "go"
	return l
}

// open starts an instance of the design, and checks that it has the ports and taps of the frame.
func open(f *frame, o *Options, vcd string) (engine.Engine, error) {
	e, err := o.Open(o.Engine, f.design, engine.Options{VCD: vcd, CacheDir: o.CacheDir, Progress: o.Step, Hardware: o.Hardware})
	if err != nil {
		return nil, err
	}
	if l, want := e.Layout(), f.layout; l.InWords != want.InWords || l.OutWords != want.OutWords {
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
func traceStart(s subject, o *Options) error {
	l, err := randomLeg(s, o, o.Seed, false)
	if err != nil {
		return err
	}
	e, err := open(l.frame, o, o.VCD)
	if err != nil {
		return err
	}
	_, err = lockstep(l, e, min(o.Cycles, vcdCycles), nil)
	return errors.Join(err, e.Close())
}
