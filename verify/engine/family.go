package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/sim/cells"
	"github.com/hdlpkg/hpccgen/synth"
)

// family is an FPGA family that the netlist engine synthesizes for.
type family struct {
	name  string
	part  synth.Part // of the family, for what depends on it
	cells string     // simulation models, below Yosys' share directory
}

var families = []family{
	{"ice40", synth.HX8K, "ice40/cells_sim.v"},
	{"up5k", synth.UP5K, "ice40/cells_sim.v"},
	{"ecp5", synth.ECP5x85, "ecp5/cells_sim.v"},
}

// Families lists the FPGA families of the netlist engine. The multipliers of an iCE40 are in up5k only.
func Families() []string {
	var names []string
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

func familyOf(name string) (family, error) {
	if name == "" {
		return families[0], nil
	}
	for _, f := range families {
		if f.name == name {
			return f, nil
		}
	}
	return family{}, fmt.Errorf("unknown FPGA family %q; the netlist engine has %s", name, strings.Join(Families(), ", "))
}

var (
	moduleText  = regexp.MustCompile(`(?ms)^\s*module\s+(\\\S+|\w+).*?^\s*endmodule\b[^\n]*\n?`)
	specifyText = regexp.MustCompile(`(?ms)^\s*specify\b.*?^\s*endspecify\b[^\n]*\n`)
	instance    = regexp.MustCompile(
		`(?m)^[ \t]*(\\\S+|[A-Za-z_]\w*)(?:[ \t]*#[ \t]*\(|[ \t]+(?:\\\S+|[A-Za-z_]\w*)[ \t]*\()`)
	directive = regexp.MustCompile("(?m)^\\s*`(?:define|if|ifdef|ifndef|elsif|else|endif|undef)\\b[^\n]*\n")
)

// models returns the models of the cells that a netlist uses: those of Yosys, without the parts that Verilator cannot
// read, and those of sim/cells for cells of which Yosys has only the ports. A cell without a model is an error.
func (f family) models(yosys string, netlist []byte) ([]vgen.File, error) {
	library, err := shareFile(yosys, f.cells)
	if err != nil {
		return nil, err
	}
	library = specifyText.ReplaceAll(library, nil)
	known := map[string][]byte{}
	for _, m := range moduleText.FindAllSubmatch(library, -1) {
		known[string(m[1])] = m[0]
	}
	// Verilator 5.006 refuses default values of ports; Yosys connects every input that has one.
	text := bytes.NewBufferString("`define NO_ICE40_DEFAULT_ASSIGNMENTS\n")
	for _, d := range directive.FindAll(moduleText.ReplaceAll(library, nil), -1) {
		text.Write(d)
	}
	var files []vgen.File
	done := map[string]bool{}
	var lacking []string
	open := instances(netlist)
	for len(open) > 0 {
		cell := open[0]
		open = open[1:]
		if done[cell] {
			continue
		}
		done[cell] = true
		own, ours := cells.Model(cell)
		switch theirs, ok := known[cell]; {
		case ours:
			files = append(files, vgen.File{Name: strings.ToLower(cell) + ".v", Text: own})
		case ok:
			text.Write(theirs)
			open = append(open, instances(theirs)...)
		default:
			lacking = append(lacking, cell)
		}
	}
	if len(lacking) > 0 {
		slices.Sort(lacking)
		return nil, fmt.Errorf("there is no simulation model of the cells %s", strings.Join(lacking, ", "))
	}
	return append(files, vgen.File{Name: "cells_sim.v", Text: text.Bytes()}), nil
}

// instances lists the types of cells in Verilog modules.
func instances(verilog []byte) []string {
	var list []string
	for _, m := range instance.FindAllSubmatch(verilog, -1) {
		name := string(m[1])
		if !slices.Contains(notCells, name) && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// notCells are words before a parenthesis that do not begin a cell.
var notCells = []string{"module", "if", "for", "case", "always", "initial", "assign", "function", "else", "wire", "reg",
	"input", "output", "generate", "begin", "end"}

// shareFile reads a file of Yosys, searched as Yosys does: in share next to the program, or in ../share/yosys.
func shareFile(yosys, name string) ([]byte, error) {
	path, err := filepath.EvalSymlinks(yosys)
	if err != nil {
		return nil, err
	}
	var tried []string
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(yosys)} {
		for _, share := range []string{"share", "../share/yosys"} {
			file := filepath.Join(dir, share, name)
			text, err := os.ReadFile(file)
			if !errors.Is(err, fs.ErrNotExist) {
				return text, err
			}
			if !slices.Contains(tried, file) {
				tried = append(tried, file)
			}
		}
	}
	return nil, fmt.Errorf("the simulation models of Yosys are not where they should be; looked for %s",
		strings.Join(tried, ", "))
}
