package drive

import (
	"errors"
	"sync/atomic"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Work makes the inputs of a design and judges its outputs. Fill and Judge are called by different goroutines, each for
// one batch after the other; with a single batch in the loop (Run) they alternate.
type Work interface {
	// Fill makes the inputs of the next cycles (Batch.Size). No cycles end the run.
	Fill(b *Batch) error
	// Judge is shown the outputs of a batch. An error ends the run; ErrStop ends it without being a failure.
	Judge(b *Batch) error
}

// ErrStop is what Judge returns when it has seen enough.
var ErrStop = errors.New("enough was seen")

// Batch is a stretch of cycles on its way through the loop.
type Batch struct {
	Start  int64    // first cycle, as the Work counts
	Cycles int      // how many
	In     []uint64 // Layout.InWords a cycle
	Out    []uint64 // Layout.OutWords a cycle

	inWords, outWords int
	err               error

	expected // by a Leg
}

// Size gives the batch room for a number of cycles of a layout. What In and Out hold then is not defined.
func (b *Batch) Size(l *vgen.Layout, cycles int) {
	b.Cycles, b.inWords, b.outWords = cycles, l.InWords, l.OutWords
	b.In, b.Out = resize(b.In, cycles*l.InWords), resize(b.Out, cycles*l.OutWords)
}

// Input is the record of inputs of a cycle of the batch, from 0.
func (b *Batch) Input(cycle int) []uint64 { return b.In[cycle*b.inWords : (cycle+1)*b.inWords] }

// Output is the record of outputs of a cycle of the batch, from 0.
func (b *Batch) Output(cycle int) []uint64 { return b.Out[cycle*b.outWords : (cycle+1)*b.outWords] }

func resize(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n)
	}
	return s[:n]
}

// Run runs a design on the inputs of a Work until it has no more of them, an error, or ErrStop. Inputs, engine and
// judgement have a goroutine each: the inputs are up to batches-1 batches ahead of the judgement.
func Run(e engine.Engine, w Work, batches int) error {
	free, made, ran := make(chan *Batch, batches), make(chan *Batch, batches), make(chan *Batch, batches)
	for range batches {
		free <- new(Batch)
	}
	var stop atomic.Bool
	go func() {
		defer close(made)
		for b := range free {
			if stop.Load() {
				return
			}
			if b.err = w.Fill(b); b.err == nil && b.Cycles == 0 {
				return
			}
			made <- b
			if b.err != nil {
				return
			}
		}
	}()
	go func() {
		defer close(ran)
		for b := range made {
			if b.err == nil && !stop.Load() {
				b.err = e.Run(b.Cycles, b.In, b.Out)
			}
			ran <- b
		}
	}()

	var err error
	for b := range ran {
		if err == nil {
			if err = b.err; err == nil {
				err = w.Judge(b)
			}
			stop.Store(err != nil)
		}
		free <- b
	}
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}
