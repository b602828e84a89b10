package main

import (
	"errors"
	"fmt"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/verify/boardsim"
)

type boardSimCommand struct {
	configFlag
	Taps bool `help:"Include the taps of the design, for cosim --engine board --taps."`
}

// Run serves the board until it is interrupted.
func (c *boardSimCommand) Run(s streams) error {
	cfg, err := c.load()
	if err != nil {
		return err
	}
	top, err := board.Build(cfg, boardsim.Platform, board.Options{Taps: c.Taps})
	if err != nil {
		return err
	}
	bar := newProgress(s.err, "steps")
	defer bar.close()
	b, err := boardsim.New(top, boardsim.Options{Progress: bar.say})
	bar.close()
	if err != nil {
		return err
	}
	stopped := s.stopped() // from here on
	term, err := boardsim.Serve(b)
	if err != nil {
		return err
	}
	if err := mustWrite(fmt.Fprintf(s.out,
		"%s is on the port %s, configuration %s; interrupt to end it. Try:\n  hpccgen cosim --config %s --engine board --port %s --cycles 10000\n",
		cfg.DesignName(), term.Name, cfg.DesignHash(), toolchain.Quote(c.Config), term.Name)); err != nil {
		return errors.Join(err, term.Close()) // nobody knows the port
	}
	select {
	case <-stopped.Done():
	case <-term.Done():
	}
	return term.Close()
}
