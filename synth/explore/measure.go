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

// Measurer measures designs. Size and Place are called from several goroutines; they tell step what begins.
type Measurer interface {
	// Identity is everything apart from the design that a measurement depends on: part, clock, versions of the tools.
	// The error is a toolchain.Missing when a tool is not there.
	Identity() (Identity, error)
	// Size synthesizes and packs a design. That it does not fit the part is a result, not an error.
	Size(ctx context.Context, d *output.Design, step func(string)) (Size, error)
	// Place places and routes a design that fits. That no legal placement was found is a result, not an error.
	Place(ctx context.Context, d *output.Design, seed int, step func(string)) (Placement, error)
}

// Identity is what measurements depend on.
type Identity struct {
	Part     string            `json:"part"`
	ClockMHz float64           `json:"clock_mhz,omitempty"` // what placement works towards; 0: designs are not placed
	Tools    map[string]string `json:"tools"`               // versions
}

// Synthesis measures with the tools of a part: the engine between shift registers, so that all paths go from register
// to register.
type Synthesis struct {
	Part     synth.Part
	Quick    bool    // sizes only, without place and route
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

// Identity names part, clock and tools.
func (s Synthesis) Identity() (Identity, error) {
	id := Identity{Part: s.Part.String()}
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
		id.ClockMHz = s.clock()
	}
	return id, nil
}

// Size packs the top module of a design.
func (s Synthesis) Size(ctx context.Context, d *output.Design, step func(string)) (Size, error) {
	report, large, err := s.measure(ctx, d, synth.Options{Until: synth.StagePack, Step: step})
	if err != nil {
		return Size{}, err
	}
	var size Size
	if report != nil {
		size = sizeOf(report)
	}
	if large != nil {
		size.TooLarge = shortage(large)
	}
	return size, nil
}

// Place places and routes the top module of a design.
func (s Synthesis) Place(ctx context.Context, d *output.Design, seed int, step func(string)) (Placement, error) {
	report, large, err := s.measure(ctx, d, synth.Options{Until: synth.StageRoute, Seed: seed, Step: step})
	if err != nil {
		return Placement{}, err
	}
	if large != nil {
		return Placement{Seed: seed, Failed: shortage(large)}, nil
	}
	return placementOf(report), nil
}

func (s Synthesis) measure(ctx context.Context, d *output.Design, o synth.Options) (*synth.Report, *synth.TooLarge,
	error) {
	m, err := synth.ModuleOf(d, "")
	if err != nil {
		return nil, nil, err
	}
	o.Part, o.ClockMHz, o.CacheDir = s.Part, s.clock(), s.CacheDir
	report, err := synth.Measure(ctx, m, o)
	var large *synth.TooLarge
	if errors.As(err, &large) {
		err = nil
	}
	return report, large, err
}

// sizeOf takes from a report what points are compared by. A logic cell is a LUT with its flip-flop. An iCE40's are
// counted as they are packed; elsewhere LUTs and flip-flops are counted apart, and the more of the two decides.
func sizeOf(r *synth.Report) Size {
	c := r.Cells
	return Size{
		Cells: max(c.Logic.Used, c.LUT.Used, c.FF.Used), LUT: c.LUT.Used, FF: c.FF.Used, Carry: c.Carry.Used,
		RAM: c.RAM.Used, LUTRAM: c.LUTRAM.Used, DSP: c.DSP.Used, Seconds: r.Seconds["yosys"] + r.Seconds["nextpnr"],
	}
}

// placementOf takes the slowest clock of a report.
func placementOf(r *synth.Report) Placement {
	clock, f := r.Slowest()
	p := Placement{Seed: r.Seed, FmaxMHz: f.Reached, Seconds: r.Seconds["nextpnr"]}
	if path, found := r.PathOf(clock); found {
		p.Path = path.Route()
	}
	return p
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

// fatal reports whether an error would meet every other point too.
func fatal(err error) bool { return errors.As(err, &toolchain.Missing{}) }
