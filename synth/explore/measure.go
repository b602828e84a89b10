package explore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/synth"
)

// Measurer tells cells and clock of a design. Measure is called from several goroutines.
type Measurer interface {
	// Identity is everything apart from the design that a measurement depends on: part, method, versions of the tools.
	// The error is a toolchain.Missing when a tool is not there.
	Identity() (Identity, error)
	// Measure measures a design. That it does not fit the part is a measurement, not an error.
	Measure(ctx context.Context, d *output.Design) (Measurement, error)
}

// Identity is what measurements depend on.
type Identity struct {
	Part   string            `json:"part"`
	Method string            `json:"method"`
	Seed   int               `json:"seed"`
	Tools  map[string]string `json:"tools"` // versions
}

// Synthesis measures with the tools of a part: the engine between shift registers, so that all paths go from register
// to register.
type Synthesis struct {
	Part     synth.Part
	Quick    bool    // cells only, without place and route
	Seed     int     // of placement
	ClockMHz float64 // what placement works towards; 0: more than engines reach
	CacheDir string  // "" for that of all builds
}

// targets are clocks, MHz, above what engines reach in parts of a family: placement then does what it can.
var targets = map[synth.Family]float64{synth.ICE40: 100, synth.ECP5: 200, synth.Gowin: 100}

func (s Synthesis) clock() float64 {
	if s.ClockMHz > 0 {
		return s.ClockMHz
	}
	return targets[s.Part.Family]
}

// Identity names part, method and tools.
func (s Synthesis) Identity() (Identity, error) {
	id := Identity{Part: s.Part.String(), Method: "packed, not placed", Seed: s.Seed}
	router, version, err := s.Part.Family.Router().Locate()
	if err != nil {
		return id, err
	}
	id.Tools = map[string]string{filepath.Base(router): version}
	yosys, version, err := s.Part.Family.Yosys()
	if err != nil {
		return id, err
	}
	id.Tools[filepath.Base(yosys)] = version
	if !s.Quick {
		id.Method = fmt.Sprintf("placed and routed towards %g MHz", s.clock())
	}
	return id, nil
}

// Measure synthesizes the top module of a design.
func (s Synthesis) Measure(ctx context.Context, d *output.Design) (Measurement, error) {
	m, err := synth.ModuleOf(d, "")
	if err != nil {
		return Measurement{}, err
	}
	until := synth.StageRoute
	if s.Quick {
		until = synth.StagePack
	}
	report, err := synth.Measure(ctx, m, synth.Options{Part: s.Part, ClockMHz: s.clock(), Seed: s.Seed, Until: until,
		CacheDir: s.CacheDir})
	var large *synth.TooLarge
	if err != nil && !errors.As(err, &large) {
		return Measurement{}, err
	}
	var result Measurement
	if report != nil {
		result = measurement(report)
	}
	if large != nil {
		result.TooLarge = shortage(large)
	}
	return result, nil
}

// measurement takes from a report what the points are compared by. A logic cell is a LUT with its flip-flop. An iCE40's
// are counted as they are packed; elsewhere LUTs and flip-flops are counted apart, and the more of the two decides.
func measurement(r *synth.Report) Measurement {
	c := r.Cells
	m := Measurement{
		Cells: max(c.Logic.Used, c.LUT.Used, c.FF.Used), LUT: c.LUT.Used, FF: c.FF.Used, Carry: c.Carry.Used,
		RAM: c.RAM.Used, LUTRAM: c.LUTRAM.Used, DSP: c.DSP.Used,
	}
	clock, f := r.Slowest()
	m.FmaxMHz = f.Reached
	if path, found := r.PathOf(clock); found {
		m.Path = path.Route()
	}
	for _, s := range r.Seconds {
		m.Seconds += s
	}
	return m
}

// shortage says what a part has too little of.
func shortage(e *synth.TooLarge) string {
	if len(e.Over) == 0 {
		return "no legal placement: " + e.Reason
	}
	var list []string
	for _, s := range e.Over {
		list = append(list, fmt.Sprintf("%d %s of %d", s.Used, s.Resource, s.Available))
	}
	return "takes " + strings.Join(list, ", ")
}

// fatal says that an error would meet every other point too.
func fatal(err error) bool { return errors.As(err, &toolchain.Missing{}) }
