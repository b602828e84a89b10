package output

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Summary prints what was generated: the proof's figures, the modules, the timing.
func (d *Design) Summary(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }
	row("%s, configuration %s", d.Config.DesignName(), d.Config.DesignHash())

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
	row("\nTiming\tcycles")
	for _, r := range d.rows {
		row("  %s\t%d", r.what, r.cycles)
	}
	return t.Flush()
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
