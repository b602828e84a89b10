package stimulus

// A pattern decides cycle by cycle whether something happens: a stream offers its next element, or a sink
// is ready. The kinds cross with each other, one per stream, and change during an episode.
type pattern struct {
	kind patternKind
	left int  // cycles until the next change of a burst
	on   bool // state of a burst
	odds int  // random: one in odds cycles is off (on, when sparse)
	span int  // longest burst
}

type patternKind int

// The kinds.
const (
	always  patternKind = iota // in every cycle
	mostly                     // off in some cycles, at random
	sparse                     // on in some cycles, at random
	bursts                     // on and off for some cycles each
	stalled                    // off for longer than the pipeline is deep, then on for as long
	off                        // never, for the phase
	patternKinds
)

var patternNames = [...]string{"always", "mostly", "sparse", "bursts", "stalled", "off"}

func (k patternKind) String() string { return patternNames[k] }

// newPattern draws a pattern; depth is the length in cycles that a long stall must exceed.
func newPattern(r *random, kind patternKind, depth int) pattern {
	p := pattern{kind: kind, on: true, odds: 2 + r.n(7)}
	switch kind {
	case bursts:
		p.span = 1 + r.n(16)
	case stalled:
		p.span = 2 * depth
		p.on = r.oneIn(2)
	}
	return p
}

func (p *pattern) next(r *random) bool {
	switch p.kind {
	case always:
		return true
	case mostly:
		return !r.oneIn(p.odds)
	case sparse:
		return r.oneIn(p.odds * 2)
	case off:
		return false
	}
	if p.left == 0 {
		p.on = !p.on
		p.left = 1 + p.span/2 + r.n(p.span/2+1)
	}
	p.left--
	return p.on
}
