package drive

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// mostTries bounds the runs that shrinking takes: far more than any mismatch seen has needed.
const mostTries = 3000

// shrinker cuts a script down while it still shows a mismatch; which one does not matter. It is a delta debugger: at
// the end no single operation, stall or further reset can be left out, unless time or tries ran out before. Each try
// plays on a fresh instance, so that nothing is left over from the one before.
type shrinker struct {
	subject  Subject
	o        *Options
	deadline time.Time
	tries    int
	best     timeline.Script
	found    []Difference // of best; nil: even the whole script shows nothing
	minimal  bool         // nothing more can be left out
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
	// Coarse cuts first: they make the finer ones cheap.
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
	s.squeeze(0) // a short stimulus is quick to try
	s.drop()
	s.squeeze(fewGaps)
	for _, edit := range s.best.Simpler() {
		s.edit(edit)
	}
	s.drop() // what has become superfluous
	s.minimal = !s.late()
	return s.best, nil
}

// drop leaves out what can be left out, again until a round changes nothing, as a later cut opens the way for an
// earlier one: the last round has tried each element that is left.
func (s *shrinker) drop() {
	for before := -1; !s.late() && s.elements() != before; {
		before = s.elements()
		s.pin()
		s.dropGroups()
		for list := range s.best.Parts().Elements() {
			s.dropRuns(list)
		}
	}
}

// late reports whether time or tries have run out.
func (s *shrinker) late() bool { return s.tries >= mostTries || time.Now().After(s.deadline) }

func (s *shrinker) elements() (n int) {
	for _, l := range s.best.Parts().Elements() {
		n += l.Len()
	}
	return n
}

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

// slack is how many cycles later than before a candidate may show its mismatch: operations that are offered at other
// times may wait longer.
const slack = 256

// attempt plays a candidate and keeps it when it still shows a mismatch.
func (s *shrinker) attempt(c timeline.Script) bool {
	if s.late() {
		return false
	}
	s.tries++
	*c.Parts().Cycles += slack
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
	if s.o.Step != nil {
		s.o.Step(fmt.Sprintf("shrinking the stimulus of the mismatch: %d operations", c.Parts().Operations()))
	}
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

// dropRuns leaves out runs of one list's elements, of half their number and then ever shorter.
func (s *shrinker) dropRuns(list int) {
	// keep may cut elements off the end, so positions are checked against the script of the moment.
	chunks(s.best.Parts().Elements()[list].Len(), func(from, to int) bool {
		n := s.best.Parts().Elements()[list].Len()
		if from >= n {
			return false
		}
		return s.try(func(c *timeline.Parts) { c.Elements()[list].Remove(from, min(to, n)) })
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

// fewGaps is how many gaps are taken out one by one.
const fewGaps = 48

// squeeze takes out the cycles in which nothing new is offered, but for the first few of each such gap: of all gaps at
// once, and where there are at most so many, of single ones, from the last to the first, and of parts of them.
func (s *shrinker) squeeze(few int) {
	for _, keep := range []int64{64, 16, 2} {
		s.cut(s.best.Parts().Gaps(keep))
	}
	gaps := s.best.Parts().Gaps(2)
	if len(gaps) > few {
		return
	}
	for _, g := range slices.Backward(gaps) {
		for size := g.To - g.From; size > 4; size /= 2 {
			if s.cut([]timeline.Cut{{From: g.From, To: g.From + size}}) {
				g.To -= size
			}
		}
	}
}

// cut takes cycles out of the best script, cuts in the order of time.
func (s *shrinker) cut(cuts []timeline.Cut) bool {
	return len(cuts) > 0 && s.try(func(c *timeline.Parts) {
		for _, cut := range slices.Backward(cuts) {
			c.Cut(cut.From, cut.To)
		}
	})
}
