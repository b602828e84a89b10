package engine

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"
)

// waveform is the file that a waveform is written to. It notices what simulators do not: Icarus Verilog cuts a file
// short on a full disk and reports success, a verilated model ends the process. So they write into a pipe, and errors
// are those of this side.
type waveform struct {
	path string
	file *os.File
	dump *vcdFilter // into the file
	pipe *os.File   // a simulator's end, as long as this process holds it
	done chan struct{}

	mu   sync.Mutex
	err  error // the first
	told bool
}

// createWaveform makes the file for a design with the given top module; nil where none is asked for.
func createWaveform(o Options, top string) (*waveform, error) {
	if o.VCD == "" {
		return nil, nil
	}
	f, err := os.Create(o.VCD)
	if err != nil {
		return nil, fmt.Errorf("cannot write the waveform: %w", err)
	}
	return &waveform{path: o.VCD, file: f, dump: newVCDFilter(f, top, o.Wave)}, nil
}

// Write writes to the file. It never fails, as a simulator must be able to go on: failed has the error.
func (w *waveform) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_, w.err = w.dump.Write(p)
	}
	return len(p), nil
}

// forSimulator makes the pipe.
func (w *waveform) forSimulator() error {
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	w.pipe, w.done = to, make(chan struct{})
	go func() {
		defer close(w.done)
		_, _ = io.Copy(struct{ io.Writer }{w}, from)
		_ = from.Close()
	}()
	return nil
}

// handedOver gives up the end of the pipe that a simulator has a copy of.
func (w *waveform) handedOver() {
	if w != nil && w.pipe != nil {
		_ = w.pipe.Close()
		w.pipe = nil
	}
}

// failed gives the error of writing, once.
func (w *waveform) failed() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil || w.told {
		return nil
	}
	w.told = true
	return fmt.Errorf("cannot write the waveform: %w", w.err)
}

// close completes the file once the simulator has closed it. What is cut short is no waveform and goes.
func (w *waveform) close() error {
	if w == nil {
		return nil
	}
	w.handedOver()
	if w.done != nil {
		<-w.done
	}
	w.mu.Lock()
	w.err = cmp.Or(w.err, w.dump.Close(), w.file.Close())
	if info, err := os.Lstat(w.path); w.err != nil && err == nil && info.Mode().IsRegular() {
		_ = os.Remove(w.path)
	}
	w.mu.Unlock()
	return w.failed()
}
