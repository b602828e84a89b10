package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/synth"
)

// Exit statuses.
const (
	exitOK    = 0
	exitWrong = 1 // a mismatch, or the input is wrong
	exitUsage = 2 // the command line is wrong
	exitTool  = 3 // a tool is missing
	exitLarge = 4 // a design does not fit its part
	exitSlow  = 5 // timing is not met
)

// usage is a mistake on the command line.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

// bug is a mistake of hpccgen itself.
type bug struct{ error }

func (b bug) Unwrap() error { return b.error }

// errToolsMissing is the result of doctor when something that is needed is not there: it has been said already.
var errToolsMissing = errors.New("tools are missing")

// errMismatch is the result of a co-simulation that found one: it has been reported already.
var errMismatch = errors.New("mismatch")

// report prints an error for the user and gives the exit status that belongs to it.
func report(w io.Writer, err error) int {
	var problems config.Problems
	var generated vgen.Problems
	var large *synth.TooLarge
	var slow *synth.TimingFailure
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errToolsMissing):
		return exitTool
	case errors.Is(err, errMismatch):
		return exitWrong
	case errors.As(err, &usage{}):
		fmt.Fprintf(w, "hpccgen: %v\nTry: hpccgen --help\n", err)
		return exitUsage
	case errors.As(err, &toolchain.Missing{}):
		fmt.Fprintf(w, "hpccgen: %v\n", err)
		return exitTool
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "hpccgen: stopped")
		return exitWrong
	case errors.As(err, &large):
		fmt.Fprintf(w, "hpccgen: %v\n", err)
		return exitLarge
	case errors.As(err, &slow):
		fmt.Fprintf(w, "hpccgen: %v\n", err)
		return exitSlow
	case errors.As(err, &bug{}), errors.As(err, &generated):
		fmt.Fprintf(w,
			"hpccgen: internal error: %v\nThis is a mistake in hpccgen, not in your configuration. Please report it with the configuration at\nhttps://github.com/hdlpkg/hpccgen/issues\n", err)
		return exitWrong
	case errors.As(err, &problems):
		// One line a problem, as compilers print them, so that editors can jump to it.
		fmt.Fprintf(w, "%v\nhpccgen: the configuration is wrong; nothing was done\n", problems)
		return exitWrong
	}
	fmt.Fprintf(w, "hpccgen: %v\n", err)
	return exitWrong
}
