package synth

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// ModuleCells counts the cells of each module of a design with everything in it, as Yosys maps them; variants of a
// module with parameters are counted one by one, under the names that [vgen.ModuleInfo.Variant] gives them. The
// hierarchy is kept, so the figures of a module do not depend on what surrounds it; flattened, a design is a little
// smaller. Yosys is that of [Family.Yosys], or with PathYosys the one of the path.
func ModuleCells(ctx context.Context, d *output.Design,
	o Options) (cells map[string]Cells, yosysVersion string, err error) {
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
	list := fmt.Sprintf("dump -m -o %s */i:*", variantFile) // heads of modules, with their parameters
	key := buildcache.Key(append(sourceParts(files), command, list, yosys.version)...)
	entry, err := cache.Get("cells", key, func(dir string) error {
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
		script := fmt.Sprintf("read_verilog %s; %s; %s; tee -q -o %s stat -json", strings.Join(names, " "), command, list,
			countFile)
		if _, err := yosys.run(ctx, work, "-q", "-p", script); err != nil {
			return err
		}
		for _, name := range []string{countFile, variantFile} {
			if err := os.Rename(filepath.Join(work, name), filepath.Join(dir, name)); err != nil {
				return err
			}
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
	heads, err := os.ReadFile(filepath.Join(entry, variantFile))
	if err != nil {
		return nil, "", err
	}
	variants := readVariants(string(heads))
	cells = map[string]Cells{}
	for module := range counts {
		types := map[string]int{}
		total(counts, module, 1, types)
		if variant, known := variants[module]; known {
			module = variant
		}
		cells[module] = o.Part.Family.count(types)
	}
	return cells, yosys.version, nil
}

// variantFile holds the heads of all modules in RTLIL.
const variantFile = "heads.il"

var (
	headText      = regexp.MustCompile(`(?m)^module (\S+)\n((?:\s*parameter .*\n)*)`)
	parameterText = regexp.MustCompile(`parameter \\(\w+) (\d+)`)
)

// readVariants gives the modules that Yosys has made of modules with parameters, $paramod$HASH\NAME or
// $paramod\NAME\PARAMETER=VALUE, as [vgen.ModuleInfo.Variant] names them.
func readVariants(heads string) map[string]string {
	variants := map[string]string{}
	for _, m := range headText.FindAllStringSubmatch(heads, -1) {
		parts := strings.Split(m[1], `\`)
		if !strings.HasPrefix(parts[0], "$paramod") {
			continue
		}
		name := parts[1]
		for _, p := range parameterText.FindAllStringSubmatch(m[2], -1) {
			name += " " + p[1] + "=" + p[2]
		}
		variants[m[1]] = name
	}
	return variants
}

// CountedElsewhere reports whether a table of modules leaves a module out, a delay line or a register slice: it is
// counted in those that hold it.
func CountedElsewhere(module string) bool {
	return strings.HasSuffix(module, "delay") || strings.HasSuffix(module, "_buffer")
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
