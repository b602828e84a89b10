// Package timeline holds the parts of a recorded stimulus: elements that a stream offers from a cycle on, and spans of
// cycles in which a condition holds. A recorded stimulus can be cut and replayed, which is how a failing run is shrunk.
package timeline

import "slices"

// At is an element that its stream offers from Cycle on, or as soon as the one before it is taken.
type At[T any] struct {
	Cycle int64 `json:"cycle"`
	Op    T     `json:"op"`
}

// Span is the cycles From to To-1.
type Span struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Offered notes an element in the first cycle in which it is on offer; before reports that it was already, and is
// brought up to date. An element that is valid and not ready stays on offer.
func Offered[T any](to *[]At[T], cycle int64, valid, ready bool, before *bool, op *T) {
	if valid && !*before {
		*to = append(*to, At[T]{cycle, *op})
	}
	*before = valid && !ready
}

// Take counts an element that was taken and notes the cycle in which that happened.
func Take[T any](next *int, taken bool, from []At[T], to *[]At[T], cycle int64) {
	if taken {
		*to = append(*to, At[T]{cycle, from[*next].Op})
		*next++
	}
}

// Skip passes over the elements that are on offer up to a cycle.
func Skip[T any](ops []At[T], next int, cycle int64) int {
	for next < len(ops) && ops[next].Cycle <= cycle {
		next++
	}
	return next
}

// Until leaves out the elements that are not on offer before a cycle.
func Until[T any](ops []At[T], cycle int64) []At[T] {
	if i := slices.IndexFunc(ops, func(a At[T]) bool { return a.Cycle >= cycle }); i >= 0 {
		return ops[:i]
	}
	return ops
}

// Cut is a stretch of cycles that is taken out of a stimulus.
type Cut struct{ From, To int64 }

// Moved is where a cycle comes to lie. The cycles taken out come to lie at the first of them.
func (c Cut) Moved(cycle int64) int64 {
	switch {
	case cycle >= c.To:
		return cycle - (c.To - c.From)
	case cycle > c.From:
		return c.From
	}
	return cycle
}

// Move moves elements.
func Move[T any](c Cut, ops []At[T]) {
	for i := range ops {
		ops[i].Cycle = c.Moved(ops[i].Cycle)
	}
}

// Spans moves spans; one that has no cycle left is dropped, or gets least of them.
func (c Cut) Spans(spans []Span, least int64) []Span {
	kept := spans[:0]
	for _, sp := range spans {
		sp.From, sp.To = c.Moved(sp.From), c.Moved(sp.To)
		sp.To = max(sp.To, sp.From+least)
		if sp.To > sp.From {
			kept = append(kept, sp)
		}
	}
	return kept
}

// Note extends the last span by a cycle or starts one, when the cycle is in.
func Note(to *[]Span, cycle int64, in bool) {
	if !in {
		return
	}
	if n := len(*to); n > 0 && (*to)[n-1].To == cycle {
		(*to)[n-1].To++
		return
	}
	*to = append(*to, Span{cycle, cycle + 1})
}

// Within reports whether a cycle lies in one of the spans; at is the first span that has not passed.
func Within(spans []Span, at *int, cycle int64) bool {
	for *at < len(spans) && spans[*at].To <= cycle {
		*at++
	}
	return *at < len(spans) && spans[*at].From <= cycle
}

// SpansUntil leaves out the spans that do not begin before a cycle.
func SpansUntil(spans []Span, cycle int64) []Span {
	if i := slices.IndexFunc(spans, func(s Span) bool { return s.From >= cycle }); i >= 0 {
		return spans[:i]
	}
	return spans
}
