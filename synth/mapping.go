package synth

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hdlpkg/hpccgen/synth/fold"
)

// NetlistJSON is the file in which [Part.Netlist] leaves a netlist.
const NetlistJSON = "netlist.json"

// Recipe is all that makes a netlist for a part, besides the sources and Yosys itself: for the keys of caches.
func (p Part) Recipe(top string) string {
	recipe := p.Synthesis(top)
	if p.Family == ECP5 {
		recipe += "; fold " + fold.Version
	}
	return recipe
}

// Netlist maps a design, the Verilog files of these names in dir, to the cells of a part, and leaves the netlist there
// as place and route takes it. Every user of a netlist gets it from here, so that the simulated netlist is the one
// placed and routed. In an ECP5, registers are in the blocks beside them: see package fold.
func (p Part) Netlist(ctx context.Context, yosys, dir, top string, names []string) error {
	script := fmt.Sprintf("read_verilog %s; %s -json %s; tee -q -o %s stat -json", strings.Join(names, " "),
		p.Synthesis(top), NetlistJSON, countFile)
	if _, err := (program{path: yosys}).run(ctx, dir, "-q", "-l", yosysLog, "-p", script); err != nil {
		return err
	}
	if p.Family != ECP5 {
		return nil
	}
	path := filepath.Join(dir, NetlistJSON)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, folded, err := fold.Netlist(text)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	return writeCounts(filepath.Join(dir, countFile), folded.Cells)
}

// statistics holds the fields used of Yosys' stat -json.
type statistics struct {
	Modules map[string]cellTypes `json:"modules"`
}

type cellTypes struct {
	Types map[string]int `json:"num_cells_by_type"`
}

// writeCounts writes the cells of modules in the form of stat -json.
func writeCounts(path string, modules map[string]map[string]int) error {
	s := statistics{map[string]cellTypes{}}
	for name, types := range modules {
		s.Modules[name] = cellTypes{types}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
