// Command budgets prints the cells and frequencies of the presets beside their budgets, or rewrites the budgets.
//
//	go run ./scripts/budgets [-write] [-route] [-modules] [-seed N] [-preset NAME] [-part NAME]
//
// Without -route it only counts cells, in seconds a preset; with it the top of each preset is placed and routed, in
// minutes; with -modules each of its modules is too, separately. Budgets are those of seed 1; other seeds show the
// influence of the placement. Figures that are not measured are kept. A part whose tools are missing is skipped, with a
// note.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/synth/budget"
)

func main() {
	write := flag.Bool("write", false, "write the budgets")
	top := flag.Bool("route", false, "place and route the top too")
	modules := flag.Bool("modules", false, "place and route each module too")
	seed := flag.Int("seed", 1, "of placement")
	preset := flag.String("preset", "", "only this preset")
	part := flag.String("part", "", "only this part")
	folder := flag.String("budgets", "budgets", "folder of the files")
	flag.Parse()
	plans := slices.DeleteFunc(slices.Clone(budget.Plans), func(p budget.Plan) bool {
		return *preset != "" && p.Preset != *preset || *part != "" && p.Part != *part
	})
	route := budget.RouteNone
	switch {
	case *modules:
		route = budget.RouteModules
	case *top:
		route = budget.RouteTop
	}
	if err := run(plans, *folder, *write, route, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "budgets:", err)
		os.Exit(1)
	}
}

func run(plans []budget.Plan, folder string, write bool, route budget.Routing, seed int) error {
	if len(plans) == 0 {
		return errors.New("no budget is of that preset and part")
	}
	if write && seed != 1 {
		return errors.New("budgets are those of seed 1: -write and -seed exclude each other")
	}
	for _, p := range plans {
		path := filepath.Join(folder, p.File)
		file, err := budget.Read(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		today, tools, err := p.Measure(context.Background(), route, seed, func(s string) { fmt.Fprintln(os.Stderr, s) })
		var missing toolchain.Missing
		if errors.As(err, &missing) {
			fmt.Fprintf(os.Stderr, "%s on %s skipped: %v\n", p.Preset, p.Part, err)
			continue
		}
		if err != nil {
			return err
		}
		if then := file.Tools.Counted; write && len(plans) < len(budget.Plans) && then != "" && then != tools.Counted {
			return fmt.Errorf("%s is of %s, this is %s: rewrite all presets, not only some", path, then, tools.Counted)
		}
		mine := func(r budget.Row) bool { return r.Preset == p.Preset && r.Part == p.Part }
		old := slices.DeleteFunc(slices.Clone(file.Rows), func(r budget.Row) bool { return !mine(r) })
		if err := print(old, today); err != nil {
			return err
		}
		if !write {
			continue
		}
		for i := range today {
			for _, r := range old {
				if r.Module == today[i].Module && today[i].Fmax == 0 {
					today[i].Logic, today[i].Fmax = r.Logic, r.Fmax
				}
			}
		}
		file.Tools.Counted = tools.Counted
		for _, t := range tools.Routed {
			if !slices.Contains(file.Tools.Routed, t) {
				file.Tools.Routed = append(file.Tools.Routed, t)
			}
		}
		file.Rows = merge(slices.DeleteFunc(file.Rows, mine), today)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		if err := file.Write(path); err != nil {
			return err
		}
	}
	return nil
}

// merge adds the rows of a plan to the others, in the order of Plans.
func merge(others, mine []budget.Row) []budget.Row {
	place := func(r budget.Row) int {
		return slices.IndexFunc(budget.Plans, func(p budget.Plan) bool { return p.Preset == r.Preset && p.Part == r.Part })
	}
	rows := append(others, mine...)
	slices.SortStableFunc(rows, func(a, b budget.Row) int { return place(a) - place(b) })
	return rows
}

// print prints the current figures, each followed by a slash and its budget if they differ.
func print(old, today []budget.Row) error {
	budgets := map[string]budget.Row{}
	for _, r := range old {
		budgets[r.Module] = r
	}
	fmt.Printf("\n%s on %s (current figures; after a slash the budget, if it differs)\n", today[0].Preset, today[0].Part)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "module")
	for _, c := range budget.Columns {
		fmt.Fprint(w, "\t"+c)
	}
	fmt.Fprintln(w, "\tlogic\tfmax MHz")
	for _, r := range today {
		b, known := budgets[r.Module]
		fmt.Fprint(w, r.Module)
		for _, c := range budget.Columns {
			fmt.Fprintf(w, "\t%d", r.Cells[c])
			if known && b.Cells[c] != r.Cells[c] {
				fmt.Fprintf(w, "/%d", b.Cells[c])
			}
		}
		fmt.Fprintf(w, "\t%s\t%s\n", pair(float64(r.Logic), float64(b.Logic)), pair(r.Fmax, b.Fmax))
	}
	return w.Flush()
}

// pair formats a current figure with one decimal place, and the budget's if it differs.
func pair(now, before float64) string {
	text := func(v float64) string {
		if v == 0 {
			return "-"
		}
		return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64)
	}
	if before == 0 || text(before) == text(now) {
		return text(now)
	}
	return text(now) + "/" + text(before)
}
