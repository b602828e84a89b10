package cosim

import (
	"sync/atomic"

	"github.com/hdlpkg/hpccgen/verify/engine"
)

// batchCycles is how many cycles cross to the engine at once; batches is how many are under way.
const (
	batchCycles = 4096
	batches     = 4
)

// outcome is what a lockstep run came to.
type outcome struct {
	cycles int64 // compared, up to the end of the batch with the first difference
	items  int64 // ACKs or packets
	taps   int64
	first  []difference // of the first cycle in which something differs; nil: nothing did
}

// lockstep runs cycles of the leg's stimulus on both sides. The model, the engine, and the comparison each
// have a goroutine: the model is up to batches-1 batches ahead.
func lockstep(l *leg, eng engine.Engine, cycles int64, progress func(done int64)) (outcome, error) {
	free := make(chan *batch, batches)
	made := make(chan *batch, batches)
	run := make(chan *batch, batches)
	for range batches {
		free <- new(batch)
	}
	var stop atomic.Bool
	end := l.cycle + cycles

	go func() {
		defer close(made)
		for l.cycle < end && !stop.Load() {
			b := <-free
			l.fill(b, int(min(batchCycles, end-l.cycle)))
			made <- b
		}
	}()
	go func() {
		defer close(run)
		for b := range made {
			if !stop.Load() {
				if b.err = eng.Run(b.cycles, b.in, b.got); b.err != nil {
					stop.Store(true)
				}
				run <- b
			}
		}
	}()

	var o outcome
	var err error
	check := newChecker(l.frame)
	for b := range run {
		if err == nil && o.first == nil {
			if b.err != nil {
				err = b.err
			} else if o.first = check.check(b); o.first != nil {
				stop.Store(true)
			}
			o.cycles += int64(b.cycles)
			o.items = b.progress
			if progress != nil {
				progress(o.cycles)
			}
		}
		free <- b
	}
	o.taps = check.compared.taps
	return o, err
}
