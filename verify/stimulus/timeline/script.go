package timeline

import (
	"fmt"
	"slices"
	"strings"
)

// Script is a finite stimulus written down: which operations are offered from which cycle on, and in which cycles
// there is reset, or a source or sink stands still. A failing run is shrunk by cutting its script and playing what is
// left.
type Script interface {
	// Parts are the script's own lists: changing them changes the script.
	Parts() *Parts
	// Copy shares no slice of Parts with the script.
	Copy() Script
	// Simpler lists edits that make single operations simpler.
	Simpler() []func(Script)
}

// Parts are what all scripts are made of.
type Parts struct {
	Cycles *int64
	Resets *[]Span
	Lists  []Ops   // operations of each stream, in the order in which to shorten them
	Stalls []Stall // when sources and sinks stand still

	Free [][]int // indices of Stalls that are left out together, the most first
	Mute []int   // indices of Lists that are left out as a whole
}

// Stall is a list of spans, and what happens in them.
type Stall struct {
	Spans *[]Span
	Text  string
}

// Ops is the operations of one stream.
type Ops interface {
	Len() int
	Remove(from, to int)
	Clear()

	move(c Cut)
	until(cycle int64)
	unshare()
	groups() []uint32
	drop(groups []uint32)
	lines(add func(cycle int64, text string))
}

// OpsOf describes a list of operations. Text is an operation on one line. Group tells operations apart, such as by
// flow or port; nil when they are not to be.
func OpsOf[T any](list *[]At[T], text func(op *T) string, group func(op *T) uint32) Ops {
	return ops[T]{list, text, group}
}

type ops[T any] struct {
	list  *[]At[T]
	text  func(op *T) string
	group func(op *T) uint32
}

func (o ops[T]) Len() int            { return len(*o.list) }
func (o ops[T]) Remove(from, to int) { *o.list = slices.Delete(*o.list, from, to) }
func (o ops[T]) Clear()              { *o.list = nil }
func (o ops[T]) move(c Cut)          { Move(c, *o.list) }
func (o ops[T]) until(cycle int64)   { *o.list = Until(*o.list, cycle) }
func (o ops[T]) unshare()            { *o.list = slices.Clone(*o.list) }

func (o ops[T]) groups() (all []uint32) {
	for i := range *o.list {
		all = append(all, o.group(&(*o.list)[i].Op))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (o ops[T]) drop(groups []uint32) {
	if o.group != nil {
		*o.list = slices.DeleteFunc(*o.list, func(a At[T]) bool { return slices.Contains(groups, o.group(&a.Op)) })
	}
}

func (o ops[T]) lines(add func(cycle int64, text string)) {
	for i := range *o.list {
		add((*o.list)[i].Cycle, o.text(&(*o.list)[i].Op))
	}
}

// Operations is the number of operations on all streams.
func (p *Parts) Operations() (n int) {
	for _, l := range p.Lists {
		n += l.Len()
	}
	return n
}

// Elements are the lists of what can be left out one by one: operations, stalls, and resets but for the first.
func (p *Parts) Elements() []Elements {
	var list []Elements
	for _, l := range p.Lists {
		list = append(list, l)
	}
	for _, s := range p.Stalls {
		list = append(list, spans{s.Spans, 0})
	}
	return append(list, spans{p.Resets, 1})
}

// Elements is a list of which runs can be left out.
type Elements interface {
	Len() int
	Remove(from, to int)
}

// spans are the spans of a list from the index first on.
type spans struct {
	list  *[]Span
	first int
}

func (s spans) Len() int            { return max(len(*s.list)-s.first, 0) }
func (s spans) Remove(from, to int) { *s.list = slices.Delete(*s.list, s.first+from, s.first+to) }

// Gaps lists, in the order of time, the stretches in which no operation, stall or reset begins or ends, without the
// first keep cycles of each.
func (p *Parts) Gaps(keep int64) []Cut {
	at := []int64{0, *p.Cycles}
	for _, l := range p.Lists {
		l.lines(func(cycle int64, _ string) { at = append(at, cycle) })
	}
	note := func(list []Span) {
		for _, s := range list {
			at = append(at, s.From, s.To)
		}
	}
	note(*p.Resets)
	for _, s := range p.Stalls {
		note(*s.Spans)
	}
	slices.Sort(at)
	var gaps []Cut
	for i := range at[1:] {
		if from, to := at[i]+keep, at[i+1]; to > from && to <= *p.Cycles {
			gaps = append(gaps, Cut{from, to})
		}
	}
	return gaps
}

// Unshare gives the script slices of its own.
func (p *Parts) Unshare() {
	*p.Resets = slices.Clone(*p.Resets)
	for _, l := range p.Lists {
		l.unshare()
	}
	for _, s := range p.Stalls {
		*s.Spans = slices.Clone(*s.Spans)
	}
}

// Cut takes the cycles from to to-1 out. What was offered in them is offered at from; a reset keeps at least a cycle.
func (p *Parts) Cut(from, to int64) {
	cut := Cut{From: from, To: to}
	for _, l := range p.Lists {
		l.move(cut)
	}
	for _, s := range p.Stalls {
		*s.Spans = cut.Spans(*s.Spans, 0)
	}
	*p.Resets = cut.Spans(*p.Resets, 1)
	*p.Cycles = cut.Moved(*p.Cycles)
}

// Until drops elements first offered at or after a cycle, and ends the script there.
func (p *Parts) Until(cycle int64) {
	*p.Cycles = cycle
	for _, l := range p.Lists {
		l.until(cycle)
	}
	for _, s := range p.Stalls {
		*s.Spans = SpansUntil(*s.Spans, cycle)
	}
	*p.Resets = SpansUntil(*p.Resets, cycle)
}

// Groups are the groups of the first list's operations.
func (p *Parts) Groups() []uint32 { return p.Lists[0].groups() }

// DropGroups leaves out the operations of these groups.
func (p *Parts) DropGroups(groups []uint32) {
	for _, l := range p.Lists {
		l.drop(groups)
	}
}

// String lists operations and spans by the cycle from which on they are.
func (p *Parts) String() string {
	type line struct {
		cycle int64
		text  string
	}
	var lines []line
	add := func(cycle int64, text string) { lines = append(lines, line{cycle, text}) }
	for _, r := range *p.Resets {
		add(r.From, fmt.Sprintf("rst for %d cycles", r.To-r.From))
	}
	for _, l := range slices.Backward(p.Lists) {
		l.lines(add)
	}
	for _, s := range p.Stalls {
		for _, span := range *s.Spans {
			add(span.From, fmt.Sprintf("%s for %d cycles", s.Text, span.To-span.From))
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return int(a.cycle - b.cycle) })
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%8d  %s\n", l.cycle, l.text)
	}
	fmt.Fprintf(&b, "%8d  end\n", *p.Cycles)
	return b.String()
}
