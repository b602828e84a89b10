package drive

import (
	"errors"
	"slices"
	"time"

	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// shrinker cuts a script down while it still shows a mismatch; which one does not matter. Each try plays on a
// fresh instance, so that nothing is left over from the one before.
type shrinker struct {
	subject  Subject
	o        *Options
	deadline time.Time
	tries    int
	best     timeline.Script
	found    []Difference // of best; nil: even the whole script shows nothing
}

func newShrinker(sub Subject, o *Options) *shrinker {
	return &shrinker{subject: sub, o: o, deadline: time.Now().Add(o.ShrinkFor)}
}

// shrink returns the smallest script found, the given one when nothing can be left out.
func (s *shrinker) shrink(whole timeline.Script) (timeline.Script, error) {
	s.best = whole
	found, err := play(s.subject, s.o, "", whole, time.Time{})
	s.tries++
	if err != nil || found == nil {
		return whole, err
	}
	s.keep(whole, found)
	if s.o.NoShrink {
		return s.best, nil
	}
	// Coarse cuts first: they make the finer ones cheap. Again while it helps: a later cut opens the way for an earlier
	// one.
	parts := s.best.Parts()
	for _, stalls := range parts.Free {
		s.try(func(c *timeline.Parts) {
			for _, i := range stalls {
				*c.Stalls[i].Spans = nil
			}
		})
	}
	for _, list := range parts.Mute {
		s.try(func(c *timeline.Parts) { c.Lists[list].Clear() })
	}
	s.squeeze(s.length()/8, 4000)
	for range 8 {
		before := s.operations()
		s.pin()
		s.dropGroups()
		for list := range parts.Lists {
			s.dropRuns(list)
		}
		s.squeeze(max(4, s.length()/64), 0)
		if s.late() || s.operations() == before {
			break
		}
	}
	for _, edit := range s.best.Simpler() {
		s.edit(edit)
	}
	return s.best, nil
}

func (s *shrinker) late() bool { return time.Now().After(s.deadline) }

func (s *shrinker) length() int64   { return *s.best.Parts().Cycles }
func (s *shrinker) operations() int { return s.best.Parts().Operations() }

// try edits the parts of the best script.
func (s *shrinker) try(change func(c *timeline.Parts)) bool {
	return s.edit(func(c timeline.Script) { change(c.Parts()) })
}

// edit plays an edited copy of the best script and keeps it when it still shows a mismatch.
func (s *shrinker) edit(edit func(c timeline.Script)) bool {
	if s.late() {
		return false
	}
	c := s.best.Copy()
	edit(c)
	return s.attempt(c)
}

// attempt plays a candidate and keeps it when it still shows a mismatch.
func (s *shrinker) attempt(c timeline.Script) bool {
	if s.late() {
		return false
	}
	s.tries++
	found, err := play(s.subject, s.o, "", c, s.deadline)
	if err != nil && !errors.Is(err, errOutOfTime) || found == nil {
		return false
	}
	s.keep(c, found)
	return true
}

// keep makes a script the best one, cut off after its first difference.
func (s *shrinker) keep(c timeline.Script, found []Difference) {
	s.found = found
	c.Parts().Until(found[0].Cycle + 1)
	s.best = c
}

// pin moves operations to the cycles in which they are taken.
func (s *shrinker) pin() {
	if taken, err := s.subject.Pin(s.best); err == nil {
		s.attempt(taken)
	}
}

// dropGroups leaves out all operations of half of the flows or ports, then of single ones.
func (s *shrinker) dropGroups() {
	groups := s.best.Parts().Groups()
	chunks(len(groups), func(from, to int) bool {
		return s.try(func(c *timeline.Parts) { c.DropGroups(groups[from:to]) })
	}, func(from, to int) { groups = slices.Delete(groups, from, to) })
}

// dropRuns leaves out runs of one stream's operations, of half their number and then ever shorter.
func (s *shrinker) dropRuns(list int) {
	// keep may cut operations off the end, so positions are checked against the script of the moment.
	chunks(s.best.Parts().Lists[list].Len(), func(from, to int) bool {
		n := s.best.Parts().Lists[list].Len()
		if from >= n {
			return false
		}
		return s.try(func(c *timeline.Parts) { c.Lists[list].Remove(from, min(to, n)) })
	}, func(int, int) {})
}

// chunks walks over n elements from the last to the first in runs of n/2, n/4, ... 1 and drops each run for which
// try succeeds. The last ones go first: operations before the mismatch prepare it more often than they cause it.
func chunks(n int, try func(from, to int) bool, dropped func(from, to int)) {
	for size := (n + 1) / 2; size >= 1; size /= 2 {
		for to := n; to > 0; to -= size {
			from := max(to-size, 0)
			if try(from, to) {
				dropped(from, to)
				n -= to - from
			}
		}
	}
}

// squeeze takes stretches of time out, long ones first, down to the length shortest; what was offered there is offered
// at once. It stops when enough cycles or fewer are left.
func (s *shrinker) squeeze(shortest, enough int64) {
	for size := s.length() / 2; size >= shortest; size /= 2 {
		for to := s.length(); to > size && s.length() > enough; to = min(to, s.length()) - size {
			from := to - size
			s.try(func(c *timeline.Parts) { c.Cut(from, to) })
		}
	}
}
