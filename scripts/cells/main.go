// Command cells synthesizes a design with Yosys, module by module, and prints a table: latency, initiation interval, and
// cells of each module with everything in it.
//
//	go run ./scripts/cells --config nic-line --family ecp5
//
// The hierarchy is kept, so the figures of a module do not depend on what surrounds it; flattened, a design is a little
// smaller. Modules that are nothing but a delay line are left out of the table and counted in those that hold them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// family is a target of Yosys and the columns of its table: each sums the cells of some types.
type family struct {
	command string
	columns []column
}

type column struct {
	title string
	types []string
}

var families = map[string]family{
	"ecp5": {"synth_ecp5 -noflatten", []column{
		{"LUT4", []string{"LUT4"}}, {"carry", []string{"CCU2C"}}, {"FF", []string{"TRELLIS_FF"}},
		{"DSP18", []string{"MULT18X18D"}}, {"BRAM18k", []string{"DP16KD"}}, {"LUT RAM", []string{"TRELLIS_DPR16X4"}},
	}},
	"ice40": {"synth_ice40 -dsp -noflatten", []column{
		{"LUT4", []string{"SB_LUT4"}}, {"carry", []string{"SB_CARRY"}},
		{"FF", []string{"SB_DFF", "SB_DFFE", "SB_DFFR", "SB_DFFS", "SB_DFFSR", "SB_DFFSS", "SB_DFFER", "SB_DFFES", "SB_DFFESR", "SB_DFFESS"}},
		{"DSP16", []string{"SB_MAC16"}}, {"BRAM4k", []string{"SB_RAM40_4K"}},
	}},
}

func main() {
	name := flag.String("config", "nic-line", "preset or configuration file")
	target := flag.String("family", "ecp5", "ecp5 or ice40")
	markdown := flag.Bool("markdown", false, "print a Markdown table")
	flag.Parse()
	if err := run(*name, *target, *markdown); err != nil {
		fmt.Fprintln(os.Stderr, "cells:", err)
		os.Exit(1)
	}
}

func run(name, target string, markdown bool) error {
	f, known := families[target]
	if !known {
		return fmt.Errorf("family %q: legal: ecp5, ice40", target)
	}
	cfg, err := config.LoadDesign(name)
	if err != nil {
		return err
	}
	design, err := output.Build(cfg)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "cells-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := design.Write(dir); err != nil {
		return err
	}
	modules, err := synthesize(design, f, dir)
	if err != nil {
		return err
	}
	return print(design, f, modules, markdown)
}

// netlist counts the cells of each module by type; types that name a module are instances.
type netlist map[string]map[string]int

func synthesize(d *output.Design, f family, dir string) (netlist, error) {
	var files []string
	for _, m := range d.Modules {
		files = append(files, m.File)
	}
	// The netlist itself is counted: the statistics that Yosys prints change their form between versions.
	script := fmt.Sprintf("read_verilog %s; %s -top %s; write_json netlist.json", strings.Join(files, " "), f.command, d.Top)
	cmd := exec.Command("yosys", "-q", "-p", script)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("yosys: %w\n%s", err, text)
	}
	file, err := os.Open(filepath.Join(dir, "netlist.json"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var report struct {
		Modules map[string]struct {
			Cells map[string]struct {
				Type string `json:"type"`
			} `json:"cells"`
		} `json:"modules"`
	}
	if err := json.NewDecoder(file).Decode(&report); err != nil {
		return nil, fmt.Errorf("the netlist of yosys: %w", err)
	}
	modules := netlist{}
	for name, m := range report.Modules {
		modules[name] = map[string]int{}
		for _, c := range m.Cells {
			modules[name][c.Type]++
		}
	}
	return modules, nil
}

// total sums the cells of some types in a module and in everything in it.
func (n netlist) total(name string, types []string) int {
	sum := 0
	for cell, count := range n[name] {
		if slices.Contains(types, cell) {
			sum += count
		} else if _, instance := n[cell]; instance {
			sum += count * n.total(cell, types)
		}
	}
	return sum
}

func print(d *output.Design, f family, modules netlist, markdown bool) error {
	before, between, after := "", "\t", "\n"
	if markdown {
		before, between, after = "| ", " | ", " |\n"
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprint(w, before+strings.Join(cells, between)+after) }
	head := []string{"module", "latency", "interval"}
	for _, c := range f.columns {
		head = append(head, c.title)
	}
	row(head...)
	if markdown {
		fmt.Fprintln(w, strings.Repeat("|---", len(head))+"|")
	}
	for i := len(d.Modules) - 1; i >= 0; i-- {
		m := d.Modules[i]
		if strings.HasPrefix(strings.TrimPrefix(m.Module, d.Config.ModulePrefix()), "delay_") {
			continue
		}
		cells := []string{m.Module, fmt.Sprint(m.Latency), fmt.Sprint(m.Interval)}
		if m.Interval == 0 {
			cells[1], cells[2] = "-", "-"
		}
		for _, c := range f.columns {
			cells = append(cells, fmt.Sprint(modules.total(m.Module, c.types)))
		}
		row(cells...)
	}
	return w.Flush()
}
