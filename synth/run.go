package synth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/internal/outfolder"
)

// Run builds a design. The report covers the steps that ran, also with an error: a [TooLarge], a [TimingFailure], a
// [ToolFailed] or a toolchain.Missing. An earlier bitstream of the same name in Dir is removed before anything else, so
// that one that is there is of this design.
func Run(ctx context.Context, j Job) (*Report, error) {
	var err error
	if j.out, err = outfolder.Open(j.Dir); err != nil {
		return nil, err
	}
	defer j.out.Close()
	return run(ctx, j)
}

// run is Run in a folder that is open.
func run(ctx context.Context, j Job) (*Report, error) {
	if _, known := familyTraits[j.Part.Family]; !known {
		return nil, fmt.Errorf("no family is called %q; families: %v", j.Part.Family, Families())
	}
	if j.Until == stageDefault {
		j.Until = StageBitstream
	}
	rep := &Report{Design: j.Design, Part: j.Part, Top: j.Top, Seed: j.seed(), Fmax: map[string]Fmax{}, Paths: []Path{},
		Cached: []string{},
		Tools:  map[string]string{}, Seconds: map[string]float64{}}
	if err := j.clean(); err != nil {
		return rep, err
	}
	w, err := findFlow(j.Part.Family, j.Until)
	if err != nil {
		return rep, err
	}
	cache, err := buildcache.Open(j.CacheDir)
	if err != nil {
		return rep, err
	}
	note := func(step string, p program, seconds float64, cached bool) {
		rep.Tools[filepath.Base(p.path)], rep.Seconds[step] = p.version, seconds
		if cached {
			rep.Cached = append(rep.Cached, step)
		}
	}

	n, err := j.synthesize(ctx, cache, w.yosys)
	if err != nil {
		return rep, err
	}
	note("yosys", w.yosys, n.seconds, n.cached)
	rep.Cells = n.cells
	if err := j.copyLog(n.dir, yosysLog); err != nil || j.Until == StageNetlist {
		return rep, err
	}

	r, err := j.route(ctx, cache, w.router, n)
	var large *TooLarge
	if errors.As(err, &large) {
		j.Part.Family.fit(&rep.Cells, large.resources)
		rep.Resources = large.resources
	}
	if err != nil {
		return rep, err
	}
	note("nextpnr", w.router, r.seconds, r.cached)
	j.Part.Family.fit(&rep.Cells, r.resources)
	rep.Resources = r.resources
	if err := j.copyLog(r.dir, routerLog); err != nil || j.Until == StagePack {
		return rep, err
	}
	text, err := os.ReadFile(filepath.Join(r.dir, timingFile))
	if err != nil {
		return rep, err
	}
	if rep.Fmax, rep.Paths, err = readTiming(text, readHierarchy(j.Top, j.Files)); err != nil {
		return rep, err
	}
	if err := j.timing(rep); err != nil || j.Until == StageRoute {
		return rep, err
	}

	begin := time.Now()
	rep.Bitstream, err = j.pack(ctx, w.packer, r)
	note("pack", w.packer, time.Since(begin).Seconds(), false)
	return rep, err
}

// timing gives the failure of the clock that is furthest from its target.
func (j *Job) timing(rep *Report) error {
	var worst *TimingFailure
	for clock, f := range rep.Fmax {
		if f.Met {
			continue
		}
		if worst == nil || f.Reached/f.Target < worst.Reached/worst.Target {
			path, _ := rep.PathOf(clock)
			worst = &TimingFailure{Design: j.Design, Part: j.Part, Clock: clock, Fmax: f, Path: path}
		}
	}
	if worst == nil {
		return nil
	}
	return worst
}

// bitstream is its name in Dir.
func (j *Job) bitstream() string {
	if j.Bitstream == "" {
		return j.Design + familyTraits[j.Part.Family].bitstream
	}
	return j.Bitstream
}

// clean removes the files of an earlier run from Dir.
func (j *Job) clean() error {
	for _, name := range []string{j.bitstream(), logFile(yosysLog), logFile(routerLog), logFile(packLog)} {
		if err := j.out.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// logFile is the place of a log in Dir.
func logFile(name string) string { return filepath.Join("logs", name) }

// copyLog puts a log into Dir.
func (j *Job) copyLog(from, name string) error {
	if j.out == nil {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(from, name))
	if err != nil {
		return err
	}
	return j.out.Put(logFile(name), text)
}

// keepLog saves the log of a program that failed, as nothing of it comes into the cache.
func (j *Job) keepLog(failure error, from, name string) error {
	if j.Dir == "" {
		return failure
	}
	if err := j.copyLog(from, name); err != nil {
		return errors.Join(failure, err)
	}
	var f *ToolFailed
	if errors.As(failure, &f) {
		f.Log = filepath.Join(j.Dir, logFile(name))
	}
	return failure
}
