package budget

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/synth"
)

// Plan lists the rows of a file.
type Plan struct {
	File    string
	Preset  string
	Part    string
	Targets float64 // MHz that placement works towards
}

// Plans are the rows of all files: the small presets on the iCE40, the others on the ECP5.
var Plans = []Plan{
	{"ice40.csv", "nic-serial", "hx8k", 80},
	{"ice40.csv", "csig-4p", "hx8k", 80},
	{"ecp5.csv", "nic-line", "ecp5-85k", 150},
	{"ecp5.csv", "nic-table", "ecp5-85k", 150},
	{"ecp5.csv", "nic-aimd", "ecp5-85k", 150},
	{"ecp5.csv", "csig-64p", "ecp5-85k", 150},
	{"ecp5.csv", "int-switch", "ecp5-85k", 150},
}

// Routing is what of a preset is placed and routed, each module by itself.
type Routing int

// No module, the top, or each of them.
const (
	RouteNone Routing = iota
	RouteTop
	RouteModules
)

// Measure counts the cells of a preset's modules, top first, but for those that are [synth.CountedElsewhere], and
// places and routes the requested designs, with that seed of placement.
func (p Plan) Measure(ctx context.Context, route Routing, seed int,
	step func(string)) (rows []Row, tools Tools, err error) {
	cfg, err := config.LoadDesign(p.Preset)
	if err != nil {
		return nil, Tools{}, err
	}
	d, err := output.Build(cfg)
	if err != nil {
		return nil, Tools{}, err
	}
	part, err := synth.PartByName(p.Part)
	if err != nil {
		return nil, Tools{}, err
	}
	o := synth.Options{Part: part, ClockMHz: p.Targets, Seed: seed, Step: step}
	counting := o
	counting.PathYosys = true // the same figures with and without the tools for ECP5
	cells, counted, err := synth.ModuleCells(ctx, d, counting)
	if err != nil {
		return nil, Tools{}, err
	}
	tools.Counted = counted
	for _, m := range slices.Backward(d.Modules) {
		if synth.CountedElsewhere(m.Module) {
			continue
		}
		row := FromCells(p.Preset, p.Part, m.Variant(), cells[m.Variant()])
		if route == RouteModules || route == RouteTop && m.Module == d.Top {
			module, err := synth.ModuleOf(d, m.Variant())
			if err != nil {
				return nil, Tools{}, err
			}
			rep, err := synth.Measure(ctx, module, o)
			var large *synth.TooLarge
			if err != nil && !errors.As(err, &large) {
				return nil, Tools{}, err
			}
			_, fmax := rep.Slowest()
			row.Logic, row.Fmax = rep.Cells.Logic.Used, fmax.Reached
			tools.Routed = slices.Sorted(maps.Values(rep.Tools))
		}
		rows = append(rows, row)
	}
	return rows, tools, nil
}
