package engine

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/sim/verilator"
)

const (
	modelClass  = "Vmodel"
	modelObject = "model.so"

	// A unit of this many bytes of generated C++ compiles in about three seconds;
	// larger models are split so that the compiler can use all processors.
	unitBytes = 600_000

	// Below this, reading Verilator's headers takes longer than compiling the
	// model: one unit is faster than two.
	smallBytes = 60_000
)

// Verilator's own warnings are not the business of an engine: lint is a check
// of its own.
var verilateFlags = []string{
	"--cc", "-O3", "--x-assign", "0",
	"-Wno-fatal", "-Wno-lint", "-Wno-style", "--timescale-override", "1ns/1ns",
	"--top-module", benchModule, "--prefix", modelClass, "--Mdir", "obj",
}

// Verilator optimises, and generates long straight-line code: on the line-rate
// engine -O2, -O3 and -Os run as fast as -O1 within 2 % and take twice as long
// to compile. Constructors and the like are not worth optimising at all.
var (
	commonFlags = []string{
		"-std=gnu++17", "-fPIC", "-fvisibility=hidden", "-pthread", "-w",
		"-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TIMING=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_SAIF=0",
		"-DVL_TIME_CONTEXT", "-DVL_USER_FATAL", "-DVL_USER_STOP", "-DVL_USER_FINISH",
	}
	fastFlags    = []string{"-O1"}
	slowFlags    = []string{"-O0"}
	runtimeFlags = []string{"-O1"}
	linkFlags    = []string{"-shared", "-pthread"}
)

// compilerRuns counts the programs that builds have started, so that a test can
// see that a cached design starts none.
var compilerRuns atomic.Int64

// compilers turn Verilog into a shared object.
type compilers struct {
	verilator, verilatorVersion string
	cxx, cxxVersion             string
}

func findCompilers() (t compilers, err error) {
	if t.verilator, t.verilatorVersion, err = toolchain.Verilator.Locate(); err != nil {
		return t, err
	}
	t.cxx, t.cxxVersion, err = toolchain.CXX.Locate()
	return t, err
}

// modelBuild builds one design.
type modelBuild struct {
	source   *Source
	tools    compilers
	cache    buildcache.Cache
	trace    bool
	ones     bool // state starts at all ones
	progress func(string)
	shim     string
	bench    string
	digest   string
}

func (b *modelBuild) prepare() (err error) {
	b.bench = wrapper(b.source)
	b.digest = buildcache.Key(layoutText(b.source.Layout))
	b.shim, err = shimFor(b.source, b.trace, b.ones, b.digest).Source()
	return err
}

// key identifies the result: sources, shim, flags, tools.
func (b *modelBuild) key() string {
	parts := append(b.source.parts(), b.bench, b.shim, b.runtimeKey(""))
	for _, flags := range [][]string{b.verilateFlags(), fastFlags, slowFlags, linkFlags} {
		parts = append(parts, strings.Join(flags, " "))
	}
	return buildcache.Key(parts...)
}

// runtimeKey identifies a file of Verilator's runtime, compiled. It depends on
// no design, so it is compiled once.
func (b *modelBuild) runtimeKey(file string) string {
	return buildcache.Key(file, b.tools.verilatorVersion, b.tools.cxxVersion, runtime.GOOS, runtime.GOARCH,
		strings.Join(b.commonFlags(), " "), strings.Join(runtimeFlags, " "))
}

func (b *modelBuild) commonFlags() []string {
	trace := "0"
	if b.trace {
		trace = "1"
	}
	return append(slices.Clone(commonFlags), "-DVM_TRACE="+trace, "-DVM_TRACE_VCD="+trace)
}

// object returns the path of the shared object, building it when the cache does
// not have it.
func (b *modelBuild) object() (string, error) {
	if err := b.prepare(); err != nil {
		return "", err
	}
	entry, err := b.cache.Get("model", b.key(), b.build)
	if err != nil {
		return "", err
	}
	return filepath.Join(entry, modelObject), nil
}

// library loads the shared object. One in the cache that does not load is built again, once.
func (b *modelBuild) library() (*modelLibrary, error) {
	object, err := b.object()
	if err != nil {
		return nil, err
	}
	lib, err := loadModel(object, b.digest)
	if err == nil {
		return lib, nil
	}
	if failed := b.cache.Discard("model", b.key()); failed != nil {
		return nil, errors.Join(err, failed)
	}
	if object, err = b.object(); err != nil {
		return nil, err
	}
	return loadModel(object, b.digest)
}

// shimFor describes the shim of a source; the members are the wrapper's ports.
func shimFor(s *Source, trace, ones bool, digest string) verilator.Shim {
	shim := verilator.Shim{
		Class: modelClass, Clock: s.Clock, Trace: trace, Ones: ones, Digest: digest,
		InWords: s.Layout.InWords, OutWords: s.Layout.OutWords,
	}
	ports := func(prefix string, slots []vgen.Slot) (list []verilator.Port) {
		for i, slot := range slots {
			list = append(list, verilator.Port{
				Member: fmt.Sprintf("%s%d", prefix, i), Name: slot.Name, Width: slot.Width, Offset: slot.Offset,
			})
		}
		return list
	}
	shim.Inputs = ports("in", s.Layout.Inputs)
	shim.Outputs = append(ports("out", s.Layout.Outputs), ports("tap", s.Layout.Taps)...)
	for _, p := range shim.Inputs {
		if p.Name == "rst" {
			shim.Reset = p.Member
		}
	}
	return shim
}

// build makes the shared object in dir and leaves nothing else there.
func (b *modelBuild) build(dir string) error {
	work := filepath.Join(dir, "work")
	if err := os.MkdirAll(filepath.Join(work, "src"), 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(work)

	b.progress("compiling " + b.source.Top + " with Verilator: Verilog to C++")
	if err := b.verilate(work); err != nil {
		return err
	}
	root, err := b.verilatorRoot()
	if err != nil {
		return err
	}
	jobs, err := b.units(work, root)
	if err != nil {
		return err
	}
	b.progress(fmt.Sprintf("compiling %s with Verilator: %d units of C++", b.source.Top, len(jobs)))
	if err := runJobs(jobs); err != nil {
		return err
	}
	args := slices.Concat(linkFlags, []string{"-o", modelObject + ".new"})
	for _, j := range jobs {
		args = append(args, j.object)
	}
	if err := b.compile(work, modelObject+".new", args...); err != nil {
		for _, j := range jobs { // what the cache had may be the cause
			if j.key != "" {
				_ = b.cache.Discard("runtime", j.key)
			}
		}
		return fmt.Errorf("linking the verilated model of %s: %w", b.source.Top, err)
	}
	object := filepath.Join(dir, modelObject)
	if err := os.Rename(filepath.Join(work, modelObject+".new"), object); err != nil {
		return err
	}
	// What a compiler calls a success comes into the cache only if it is one.
	lib, err := loadModel(object, b.digest)
	if err != nil {
		return fmt.Errorf("%s made a shared object that is of no use: %w", filepath.Base(b.tools.cxx), err)
	}
	return lib.unload()
}

// compile runs the compiler, which is to leave an object.
func (b *modelBuild) compile(dir, object string, args ...string) error {
	if err := b.run(dir, b.tools.cxx, args...); err != nil {
		return err
	}
	if !left(dir, object) {
		return fmt.Errorf("%s reports success and leaves no %s; is it a C++ compiler?", b.tools.cxx, object)
	}
	return nil
}

// left reports whether a program has left a file.
func left(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode().IsRegular()
}

func (b *modelBuild) run(dir, path string, args ...string) error {
	compilerRuns.Add(1)
	return runTool(dir, path, args...)
}

// verilateFlags are the flags of this build. With "unique" the state that nothing
// initialises starts at what the shim asks the context for.
func (b *modelBuild) verilateFlags() []string {
	flags := slices.Clone(verilateFlags)
	if b.source.Folder != "" {
		flags = append(flags, "-Werror-MODDUP") // else the first of two modules of a name is taken without a word
	}
	if b.trace {
		flags = append(flags, "--trace")
	}
	if b.ones {
		return append(flags, "--x-initial", "unique")
	}
	return append(flags, "--x-initial", "0")
}

func (b *modelBuild) verilate(work string) error {
	args := append(b.verilateFlags(), filepath.Join("src", benchModule+".v"))
	if err := os.WriteFile(filepath.Join(work, "src", benchModule+".v"), []byte(b.bench), 0o644); err != nil {
		return err
	}
	for _, f := range b.source.Files {
		name := filepath.Join("src", f.Name)
		if err := os.WriteFile(filepath.Join(work, name), f.Text, 0o644); err != nil {
			return err
		}
		if !isHeader(f.Name) {
			args = append(args, name)
		}
	}
	if b.source.Folder != "" {
		args = append(args, "-Isrc")
		check := append([]string{"--lint-only"}, append(args, "-Wwarn-WIDTH", "-Wwarn-PINMISSING")...)
		if err := b.source.checkFolder(work, "src/", b.tools.verilator, check...); err != nil {
			return err
		}
	}
	if err := b.run(work, b.tools.verilator, args...); err != nil {
		return b.source.inFolder(fmt.Errorf("verilating %s: %w", b.source.Top, err), "src/")
	}
	if !left(work, "obj/"+modelClass+"_classes.mk") {
		return fmt.Errorf("verilating %s: %s reports success and leaves no model; is it Verilator?",
			b.source.Top, b.tools.verilator)
	}
	return os.WriteFile(filepath.Join(work, "obj", "shim.cpp"), []byte(b.shim), 0o644)
}

// verilatorRoot asks Verilator where its runtime is.
func (b *modelBuild) verilatorRoot() (string, error) {
	return toolchain.Ask(b.tools.verilator, "--getenv", "VERILATOR_ROOT")
}

// job is one run of the compiler, or the fetching of one object.
type job struct {
	object string
	key    string // of an object in the cache; "" for others
	run    func() error
}

// units divides the generated C++ into compilations: one or more of the code
// that runs every cycle, one of the rest, and Verilator's runtime.
func (b *modelBuild) units(work, root string) ([]job, error) {
	obj := filepath.Join(work, "obj")
	files, err := filepath.Glob(filepath.Join(obj, "*.cpp"))
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		files[i] = filepath.Base(f)
	}
	slices.Sort(files)
	var fast, slow []string
	for _, name := range files {
		switch {
		case strings.Contains(name, "Slow") || strings.Contains(name, "__Syms"):
			slow = append(slow, name)
		default:
			fast = append(fast, name)
		}
	}
	if all, err := packUnits(obj, files, smallBytes); err != nil {
		return nil, err
	} else if len(all) == 1 {
		fast, slow = files, nil
	}
	groups, err := packUnits(obj, fast, unitBytes)
	if err != nil {
		return nil, err
	}
	include := append([]string{"-I" + obj}, runtimeInclude(root)...)
	var jobs []job
	add := func(unit string, names []string, flags []string) error {
		var text strings.Builder
		for _, n := range names {
			fmt.Fprintf(&text, "#include %q\n", n)
		}
		if err := os.WriteFile(filepath.Join(work, unit+".cpp"), []byte(text.String()), 0o644); err != nil {
			return err
		}
		jobs = append(jobs, job{object: unit + ".o", run: func() error {
			args := slices.Concat(b.commonFlags(), flags, include, []string{"-c", unit + ".cpp", "-o", unit + ".o"})
			if h := b.header(root, flags); h != "" {
				args = append([]string{"-include", h}, args...)
			}
			if err := b.compile(work, unit+".o", args...); err != nil {
				return fmt.Errorf("compiling the verilated model of %s: %w", b.source.Top, err)
			}
			return nil
		}})
		return nil
	}
	for i, group := range groups {
		if err := add(fmt.Sprintf("fast%d", i), group, fastFlags); err != nil {
			return nil, err
		}
	}
	if len(slow) > 0 {
		if err := add("slow", slow, slowFlags); err != nil {
			return nil, err
		}
	}
	runtimeFiles, err := runtimeSources(filepath.Join(obj, modelClass+"_classes.mk"))
	if err != nil {
		return nil, err
	}
	for _, name := range runtimeFiles {
		object := name + ".o"
		jobs = append(jobs, job{object, b.runtimeKey(name), func() error {
			return b.runtimeObject(work, root, name, object)
		}})
	}
	return jobs, nil
}

// runtimeInclude is where the compiler finds the headers of Verilator's runtime.
func runtimeInclude(root string) []string {
	include := filepath.Join(root, "include")
	return []string{"-I" + include, "-I" + filepath.Join(include, "vltstd")}
}

// runtimeObject puts one compiled file of Verilator's runtime into work.
func (b *modelBuild) runtimeObject(work, root, name, object string) error {
	entry, err := b.cache.Get("runtime", b.runtimeKey(name), func(dir string) error {
		b.progress("compiling with Verilator: its runtime, once")
		args := slices.Concat(b.commonFlags(), runtimeFlags, runtimeInclude(root),
			[]string{"-c", filepath.Join(root, "include", name+".cpp"), "-o", object})
		if err := b.compile(dir, object, args...); err != nil {
			return fmt.Errorf("compiling Verilator's %s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(entry, object))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(work, object), data, 0o644)
}

// packUnits groups files so that no group of several is above limit bytes.
func packUnits(dir string, names []string, limit int64) ([][]string, error) {
	var groups [][]string
	var size int64
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if len(groups) == 0 || size+info.Size() > limit {
			groups, size = append(groups, nil), 0
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], name)
		size += info.Size()
	}
	return groups, nil
}

// runtimeSources reads from Verilator's makefile fragment which files of its
// runtime a model needs; versions differ in that.
func runtimeSources(makefile string) ([]string, error) {
	f, err := os.Open(makefile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	inside := false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(line, "VM_GLOBAL_"):
			inside = strings.HasSuffix(line, "\\")
		case inside:
			if name := strings.TrimSpace(strings.TrimSuffix(line, "\\")); name != "" {
				names = append(names, name)
			}
			inside = strings.HasSuffix(line, "\\")
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &fs.PathError{Op: "find VM_GLOBAL_FAST in", Path: makefile, Err: fs.ErrInvalid}
	}
	return names, nil
}

// runJobs runs the jobs on all processors and returns the first failure in the
// order of the jobs.
func runJobs(jobs []job) error {
	var wait sync.WaitGroup
	slots := make(chan struct{}, max(2, runtime.NumCPU()))
	errs := make([]error, len(jobs))
	for i, j := range jobs {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = j.run()
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
