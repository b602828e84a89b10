// Package configtest draws configurations for tests that must hold for every design: every key of the reader's table,
// with every word, both ends of its range, values between, and absent. The result is YAML, so that reading a file is
// exercised too, and a failure can be repeated from the printed file.
package configtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// Drawn is a configuration that was drawn.
type Drawn struct {
	YAML   string
	Design config.Design
}

// Set draws designs of a kind, each so that it holds pairs of choices that those before it did not: a choice is a key
// with a class of its values. The same seed gives the same designs; a longer set begins with a shorter one.
type Set struct {
	*table
	r     *rand.Rand
	first []int           // number of the first choice of a key
	path  []int           // key by choice
	class []string        // its class
	state [][]pairState   // by choice and choice
	why   map[pair]string // what the reader said of pairs that it refused
	goals []pair          // to look for: each choice, as a pair with itself, then pairs, both in random order
}

type pair struct{ a, b int }

type pairState uint8

const (
	open    pairState = iota // not drawn yet
	drawn                    // in a design
	refused                  // looked for, and refused each time
	never                    // the keys exclude each other by their needs
)

// New begins a set of designs of a kind.
func New(kind string, seed uint64) *Set {
	s := &Set{table: newTable(kind), r: rand.New(rand.NewPCG(seed, 0x6870636367656e)), why: map[pair]string{}}
	for i, list := range s.classes {
		s.first = append(s.first, len(s.path))
		for _, c := range list {
			s.path, s.class = append(s.path, i), append(s.class, c)
		}
	}
	s.state = make([][]pairState, len(s.path))
	for a := range s.path {
		s.state[a] = make([]pairState, len(s.path))
	}
	for a := range s.path {
		for b := range a {
			if s.path[a] == s.path[b] || !s.compatible(b, a) {
				s.mark(b, a, never)
				continue
			}
			s.goals = append(s.goals, pair{b, a})
		}
	}
	s.r.Shuffle(len(s.goals), func(i, j int) { s.goals[i], s.goals[j] = s.goals[j], s.goals[i] })
	var single []pair
	for _, c := range s.r.Perm(len(s.path)) {
		single = append(single, pair{c, c})
	}
	s.goals = append(single, s.goals...)
	return s
}

// Draw gives the first designs of a set.
func Draw(kind string, seed uint64, n int) []Drawn {
	s := New(kind, seed)
	list := make([]Drawn, n)
	for i := range list {
		list[i] = s.Next()
	}
	return list
}

// With draws a design in which some keys have the values given, such as "hops.order": "serial". The same seed gives
// the same design.
func With(kind string, seed uint64, values map[string]string) Drawn {
	s := New(kind, seed)
	for {
		pins := map[int]string{}
		f := s.newFile()
		for path, text := range values {
			i, ok := s.index[path]
			if !ok {
				panic("configtest: no key " + path)
			}
			if pins[i] = classOf(s.keys[i], text); !s.require(pins, s.keys[i]) {
				panic("configtest: keys that exclude each other")
			}
			f.text[i] = text
		}
		d, err := s.complete(f, pins, 0)
		kept := err == nil
		for path, text := range values {
			kept = kept && f.text[s.index[path]] == text
		}
		if kept {
			return Drawn{f.yaml(), d}
		}
	}
}

func (s *Set) mark(a, b int, p pairState) { s.state[a][b], s.state[b][a] = p, p }

func (s *Set) choice(i int, class string) int {
	for c, name := range s.classes[i] {
		if name == class {
			return s.first[i] + c
		}
	}
	return -1
}

// compatible says whether the needs of two choices agree.
func (s *Set) compatible(a, b int) bool {
	pins := map[int]string{s.path[a]: s.class[a], s.path[b]: s.class[b]}
	if !s.require(pins, s.keys[s.path[a]]) || !s.require(pins, s.keys[s.path[b]]) {
		return false
	}
	format := func(c int) bool { return strings.HasPrefix(s.keys[s.path[c]].Path, formats) }
	given := func(c int) bool { return s.class[c] != left }
	target := func(c int) bool { return s.keys[s.path[c]].Path == "precision.max_error" && given(c) }
	if format(a) && format(b) {
		return given(a) == given(b)
	}
	return !(format(a) && given(a) && target(b) || format(b) && given(b) && target(a))
}

// require pins what a key needs that is pinned itself; false when it cannot have it.
func (s *Set) require(pins map[int]string, k config.Key) bool {
	if pins[s.index[k.Path]] == left {
		return true
	}
	need := func(i int, good func(text string) bool) bool {
		if class, there := pins[i]; there {
			if class == left {
				class = s.keys[i].Default
			}
			return good(class)
		}
		var fit []string
		for _, c := range s.classes[i] {
			if c != left && good(c) {
				fit = append(fit, c)
			}
		}
		pins[i] = fit[s.r.IntN(len(fit))]
		return s.require(pins, s.keys[i])
	}
	for _, n := range k.Needs {
		if !need(s.index[n.Path], func(text string) bool {
			for _, w := range n.Words {
				if w == text {
					return true
				}
			}
			return n.Words == nil && text != n.Not
		}) {
			return false
		}
	}
	if at := strings.Index(k.Path, "[]."); at >= 0 {
		return need(s.index[k.Path[:at]], func(text string) bool { return text != empty && text != "" })
	}
	return true
}

// tries is how often a pair is looked for before it counts as refused.
const tries = 4

// Next draws the next design.
func (s *Set) Next() Drawn {
	for range tries { // not more, so that no design takes long
		g, ok := s.goal()
		if !ok {
			break
		}
		if f, d, err := s.reach(g, 2); err == nil {
			s.take(f)
			return Drawn{f.yaml(), d}
		} else {
			s.mark(g.a, g.b, refused)
			s.why[g] = err.Error()
		}
	}
	for {
		f := s.newFile()
		if d, err := s.complete(f, map[int]string{}, 0); err == nil {
			s.take(f)
			return Drawn{f.yaml(), d}
		}
	}
}

// goal is a pair that is still open.
func (s *Set) goal() (pair, bool) {
	for len(s.goals) > 0 {
		g := s.goals[0]
		if s.state[g.a][g.b] == open {
			return g, true
		}
		s.goals = s.goals[1:]
	}
	return pair{}, false
}

// reach makes a design with two choices.
func (s *Set) reach(g pair, tries int) (f *file, d config.Design, err error) {
	for try := range tries {
		pins := map[int]string{s.path[g.a]: s.class[g.a], s.path[g.b]: s.class[g.b]}
		s.require(pins, s.keys[s.path[g.a]])
		s.require(pins, s.keys[s.path[g.b]])
		f = s.newFile()
		if d, err = s.complete(f, pins, try); err == nil {
			return f, d, nil
		}
	}
	return nil, nil, err
}

// complete fills in a file around what is pinned, and settles it. With each try more is left out.
func (s *Set) complete(f *file, pins map[int]string, try int) (config.Design, error) {
	r := s.r
	giving := false
	if s.derives {
		giving = r.IntN(4) == 0
		if class, ok := pins[s.index["precision.max_error"]]; ok && class != left {
			giving = false
		}
		for i, class := range pins {
			if strings.HasPrefix(s.keys[i].Path, formats) {
				giving = class != left
			}
		}
	}
	have := make([]int, 0, len(f.keys)) // choices
	add := func(i int, class string) {
		if f.text[i] == "" {
			f.set(r, i, class)
		}
		have = append(have, s.choice(i, f.class(i)))
	}
	// What is needed comes before what needs it.
	done := make([]bool, len(f.keys))
	for left := len(f.keys); left > 0; {
		for _, i := range r.Perm(len(f.keys)) {
			if done[i] || !s.ready(f.keys[i], done) {
				continue
			}
			done[i] = true
			left--
			if !strings.HasPrefix(f.keys[i].Path, formats) {
				add(i, s.pick(f, i, pins, have, giving, try))
			}
		}
	}
	d, err := f.settle(r, pins)
	if err != nil || !giving {
		return d, err
	}
	f.giveFormats(r, d.(*config.NIC), pins)
	return f.settle(r, pins)
}

// ready says whether all that a key needs has been chosen.
func (s *Set) ready(k config.Key, done []bool) bool {
	for _, n := range k.Needs {
		if !done[s.index[n.Path]] {
			return false
		}
	}
	if k.Form != config.FormPorts && k.Form != config.FormList {
		if at := strings.Index(k.Path, "[]."); at >= 0 {
			return done[s.index[k.Path[:at]]]
		}
		return true
	}
	// Overrides depend on the number of ports, and on what the ports may be given.
	for i, other := range s.keys {
		if !done[i] && !strings.HasPrefix(other.Path, "port_overrides") {
			return false
		}
	}
	return k.Form == config.FormList || done[s.index["port_overrides"]]
}

// pick chooses a key's class: the one that makes most new pairs, or any.
func (s *Set) pick(f *file, i int, pins map[int]string, have []int, giving bool, try int) string {
	if class, ok := pins[i]; ok {
		return class
	}
	k := s.keys[i]
	r := s.r
	switch {
	case !f.satisfied(k), giving && k.Path == "precision.max_error", try > 0 && !k.Required && r.IntN(tries) < try:
		return left
	}
	list := s.classes[i]
	if k.Required { // the last one is to leave it out
		list = list[:max(1, len(list)-1)]
	}
	if r.IntN(3) == 0 {
		return list[r.IntN(len(list))]
	}
	best, most := "", -1
	for _, c := range r.Perm(len(list)) {
		n := 0
		for _, h := range have {
			if s.state[s.first[i]+c][h] == open {
				n++
			}
		}
		if n > most {
			best, most = list[c], n
		}
	}
	return best
}

// take counts the pairs of a design.
func (s *Set) take(f *file) {
	have := make([]int, len(f.keys))
	for i := range f.keys {
		if have[i] = s.choice(i, f.class(i)); have[i] < 0 {
			panic(fmt.Sprintf("configtest: %s: %q is of no class", f.keys[i].Path, f.text[i]))
		}
		for _, h := range have[:i+1] {
			s.mark(h, have[i], drawn)
		}
	}
}
