package drive

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Compare runs a design of a name and configuration hash against its golden model. A mismatch is not an error: it is in
// the report. A tool that the engine lacks is a toolchain.Missing.
func Compare(s Subject, name, hash string, o Options) (*Report, error) {
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
	sides := make([]Side, len(jobs))
	for i, j := range jobs {
		rep.Cycles += j.out.Cycles
		rep.Items += j.out.Items
		rep.TapsCompared += j.out.Taps
		rep.Mismatches += len(j.out.First)
		sides[i] = j.leg.side
		if bad == nil && j.out.First != nil {
			bad = j
		}
	}
	rep.CyclesPerSecond = float64(rep.Cycles) / max(rep.Seconds, 1e-9)
	s.Report(rep, sides)
	if bad != nil {
		err = diagnose(bad, &o, rep)
	} else if o.VCD != "" {
		rep.VCD = o.VCD
		rep.GTKW, err = traceStart(s, &o)
	}
	return rep, err
}

// job is one seed's run.
type job struct {
	subject Subject
	seed    uint64
	cycles  int64
	eng     engine.Engine
	leg     *Leg
	out     Outcome
}

func newJob(s Subject, o *Options, n int) (*job, error) {
	j := &job{subject: s, seed: random.DeriveSeed(o.Seed, n)}
	j.cycles = o.Cycles / int64(o.Jobs)
	if int64(n) < o.Cycles%int64(o.Jobs) {
		j.cycles++
	}
	var err error
	if j.leg, err = RandomLeg(s, o.Engine, j.seed); err != nil {
		return nil, err
	}
	j.eng, err = open(s.Frame(), o, "")
	return j, err
}

// RandomLeg is the model's side of a seed, for the named engine.
func RandomLeg(s Subject, engine string, seed uint64) (*Leg, error) {
	r, err := s.Random(seed)
	if err != nil {
		return nil, err
	}
	return NewLeg(s.Frame(), r, engine), nil
}

// open starts an instance of the design, and checks that it has the ports and taps of the frame.
func open(f *Frame, o *Options, vcd string) (engine.Engine, error) {
	e, err := o.Open(o.Engine, f.Design, engine.Options{
		VCD: vcd, Wave: o.wave, CacheDir: o.CacheDir, Progress: o.Step, Hardware: o.Hardware, Start: o.Start, UnknownOK: f.mayBeUnknown(),
	})
	if err != nil {
		return nil, err
	}
	if l, want := e.Layout(), f.Layout; l.InWords != want.InWords || l.OutWords != want.OutWords {
		return nil, errors.Join(fmt.Errorf("engine %s: records of %d and %d words; the design has %d and %d",
			e.Name(), l.InWords, l.OutWords, want.InWords, want.OutWords), e.Close())
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
			j.out, errs[i] = Lockstep(j.leg, j.eng, j.cycles, func(n int64) {
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
func traceStart(s Subject, o *Options) (save string, err error) {
	l, err := RandomLeg(s, o.Engine, o.Seed)
	if err != nil {
		return "", err
	}
	e, err := open(l.frame, o, o.VCD)
	if err != nil {
		return "", err
	}
	_, err = Lockstep(l, e, min(o.Cycles, vcdCycles), nil)
	if err := errors.Join(err, e.Close()); err != nil {
		return "", err
	}
	return l.frame.writeSave(o.VCD, engine.Wave{}, nil)
}
