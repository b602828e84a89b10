// Command dividers measures every kind of divider at 16, 24 and 32 bits, placed and routed alone, and prints Markdown
// tables: cells, frequency, latency, interval, error bound, beside reference dividers (see baseline.go). With -write it
// puts the tables into docs/performance.md.
//
//	go run ./scripts/dividers [-write] [-part hx8k] [-bits 16]
//
// A full run takes minutes; measurements are kept in the build cache. A part whose tools are missing is skipped, with a
// note.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/synth"
)

// target is a part on which dividers are measured.
type target struct {
	name string
	mhz  float64 // that a divider of a design on this part must reach
	limb int     // bits of the factors of its multiplier blocks, or of the adders that stand for them
	dsp  bool
}

var targets = []target{{"hx8k", 80, 16, false}, {"ecp5-85k", 150, 18, true}}

var widths = []int{16, 24, 32}

const page = "docs/performance.md"

func main() {
	write := flag.Bool("write", false, "write the tables into "+page)
	part := flag.String("part", "", "only this part")
	bits := flag.Int("bits", 0, "only this width")
	flag.Parse()
	if err := run(*part, *bits, *write); err != nil {
		fmt.Fprintln(os.Stderr, "dividers:", err)
		os.Exit(1)
	}
}

func run(part string, bits int, write bool) error {
	chosen := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return part != "" && t.name != part })
	sizes := slices.DeleteFunc(slices.Clone(widths), func(w int) bool { return bits != 0 && w != bits })
	switch {
	case len(chosen) == 0:
		return fmt.Errorf("no divider is measured on %q", part)
	case len(sizes) == 0:
		return fmt.Errorf("no divider has %d bits; there are %v", bits, widths)
	case write && (part != "" || bits != 0):
		return errors.New("-write needs all parts and widths")
	}
	for _, t := range chosen {
		text, err := table(t, sizes)
		var missing toolchain.Missing
		if errors.As(err, &missing) {
			fmt.Fprintf(os.Stderr, "%s skipped: %v\n", t.name, err)
			continue
		}
		if err != nil {
			return err
		}
		fmt.Print(text)
		if write {
			if err := replace(page, "dividers "+t.name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// replace replaces the text between two markers of a page.
func replace(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := []byte("<!-- "+name+" -->\n"), []byte("<!-- end of "+name+" -->")
	from, to := bytes.Index(old, begin), bytes.Index(old, end)
	if from < 0 || to < from {
		return fmt.Errorf("%s has no markers %q and %q", path, strings.TrimSpace(string(begin)), end)
	}
	return os.WriteFile(path, slices.Concat(old[:from+len(begin)], []byte(text), old[to:]), 0o666)
}

// dividers are the kinds, for a quotient of some bits: the restoring ones are exact, Newton-Raphson is as exact as the
// quotient is wide, and the table is that of nic-table whatever the width.
func dividers(bits int) []config.Divider {
	newton := config.Divider{Kind: config.NewtonRaphson, TableBits: 7, SeedBits: 9, Iterations: 1, RecipBits: bits + 1}
	switch bits {
	case 24:
		newton.TableBits, newton.SeedBits, newton.Iterations = 5, 7, 2
	case 32:
		newton.TableBits, newton.SeedBits, newton.Iterations = 7, 9, 2
	}
	return []config.Divider{
		{Kind: config.RestoringSerial}, {Kind: config.RestoringPipelined},
		{Kind: config.ReciprocalTable, Eps: 0.004, IndexBits: 11, EntryBits: 15}, newton,
	}
}

// table measures all dividers on a part.
func table(t target, sizes []int) (string, error) {
	p, err := synth.PartByName(t.name)
	if err != nil {
		return "", err
	}
	_, version, err := p.Family.Yosys()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, target %.0f MHz; %s:\n\n", p, t.mhz, version)
	head := []string{"divider", "bits", "latency", "interval", "LUT", "FF", "carry", "RAM"}
	if t.dsp {
		head = append(head, "multipliers")
	}
	head = append(head, "MHz", "error")
	row := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	row(head)
	fmt.Fprintf(&b, "%s|\n", strings.Repeat("|---", len(head)))
	var slow []string
	for _, bits := range sizes {
		for _, c := range candidates(bits, t) {
			fmt.Fprintf(os.Stderr, "%s, %s of %d bits\n", t.name, c.name, bits)
			rep, err := synth.Measure(context.Background(), c.module, synth.Options{Part: p, ClockMHz: t.mhz})
			var large *synth.TooLarge
			if err != nil && !errors.As(err, &large) {
				return "", err
			}
			cells := []string{c.name, fmt.Sprint(bits), fmt.Sprint(c.latency), fmt.Sprint(c.interval),
				fmt.Sprint(rep.Cells.LUT.Used), fmt.Sprint(rep.Cells.FF.Used),
				fmt.Sprint(rep.Cells.Carry.Used), fmt.Sprint(rep.Cells.RAM.Used)}
			if t.dsp {
				cells = append(cells, fmt.Sprint(rep.Cells.DSP.Used))
			}
			clock, f := rep.Slowest()
			mhz := fmt.Sprintf("%.0f", f.Reached)
			if large != nil {
				mhz = "too large"
			} else if f.Reached < t.mhz && c.own {
				slow = append(slow, fmt.Sprintf("%s, %d bits: %s", c.name, bits, describe(rep, clock)))
			}
			row(append(cells, mhz, c.errors))
		}
	}
	if len(slow) > 0 {
		fmt.Fprintf(&b, "\nBelow the target, with the longest path:\n\n")
		for _, s := range slow {
			fmt.Fprintf(&b, "- %s\n", s)
		}
	}
	return b.String(), nil
}

// madeUp matches the suffix that Yosys appends to a signal of the design to name logic downstream of it.
var madeUp = regexp.MustCompile(`_(?:SB|LUT4|TRELLIS|CCU2C|MULT18X18D|DP16KD|PFUMX|L6MUX21)_.*$`)

// describe describes the longest path of a clock.
func describe(rep *synth.Report, clock string) string {
	p, known := rep.PathOf(clock)
	if !known || len(p.Hops) == 0 {
		return "no path known"
	}
	net := func(hops []synth.Hop) string {
		for _, h := range hops {
			if h.Net != "" {
				return madeUp.ReplaceAllString(strings.TrimPrefix(h.Net, "u_module."), "")
			}
		}
		return ""
	}
	backward := slices.Clone(p.Hops)
	slices.Reverse(backward)
	cells := 0
	for _, h := range p.Hops {
		if h.Kind == "logic" {
			cells++
		}
	}
	return fmt.Sprintf("%.1f ns through %d cells, %.1f ns of it on wires, from `%s` to `%s`", p.DelayNs, cells,
		p.RoutingNs, net(p.Hops), net(backward))
}

// candidate is a divider to measure.
type candidate struct {
	name              string
	module            synth.Module
	latency, interval int
	errors            string
	own               bool // of the generator
}

// candidates returns the dividers of a width, each followed by its reference, if any.
func candidates(bits int, t target) []candidate {
	var list []candidate
	for _, d := range dividers(bits) {
		shape := lib.DividerShape{NumBits: bits, DenBits: bits, QuotBits: bits}
		name := string(d.Kind)
		m := lib.Divider("divider", d, shape, lib.Square(t.limb))
		list = append(list, candidate{name: name, module: moduleOf(m), latency: m.Latency(), interval: m.Interval(),
			errors: errorOf(d), own: true})
		switch d.Kind {
		case config.RestoringSerial:
			list = append(list, textbook(bits))
		case config.RestoringPipelined:
			shape.Signed = true
			m := lib.Divider("divider", d, shape, lib.Square(t.limb))
			list = append(list, candidate{name: name + ", signed remainders", module: moduleOf(m), latency: m.Latency(),
				interval: m.Interval(),
				errors:   errorOf(d), own: true}, operator(bits))
		}
	}
	return list
}

// errorOf returns the bound of config for the relative error of the reciprocal, as a power of two, or that of rounding
// alone.
func errorOf(d config.Divider) string {
	if e := d.RelBound(); e > 0 {
		return fmt.Sprintf("2^%.1f, ½ ulp", math.Log2(e))
	}
	return "½ ulp"
}

func moduleOf(m *vgen.Module) synth.Module {
	files, err := vgen.Emit(m, vgen.EmitOptions{})
	if err != nil {
		panic(err) // a divider of the library, with widths that it has
	}
	entries := vgen.Manifest(m)
	return synth.Module{Top: m.Name(), Files: files,
		Ports: entries[slices.IndexFunc(entries, func(e vgen.ModuleInfo) bool { return e.Module == m.Name() })].Ports}
}
