package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/verify/replay"
	"github.com/hdlpkg/hpccgen/verify/source"
)

// streams are where a command writes: results to out, progress to err.
type streams struct {
	out, err io.Writer
	results  io.Writer     // what --json - writes to; set by aside
	open     replay.Opener // replaces engine.Open, for tests; may be nil
	// interrupt ends what would run until it is interrupted; may be nil.
	interrupt *interrupt
}

// aside leaves the standard output to an output that is called "-": what else there is to say goes to the standard
// error.
func (s streams) aside(outputs ...string) streams {
	if slices.Contains(outputs, source.Standard) {
		s.results, s.out = s.out, s.err
	}
	return s
}

// checked is an output whose first failure is kept: a command that has not said what it found has not done its work.
type checked struct {
	io.Writer
	failed error
}

func (c *checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if c.failed == nil && err != nil {
		c.failed = err
	}
	return n, err
}

// interrupt is the end that a user may put to a command.
type interrupt struct {
	context.Context
	obeyed atomic.Bool // the command ends by itself
}

// stopped is the context of a command that ends in order when it is interrupted.
func (s streams) stopped() context.Context {
	if s.interrupt == nil {
		return context.Background()
	}
	s.interrupt.obeyed.Store(true)
	return s.interrupt
}

const (
	// tidying is how long an interrupted command has for what it wants to leave in order.
	tidying = 10 * time.Second
	// leaving is how long one has that does not look for interrupts: to end because a program that it ran has.
	leaving = 500 * time.Millisecond
)

// runInterruptible runs a command line as a process does: a signal ends the programs that it has started, and then
// itself.
func runInterruptible(args []string) int {
	signals := []os.Signal{}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as by nohup
			signals = append(signals, s)
		}
	}
	if len(signals) == 0 {
		return run(args, streams{out: os.Stdout, err: os.Stderr})
	}
	ctx, unhook := signal.NotifyContext(context.Background(), signals...)
	stop := &interrupt{Context: ctx}
	done := make(chan int, 1)
	go func() { done <- run(args, streams{out: os.Stdout, err: os.Stderr, interrupt: stop}) }()
	select {
	case status := <-done:
		return status
	case <-ctx.Done():
	}
	unhook() // another signal ends the process at once
	toolchain.Stop()
	patience := leaving
	if stop.obeyed.Load() {
		patience = tidying
	}
	select {
	case status := <-done:
		return status
	case <-time.After(patience):
		fmt.Fprintln(os.Stderr, "hpccgen: stopped")
		return exitWrong
	}
}
