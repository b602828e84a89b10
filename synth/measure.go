package synth

import (
	"context"
	"errors"
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Module is a module to be measured, with everything in it.
type Module struct {
	Top   string
	Set   []vgen.ParameterInfo // parameters
	Ports []vgen.PortInfo      // all of them; the clock is the one with the role clock, or called clk
	Files []vgen.File          // of all modules; those that Top does not use do no harm
}

// Options of Measure.
type Options struct {
	Part     Part
	ClockMHz float64 // what placement works towards; 0 is the tool's own
	Seed     int
	Until    Stage // StageNetlist, StagePack or StageRoute; 0 is StageRoute
	CacheDir string
	Step     func(string) // may be nil
	// PathYosys counts cells with the Yosys of the path, not with that beside the router ([ModuleCells] only).
	PathYosys bool
}

// Verilog is the sources of a design.
func Verilog(d *output.Design) []vgen.File {
	sources := map[string]bool{}
	for _, m := range d.Modules {
		sources[m.File] = true
	}
	var files []vgen.File
	for _, f := range d.Files {
		if sources[f.Path] {
			files = append(files, vgen.File{Name: f.Path, Text: f.Data})
		}
	}
	return files
}

// ModuleOf is a module of a design by its name, as [vgen.ModuleInfo.Variant] gives it; "" is the top.
func ModuleOf(d *output.Design, name string) (Module, error) {
	if name == "" {
		name = d.Top
	}
	for _, m := range d.Modules {
		if m.Variant() == name {
			return Module{Top: m.Module, Set: m.Parameters, Ports: m.Ports, Files: Verilog(d)}, nil
		}
	}
	return Module{}, fmt.Errorf("%s has no module %s", d.Config.DesignName(), name)
}

// Measure tells cells and frequency of a module by itself. A clock that does not reach its target is no error here. The
// cells are those of the module, without the wrapper's.
func Measure(ctx context.Context, m Module, o Options) (*Report, error) {
	wrapper, takes := scan(m)
	j := Job{
		Design: m.Top, Top: scanTop, Part: o.Part, ClockMHz: o.ClockMHz, Seed: o.Seed, Until: o.Until,
		CacheDir: o.CacheDir, Step: o.Step,
		Files: append([]vgen.File{wrapper}, readHierarchy(m.Top, m.Files).needed()...),
	}
	if j.Until == stageDefault || j.Until > StageRoute {
		j.Until = StageRoute
	}
	rep, err := Run(ctx, j)
	var slow *TimingFailure
	if errors.As(err, &slow) {
		err = nil
	}
	if rep == nil {
		return nil, err
	}
	rep.Top, rep.Wrapper = m.Top, &takes
	rep.Cells.LUT.Used = max(0, rep.Cells.LUT.Used-takes.LUT.Used)
	rep.Cells.FF.Used = max(0, rep.Cells.FF.Used-takes.FF.Used)
	switch {
	case rep.Cells.Logic.Used == 0:
	case o.Part.Family == ICE40:
		rep.Cells.Logic.Used = max(0, rep.Cells.Logic.Used-takes.Logic.Used)
	default: // logic cells are LUTs, flip-flops are counted apart
		rep.Cells.Logic.Used = max(0, rep.Cells.Logic.Used-takes.LUT.Used)
	}
	return rep, err
}
