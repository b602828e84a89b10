// Package episode divides random stimulus into episodes. An episode begins with a reset, at any moment of earlier
// activity, and depends on nothing before it: each can be replayed and shrunk alone. The rest of an episode, beside its
// length and its reset, is the plan of a design type.
package episode

import "github.com/hdlpkg/hpccgen/verify/stimulus/random"

// Episode is a stretch of cycles that begins with a reset.
type Episode[Plan any] struct {
	Index         int
	Start, Length int64 // cycles of the run
	Seed          uint64
	Resets        int // cycles of reset
	Held          int // cycles at the end in which nothing is taken, so that the next reset finds everything full
	Plan          Plan

	deaf bool // no element is taken during the reset, so that state that it does not clear stays
}

// Series is the episodes of a seed.
type Series[Plan any] struct {
	Seed uint64
	// Draw sets length and plan of an episode, of which the index is known, and returns how many cycles at its end
	// nothing is taken at most.
	Draw func(r *random.Rand, e *Episode[Plan]) (held int)
}

func (s Series[Plan]) from(index int, start int64) Episode[Plan] {
	r := random.New(s.Seed ^ uint64(index)*0xa0761d6478bd642f)
	e := Episode[Plan]{Index: index, Start: start, Seed: r.Next(), Resets: 1 + r.N(4)}
	held := s.Draw(&r, &e)
	e.Length = max(e.Length, int64(e.Resets)+1)
	e.deaf = !r.OneIn(4)
	if !r.OneIn(4) {
		e.Held = 1 + r.N(held)
	}
	return e
}

// At is the nth episode.
func (s Series[Plan]) At(n int) Episode[Plan] {
	e := s.from(0, 0)
	for range n {
		e = s.Next(e)
	}
	return e
}

// Next is the episode after another one.
func (s Series[Plan]) Next(e Episode[Plan]) Episode[Plan] { return s.from(e.Index+1, e.Start+e.Length) }

// Holding is the episode that holds a cycle, or the one so many episodes before it.
func (s Series[Plan]) Holding(cycle int64, before int) Episode[Plan] {
	e := s.At(0)
	for e.Over(cycle) {
		e = s.Next(e)
	}
	if before > 0 {
		e = s.At(max(e.Index-before, 0))
	}
	return e
}

// Over reports whether the episode has ended before a cycle.
func (e *Episode[Plan]) Over(cycle int64) bool { return cycle >= e.Start+e.Length }

// InReset reports whether there is reset in a cycle.
func (e *Episode[Plan]) InReset(cycle int64) bool { return cycle < e.Start+int64(e.Resets) }

// Ending reports whether a cycle is one of those at the end in which nothing is taken.
func (e *Episode[Plan]) Ending(cycle int64) bool { return cycle >= e.Start+e.Length-int64(e.Held) }

// Shut reports whether nothing is taken in a cycle, whatever the patterns of the sinks.
func (e *Episode[Plan]) Shut(cycle int64) bool {
	return e.InReset(cycle) && e.deaf || e.Ending(cycle)
}
