package synth

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Files of a netlist's entry in the cache.
const (
	netlistFile = "netlist.json.gz"
	countFile   = "cells.json"
	yosysLog    = "yosys.log"
	secondsFile = "seconds"
)

// netlist is the result of Yosys.
type netlist struct {
	dir     string // entry of the cache
	key     string
	cells   Cells
	seconds float64
	cached  bool
}

// headComment are whole lines of comment: the header of an emitted file names the configuration, and a module can be
// the same in many.
var headComment = regexp.MustCompile(`(?m)^//.*$`)

// sourceParts are the files of a job for its key.
func sourceParts(files []vgen.File) []string {
	var parts []string
	for _, f := range files {
		parts = append(parts, filepath.Base(f.Name), string(headComment.ReplaceAll(f.Text, nil)))
	}
	return parts
}

// writeSources writes the files of a job and gives their names.
func writeSources(dir string, files []vgen.File) ([]string, error) {
	var names []string
	for _, f := range files {
		name := filepath.Base(f.Name)
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(dir, name), f.Text, 0o644); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// synthesize maps the design to the cells of the part.
func (j *Job) synthesize(ctx context.Context, cache buildcache.Cache, yosys program) (netlist, error) {
	n := netlist{key: buildcache.Key(append(sourceParts(j.Files), j.Part.Recipe(j.Top), yosys.version)...), cached: true}
	var err error
	n.dir, err = cache.Get("netlist", n.key, func(dir string) error {
		n.cached = false
		j.step("synthesizing " + j.Top + " with Yosys")
		begin := time.Now()
		work := filepath.Join(dir, "work")
		if err := os.Mkdir(work, 0o755); err != nil {
			return err
		}
		defer os.RemoveAll(work)
		names, err := writeSources(work, j.Files)
		if err != nil {
			return err
		}
		if err := j.Part.Netlist(ctx, yosys.path, work, j.Top, names); err != nil {
			return j.keepLog(err, work, yosysLog)
		}
		for _, name := range []string{yosysLog, countFile} {
			if err := os.Rename(filepath.Join(work, name), filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		if err := compress(filepath.Join(work, NetlistJSON), filepath.Join(dir, netlistFile)); err != nil {
			return err
		}
		return writeSeconds(dir, begin)
	})
	if err != nil {
		return n, err
	}
	n.seconds = readSeconds(n.dir)
	counts, err := readCounts(filepath.Join(n.dir, countFile))
	if err != nil {
		return n, err
	}
	types, known := counts[j.Top]
	if !known {
		return n, fmt.Errorf("the netlist that Yosys made has no module %s", j.Top)
	}
	n.cells = j.Part.Family.count(types)
	return n, nil
}

// readCounts reads what stat -json of Yosys prints: cells of each module, by type.
func readCounts(path string) (map[string]map[string]int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	// Only this member is read: Yosys 0.23 prints the tree of modules as plain text into the middle of what follows it.
	_, rest, _ := strings.Cut(string(text), `"modules":`)
	var modules map[string]cellTypes
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&modules); err != nil {
		return nil, fmt.Errorf("the statistics of Yosys: %w", err)
	}
	counts := map[string]map[string]int{}
	for name, m := range modules {
		counts[strings.TrimPrefix(name, `\`)] = m.Types
	}
	return counts, nil
}

// A netlist is tens of megabytes of text that compresses to a tenth.
func compress(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	z, _ := gzip.NewWriterLevel(out, gzip.BestSpeed)
	_, err = io.Copy(z, in)
	return firstError(err, z.Close(), out.Close())
}

func decompress(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, z)
	return firstError(err, out.Close())
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func writeSeconds(dir string, begin time.Time) error {
	return os.WriteFile(filepath.Join(dir, secondsFile), fmt.Appendf(nil, "%.2f", time.Since(begin).Seconds()), 0o644)
}

func readSeconds(dir string) float64 {
	var s float64
	text, err := os.ReadFile(filepath.Join(dir, secondsFile))
	if err == nil {
		_, _ = fmt.Sscan(string(text), &s)
	}
	return s
}
