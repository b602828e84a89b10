package synth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
)

// Files of a routed design's entry in the cache.
const (
	routerLog  = "nextpnr.log"
	timingFile = "timing.json"
)

// routing is the result of nextpnr.
type routing struct {
	dir       string
	resources map[string]Use
	seconds   float64
	cached    bool
}

// routerArguments are the flags of nextpnr but for the names of files.
func (j *Job) routerArguments() []string {
	// What is too slow is told by us, with the path; nextpnr would end with a mere number.
	args := []string{"--seed", fmt.Sprint(j.seed()), "--timing-allow-fail"}
	if j.ClockMHz > 0 {
		args = append(args, "--freq", fmt.Sprint(j.ClockMHz))
	}
	switch j.Part.Family {
	case ICE40:
		args = append(args, "--"+j.Part.Device, "--package", j.Part.Package)
	case ECP5:
		args = append(args, "--"+j.Part.Device, "--package", j.Part.Package, "--speed", j.Part.Speed)
	case Gowin:
		args = append(args, "--device", j.Part.Device, "--family", j.Part.Package)
	}
	if j.Until == StagePack {
		args = append(args, "--pack-only")
	}
	return args
}

// fileArguments are the flags of nextpnr that name files. What is only packed has no result: nextpnr-ecp5 would look for
// the places of its cells.
func (j *Job) fileArguments() []string {
	traits := familyTraits[j.Part.Family]
	args := []string{"--json", "netlist.json"}
	if j.Until != StagePack {
		result := map[Family]string{ICE40: "--asc", ECP5: "--textcfg", Gowin: "--write"}[j.Part.Family]
		args = append(args, "--report", timingFile, result, traits.routed)
	}
	constraints := "pins" + traits.constraints
	switch j.Part.Family {
	case ICE40:
		if j.Constraints != nil {
			args = append(args, "--pcf", constraints)
		}
	case ECP5:
		if j.Constraints != nil {
			args = append(args, "--lpf", constraints)
		} else {
			args = append(args, "--lpf-allow-unconstrained")
		}
	case Gowin:
		if j.Constraints != nil {
			args = append(args, "--cst", constraints)
		}
	}
	return args
}

// route packs the netlist, and places and routes it unless packing is all that is wanted.
func (j *Job) route(ctx context.Context, cache buildcache.Cache, router program, n netlist) (routing, error) {
	args := append(j.routerArguments(), j.fileArguments()...)
	parts := append(slices.Clone(args), n.key, router.version, string(j.Constraints))
	r := routing{cached: true}
	var err error
	r.dir, err = cache.Get("route", buildcache.Key(parts...), func(dir string) error {
		r.cached = false
		if j.Until == StagePack {
			j.step("packing " + j.Top + " with nextpnr")
		} else {
			j.step("placing and routing " + j.Top + " with nextpnr")
		}
		begin := time.Now()
		work := filepath.Join(dir, "work")
		if err := os.Mkdir(work, 0o755); err != nil {
			return err
		}
		defer os.RemoveAll(work)
		if err := decompress(filepath.Join(n.dir, netlistFile), filepath.Join(work, "netlist.json")); err != nil {
			return err
		}
		if j.Constraints != nil {
			if err := os.WriteFile(filepath.Join(work, "pins"+familyTraits[j.Part.Family].constraints), j.Constraints,
				0o644); err != nil {
				return err
			}
		}
		// A user can follow the router, whose log takes the place of this one at its end.
		_ = j.out.Put(logFile(routerLog), nil)
		watch, done := j.out.Watch(logFile(routerLog))
		log, err := router.runWatched(ctx, work, watch, args...)
		done()
		if err := os.WriteFile(filepath.Join(work, routerLog), []byte(log), 0o644); err != nil {
			return err
		}
		if err := j.judge(log, err); err != nil {
			return j.keepLog(err, work, routerLog)
		}
		keep := []string{routerLog}
		if j.Until > StagePack {
			keep = append(keep, timingFile, familyTraits[j.Part.Family].routed)
		}
		for _, name := range keep {
			if err := os.Rename(filepath.Join(work, name), filepath.Join(dir, name)); err != nil {
				return fmt.Errorf("%s reports success and leaves no %s; is it nextpnr?", router.path, name)
			}
		}
		return writeSeconds(dir, begin)
	})
	if err != nil {
		return r, err
	}
	log, err := os.ReadFile(filepath.Join(r.dir, routerLog))
	if err != nil {
		return r, err
	}
	r.seconds, r.resources = readSeconds(r.dir), utilisation(string(log))
	return r, nil
}

// judge distinguishes a design that does not fit from other failures of nextpnr. Packing alone accepts what does not
// fit.
func (j *Job) judge(log string, err error) error {
	var failed *ToolFailed
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	said := errorLine(log)
	resources := utilisation(log)
	over := shortages(resources)
	if len(over) > 0 || err != nil && noRoom.MatchString(said) {
		return &TooLarge{Design: j.Design, Part: j.Part, Over: over, Reason: said, resources: resources}
	}
	return err
}
