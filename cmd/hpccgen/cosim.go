package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
)

type cosimCommand struct {
	configFlag
	Engine string `enum:"verilator,go,icarus,netlist,board" default:"verilator" placeholder:"NAME" help:"What runs the design: ${enum} (${default})."`
	hardwareFlags
	Taps   bool   `help:"With --engine board: compare the taps too; the board must have been built with them. With --rtl: likewise, where the files still have them."`
	Cycles count  `default:"1000000" placeholder:"N" help:"Clock cycles to compare, of all jobs together, such as 1e7 (${default})."`
	Seed   *seed  `placeholder:"S" help:"Seed of the stimulus; without it a new one, which is printed."`
	Jobs   int    `default:"1" placeholder:"N" help:"Runs in parallel, each with a seed of its own (${default})."`
	JSON   string `placeholder:"FILE" help:"Report: cycles, mismatches, seed, cycles_per_second, coverage."`
	VCD    string `name:"vcd" placeholder:"FILE" help:"Waveform: of the mismatch, with what was expected, and a save file for GTKWave beside it (.gtkw); or else of the first cycles."`
	Window count  `name:"vcd-window" placeholder:"N" help:"Cycles of the waveform before and after the mismatch; without it the whole shrunk stimulus."`
}

// maxJobs bounds --jobs: each holds a design and batches of its inputs and outputs, 17 MB of nic-line.
const maxJobs = 256

// Validate refuses what the flags' types let through; kong calls it.
func (c *cosimCommand) Validate() error {
	if c.Jobs < 1 || c.Jobs > maxJobs {
		return fmt.Errorf("--jobs: %d; legal are 1 to %d", c.Jobs, maxJobs)
	}
	if c.Engine == "board" && c.Jobs > 1 {
		return fmt.Errorf("--jobs: %d; a board does one thing at a time", c.Jobs)
	}
	if c.Taps && c.Engine != "board" && c.RTL == "" {
		return errors.New("--taps goes with --engine board or --rtl; of emitted Verilog simulators have the taps in any " +
			"case, netlists never")
	}
	if c.Window > 0 && c.VCD == "" {
		return errors.New("--vcd-window goes with --vcd")
	}
	return c.check(c.Engine, c.VCD)
}

// Run compares a design with the golden model. A mismatch is reported and gives exit status 1.
func (c *cosimCommand) Run(s streams) error {
	s = s.aside(c.JSON)
	cfg, err := c.load()
	if err != nil {
		return err
	}
	if err := errors.Join(keepInput("--json", c.JSON, c.Config), keepInput("--vcd", c.VCD, c.Config),
		outputFile("--json", c.JSON), outputFile("--vcd", c.VCD),
		outputsApart(outputOf{"--json", c.JSON}, outputOf{"--vcd", c.VCD})); err != nil {
		return err
	}
	t, err := designs.Of(cfg, "co-simulation")
	if err != nil {
		return err
	}
	hardware := c.hardware()
	hardware.Taps = c.Taps
	seed := rand.Uint64() >> 11 // exact in every reader of JSON
	if c.Seed != nil {
		seed = uint64(*c.Seed)
	}
	// The seed comes first, so that it is known whatever happens.
	fmt.Fprintf(s.out, "%s on %s: seed %d\n", cfg.DesignName(), c.Engine, seed)
	bar := newProgress(s.err, "cycles")
	defer bar.close()
	rep, err := cosim.RunDesign(cfg, cosim.Options{
		Engine: c.Engine, Hardware: hardware, Cycles: int64(c.Cycles), Seed: seed, Jobs: c.Jobs, VCD: c.VCD, Window: int64(c.Window),
		ConfigName: c.Config, Step: bar.say, Progress: bar.update, Open: s.open,
	})
	bar.close()
	if err != nil {
		return err
	}
	if c.JSON != "" {
		if err := writeJSON(s, c.JSON, rep); err != nil {
			return err
		}
	}
	printCompared(s.out, t, rep)
	if len(rep.Throughput) > 0 {
		if err := printThroughput(s.out, rep.Throughput); err != nil {
			return err
		}
	}
	if rep.Divergence != nil {
		printDivergence(s.out, rep)
	} else {
		printHoles(s.out, rep)
	}
	if rep.VCD != "" {
		fmt.Fprintf(s.out, "waveform: %s\n", rep.VCD)
	}
	if rep.GTKW != "" {
		fmt.Fprintf(s.out, "  gtkwave %s\n", toolchain.Quote(rep.GTKW))
	}
	if rep.Mismatches > 0 {
		return errMismatch
	}
	return nil
}

// printCompared says what was compared, and how fast.
func printCompared(w io.Writer, t traits, rep *cosim.Report) {
	what, n := t.item, t.count(rep)
	fmt.Fprintf(w, "%d cycles, %d %ss, %d taps compared: %d mismatches; %.0f cycles/s\n", rep.Cycles, n, what,
		rep.TapsCompared, rep.Mismatches, rep.CyclesPerSecond)
	if n == 0 && rep.Mismatches == 0 {
		fmt.Fprintf(w, "no %s came to a decision in so few cycles: the design clears its memories first; take more\n", what)
	}
}

// printThroughput says, for each mix of packets, how many beats went in and out a cycle, next to what was offered.
// Removed are beats that packets have less than before, as what a removed tag leaves fits into the beats before.
func printThroughput(w io.Writer, rows []cover.Throughput) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rate := func(n, of int64) string {
		if of == 0 {
			return "-"
		}
		return fmt.Sprintf("%.4f", float64(n)/float64(of))
	}
	fmt.Fprintln(t,
		"beats a cycle\tfree: offered\tin\tout\tremoved\tidle source: offered\tin\tout\tblocked sink: ready\tout")
	for _, r := range rows {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Mix, rate(r.Free.Offered, r.Free.Cycles),
			rate(r.Free.In, r.Free.Cycles), rate(r.Free.Out, r.Free.Cycles), rate(r.Free.Gone, r.Free.Cycles),
			rate(r.Idle.Offered, r.Idle.Cycles), rate(r.Idle.In, r.Idle.Cycles), rate(r.Idle.Out, r.Idle.Cycles),
			rate(r.Blocked.Ready, r.Blocked.Cycles), rate(r.Blocked.Out, r.Blocked.Cycles))
	}
	return t.Flush()
}

// printHoles names what the stimulus never reached.
func printHoles(w io.Writer, rep *cosim.Report) {
	const most = 5
	names, more := rep.Holes, ""
	if len(names) > most {
		names, more = names[:most], ", ... (all with --json)"
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "never reached: %d of %d rows of the coverage: %s%s\n", len(rep.Holes), len(rep.Coverage),
			strings.Join(names, ", "), more)
	}
}

// mostShown is how many operations of a shrunk stimulus are printed, in place of the last inputs.
const mostShown = 16

// columns is the width that reports are folded to.
const columns = 100

// folded writes a text on lines of at most that many columns, indented by two, those after the first by more. Lines end
// after values, where there are some.
func folded(text string) string {
	var b strings.Builder
	rest := strings.TrimLeft(text, " ")
	indent := strings.Repeat(" ", 2+len(text)-len(rest))
	for more := ""; ; more = "    " {
		at := breakOf(rest, columns-len(indent+more))
		fmt.Fprintf(&b, "%s%s%s\n", indent, more, rest[:at])
		if at == len(rest) {
			return b.String()
		}
		rest = rest[at+1:]
	}
}

// valueEnd is the end of a number, or of what stands in parentheses behind one, and a space.
var valueEnd = regexp.MustCompile(`(?:[ (][0-9][0-9a-fx.]*|\)) [a-z]`)

// breakOf is where a line of a text with so many columns ends: at a space, or with the text.
func breakOf(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	if ends := valueEnd.FindAllStringIndex(text[:most+1], -1); ends != nil && ends[len(ends)-1][1] > most/2 {
		return ends[len(ends)-1][1] - 2
	}
	if at := strings.LastIndexByte(text[:most+1], ' '); at > 0 {
		return at
	}
	if at := strings.IndexByte(text, ' '); at > 0 {
		return at
	}
	return len(text)
}

func printDivergence(w io.Writer, rep *cosim.Report) {
	d := rep.Divergence
	what := "output"
	if d.Tap {
		what = "internal value"
	}
	fmt.Fprintf(w, "\nfirst mismatch: %s %s in cycle %d (seed %d): %s\n", what, d.Signal, d.Cycle, d.Seed, d.Difference())
	line := func(format string, args ...any) { fmt.Fprint(w, folded(fmt.Sprintf(format, args...))) }
	if d.Path != "" && d.Path != d.Signal {
		line("in the design: %s", d.Path)
	}
	for _, a := range d.Also {
		line("in the same cycle: %s: %s", a.Name, a.Difference())
	}
	if d.Ack != "" {
		line("ACK issued in cycle %d: %s", d.AckIssued, d.Ack)
	}
	if d.Packet != "" {
		line("packet with its header in cycle %d: %s", d.PacketHeader, d.Packet)
	}
	if d.Result != "" {
		line("its result in the model: %s", d.Result)
	}
	short := d.Shrunk != nil && d.Operations[1] <= mostShown
	if !short && len(d.Inputs) > 0 {
		line("last inputs:")
		for _, in := range d.Inputs {
			line("  %s", in)
		}
	}
	switch {
	case d.Shrunk != nil:
		minimal := "none of which can be left out"
		if !d.Minimal {
			minimal = "when the time for it was over"
		}
		line("shrunk from %s to %d, %s; %s differs in cycle %d; the stimulus is in the report (--json)",
			plural(d.Operations[0], "operation"), d.Operations[1], minimal, d.ShrunkSignal, d.ShrunkCycle)
		for op := range strings.Lines(fmt.Sprint(d.Shrunk)) {
			if short {
				line("  cycle %s", strings.TrimSpace(op))
			}
		}
	case d.Unreproduced != "":
		line("not shrunk: %s", d.Unreproduced)
	}
	fmt.Fprintf(w, "  again, with a waveform: %s\n", d.Command)
}
