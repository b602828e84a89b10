package config

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is one thing that is wrong with a configuration file: where, what, and what would be right.
type Problem struct {
	File         string
	Line, Column int    // from 1; 0 when the problem is of the file as a whole
	Key          string // the key concerned, for example "hops.max"; may be empty
	What         string // what is wrong
	Legal        string // the legal values; may be empty
	Reason       string // why they are the legal ones; may be empty
	Nearest      string // the nearest legal value; may be empty
}

// Error gives the problem on one line: "file:line:column: what; legal: ...; reason: ...; nearest: ...".
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": " + p.What)
	for _, part := range []struct{ name, text string }{
		{"legal", p.Legal}, {"reason", p.Reason}, {"nearest", p.Nearest},
	} {
		if part.text != "" {
			b.WriteString("; " + part.name + ": " + part.text)
		}
	}
	return b.String()
}

// Problems is everything that is wrong with a configuration file, in the order of the file.
type Problems []Problem

// Error gives one line a problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

func (ps Problems) sort() {
	sort.SliceStable(ps, func(i, j int) bool {
		if ps[i].Line != ps[j].Line {
			return ps[i].Line < ps[j].Line
		}
		return ps[i].Column < ps[j].Column
	})
}
