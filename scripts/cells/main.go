// Command cells synthesizes a design with Yosys, module by module, and prints a table: latency, initiation interval,
// and cells of each module including its submodules.
//
//	go run ./scripts/cells --config nic-line --family ecp5
//	go run ./scripts/cells --rewrite docs/cells.md
//
// With --rewrite it replaces each table of a document, in Markdown, between "<!-- cells CONFIG FAMILY -->" and "<!-- end
// of cells -->".
//
// The hierarchy is kept, so the figures of a module do not depend on its surroundings; flattened, a design is slightly
// smaller. Delay lines and register slices have no row; they are counted in the modules that contain them.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/synth"
)

// families are the columns of the table.
var families = map[string]struct {
	part    synth.Part
	columns []column
}{
	"ecp5": {synth.ECP5x85, []column{
		{"LUT4", func(c synth.Cells) synth.Use { return c.LUT }}, {"carry", func(c synth.Cells) synth.Use { return c.Carry }},
		{"FF", func(c synth.Cells) synth.Use { return c.FF }}, {"DSP18", func(c synth.Cells) synth.Use { return c.DSP }},
		{"BRAM18k", func(c synth.Cells) synth.Use { return c.RAM }},
		{"LUT RAM", func(c synth.Cells) synth.Use { return c.LUTRAM }},
	}},
	"ice40": {synth.UP5K, []column{
		{"LUT4", func(c synth.Cells) synth.Use { return c.LUT }}, {"carry", func(c synth.Cells) synth.Use { return c.Carry }},
		{"FF", func(c synth.Cells) synth.Use { return c.FF }}, {"DSP16", func(c synth.Cells) synth.Use { return c.DSP }},
		{"BRAM4k", func(c synth.Cells) synth.Use { return c.RAM }},
	}},
}

type column struct {
	title string
	of    func(synth.Cells) synth.Use
}

func main() {
	name := flag.String("config", "nic-line", "preset or configuration file")
	target := flag.String("family", "ecp5", "ecp5 or ice40")
	markdown := flag.Bool("markdown", false, "print a Markdown table")
	document := flag.String("rewrite", "", "document whose tables are written anew")
	flag.Parse()
	var err error
	if *document != "" {
		err = rewrite(*document)
	} else {
		err = run(os.Stdout, *name, *target, *markdown)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cells:", err)
		os.Exit(1)
	}
}

// table matches a table in a document, from the comment before it to the comment after it.
var table = regexp.MustCompile(`(<!-- cells (\S+) (\S+) -->\n)[^<]*(<!-- end of cells -->)`)

func rewrite(document string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	var to bytes.Buffer
	tables, from := table.FindAllSubmatchIndex(text, -1), 0
	if begun := bytes.Count(text, []byte("<!-- cells ")); begun == 0 || begun != len(tables) {
		return fmt.Errorf(
			"%s: %d tables begin with <!-- cells CONFIG FAMILY -->, %d of them end with <!-- end of cells -->", document, begun, len(tables))
	}
	for _, t := range tables {
		to.Write(text[from:t[3]])
		if err := run(&to, string(text[t[4]:t[5]]), string(text[t[6]:t[7]]), true); err != nil {
			return fmt.Errorf("%s: %w", document, err)
		}
		from = t[8]
	}
	to.Write(text[from:])
	return os.WriteFile(document, to.Bytes(), 0o666)
}

func run(to io.Writer, name, target string, markdown bool) error {
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
	modules, version, err := synth.ModuleCells(context.Background(), design, synth.Options{Part: f.part})
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, version)
	return print(to, design, f.columns, modules, markdown)
}

func print(to io.Writer, d *output.Design, columns []column, modules map[string]synth.Cells, markdown bool) error {
	before, between, after := "", "\t", "\n"
	if markdown {
		before, between, after = "| ", " | ", " |\n"
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprint(w, before+strings.Join(cells, between)+after) }
	head := []string{"module", "latency", "interval"}
	for _, c := range columns {
		head = append(head, c.title)
	}
	row(head...)
	if markdown {
		fmt.Fprintln(w, strings.Repeat("|---", len(head))+"|")
	}
	for i := len(d.Modules) - 1; i >= 0; i-- {
		m := d.Modules[i]
		if synth.CountedElsewhere(m.Module) {
			continue
		}
		cells := []string{m.Variant(), fmt.Sprint(m.Latency), fmt.Sprint(m.Interval)}
		if m.Interval == 0 {
			cells[1], cells[2] = "-", "-"
		}
		for _, c := range columns {
			cells = append(cells, fmt.Sprint(c.of(modules[m.Variant()]).Used))
		}
		row(cells...)
	}
	return w.Flush()
}
