package cosim

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Mutants are several faults of one design, in one build: an input selects one of them. Each changes one assignment, or
// one condition.
type Mutants []Mutation

// selector is the input that selects a mutant, from 1; 0 is the design as it is.
const selector = "mutation_select"

// Open is an Options.Open that runs the mutant with this number.
func (m Mutants) Open(number int) func(string, engine.Design, engine.Options) (engine.Engine, error) {
	return func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
		s, err := d.Source()
		if err != nil {
			return nil, err
		}
		plain := s.Layout
		if s, err = m.Apply(s); err != nil {
			return nil, err
		}
		return engine.OpenSelected(name, s, plain, uint64(number), o)
	}
}

// Apply returns the source with all the mutations in it.
func (m Mutants) Apply(s *engine.Source) (*engine.Source, error) {
	places := map[int][]place{} // by file
	for i, one := range m {
		file, p, err := one.place(s, i+1)
		if err != nil {
			return nil, err
		}
		same := slices.IndexFunc(places[file], func(q place) bool { return q.begin < p.end && p.begin < q.end })
		if same < 0 {
			places[file] = append(places[file], p)
			continue
		}
		if q := &places[file][same]; q.begin == p.begin && q.end == p.end {
			q.values = append(q.values, p.values...)
		} else {
			return nil, fmt.Errorf("mutation %s: changes an assignment of another mutation in part", one.Name)
		}
	}
	width := bits.Len(uint(len(m)))
	changed := *s
	changed.Layout = engine.Selecting(s.Layout, selector, width)
	changed.Files = slices.Clone(s.Files)
	for i := range changed.Files {
		f := &changed.Files[i]
		text, number := string(f.Text), s.Top+"."+selector
		if f.Name == s.Top+".v" {
			number = selector
		}
		slices.SortFunc(places[i], func(a, b place) int { return b.begin - a.begin })
		for _, p := range places[i] {
			text = text[:p.begin] + p.assignment(number, width) + text[p.end:]
		}
		if f.Name == s.Top+".v" {
			head := "module " + s.Top + " (\n"
			if strings.Count(text, head) != 1 {
				return nil, fmt.Errorf("no place for the input %s in %s", selector, f.Name)
			}
			text = strings.Replace(text, head, fmt.Sprintf("%s    input wire [%d:0] %s,\n", head, width-1, selector), 1)
		}
		f.Text = []byte(text)
	}
	return &changed, nil
}

// place is an assignment in the text of a file, or the condition of an if, with the mutants that change it.
type place struct {
	begin, end int
	// of a value: what it is assigned to, or the if; "" of an assignment in an always block, which as a whole is the value
	before string
	value  string
	after  string
	values []alternative
}

// alternative is what a mutant has instead of the value.
type alternative struct {
	number int
	value  string
}

var (
	condition  = regexp.MustCompile(`^(if \()(.*)(\) begin)$`)
	continuous = regexp.MustCompile(`(?s)^((?:wire|assign) [^=]*=\s)(.*)(;)$`)
	procedural = regexp.MustCompile(`(?s)^[^=;()\n]*<=\s.*;$`)
	ends       = regexp.MustCompile(`(;|\bbegin|\bend|\belse)$|^//|^$`) // of a line: what comes next begins a statement
)

// place finds what a mutation changes: the file's index, and the place with this one mutant.
func (m Mutation) place(s *engine.Source, number int) (file int, p place, err error) {
	if file, err = m.file(s.Files); err != nil {
		return file, p, err
	}
	text := string(s.Files[file].Text)
	at := m.anySpace().FindStringSubmatchIndex(text)
	replaced := string(m.anySpace().ExpandString(nil, m.Replace, text, at))
	from, to := at[0], at[1]
	p.begin, p.end = statement(text, from, to)
	p.value = text[p.begin:p.end]
	is := strings.TrimSpace(text[min(p.begin, from):from] + replaced + text[to:p.end])
	p.values = []alternative{{number, is}}
	if procedural.MatchString(p.value) && (is == "" || procedural.MatchString(is)) {
		return file, p, nil
	}
	for _, form := range []*regexp.Regexp{continuous, condition} {
		was, now := form.FindStringSubmatch(p.value), form.FindStringSubmatch(is)
		if was != nil && now != nil && was[1] == now[1] {
			p.before, p.value, p.after, p.values[0].value = was[1], was[2], was[3], now[2]
			return file, p, nil
		}
	}
	return file, p, fmt.Errorf("mutation %s: what it changes is neither an assignment nor a condition: %s", m.Name,
		p.value)
}

// statement returns where the statement begins and ends, or the if, that holds the text between two places.
func statement(text string, from, to int) (begin, end int) {
	begin = to - len(strings.TrimLeft(text[from:to], " \n"))
	begin = strings.LastIndexByte(text[:begin], '\n') + 1
	for begin > 0 {
		before := strings.LastIndexByte(text[:begin-1], '\n') + 1
		if ends.MatchString(strings.TrimSpace(text[before : begin-1])) {
			break
		}
		begin = before
	}
	end = to
	if line := to + strings.IndexByte(text[to:], '\n'); condition.MatchString(strings.TrimSpace(text[begin:line])) {
		end = line
	} else if text[to-1] != ';' {
		end += strings.IndexByte(text[to:], ';') + 1
	}
	return end - len(strings.TrimLeft(text[begin:end], " \n")), end
}

// assignment is what there is with the mutants, of which the signal chooses one.
func (p place) assignment(number string, width int) string {
	var b strings.Builder
	b.WriteString(p.before)
	for _, v := range p.values {
		if p.before == "" {
			fmt.Fprintf(&b, "if (%s == %d'd%d) begin %s end else ", number, width, v.number, v.value)
		} else {
			fmt.Fprintf(&b, "(%s == %d'd%d) ? (%s) : ", number, width, v.number, v.value)
		}
	}
	if p.before == "" {
		fmt.Fprintf(&b, "begin %s end", p.value)
	} else {
		fmt.Fprintf(&b, "(%s)%s", p.value, p.after)
	}
	return b.String()
}
