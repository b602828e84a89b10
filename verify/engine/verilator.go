package engine

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/sim/verilator"
)

// errorBytes is the room for a text from the C++ side.
const errorBytes = 1024

// Verilator runs a design verilated and compiled into a shared object that is
// loaded into this process.
type Verilator struct {
	source *Source
	lib    *modelLibrary
	model  uintptr // the instance on the C++ side; 0 after Close
	wave   *waveform
	broken error // set when the model failed: its state is then undefined
}

// modelLibrary is the loaded shared object.
type modelLibrary struct {
	handle                       uintptr
	newInstance, free, run, bare uintptr
	lastError, digest            uintptr
}

func openVerilator(s *Source, o Options) (*Verilator, error) {
	if err := checkStart("verilator", o.Start, StartZero, StartOnes); err != nil {
		return nil, err
	}
	tools, err := findCompilers()
	if err != nil {
		return nil, err
	}
	cache, err := buildcache.Open(o.CacheDir)
	if err != nil {
		return nil, err
	}
	b := &modelBuild{source: s, tools: tools, cache: cache, trace: o.VCD != "", ones: o.Start == StartOnes,
		progress: o.step}
	lib, err := b.library()
	if err != nil {
		return nil, err
	}
	v := &Verilator{source: s, lib: lib}
	if v.wave, err = createWaveform(o, s.Top); err == nil {
		v.model, err = lib.create(v.wave)
	}
	if err != nil {
		return nil, errors.Join(err, v.wave.close(), lib.unload())
	}
	return v, nil
}

// Name is "verilator".
func (v *Verilator) Name() string { return "verilator" }

// Layout describes the records.
func (v *Verilator) Layout() *vgen.Layout { return v.source.Layout }

// Run runs a batch of cycles in one call into the model.
func (v *Verilator) Run(cycles int, in, out []uint64) error {
	if err := v.usable(); err != nil {
		return err
	}
	if err := checkRecords(v.source.Layout, cycles, in, out); err != nil {
		return err
	}
	done, _, _ := purego.SyscallN(v.lib.run, v.model, uintptr(cycles),
		uintptr(unsafe.Pointer(unsafe.SliceData(in))), uintptr(unsafe.Pointer(unsafe.SliceData(out))))
	return v.completed(int(done), cycles)
}

// BareLoop runs the verilated model alone, with the same two evaluations a cycle
// but no outputs sampled: the yardstick for what checking costs. The inputs are
// the given records, repeated; with none they are pseudo-random bits made on the
// C++ side, after two cycles of reset. Use an instance of its own: the state
// afterwards depends on the cycles run.
func (v *Verilator) BareLoop(cycles int, in []uint64) error {
	if err := v.usable(); err != nil {
		return err
	}
	if cycles < 0 {
		return fmt.Errorf("engine: %d cycles", cycles)
	}
	records := 0
	if words := v.source.Layout.InWords; words > 0 {
		records = len(in) / words
	}
	done, _, _ := purego.SyscallN(v.lib.bare, v.model, uintptr(cycles),
		uintptr(unsafe.Pointer(unsafe.SliceData(in))), uintptr(records))
	return v.completed(int(done), cycles)
}

// Close destroys the instance; a waveform is complete only then. It may be
// called more than once.
func (v *Verilator) Close() error {
	if v.model == 0 {
		return nil
	}
	purego.SyscallN(v.lib.free, v.model)
	v.model = 0
	return errors.Join(v.wave.close(), v.lib.unload())
}

func (v *Verilator) usable() error {
	if v.model == 0 {
		return errClosed
	}
	return v.broken
}

// completed turns the number of cycles that a call completed into an error.
func (v *Verilator) completed(done, cycles int) error {
	if done == cycles {
		return v.wave.failed()
	}
	var text [errorBytes]byte
	n, _, _ := purego.SyscallN(v.lib.lastError, v.model, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	v.broken = fmt.Errorf("verilator: the model of %s failed after %d cycles of the batch: %s", v.source.Top, done,
		text[:n])
	return v.broken
}

// loadModel loads a shared object and checks that it is for this layout: a
// wrong one would read and write beyond the records.
func loadModel(path, digest string) (*modelLibrary, error) {
	handle, err := openLibrary(path)
	if err != nil {
		return nil, fmt.Errorf("loading the verilated model: %w", err)
	}
	lib := &modelLibrary{handle: handle}
	for _, s := range []struct {
		name string
		at   *uintptr
	}{
		{verilator.SymNew, &lib.newInstance}, {verilator.SymFree, &lib.free},
		{verilator.SymRun, &lib.run}, {verilator.SymBare, &lib.bare},
		{verilator.SymError, &lib.lastError}, {verilator.SymDigest, &lib.digest},
	} {
		if *s.at, err = librarySymbol(handle, s.name); err != nil {
			return nil, errors.Join(fmt.Errorf("the verilated model in %s: %w", filepath.Dir(path), err), lib.unload())
		}
	}
	var text [errorBytes]byte
	n, _, _ := purego.SyscallN(lib.digest, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	if int(n) < 0 || string(text[:n]) != digest {
		return nil, errors.Join(fmt.Errorf("the verilated model in %s is for another record layout",
			filepath.Dir(path)), lib.unload())
	}
	return lib, nil
}

// create makes an instance that writes a waveform, if that is not nil.
func (l *modelLibrary) create(w *waveform) (uintptr, error) {
	var path unsafe.Pointer
	if w != nil {
		if err := w.forSimulator(); err != nil {
			return 0, err
		}
		path = unsafe.Pointer(unsafe.StringData(fmt.Sprintf("/dev/fd/%d\x00", w.pipe.Fd())))
	}
	var text [errorBytes]byte
	model, _, _ := purego.SyscallN(l.newInstance, uintptr(path), uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	if model == 0 {
		message, _, _ := bytes.Cut(text[:], []byte{0})
		return 0, fmt.Errorf("starting the verilated model: %s", message)
	}
	return model, nil
}

func (l *modelLibrary) unload() error {
	if err := closeLibrary(l.handle); err != nil {
		return fmt.Errorf("unloading the verilated model: %w", err)
	}
	return nil
}
