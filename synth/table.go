package synth

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Print writes the report as tables to read.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "cells\tused\tavailable\t\n")
	for _, row := range []struct {
		name string
		Use
	}{
		{"logic cells", r.Cells.Logic}, {"LUTs", r.Cells.LUT}, {"flip-flops", r.Cells.FF}, {"carry", r.Cells.Carry},
		{"block RAMs", r.Cells.RAM}, {"LUT RAMs", r.Cells.LUTRAM}, {"multipliers", r.Cells.DSP},
	} {
		if row.Use == (Use{}) {
			continue
		}
		available, share := "", ""
		if row.Available > 0 {
			available, share = fmt.Sprint(row.Available), fmt.Sprintf("%d%%", (100*row.Used+row.Available/2)/row.Available)
		}
		fmt.Fprintf(t, "  %s\t%d\t%s\t%s\n", row.name, row.Used, available, share)
	}
	if len(r.Fmax) > 0 {
		fmt.Fprintf(t, "\nclock\treached\twanted\t\n")
	}
	for _, clock := range slices.Sorted(maps.Keys(r.Fmax)) {
		f := r.Fmax[clock]
		verdict := "met"
		if !f.Met {
			verdict = "NOT MET"
		}
		fmt.Fprintf(t, "  %s\t%.2f MHz\t%.2f MHz\t%s\n", clock, f.Reached, f.Target, verdict)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, p := range r.Paths {
		if p.From == p.To {
			if err := p.print(w); err != nil {
				return err
			}
		}
	}
	return nil
}

// print writes a path as the modules that it passes.
func (p Path) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\ncritical path of %s: %.2f ns, %.2f ns of it cells and %.2f ns wires\n", p.From, p.DelayNs,
		p.LogicNs, p.RoutingNs)
	for _, s := range p.Modules {
		fmt.Fprintf(t, "  %s\t%s\t%d cells\t%.2f ns\twires %.2f ns\n", s.Module, s.Instance, s.Cells, s.LogicNs, s.RoutingNs)
	}
	if n := len(p.Hops); n > 0 {
		fmt.Fprintf(t, "  from %s\n  to %s\n", plain(p.Hops[0].Cell), plain(p.Hops[n-1].Cell))
	}
	return t.Flush()
}

// plain is a cell's name without what Yosys appends for each step from the wire that it names it after.
func plain(cell string) string {
	for _, mark := range []string{"_SB_", "_TRELLIS_", "_LUT4_", "_CCU2C_", "_DFF"} {
		cell, _, _ = strings.Cut(cell, mark)
	}
	return cell
}
