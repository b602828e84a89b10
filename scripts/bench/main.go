// Command bench measures, in one run, the speeds that the design states targets for: checked co-simulation beside the
// bare Verilator loop on the same RTL and the same inputs, the golden model, and generate.
package main

import (
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/law"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

func main() {
	cycles := flag.Int64("cycles", 1_000_000, "cycles of co-simulation")
	trace := flag.String("trace", "testdata/traces/c_fair8_mi5.trace.csv.gz", "trace for the golden model")
	flag.Parse()
	if err := run(*cycles, *trace); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(cycles int64, trace string) error {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	row := func(cells ...any) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", cells...)
	}
	row("preset", "what", "measured", "target")
	for _, p := range config.PresetsOf(config.KindNIC) {
		cfg, err := config.Load(p.Name)
		if err != nil {
			return err
		}
		checked, bare, err := simulation(cfg, cycles)
		if err != nil {
			return err
		}
		row(p.Name, "checked co-simulation", fmt.Sprintf("%.0f cycles/s", checked), "")
		row(p.Name, "bare Verilator loop, same RTL, same inputs", fmt.Sprintf("%.0f cycles/s", bare), "")
		row(p.Name, "checked / bare", fmt.Sprintf("%.2f", checked/bare), "0.8")

		rep, err := law.Replay(cfg, replay.Options{Trace: trace, Engine: "model"})
		if err == nil {
			row(p.Name, "golden model", fmt.Sprintf("%.0f ACKs/s", rep.RowsPerSecond), "")
		}
		row(p.Name, "generate, in memory", generate(cfg).Round(100*time.Microsecond).String(), "0.1 s")
	}
	return t.Flush()
}

// simulation measures a checked run, and the bare verilated model on the same inputs.
func simulation(cfg *config.NIC, cycles int64) (checked, bare float64, err error) {
	rec := &recorder{limit: 1 << 16}
	rep, err := cosim.Run(cfg, cosim.Options{Engine: "verilator", Cycles: cycles, Seed: 1, Open: rec.open})
	if err != nil {
		return 0, 0, err
	}
	if rep.Mismatches > 0 {
		return 0, 0, fmt.Errorf("%s: %d mismatches", cfg.Name, rep.Mismatches)
	}
	e, err := engine.Open("verilator", rec.design, engine.Options{})
	if err != nil {
		return 0, 0, err
	}
	defer e.Close()
	start := time.Now()
	if err := e.(*engine.Verilator).BareLoop(int(cycles), rec.inputs); err != nil {
		return 0, 0, err
	}
	return rep.CyclesPerSecond, float64(cycles) / time.Since(start).Seconds(), nil
}

// generate returns the shortest of several times to generate all files of a design.
func generate(cfg *config.NIC) time.Duration {
	best := time.Hour
	for range 10 {
		start := time.Now()
		if _, err := output.Build(cfg); err != nil {
			return 0
		}
		best = min(best, time.Since(start))
	}
	return best
}

// recorder is an engine that records the first inputs of another one.
type recorder struct {
	limit  int // cycles
	design engine.Design
	inputs []uint64
}

func (r *recorder) open(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
	r.design = d
	e, err := engine.Open(name, d, o)
	return recorded{e, r}, err
}

type recorded struct {
	engine.Engine
	to *recorder
}

func (e recorded) Run(cycles int, in, out []uint64) error {
	words := e.Layout().InWords
	if room := e.to.limit*words - len(e.to.inputs); room > 0 {
		e.to.inputs = append(e.to.inputs, in[:min(room, cycles*words)]...)
	}
	return e.Engine.Run(cycles, in, out)
}
