package main

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// patience is how long a command runs before it shows its progress.
const patience = time.Second

// progress shows on a terminal how far a command is, once it takes longer than a second: a spinner with the name of the
// step, or a bar when the amount of work is known. Nothing is shown elsewhere. Its methods may be called from several
// goroutines.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil: show nothing
	quiet time.Time // until then nothing is shown
	unit  string    // what is counted
	step  string    // what is going on
	total int64     // of bar; -1 for a spinner
	bar   *progressbar.ProgressBar
	done  chan struct{}
}

// newProgress starts to watch a command that counts units.
func newProgress(w io.Writer, unit string) *progress {
	if f, ok := w.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		w = nil
	}
	return watch(w, unit, patience)
}

func watch(w io.Writer, unit string, patience time.Duration) *progress {
	p := &progress{w: w, quiet: time.Now().Add(patience), unit: unit, step: unit, done: make(chan struct{})}
	if w != nil {
		go p.spin()
	}
	return p
}

// spin shows the step that is going on while there is nothing to count.
func (p *progress) spin() {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-tick.C:
			p.mu.Lock()
			if p.bar == nil || p.total < 0 {
				p.show(-1, 0)
			}
			p.mu.Unlock()
		}
	}
}

// say names the step that begins: one of a build, of which nothing can be counted.
func (p *progress) say(step string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step = step
	if p.total >= 0 {
		p.clear()
	} else {
		p.bar.Describe(step)
	}
}

// update shows that done of total units are done.
func (p *progress) update(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step = p.unit
	p.show(total, min(done, total))
}

// stage is update, with what is going on named beside the bar.
func (p *progress) stage(step string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step = step
	if p.bar != nil && p.total == total {
		p.bar.Describe(step)
	}
	p.show(total, done)
}

// show draws a bar, or a spinner when total is -1. The lock is held.
func (p *progress) show(total, done int64) {
	if p.w == nil || time.Now().Before(p.quiet) {
		return
	}
	if p.bar == nil || p.total != total {
		p.clear()
		p.total = total
		options := []progressbar.Option{progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription(p.step),
			progressbar.OptionThrottle(100 * time.Millisecond), progressbar.OptionSpinnerType(14),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetSpinnerChangeInterval(0)} // it turns when spin says so, not by itself
		if total >= 0 {
			options = append(options, progressbar.OptionShowCount())
		}
		p.bar = progressbar.NewOptions64(total, options...)
	}
	if total < 0 {
		_ = p.bar.RenderBlank()
	} else {
		_ = p.bar.Set64(done)
	}
}

// clear takes what is shown off the terminal. The lock is held.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
	p.total = 0
}

// close ends the showing. It may be called more than once.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	select {
	case <-p.done:
	default:
		close(p.done)
	}
	p.w = nil
}
