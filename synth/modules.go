package synth

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// ModuleCells counts the cells of each module of a design with everything in it, as Yosys maps them. The hierarchy is kept, so the
// figures of a module do not depend on what surrounds it; flattened, a design is a little smaller. Yosys is that of [Family.Yosys], or with
// PathYosys the one of the path.
func ModuleCells(ctx context.Context, d *output.Design, o Options) (cells map[string]Cells, yosysVersion string, err error) {
	var yosys program
	if o.PathYosys {
		yosys.path, yosys.version, err = toolchain.Yosys.Locate()
	} else {
		yosys.path, yosys.version, err = o.Part.Family.Yosys()
	}
	if err != nil {
		return nil, "", err
	}
	cache, err := buildcache.Open(o.CacheDir)
	if err != nil {
		return nil, "", err
	}
	files := Verilog(d)
	command := o.Part.Synthesis(d.Top) + " -noflatten"
	entry, err := cache.Get("cells", buildcache.Key(append(sourceParts(files), command, yosys.version)...), func(dir string) error {
		if o.Step != nil {
			o.Step("synthesizing " + d.Top + " with Yosys, module by module")
		}
		begin := time.Now()
		work := filepath.Join(dir, "work")
		if err := os.Mkdir(work, 0o755); err != nil {
			return err
		}
		defer os.RemoveAll(work)
		names, err := writeSources(work, files)
		if err != nil {
			return err
		}
		script := fmt.Sprintf("read_verilog %s; %s; tee -q -o %s stat -json", strings.Join(names, " "), command, countFile)
		if _, err := yosys.run(ctx, work, "-q", "-p", script); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(work, countFile), filepath.Join(dir, countFile)); err != nil {
			return err
		}
		return writeSeconds(dir, begin)
	})
	if err != nil {
		return nil, "", err
	}
	counts, err := readCounts(filepath.Join(entry, countFile))
	if err != nil {
		return nil, "", err
	}
	cells = map[string]Cells{}
	for module := range counts {
		types := map[string]int{}
		total(counts, module, 1, types)
		cells[module] = o.Part.Family.count(types)
	}
	return cells, yosys.version, nil
}

// CountedElsewhere tells that a table of modules leaves a module out, a delay line or a register slice: it is counted in those that hold it.
func CountedElsewhere(module string) bool {
	return strings.Contains(module, "delay_") || strings.HasSuffix(module, "_slice")
}

// total adds up the cells of a module and of everything in it; a type that names a module is an instance.
func total(counts map[string]map[string]int, module string, times int, sum map[string]int) {
	for t, n := range counts[module] {
		if _, instance := counts[t]; instance {
			total(counts, t, times*n, sum)
		} else {
			sum[t] += times * n
		}
	}
}
