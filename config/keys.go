package config

import (
	"slices"
	"strconv"
	"strings"
)

// The keys of a configuration file. A table of rows like these is the one place that knows the keys of a kind of
// design: decoder, canonical form, JSON schema, docs/configuration.md and the drawing of test designs follow it.

// key is one row. The field of the design that holds its value has a tag with its path (see bind.go).
type key struct {
	name      string
	kind      *form
	doc       string   // one sentence: what it does
	low, high string   // range, as written in a file
	powerOf2  bool     // integer: powers of two only
	none      bool     // the word none is read as well
	measure   measure  // value, bounds
	duration  bool     // size: a duration is read as well, and judged in resolve
	choices   []string // choice
	why       string   // why the range is what it is
	required  bool
	keys      []key  // object, list
	all       bool   // object: all of its keys or none
	instead   string // object: the key beside it that it replaces
	defaults  bool   // object: for all mappings of a list, which alone is in the canonical form

	// Defaults, as written in a file. At most one of the first three is there; without one, finish decides, or there is
	// none.
	fallback  string                               // whatever other keys hold
	otherwise string                               // where the needs are met
	choose    func(d *decoder, path string) string // where the needs are met, from keys that come before
	derived   string                               // in words, where otherwise does not say it

	needs []condition // conditions on other keys, of an object for all of its keys
	asks  []ask       // choice: what a word asks of other keys

	// What the canonical form has in place of the field; empty: nothing. Port is that of a key of ports.
	text  func(c Design, port int) string
	flow  bool // object: the canonical form has it in one line
	later bool // added when designs had hashes: the canonical form leaves its default out, so that they stay
}

// condition is what a key needs of another key, which comes first in the table and is a choice or may be none. A key
// whose need is not met is refused.
type condition struct {
	path  string   // of the other key; .name is the key of that name beside
	words []string // that it must hold
	not   string   // or the word that it must not
	legal string   // for not: what to do about it
	why   string
}

// met says whether a word satisfies the condition.
func (n condition) met(word string) bool {
	if n.words != nil {
		return slices.Contains(n.words, word)
	}
	return word != n.not
}

// of is the path of the other key, for a key at path.
func (n condition) of(path string) string {
	if strings.HasPrefix(n.path, ".") {
		return join(parent(path), n.path[1:])
	}
	return n.path
}

// name is how messages call the other key.
func (n condition) name() string { return strings.TrimPrefix(n.path, ".") }

// ask is what a word of a choice, such as a microarchitecture, asks of another key, within the range of that.
type ask struct {
	word      string
	path      string
	low, high string // as written in a file: ends of a range, or one value
	why       string
}

// defaultWords says in words which default depends on other keys; needs are those of the key and of what encloses it.
func (k *key) defaultWords(needs []condition) string {
	text := k.derived
	if text == "" {
		text = k.otherwise
	}
	if text == "" || len(needs) == 0 {
		return text
	}
	n := needs[0]
	switch {
	case n.words == nil:
		return text + ", when " + n.path + " is given"
	case len(n.words) > 1:
		return text + " (" + n.name() + "s " + strings.Join(n.words, " and ") + ")"
	}
	return text + " (" + n.name() + " " + n.words[0] + ")"
}

// more chooses a number so much above that of the key of a name beside, and not below 0.
func more(name string, than int) func(*decoder, string) string {
	return func(d *decoder, path string) string {
		return strconv.Itoa(max(0, d.integer(join(parent(path), name))+than))
	}
}

// Rows that the tables of several kinds of designs have.

func designKey(kind, doc string) key {
	return key{name: "design", kind: kindChoice, choices: []string{kind}, required: true, doc: doc,
		text: func(Design, int) string { return kind }}
}

func nameKey(fallback string) key {
	return key{name: "name", kind: kindIdentifier, fallback: fallback, why: "it names files and modules",
		doc: "Name of the design."}
}

// prefixKey comes behind nameKey.
var prefixKey = key{name: "module_prefix", kind: kindIdentifier, none: true, derived: "the name and _",
	choose: func(d *decoder, _ string) string { return d.word("name") + "_" },
	text:   prefixText, why: "it begins the names of all modules",
	doc: "Begins the name of every module, so that designs in one chip do not collide; none: nothing does."}

// prefixText leaves the default out, so that hashes are those of the time when a design had no prefix by default.
func prefixText(c Design, _ int) string {
	switch c.ModulePrefix() {
	case c.DesignName() + "_":
		return ""
	case "":
		return wordNone
	}
	return strconv.Quote(c.ModulePrefix())
}

var resetKey = key{name: "reset", kind: kindChoice, choices: []string{"sync", "async_low"}, fallback: "sync",
	doc: "sync: rst, synchronous, active high. async_low: rst_n, asynchronous, active low."}
