package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// grammar is an entry of the registry of designs: what a file of one kind of design, and with one law, may hold, and
// what becomes of it. Each stands with the table of its keys.
type grammar struct {
	kind   string // value of the key design
	law    string // value of the key law; empty: the kind has none
	title  string // what it is
	preset string // one to start from
	keys   []key
	start  func() Design          // a design without values
	finish func(*decoder, Design) // what the table does not say: checks and defaults that depend on several keys
}

// registry has the grammars of all designs. The first of a kind is that of its default law.
var registry = []*grammar{&hpccEngine, &aimdEngine, &csigSwitch, &intSource}

// finisher makes the finish of a grammar.
func finisher[T Design](f func(*decoder, T)) func(*decoder, Design) {
	return func(d *decoder, c Design) { f(d, c.(T)) }
}

// selector is a key whose word says by which grammar a file is read.
type selector struct {
	name string
	of   func(*grammar) string
	why  string // the key is there
	only string // why a word is none of the legal ones
}

// selectors lead to one grammar, one after the other.
var selectors = []selector{
	{"design", func(g *grammar) string { return g.kind }, "it says what to build", ""},
	{"law", func(g *grammar) string { return g.law }, "it says what computes window and rate",
		"these laws are built in"},
}

// words lists what grammars have for it, each once; a kind without laws has none.
func (c selector) words(list []*grammar) (words []string) {
	for _, g := range list {
		if w := c.of(g); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

func legalFile(list []*grammar) string {
	return "a mapping that starts with design: " + oneOf(selectors[0].words(list))
}

// oneOf lists words: "a, b or c".
func oneOf(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// choose finds the grammar of a file among those that are asked for. When the file names none of them, that is reported
// and nothing else can be judged.
func (d *decoder) choose(root ast.Node, asked []*grammar) *grammar {
	if !d.plain(root, "the file") {
		return nil
	}
	entries, ok := mapping(root)
	if !ok {
		d.report(where(root), Problem{What: "the file is " + describe(root), Legal: legalFile(asked)})
		return nil
	}
	all := registry
	for _, c := range selectors {
		legal := c.words(asked)
		if len(legal) == 0 {
			break
		}
		word, ok := d.chosen(entries, c, legal, asked[0].title, all)
		if !ok {
			return nil
		}
		other := func(g *grammar) bool { return c.of(g) != word }
		asked, all = slices.DeleteFunc(slices.Clone(asked), other), slices.DeleteFunc(slices.Clone(all), other)
	}
	return asked[0]
}

// chosen reads the word of a selector; title is of what is asked for. A file need not name its law.
func (d *decoder) chosen(entries []*ast.MappingValueNode, c selector, legal []string, title string, all []*grammar) (
	word string, ok bool) {
	i := slices.IndexFunc(entries, func(e *ast.MappingValueNode) bool {
		return !e.Key.IsMergeKey() && keyText(e.Key) == c.name
	})
	if i < 0 && c.name == "law" {
		return legal[0], true
	}
	p := Problem{Key: c.name, Legal: oneOf(legal)}
	if i < 0 {
		p.What, p.Reason, p.Nearest = c.name+" is missing", c.why, legal[0]
		d.report(position{1, 1}, p)
		return "", false
	}
	node := entries[i].Value
	if !d.plain(node, c.name) {
		return "", false
	}
	switch word, _, ok = scalarText(node); {
	case !ok:
		p.What, p.Reason = c.name+" is "+describe(node), c.why
	case slices.Contains(legal, word):
		return word, true
	default:
		p.What, p.Reason = fmt.Sprintf("%s is %q", c.name, shorten(word)), c.only
		p.Nearest = closest(word, legal)
		if other := slices.IndexFunc(all, func(g *grammar) bool { return c.of(g) == word }); other >= 0 {
			p.What, p.Reason, p.Nearest = c.name+" is "+word+", "+all[other].title, title+" is asked for", ""
		}
	}
	d.report(where(node), p)
	return "", false
}

// elsewhere names the law that has a key which the table lacks.
func (g *grammar) elsewhere(path string) (law string, ok bool) {
	for _, other := range registry {
		if other.kind == g.kind && other.law != g.law && find(other.keys, path) != nil {
			return other.law, true
		}
	}
	return "", false
}
