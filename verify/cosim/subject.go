package cosim

// subject is a generated design with its golden model and its stimulus: what a kind of design brings to the comparison.
type subject interface {
	frame() *frame
	// random is the golden model with the stimulus of a seed. Only a counted side is reported.
	random(seed uint64, counted bool) (side, error)
	// record writes down the stimulus of the episode that holds a cycle, and of so many before it, up to the cycle; start is
	// the first cycle of that.
	record(seed uint64, cycle int64, before int) (s script, start int64, err error)
	// play is the golden model with a script as its stimulus.
	play(s script) (side, error)
	// pin moves each operation of a script to the cycle in which it is taken. Otherwise leaving one out of a jam lets all that
	// are behind it go earlier, and the mismatch is often gone.
	pin(s script) (script, error)
	// explain says what happened around the first difference of a seed's run.
	explain(d *Divergence, seed uint64, first *difference) error
	// report adds up what the counted sides have done.
	report(rep *Report, sides []side)
}

// script is a stimulus written down, as the shrinker cuts it. Methods change it in place, but for copy.
type script interface {
	copy() script
	content() any // what the report shows
	length() int64
	operations() int

	cut(from, to int64) // takes the cycles out; what was offered in them is offered at from
	until(cycle int64)  // ends it before the cycle

	free() []func(s script) // edits that leave sinks ready, the largest first
	mute() []func(s script) // edits that leave out a whole stream

	groups() []uint32         // what operations can be told apart by: flows, ports
	dropGroups(drop []uint32) // leaves out the operations of these

	lists() int // of operations, in the order in which to shorten them
	size(list int) int
	remove(list, from, to int)

	simpler() []func(s script) // edits that make operations simpler
}
