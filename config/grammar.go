package config

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// grammar is what a file of one kind of design may hold, and what becomes of it.
type grammar struct {
	kind   string // value of the key design
	title  string // what it is
	preset string // one to start from
	keys   []key
	build  func(*decoder) Design // fills in defaults, checks what depends on several keys
}

// grammars are the kinds of designs.
func grammars() []*grammar {
	return []*grammar{
		{KindNIC, "an HPCC++ engine", "nic-line", nicKeys, (*decoder).nic},
		{KindCSIG, "a CSIG switch", "csig-64p", csigKeys, (*decoder).csig},
		{KindINT, "an INT source", "int-switch", intKeys, (*decoder).intSource},
	}
}

func kindNames(kinds []*grammar) []string {
	list := make([]string, len(kinds))
	for i, g := range kinds {
		list[i] = g.kind
	}
	return list
}

func legalFile(kinds []*grammar) string {
	return "a mapping that starts with design: " + oneOf(kindNames(kinds))
}

// oneOf lists words: "a, b or c".
func oneOf(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// choose finds out which kind of design a file describes. When it does not say, or says one that is none of kinds, that is
// reported and nothing else can be judged.
func (d *decoder) choose(root ast.Node, kinds []*grammar) *grammar {
	const path = "design"
	if !d.plain(root, "the file") {
		return nil
	}
	entries, ok := mapping(root)
	if !ok {
		d.report(where(root), Problem{What: "the file is " + describe(root), Legal: legalFile(kinds)})
		return nil
	}
	legal := oneOf(kindNames(kinds))
	for _, e := range entries {
		if e.Key.IsMergeKey() || keyText(e.Key) != path {
			continue
		}
		if !d.plain(e.Value, path) {
			return nil
		}
		word, _, ok := scalarText(e.Value)
		if !ok {
			d.report(where(e.Value), Problem{Key: path, What: "design is " + describe(e.Value), Legal: legal, Reason: "it says what to build"})
			return nil
		}
		for _, g := range kinds {
			if g.kind == word {
				return g
			}
		}
		p := Problem{Key: path, What: fmt.Sprintf("design is %q", shorten(word)), Legal: legal, Nearest: closest(word, kindNames(kinds))}
		for _, g := range grammars() {
			if g.kind == word {
				p.What, p.Reason, p.Nearest = "design is "+word+", "+g.title, kinds[0].title+" is asked for", ""
			}
		}
		d.report(where(e.Value), p)
		return nil
	}
	d.report(position{1, 1}, Problem{Key: path, What: "design is missing", Legal: legal, Reason: "it says what to build", Nearest: kinds[0].kind})
	return nil
}
