// Command vendors counts the cells of the presets as Yosys maps them for parts of AMD and Intel, flattened.
//
//	go run ./scripts/vendors                       print a Markdown table
//	go run ./scripts/vendors -write docs/performance.md
//
// With -write it replaces the table of a document, between "<!-- vendors -->" and "<!-- end of vendors -->". Presets
// with pipelined products are generated for the multiplier blocks of the part. Each is a single synthesis run, without
// place and route: cell counts and clocks of the vendors' tools differ.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/synth"
)

// part is a target family of Yosys.
type part struct {
	name, command string
	multiplier    string // value of the key
}

// Kinds of cells, by their names; cells that match none, such as buffers and inverters, are not in the table.
var kinds = []struct {
	title string
	cells *regexp.Regexp
}{
	{"LUTs", regexp.MustCompile(`^(LUT[1-6]|MISTRAL_ALUT[2-6])$`)},
	{"carry", regexp.MustCompile(`^(CARRY4|MISTRAL_ALUT_ARITH)$`)},
	{"FF", regexp.MustCompile(`^(FD[RSCP]E(_1)?|MISTRAL_FF)$`)},
	{"LUT RAM", regexp.MustCompile(`^(RAM(32|64|128|256)(M|X1[SD]|M16|X1D|X1S|M8)|SRL16E|SRLC32E|MISTRAL_MLAB)$`)},
	{"block RAM", regexp.MustCompile(`^(RAMB(18|36)E1|MISTRAL_M10K)$`)},
	{"multipliers", regexp.MustCompile(`^(DSP48E1|MISTRAL_MUL(9X9|18X18|27X27))$`)},
}

var parts = []part{
	{name: "7 series (`synth_xilinx -family xc7`)", command: "synth_xilinx -family xc7 -flatten", multiplier: "24x17"},
	{name: "Cyclone V (`synth_intel_alm -family cyclonev`)", command: "synth_intel_alm -family cyclonev",
		multiplier: "18x18"},
}

func main() {
	document := flag.String("write", "", "document whose table is written anew")
	flag.Parse()
	if err := run(*document); err != nil {
		fmt.Fprintln(os.Stderr, "vendors:", err)
		os.Exit(1)
	}
}

// table matches the table in a document.
var table = regexp.MustCompile(`(?s)(<!-- vendors -->\n).*?(<!-- end of vendors -->)`)

func run(document string) error {
	yosys, version, err := toolchain.Yosys.Locate()
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, version)
	var to bytes.Buffer
	to.WriteString("| preset | part |")
	for _, k := range kinds {
		fmt.Fprintf(&to, " %s |", k.title)
	}
	to.WriteString("\n|---|---|" + strings.Repeat("---|", len(kinds)) + "\n")
	for _, preset := range config.Presets() {
		for _, p := range parts {
			counts, err := p.count(yosys, preset.Name)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", preset.Name, p.name, err)
			}
			fmt.Fprintf(&to, "| %s | %s |", preset.Name, p.name)
			for _, n := range counts {
				fmt.Fprintf(&to, " %d |", n)
			}
			to.WriteString("\n")
		}
	}
	if document == "" {
		_, err = to.WriteTo(os.Stdout)
		return err
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	if len(table.FindAll(text, -1)) != 1 {
		return fmt.Errorf("%s has no table between <!-- vendors --> and <!-- end of vendors -->", document)
	}
	text = table.ReplaceAllFunc(text, func(place []byte) []byte {
		ends := table.FindSubmatch(place)
		return bytes.Join([][]byte{ends[1], to.Bytes(), ends[2]}, nil)
	})
	return os.WriteFile(document, text, 0o666)
}

// count synthesizes a preset and counts its cells, by kinds.
func (p part) count(yosys, preset string) ([]int, error) {
	design, err := p.design(preset)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "vendors-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var names []string
	for _, f := range synth.Verilog(design) {
		name := filepath.Base(f.Name)
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(dir, name), f.Text, 0o666); err != nil {
			return nil, err
		}
	}
	script := fmt.Sprintf("read_verilog %s; %s -top %s; tee -q -o cells.txt stat", strings.Join(names, " "), p.command,
		design.Top)
	cmd := toolchain.Command(context.Background(), yosys, "-q", "-p", script)
	cmd.Dir = dir
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "cells.txt"))
	if err != nil {
		return nil, err
	}
	return counted(string(text))
}

// design returns a preset, for the multiplier blocks of the part if it has any.
func (p part) design(preset string) (*output.Design, error) {
	cfg, err := config.LoadDesign(preset)
	if err != nil {
		return nil, err
	}
	text := append(cfg.Canonical(), "multiplier: "+p.multiplier+"\n"...)
	if changed, err := config.ParseDesign(preset, text); err == nil {
		cfg = changed // others have one lane, or fold
	}
	return output.Build(cfg)
}

var cell = regexp.MustCompile(`(?m)^ +([A-Z]\w*) +(\d+)$`)

// counted returns the number of cells of each kind in Yosys's stat of one module.
func counted(text string) ([]int, error) {
	counts := make([]int, len(kinds))
	found := false
	for _, line := range cell.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(line[2])
		if err != nil {
			return nil, err
		}
		for i, k := range kinds {
			if k.cells.MatchString(line[1]) {
				counts[i], found = counts[i]+n, true
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("no cell in\n%s", text)
	}
	return counts, nil
}
