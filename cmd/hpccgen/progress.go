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

// progress shows on a terminal how far a command is, once it takes longer than a second. Nothing is shown elsewhere. Its
// methods may be called from several goroutines.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil: show nothing
	start time.Time
	bar   *progressbar.ProgressBar
	step  string
}

func newProgress(w io.Writer) *progress {
	p := &progress{start: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.w = w
	}
	return p
}

// say names the step that begins: a build, for one.
func (p *progress) say(step string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step = step
	if p.bar != nil {
		p.bar.Describe(step)
	}
}

// update shows that done of total parts of the work are done.
func (p *progress) update(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil || time.Since(p.start) < patience {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription(p.step),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true),
			progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())
	}
	_ = p.bar.Set64(min(done, total))
}

// close takes the bar off the terminal.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
