package synth

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/constraints"
	"github.com/hdlpkg/hpccgen/internal/outfolder"
	"github.com/hdlpkg/hpccgen/rtlgen/board"
)

// BoardOptions are choices about a design on a board; the zero value is fine but for Dir.
type BoardOptions struct {
	ClockMHz float64 // 0: the board's
	Baud     int     // of the serial line; 0: the board's
	Taps     bool    // the board gets the taps of the design too
	Seed     int     // of placement; 0 is 1
	Until    Stage   // 0: StageBitstream
	Dir      string  // gets rtl/, the constraint file, logs/ and the bitstream; made when missing
	CacheDir string  // "" for buildcache.Dir()
	Step     func(string)
}

// WrongClock is the error for a clock that a board cannot make.
type WrongClock struct{ error }

func (e WrongClock) Unwrap() error { return e.error }

// Platform is the board as its top module is made for, with the clock that its PLL makes.
func (b Board) Platform(mhz float64) (board.Platform, error) {
	s, err := b.PLL(mhz)
	if err != nil {
		return board.Platform{}, err
	}
	return board.Platform{
		Name: b.Name, OscillatorHz: b.OscillatorHz, ClockHz: s.OutHz, ICE40: s.ICE40, ECP5: s.ECP5, Gowin: s.Gowin,
		PLLFromPad: b.PLLFromPad,
		GowinPart:  b.pllPart, LEDLow: b.LEDLow, Button: b.Button,
	}, nil
}

// BoardJob is the job that builds a design with its host link for a board.
func BoardJob(c config.Design, b Board, o BoardOptions) (Job, *board.Top, error) {
	if o.ClockMHz == 0 {
		o.ClockMHz = b.ClockMHz
	}
	if o.Baud == 0 {
		o.Baud = b.Baud
	}
	p, err := b.Platform(o.ClockMHz)
	if err != nil {
		return Job{}, nil, WrongClock{fmt.Errorf("--clock: %w", err)}
	}
	top, err := board.Build(c, p, board.Options{Baud: o.Baud, Taps: o.Taps})
	if err != nil {
		return Job{}, nil, err
	}
	_, pins, err := constraints.Of(b.Name)
	if err != nil {
		return Job{}, nil, err
	}
	name := c.DesignName()
	return Job{
		Design: name, Top: top.Top, Files: top.Files, Part: b.Part, Constraints: pins, ClockMHz: o.ClockMHz,
		Seed: o.Seed, Until: o.Until,
		Dir: o.Dir, Bitstream: name + "_" + b.Name + familyTraits[b.Part.Family].bitstream, CacheDir: o.CacheDir,
		Step: o.Step,
	}, top, nil
}

// RunBoard builds a design with its host link for a board; errors are those of [Run], and a [WrongClock].
func RunBoard(ctx context.Context, c config.Design, b Board, o BoardOptions) (*Report, error) {
	j, top, err := BoardJob(c, b, o)
	if err != nil {
		return nil, err
	}
	if j.out, err = outfolder.Open(j.Dir); err != nil {
		return nil, err
	}
	defer j.out.Close()
	if err := j.clean(); err != nil {
		return nil, err
	}
	if err := j.writeInputs(b); err != nil {
		return nil, err
	}
	rep, err := run(ctx, j)
	if rep != nil {
		rep.Board, rep.ConfigHash = b.Name, c.DesignHash()
		rep.ClockMHz, rep.Baud = float64(top.Platform.ClockHz)/1e6, top.Platform.ClockHz/top.Divisor
	}
	return rep, err
}

// writeInputs writes the tools' input files to Dir, so that a user can continue from there.
func (j *Job) writeInputs(b Board) error {
	name, pins, err := constraints.Of(b.Name)
	if err != nil {
		return err
	}
	if err := j.out.Put(name, pins); err != nil {
		return err
	}
	for _, f := range j.Files {
		if err := j.out.Put(filepath.Join("rtl", filepath.Base(f.Name)), f.Text); err != nil {
			return err
		}
	}
	return nil
}
