package engine

import (
	"errors"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Design is a design for Open.
type Design struct {
	Top   *vgen.Module
	Reset vgen.ResetStyle // of the emitted Verilog; the interpreter's is synchronous
	Taps  bool            // sample the taps of the whole hierarchy too
	// Name and hash of the configuration, by which an engine that does not build the design recognises it. "": not known.
	Name, Config string
}

var errNoTop = errors.New("engine: a design needs a top module")

// Open starts an instance of a design in the named engine, one of Names. An external tool that is missing is a
// [toolchain.Missing] error; errors in the design are reported as vgen does.
func Open(name string, d Design, o Options) (Engine, error) {
	switch name {
	case "go":
		return openInterpreter(d, o)
	case "verilator", "icarus":
		s, err := d.source(vgen.EmitOptions{Reset: d.Reset, Collide: true})
		if err == nil && o.RTL != "" {
			s, err = s.From(o.RTL)
		}
		if err != nil {
			return nil, err
		}
		return OpenSource(name, s, o)
	case "netlist":
		return openNetlist(d, o)
	case "board":
		return openBoard(d, o)
	default:
		return nil, unknownEngine(name)
	}
}

// Source emits the design as Verilog text. The headers name no tool, command or
// configuration: they would only make equal designs look different to the build
// cache.
func (d Design) Source() (*Source, error) { return d.source(vgen.EmitOptions{Reset: d.Reset}) }

func (d Design) source(o vgen.EmitOptions) (*Source, error) {
	if d.Top == nil {
		return nil, errNoTop
	}
	files, err := vgen.Emit(d.Top, o)
	if err != nil {
		return nil, err
	}
	layout := vgen.NewLayout(d.Top, d.Taps)
	s := &Source{
		Top: d.Top.Name(), Files: files, Layout: &layout,
		Clock: hasReset(&layout), ResetLow: d.Reset == vgen.AsyncLow,
	}
	if d.Taps {
		for _, t := range vgen.Taps(d.Top) {
			s.TapPaths = append(s.TapPaths, t.Path)
		}
	}
	return s, nil
}

// hasReset reports whether a layout has the reset that vgen adds to every design with state.
func hasReset(l *vgen.Layout) bool {
	for _, s := range l.Inputs {
		if s.Name == "rst" {
			return true
		}
	}
	return false
}
