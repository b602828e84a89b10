package configtest

import (
	"fmt"
	"strings"
)

// Report counts the pairs of choices of a set.
type Report struct {
	Drawn   int // in a design of the set
	Refused int // that were looked for, and never legal
	Open    int // that no design of the set has, though nothing is known against them
	Missing []string
}

// Report counts the pairs, and names the choices that no design has.
func (s *Set) Report() Report {
	var r Report
	one := make([]bool, len(s.path))
	for a := range s.path {
		for b := range a {
			switch s.state[a][b] {
			case drawn:
				r.Drawn++
				one[a], one[b] = true, true
			case refused:
				r.Refused++
			case open:
				r.Open++
			}
		}
	}
	for c, seen := range one {
		if !seen {
			r.Missing = append(r.Missing, s.name(c))
		}
	}
	return r
}

func (s *Set) name(choice int) string { return s.keys[s.path[choice]].Path + " = " + s.class[choice] }

// Pairs names the pairs that no design of the set has. Each is looked for first: those that are found are merely not
// drawn, of the others the reader's last word is told.
func (s *Set) Pairs() (possible, impossible []string) {
	for a := range s.path {
		for b := range a {
			g := pair{b, a}
			name := s.name(b) + ", " + s.name(a)
			if s.state[a][b] == open {
				if _, _, err := s.reach(g, tries); err == nil {
					possible = append(possible, name)
					continue
				} else {
					s.mark(b, a, refused)
					s.why[g] = err.Error()
				}
			}
			if s.state[a][b] == refused {
				impossible = append(impossible, name+": "+strings.TrimPrefix(s.why[g], "drawn.yaml:"))
			}
		}
	}
	return possible, impossible
}

func (r Report) String() string {
	return fmt.Sprintf("%d pairs drawn, %d refused, %d never drawn; choices never drawn: %s",
		r.Drawn, r.Refused, r.Open, strings.Join(r.Missing, "; "))
}
