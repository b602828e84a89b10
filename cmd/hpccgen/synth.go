package main

import (
	"errors"
	"fmt"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/synth"
)

type synthCommand struct {
	configFlag
	Board string    `required:"" enum:"${boards}" placeholder:"NAME" help:"Board: ${enum}."`
	Out   string    `required:"" placeholder:"DIR" help:"Folder for the bitstream, its sources and logs; created if missing."`
	JSON  string    `placeholder:"FILE" help:"Report: cells, fmax_mhz, critical_paths, bitstream."`
	Clock megahertz `placeholder:"MHZ" help:"Clock of the board, and the timing constraint (the board's own; docs/boards.md)."`
	Baud  int       `placeholder:"RATE" help:"Bit rate of the serial line (the board's own)."`
	Taps  bool      `help:"Include the taps of the design, for cosim --engine board --taps; they cost cells."`
	Seed  int       `default:"1" placeholder:"N" help:"Seed of placement (${default}); another one may give a faster clock."`
}

// Validate refuses what the flags' types let through; kong calls it.
func (c *synthCommand) Validate() error {
	switch {
	case c.Baud < 0:
		return fmt.Errorf("--baud: %d is below 1", c.Baud)
	case c.Seed < 1:
		return fmt.Errorf("--seed: %d is below 1; legal are whole numbers of 1 or more", c.Seed)
	}
	return nil
}

// Run builds the bitstream of a design for a board. The report is written and printed as far as it went, whatever
// failed.
func (c *synthCommand) Run(s streams) error {
	s = s.aside(c.JSON)
	cfg, err := c.load()
	if err != nil {
		return err
	}
	b, err := synth.BoardByName(c.Board)
	if err != nil {
		return usage{err}
	}
	if err := errors.Join(keepInput("--json", c.JSON, c.Config), outputFile("--json", c.JSON)); err != nil {
		return err
	}
	bar := newProgress(s.err, "steps")
	defer bar.close()
	rep, err := synth.RunBoard(s.stopped(), cfg, b, synth.BoardOptions{ClockMHz: float64(c.Clock), Baud: c.Baud,
		Taps: c.Taps, Seed: c.Seed, Dir: c.Out, Step: bar.say})
	bar.close()
	if errors.As(err, &synth.WrongClock{}) {
		return usage{err}
	}
	if rep == nil {
		return err
	}
	if c.JSON != "" {
		if failed := writeJSON(s, c.JSON, rep); failed != nil {
			return errors.Join(err, failed)
		}
	}
	if len(rep.Resources) > 0 {
		fmt.Fprintf(s.out, "%s on %s (%s), clock %.4g MHz, serial line %d bit/s\n\n", cfg.DesignName(), b.Title, b.Part,
			rep.ClockMHz, rep.Baud)
		if failed := rep.Print(s.out); failed != nil {
			return mustWrite(0, failed)
		}
	}
	if err != nil {
		return err
	}
	err = mustWrite(fmt.Fprintf(s.out, "\n%s\nload it: %s %s\nserial line: %s\n", rep.Bitstream, b.Load,
		toolchain.Quote(rep.Bitstream), b.Serial))
	if err != nil || b.Note == "" {
		return err
	}
	return mustWrite(fmt.Fprintf(s.out, "note: %s\n", b.Note))
}
