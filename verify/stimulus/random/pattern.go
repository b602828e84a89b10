package random

import "slices"

// A Pattern decides cycle by cycle whether something happens: a stream offers its next element, or a sink
// is ready. The kinds cross with each other, one per stream, and change during an episode.
type Pattern struct {
	kind PatternKind
	left int  // cycles until the next change of a burst
	on   bool // state of a burst
	odds int  // random: one in odds cycles is off (on, when sparse)
	span int  // longest burst
}

// PatternKind is how a pattern looks.
type PatternKind int

// The kinds.
const (
	Always       PatternKind = iota // in every cycle
	Mostly                          // off in some cycles, at random
	Sparse                          // on in some cycles, at random
	Bursts                          // on and off for some cycles each
	Stalled                         // off for longer than the pipeline is deep, then on for as long
	Off                             // never, for the phase
	PatternKinds                    // how many there are
)

var patternNames = [...]string{"always", "mostly", "sparse", "bursts", "stalled", "off"}

// PatternNames are the names of the kinds.
func PatternNames() []string { return slices.Clone(patternNames[:]) }

// String is the name of the kind.
func (k PatternKind) String() string { return patternNames[k] }

// NewPattern draws a pattern; depth is the length in cycles that a long stall must exceed.
func NewPattern(r *Rand, kind PatternKind, depth int) Pattern {
	p := Pattern{kind: kind, on: true, odds: 2 + r.N(7)}
	switch kind {
	case Bursts:
		p.span = 1 + r.N(16)
	case Stalled:
		p.span = 2 * depth
		p.on = r.OneIn(2)
	}
	return p
}

// Kind is the pattern's kind.
func (p *Pattern) Kind() PatternKind { return p.kind }

// Next reports whether it happens in the next cycle.
func (p *Pattern) Next(r *Rand) bool {
	switch p.kind {
	case Always:
		return true
	case Mostly:
		return !r.OneIn(p.odds)
	case Sparse:
		return r.OneIn(p.odds * 2)
	case Off:
		return false
	}
	if p.left == 0 {
		p.on = !p.on
		p.left = 1 + p.span/2 + r.N(p.span/2+1)
	}
	p.left--
	return p.on
}
