package drive

import "github.com/hdlpkg/hpccgen/verify/stimulus/timeline"

// Subject is a generated design with its golden model and its stimulus: the part of a comparison that depends on the
// kind of design.
type Subject interface {
	Frame() *Frame
	// Random is the golden model with the stimulus of a seed.
	Random(seed uint64) (Side, error)
	// Record writes down the stimulus of the episode that holds a cycle, and of so many before it, up to the cycle;
	// start is the first cycle of that.
	Record(seed uint64, cycle int64, before int) (s timeline.Script, start int64, err error)
	// Play is the golden model with a script as its stimulus.
	Play(s timeline.Script) (Side, error)
	// Pin moves each operation of a script to the cycle in which it is taken. Otherwise leaving one out of a jam lets
	// all that come after it go earlier, and the mismatch is often gone.
	Pin(s timeline.Script) (timeline.Script, error)
	// Explain describes the cycles around the first difference of a seed's run.
	Explain(d *Divergence, seed uint64, first *Difference) error
	// Report adds up what sides of Random have done.
	Report(rep *Report, sides []Side)
}
