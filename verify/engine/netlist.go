package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/synth"
)

// Netlist runs a design synthesized for an FPGA: cells and wires, as place and route gets them, in Verilator.
type Netlist struct {
	*Verilator
}

// Name is "netlist".
func (n *Netlist) Name() string { return "netlist" }

// netlistFile is the netlist in its entry of the cache.
const netlistFile = "netlist.v"

// openNetlist synthesizes a design and runs the result. A netlist has no taps: synthesis dissolves the hierarchy and
// keeps only what the outputs need. Its initial state is that of its cells.
func openNetlist(d Design, o Options) (*Netlist, error) {
	if err := checkStart("netlist", o.Start, StartZero); err != nil {
		return nil, err
	}
	source, err := SourceOfNetlist(d, o)
	if err != nil {
		return nil, err
	}
	v, err := openVerilator(source, o)
	if err != nil {
		return nil, err
	}
	return &Netlist{v}, nil
}

var errTapsOfNetlist = errors.New(
	"the engine netlist has no taps: synthesis dissolves what is inside of a design; ask for its ports alone")

// SourceOfNetlist synthesizes a design for the family of the options and returns the netlist with models of its cells,
// as OpenSource takes it.
func SourceOfNetlist(d Design, o Options) (*Source, error) {
	f, err := familyOf(o.Family)
	if err != nil {
		return nil, err
	}
	if d.Taps {
		return nil, errTapsOfNetlist
	}
	rtl, err := d.Source()
	if err != nil {
		return nil, err
	}
	yosys, version, err := f.part.Family.Yosys()
	if err != nil {
		return nil, err
	}
	netlist, err := synthesize(rtl, f, yosys, version, o)
	if err != nil {
		return nil, err
	}
	models, err := f.models(yosys, netlist)
	if err != nil {
		return nil, fmt.Errorf("the netlist of %s for %s: %w", rtl.Top, f.name, err)
	}
	source := *rtl
	source.Files = append([]vgen.File{{Name: netlistFile, Text: netlist}}, models...)
	return &source, nil
}

// synthesize returns the netlist as Verilog, from the cache if it is there.
func synthesize(s *Source, f family, yosys, version string, o Options) ([]byte, error) {
	cache, err := buildcache.Open(o.CacheDir)
	if err != nil {
		return nil, err
	}
	// One wire a bit: a carry chain within one vector would look like a loop to the simulator.
	write := fmt.Sprintf("read_json %s; splitnets; write_verilog -noattr %s", synth.NetlistJSON, netlistFile)
	key := buildcache.Key(append(s.parts(), f.part.Recipe(s.Top), write, version)...)
	entry, err := cache.Get("netlist", key, func(dir string) error {
		o.step(fmt.Sprintf("synthesizing %s for %s", s.Top, f.name))
		return runYosys(s, f, yosys, write, dir)
	})
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(entry, netlistFile))
}

// runYosys synthesizes the files of a source in a separate folder, and leaves the netlist in dir.
func runYosys(s *Source, f family, yosys, write, dir string) error {
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var names []string
	for _, file := range s.Files {
		names = append(names, file.Name)
		if err := os.WriteFile(filepath.Join(work, file.Name), file.Text, 0o644); err != nil {
			return err
		}
	}
	if err := f.part.Netlist(toolchain.Lifetime(), yosys, work, s.Top, names); err != nil {
		return fmt.Errorf("synthesizing %s: %w", s.Top, err)
	}
	if err := runTool(work, yosys, "-q", "-p", write); err != nil {
		return fmt.Errorf("writing the netlist of %s as Verilog: %w", s.Top, err)
	}
	return os.Rename(filepath.Join(work, netlistFile), filepath.Join(dir, netlistFile))
}
