package vgen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Problem is one mistake in a design: where it was made, in which module, what
// is wrong, and what would be right.
type Problem struct {
	Pos     Pos
	Module  string
	Message string
	Hint    string
}

// String gives "nic/engine.go:41: module hop: message (hint)".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.Pos.String())
	if p.Module != "" {
		b.WriteString(": module " + p.Module)
	}
	b.WriteString(": " + p.Message)
	if p.Hint != "" {
		b.WriteString(" (" + p.Hint + ")")
	}
	return b.String()
}

// Problems is every mistake of a design, sorted by position, without repeats. It
// is the error type of [Check], [Emit] and [NewSim].
type Problems []Problem

// Error lists all problems, one per line.
func (ps Problems) Error() string {
	if len(ps) == 1 {
		return ps[0].String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d problems:", len(ps))
	for _, p := range ps {
		b.WriteString("\n  " + p.String())
	}
	return b.String()
}

func (ps Problems) sorted() Problems {
	out := slices.Clone(ps)
	slices.SortFunc(out, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Module, b.Module),
			cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Hint, b.Hint),
		)
	})
	return slices.Compact(out)
}
