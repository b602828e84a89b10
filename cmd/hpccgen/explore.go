package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/synth"
	"github.com/hdlpkg/hpccgen/synth/explore"
)

type exploreCommand struct {
	configFlag
	Out        string    `required:"" placeholder:"DIR" help:"Folder for the result: index.html, pareto.svg, points.csv, points.json, configs/*.yaml; created if missing. Measurements are kept there: the same command resumes where it stopped."`
	Part       string    `xor:"part" placeholder:"NAME" help:"Part to measure on: ${parts} (ecp5-85k)."`
	Board      string    `xor:"part" placeholder:"NAME" help:"The part of a board: ${boards}."`
	Orders     []string  `default:"base" placeholder:"LIST" help:"parallel: hops side by side; serial: one after the other; base: as in the configuration (${default})."`
	Dividers   []string  `default:"base,restoring_serial,restoring_pipelined,newton_raphson,reciprocal_table" placeholder:"LIST" help:"Kinds of dividers, with parameters as in reciprocal_table:eps=0.001; HOP+QUOTIENT for two kinds; base for those of the configuration (${default})."`
	Precisions []string  `default:"1e-2,1e-3" placeholder:"LIST" help:"Largest relative errors of W, from which the formats are derived; base for the formats of the configuration (${default})."`
	Quick      bool      `help:"Cells only, without place and route: no clock."`
	Points     int       `placeholder:"N" help:"Measure at most N new points in this run (all)."`
	Jobs       int       `placeholder:"N" help:"Points measured in parallel (number of cores)."`
	Seed       int       `default:"1" placeholder:"S" help:"First seed of placement (${default})."`
	Seeds      int       `default:"1" placeholder:"N" help:"Place each point with N seeds, from the first on: the clock is the median (${default})."`
	Clock      megahertz `placeholder:"MHZ" help:"Target clock of placement (above what engines reach in the part)."`
	Fresh      bool      `help:"Measure known points again."`
}

// maxSeeds bounds --seeds.
const maxSeeds = 1000

// Validate refuses what the flags' types let through; kong calls it.
func (c *exploreCommand) Validate() error {
	for _, f := range []struct {
		name  string
		value int
	}{{"--points", c.Points}, {"--jobs", c.Jobs}, {"--seed", c.Seed}} {
		if f.value < 0 {
			return fmt.Errorf("%s: %d is below 0", f.name, f.value)
		}
	}
	if c.Seeds < 1 || c.Seeds > maxSeeds {
		return fmt.Errorf("--seeds: %d; legal are 1 to %d", c.Seeds, maxSeeds)
	}
	if _, err := c.part(); err != nil {
		return err
	}
	_, err := c.space(&config.NIC{})
	return err
}

// part is the part that is asked for.
func (c *exploreCommand) part() (synth.Part, error) {
	if c.Board != "" {
		b, err := synth.BoardByName(c.Board)
		return b.Part, err
	}
	if c.Part == "" {
		return synth.ECP5x85, nil
	}
	return synth.PartByName(c.Part)
}

// space reads what to sweep.
func (c *exploreCommand) space(base *config.NIC) (explore.Space, error) {
	s := explore.Space{Base: base}
	var wrong []error
	for _, text := range c.Orders {
		o, err := explore.ParseOrder(text, base)
		wrong = append(wrong, named("--orders", err))
		s.Orders = append(s.Orders, o)
	}
	for _, text := range c.Dividers {
		d, err := explore.ParseDividers(text, base)
		wrong = append(wrong, named("--dividers", err))
		s.Dividers = append(s.Dividers, d)
	}
	for _, text := range c.Precisions {
		p, err := explore.ParsePrecision(text)
		wrong = append(wrong, named("--precisions", err))
		s.Precisions = append(s.Precisions, p)
	}
	return s, errors.Join(wrong...)
}

func named(flag string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", flag, err)
}

// Run explores, and prints the Pareto front.
func (c *exploreCommand) Run(s streams) error {
	if err := regularFile("--config", c.Config); err != nil {
		return err
	}
	base, err := config.Load(c.Config)
	if err != nil {
		return err
	}
	space, err := c.space(base)
	if err != nil {
		return usage{err}
	}
	part, err := c.part()
	if err != nil {
		return usage{err}
	}
	if err := c.keepBase(); err != nil {
		return err
	}
	bar := newProgress(s.err, "points")
	defer bar.close()
	result, err := explore.Run(s.stopped(), explore.Options{
		Space: space, Measurer: explore.Synthesis{Part: part, Quick: c.Quick, ClockMHz: float64(c.Clock)},
		Dir: c.Out, Command: c.command(), Seeds: c.seeds(), Jobs: c.Jobs, Limit: c.Points, Fresh: c.Fresh,
		Progress: func(p explore.Progress) {
			bar.stage(p.Stage+", "+p.Running, int64(p.Done), int64(p.Total))
		},
	})
	bar.close()
	interrupted := errors.Is(err, context.Canceled)
	var failed *explore.FailedPoints
	if err != nil && !interrupted && !errors.As(err, &failed) {
		return err
	}
	if err := c.print(s.out, result); err != nil {
		return err
	}
	if interrupted {
		return errors.New("interrupted: what was measured is kept, the same command goes on")
	}
	return err
}

func (c *exploreCommand) seeds() []int {
	list := make([]int, c.Seeds)
	for i := range list {
		list[i] = c.Seed + i
	}
	return list
}

// keepBase refuses to explore from a configuration that the result may replace.
func (c *exploreCommand) keepBase() error {
	file, err := filepath.Abs(c.Config)
	if err != nil {
		return err
	}
	configs, err := filepath.Abs(filepath.Join(c.Out, explore.ConfigsDir))
	if err != nil {
		return err
	}
	if filepath.Dir(file) == configs {
		return usage{fmt.Errorf("--config %s is in the result of an exploration in %s; take another --out", c.Config, c.Out)}
	}
	return nil
}

// command is the command line again, for the page.
func (c *exploreCommand) command() string {
	words := []string{"hpccgen explore --config " + toolchain.Quote(c.Config), "--out " + toolchain.Quote(c.Out)}
	add := func(wanted bool, format string, args ...any) {
		if wanted {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	add(c.Part != "", "--part %s", c.Part)
	add(c.Board != "", "--board %s", c.Board)
	words = append(words, "--orders "+strings.Join(c.Orders, ","), "--dividers "+strings.Join(c.Dividers, ","),
		"--precisions "+strings.Join(c.Precisions, ","))
	add(c.Quick, "--quick")
	add(c.Seed != 1, "--seed %d", c.Seed)
	add(c.Seeds != 1, "--seeds %d", c.Seeds)
	add(c.Clock != 0, "--clock %g", c.Clock)
	return strings.Join(words, " ")
}

func (c *exploreCommand) print(w io.Writer, r *explore.Result) error {
	best := r.Best()
	if len(best) == 0 {
		return mustWrite(fmt.Fprintf(w, "%s\n%s\n", r.Summary(), filepath.Join(c.Out, explore.PageFile)))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Pareto front\thops\tdividers\terror of W\tcells\tRAM\tDSP\tinterval\tMHz\tACKs/s\n")
	for _, p := range best {
		mhz, acks := "-", "-"
		if p.FmaxMHz > 0 {
			mhz, acks = p.ClockText(), fmt.Sprintf("%.3g M", p.ACKs()/1e6)
		}
		fmt.Fprintf(t, "  %d\t%s\t%s\t%.2e\t%d\t%d\t%d\t%d\t%s\t%s\n", p.Number, p.Order, p.Dividers(), p.Bound, p.Cells,
			p.RAM, p.DSP, p.Interval, mhz, acks)
	}
	if err := t.Flush(); err != nil {
		return mustWrite(0, err)
	}
	return mustWrite(fmt.Fprintf(w, "\n%s\n%s\n", r.Summary(), filepath.Join(c.Out, explore.PageFile)))
}
