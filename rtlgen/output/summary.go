package output

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Summary prints what was generated: its name and timing, and with verbose the bounds of its errors and its modules.
func (d *Design) Summary(w io.Writer, verbose bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }
	row("%s, configuration %s", d.Config.DesignName(), d.Config.DesignHash())

	if verbose {
		d.details(row)
	}
	row("\nTiming\tcycles")
	for _, r := range d.rows {
		row("  %s\t%d", r.what, r.cycles)
	}
	return t.Flush()
}

// details prints the bounds of errors and the modules.
func (d *Design) details(row func(format string, args ...any)) {
	if len(d.bounds) > 0 {
		row("\n%s\tbound\tfrom", d.kind.bounds)
	}
	for _, r := range d.bounds {
		row("  %s\t%s\t%s", r.Term, r.Bound, r.From)
	}
	row("\nModule\tlatency\tinterval\tfile")
	for _, m := range d.Modules {
		row("  %s\t%s\t%s\t%s", m.Variant(), cycles(m.Latency, m.Interval), cycles(m.Interval, m.Interval), m.File)
	}
}

// cycles writes a figure of a module's timing; a module without an interval states none.
func cycles(n, interval int) string {
	if interval == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

type timingRow struct {
	what   string
	cycles int
}
