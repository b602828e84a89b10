package cosim

import (
	"errors"
	"slices"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// shrinker cuts a script down while it still shows a mismatch; which one does not matter. Each try plays on a
// fresh instance, so that nothing is left over from the one before.
type shrinker struct {
	target   *stimulus.Target
	o        *Options
	deadline time.Time
	tries    int
	best     *stimulus.Script
	found    []difference // of best; nil: even the whole script shows nothing
}

func newShrinker(t *stimulus.Target, o *Options) *shrinker {
	return &shrinker{target: t, o: o, deadline: time.Now().Add(o.ShrinkFor)}
}

// shrink returns the smallest script found, the given one when nothing can be left out.
func (s *shrinker) shrink(script *stimulus.Script) (*stimulus.Script, error) {
	s.best = script
	found, err := play(s.target, s.o, "", script, time.Time{})
	s.tries++
	if err != nil || found == nil {
		return script, err
	}
	s.keep(script, found)
	if s.o.NoShrink {
		return s.best, nil
	}
	// Coarse cuts first: they make the finer ones cheap. Again while it helps: a later cut opens the way for an earlier one.
	s.freeSinks()
	s.dropStreams()
	s.squeeze(s.best.Cycles/8, 4000)
	for range 8 {
		before := s.best.Operations()
		for _, pass := range []func(){s.pin, s.dropFlows, s.dropAcks, s.dropReads, s.dropWrites, s.dropTables} {
			pass()
		}
		s.squeeze(max(4, s.best.Cycles/64), 0)
		if s.late() || s.best.Operations() == before {
			break
		}
	}
	return s.best, nil
}

func (s *shrinker) late() bool { return time.Now().After(s.deadline) }

// try plays a candidate and keeps it when it still shows a mismatch.
func (s *shrinker) try(edit func(c *stimulus.Script)) bool {
	if s.late() {
		return false
	}
	c := s.best.Clone()
	edit(c)
	s.tries++
	found, err := play(s.target, s.o, "", c, s.deadline)
	if err != nil && !errors.Is(err, errOutOfTime) || found == nil {
		return false
	}
	s.keep(c, found)
	return true
}

// keep makes a script the best one, cut off behind its first difference.
func (s *shrinker) keep(c *stimulus.Script, found []difference) {
	s.found = found
	c.Cycles = found[0].cycle + 1
	c.Acks = until(c.Acks, c.Cycles)
	c.Writes = until(c.Writes, c.Cycles)
	c.Reads = until(c.Reads, c.Cycles)
	c.Tables = until(c.Tables, c.Cycles)
	c.Resets, c.MStall, c.CStall = spansUntil(c.Resets, c.Cycles), spansUntil(c.MStall, c.Cycles), spansUntil(c.CStall, c.Cycles)
	s.best = c
}

func until[T any](ops []stimulus.At[T], cycles int64) []stimulus.At[T] {
	for i := range ops {
		if ops[i].Cycle >= cycles {
			return ops[:i]
		}
	}
	return ops
}

func spansUntil(spans []stimulus.Span, cycles int64) []stimulus.Span {
	for i := range spans {
		if spans[i].From >= cycles {
			return spans[:i]
		}
	}
	return spans
}

func (s *shrinker) freeSinks() {
	s.try(func(c *stimulus.Script) { c.MStall, c.CStall = nil, nil })
	s.try(func(c *stimulus.Script) { c.MStall = nil })
	s.try(func(c *stimulus.Script) { c.CStall = nil })
}

func (s *shrinker) dropStreams() {
	s.try(func(c *stimulus.Script) { c.Reads = nil })
	s.try(func(c *stimulus.Script) { c.Acks = nil })
}

// pin moves each operation to the cycle in which it is taken, an ACK to the one before its issue. Otherwise leaving one out of a jam lets all that are
// behind it go earlier, and the mismatch is often gone.
func (s *shrinker) pin() {
	p := stimulus.NewPlayer(s.best)
	p.Taken = &stimulus.Script{Cycles: s.best.Cycles, Resets: s.best.Resets, MStall: s.best.MStall, CStall: s.best.CStall}
	l, err := newLeg(s.target, func(*hpcc.Clocked) stimulus.Source { return p })
	if err != nil {
		return
	}
	next := 0 // ACK taken and not yet issued
	l.onAck = func(cycle int64, a *hpcc.Ack, _ *hpcc.Result) {
		// An ACK can wait in the input slice as well; a reset drops it there.
		for acks := p.Taken.Acks; next < len(acks); next++ {
			if acks[next].Op == *a {
				acks[next].Cycle = cycle - 1
				next++
				return
			}
		}
	}
	var b batch
	for l.cycle < s.best.Cycles {
		l.fill(&b, int(min(512, s.best.Cycles-l.cycle)))
	}
	s.try(func(c *stimulus.Script) { *c = *p.Taken.Clone() })
}

// dropFlows leaves out all operations of half of the flows, then of single ones.
func (s *shrinker) dropFlows() {
	counts := map[uint32]int{}
	for _, a := range s.best.Acks {
		counts[a.Op.Flow]++
	}
	flows := make([]uint32, 0, len(counts))
	for f := range counts {
		flows = append(flows, f)
	}
	slices.Sort(flows)
	chunks(len(flows), func(from, to int) bool {
		drop := flows[from:to]
		return s.try(func(c *stimulus.Script) {
			c.Acks = slices.DeleteFunc(c.Acks, func(a stimulus.At[hpcc.Ack]) bool { return slices.Contains(drop, a.Op.Flow) })
			c.Writes = slices.DeleteFunc(c.Writes, func(w stimulus.At[hpcc.ContextWrite]) bool { return slices.Contains(drop, w.Op.Flow) })
		})
	}, func(from, to int) { flows = slices.Delete(flows, from, to) })
}

func (s *shrinker) dropAcks() {
	dropRuns(s, func(c *stimulus.Script) *[]stimulus.At[hpcc.Ack] { return &c.Acks })
}

func (s *shrinker) dropWrites() {
	dropRuns(s, func(c *stimulus.Script) *[]stimulus.At[hpcc.ContextWrite] { return &c.Writes })
}

func (s *shrinker) dropTables() {
	dropRuns(s, func(c *stimulus.Script) *[]stimulus.At[config.TableWrite] { return &c.Tables })
}

func (s *shrinker) dropReads() {
	dropRuns(s, func(c *stimulus.Script) *[]stimulus.At[uint32] { return &c.Reads })
}

// dropRuns leaves out runs of one stream's operations, of half their number and then ever shorter.
func dropRuns[T any](s *shrinker, of func(c *stimulus.Script) *[]stimulus.At[T]) {
	// keep may cut operations off the end, so positions are checked against the script of the moment.
	chunks(len(*of(s.best)), func(from, to int) bool {
		n := len(*of(s.best))
		if from >= n {
			return false
		}
		return s.try(func(c *stimulus.Script) {
			ops := of(c)
			*ops = slices.Delete(*ops, from, min(to, n))
		})
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
	for size := s.best.Cycles / 2; size >= shortest; size /= 2 {
		for to := s.best.Cycles; to > size && s.best.Cycles > enough; to = min(to, s.best.Cycles) - size {
			from := to - size
			s.try(func(c *stimulus.Script) { c.Cut(from, to) })
		}
	}
}
