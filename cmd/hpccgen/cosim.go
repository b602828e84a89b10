package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
)

type cosimCommand struct {
	configFlag
	Engine string `enum:"verilator,go,icarus,netlist,board" default:"verilator" placeholder:"NAME" help:"Engine that runs the design: ${enum} (${default})."`
	hardwareFlags
	junitFlag
	Taps   bool   `help:"With --engine board: compare the taps too; the board must have been built with them. With --rtl: likewise, where the files still have them."`
	Cycles count  `default:"1000000" placeholder:"N" help:"Clock cycles to compare, of all jobs together, such as 1e7 (${default})."`
	Seed   *seed  `placeholder:"S" help:"Seed of the stimulus (random, and printed)."`
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
	return c.record(s.aside(c.JSON, c.JUnit), "cosim", c.Config, c.run)
}

func (c *cosimCommand) run(s streams) error {
	cfg, err := c.load()
	if err != nil {
		return err
	}
	if err := errors.Join(keepInput("--json", c.JSON, c.Config), keepInput("--vcd", c.VCD, c.Config),
		keepInput("--junit", c.JUnit, c.Config),
		outputFile("--json", c.JSON), outputFile("--vcd", c.VCD), outputFile("--junit", c.JUnit),
		outputsApart(fileOf{"--json", c.JSON}, fileOf{"--vcd", c.VCD}, fileOf{"--junit", c.JUnit})); err != nil {
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
		Engine: c.Engine, Hardware: hardware, Cycles: int64(c.Cycles), Seed: seed, Jobs: c.Jobs, VCD: c.VCD,
		Window:     int64(c.Window),
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

// printThroughput says, for each mix of packets that came, how many beats went in and out a cycle, next to what was
// offered. Removed are beats that packets have less than before, as what a removed tag leaves fits into the beats
// before.
func printThroughput(w io.Writer, rows []cover.Throughput) error {
	const line = "%-13s %7s %7s %7s %7s   %7s %7s %7s   %7s %7s\n"
	rate := func(n, of int64) string {
		if of == 0 {
			return "-"
		}
		return fmt.Sprintf("%.4f", float64(n)/float64(of))
	}
	fmt.Fprintf(w, "%-13s  %-31s   %-23s   %s\n", "", "source and sink always ready", "source pauses", "sink pauses")
	fmt.Fprintf(w, line, "beats a cycle", "offered", "in", "out", "removed", "offered", "in", "out", "ready", "out")
	var err error
	for _, r := range rows {
		if r.Free.Cycles+r.Idle.Cycles+r.Blocked.Cycles == 0 {
			continue
		}
		_, err = fmt.Fprintf(w, line, r.Mix, rate(r.Free.Offered, r.Free.Cycles),
			rate(r.Free.In, r.Free.Cycles), rate(r.Free.Out, r.Free.Cycles), rate(r.Free.Gone, r.Free.Cycles),
			rate(r.Idle.Offered, r.Idle.Cycles), rate(r.Idle.In, r.Idle.Cycles), rate(r.Idle.Out, r.Idle.Cycles),
			rate(r.Blocked.Ready, r.Blocked.Cycles), rate(r.Blocked.Out, r.Blocked.Cycles))
	}
	return err
}

// printHoles names what the stimulus did not cover, as far as a line goes.
func printHoles(w io.Writer, rep *cosim.Report) {
	if len(rep.Holes) == 0 {
		return
	}
	const more = ", ... (all with --json)"
	line := fmt.Sprintf("uncovered: %d of %d bins: %s", len(rep.Holes), len(rep.Coverage), rep.Holes[0])
	for _, name := range rep.Holes[1:] {
		if len(line)+len(name)+len(more) > columns {
			line += more
			break
		}
		line += ", " + name
	}
	fmt.Fprintln(w, line)
}
