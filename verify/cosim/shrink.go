package cosim

import (
	"errors"
	"slices"
	"time"
)

// shrinker cuts a script down while it still shows a mismatch; which one does not matter. Each try plays on a
// fresh instance, so that nothing is left over from the one before.
type shrinker struct {
	subject  subject
	o        *Options
	deadline time.Time
	tries    int
	best     script
	found    []difference // of best; nil: even the whole script shows nothing
}

func newShrinker(sub subject, o *Options) *shrinker {
	return &shrinker{subject: sub, o: o, deadline: time.Now().Add(o.ShrinkFor)}
}

// shrink returns the smallest script found, the given one when nothing can be left out.
func (s *shrinker) shrink(whole script) (script, error) {
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
	// Coarse cuts first: they make the finer ones cheap. Again while it helps: a later cut opens the way for an earlier one.
	for _, edit := range append(s.best.free(), s.best.mute()...) {
		s.try(edit)
	}
	s.squeeze(s.best.length()/8, 4000)
	for range 8 {
		before := s.best.operations()
		s.pin()
		s.dropGroups()
		for list := range s.best.lists() {
			s.dropRuns(list)
		}
		s.squeeze(max(4, s.best.length()/64), 0)
		if s.late() || s.best.operations() == before {
			break
		}
	}
	for _, edit := range s.best.simpler() {
		s.try(edit)
	}
	return s.best, nil
}

func (s *shrinker) late() bool { return time.Now().After(s.deadline) }

// try plays an edited copy of the best script and keeps it when it still shows a mismatch.
func (s *shrinker) try(edit func(c script)) bool {
	if s.late() {
		return false
	}
	c := s.best.copy()
	edit(c)
	return s.attempt(c)
}

// attempt plays a candidate and keeps it when it still shows a mismatch.
func (s *shrinker) attempt(c script) bool {
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

// keep makes a script the best one, cut off behind its first difference.
func (s *shrinker) keep(c script, found []difference) {
	s.found = found
	c.until(found[0].cycle + 1)
	s.best = c
}

// pin moves operations to the cycles in which they are taken.
func (s *shrinker) pin() {
	if taken, err := s.subject.pin(s.best); err == nil {
		s.attempt(taken)
	}
}

// dropGroups leaves out all operations of half of the flows or ports, then of single ones.
func (s *shrinker) dropGroups() {
	groups := s.best.groups()
	chunks(len(groups), func(from, to int) bool {
		return s.try(func(c script) { c.dropGroups(groups[from:to]) })
	}, func(from, to int) { groups = slices.Delete(groups, from, to) })
}

// dropRuns leaves out runs of one stream's operations, of half their number and then ever shorter.
func (s *shrinker) dropRuns(list int) {
	// keep may cut operations off the end, so positions are checked against the script of the moment.
	chunks(s.best.size(list), func(from, to int) bool {
		n := s.best.size(list)
		if from >= n {
			return false
		}
		return s.try(func(c script) { c.remove(list, from, min(to, n)) })
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
	for size := s.best.length() / 2; size >= shortest; size /= 2 {
		for to := s.best.length(); to > size && s.best.length() > enough; to = min(to, s.best.length()) - size {
			from := to - size
			s.try(func(c script) { c.cut(from, to) })
		}
	}
}
