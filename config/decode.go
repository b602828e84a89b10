package config

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/hdlpkg/hpccgen/fixed"
)

// Limits on a file, so that none can exhaust the parser. The presets are a hundredth of them.
const (
	maxBytes = 128 << 10
	maxDepth = 16
)

// position is a place in the file; the zero value is nowhere.
type position struct{ line, column int }

// value is what one key holds, as read from the file or as its default.
type value struct {
	pos      position
	given    bool // by the file
	word     string
	number   *big.Rat // integer, number, duration (ns), size (bytes)
	duration bool     // a key that takes sizes and durations holds a duration
	format   fixed.Format
	items    []item // of lists
}

// item is one value of a list, or the one value where no list is given.
type item struct {
	pos    position
	word   string   // instead of a number; may be empty
	number *big.Rat // as in value; nil when word counts, or the item was refused
}

// decoder walks the file along the table of keys and collects values and problems.
type decoder struct {
	file     string
	grammar  *grammar
	values   map[string]value    // by path, for example "hops.max"
	places   map[string]position // of every key in the file, objects included
	bad      map[string]bool     // paths whose value is not usable
	lists    map[string]int      // number of mappings in a list, by path
	problems Problems
}

func newDecoder(file string) *decoder {
	return &decoder{file: file, values: map[string]value{}, places: map[string]position{}, bad: map[string]bool{},
		lists: map[string]int{}}
}

func (d *decoder) report(at position, p Problem) {
	p.File, p.Line, p.Column = d.file, at.line, at.column
	d.problems = append(d.problems, p)
}

// document parses data and reads the one mapping that it must hold: a design of one of the kinds.
func (d *decoder) document(data []byte, kinds []*grammar) {
	if len(data) > maxBytes {
		d.report(position{}, Problem{What: fmt.Sprintf("the file has more than %d bytes", maxBytes),
			Legal:  fmt.Sprintf("up to %d bytes", maxBytes),
			Reason: "a configuration describes one design"})
		return
	}
	file, at, err := parse(data)
	if err != nil {
		d.report(at, Problem{What: "not YAML: " + err.Error()})
		return
	}
	var root ast.Node
	for i, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.NullType || doc.Body.Type() == ast.CommentType ||
			doc.Body.Type() == ast.CommentGroupType {
			continue
		}
		if doc.Body.Type() == ast.DirectiveType {
			d.report(where(doc.Body), Problem{What: "a YAML directive", Legal: "plain YAML without directives"})
			return
		}
		if root != nil {
			d.report(where(file.Docs[i].Body), Problem{What: "a second document", Legal: "one document a file",
				Reason: "a file describes one design"})
			return
		}
		root = doc.Body
	}
	if root == nil {
		d.report(position{1, 1}, Problem{What: "the file is empty", Legal: legalFile(kinds),
			Reason: "without a design there is nothing to build", Nearest: "a preset, such as " + kinds[0].preset})
		return
	}
	if d.grammar = d.choose(root, kinds); d.grammar != nil {
		d.object(root, &key{kind: kindObject, keys: d.grammar.keys}, "")
	}
}

// parse is the YAML library's parser, kept from failing other than by an error: it recurses with the nesting
// of its input, and has had panics on malformed input.
func parse(data []byte) (file *ast.File, at position, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, at, err = nil, position{}, errors.New("the parser cannot make sense of it")
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if at, err = checkDepth(tokens); err != nil {
		return nil, at, err
	}
	file, err = parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) && syntax.Token != nil && syntax.Token.Position != nil {
			return nil, position{syntax.Token.Position.Line, syntax.Token.Position.Column}, errors.New(syntax.Message)
		}
		return nil, position{}, err
	}
	return file, position{}, nil
}

// checkDepth bounds nesting before the parser recurses into it. A block's depth is at most its indent,
// but one line can open many: "- - - -" or "? ? ? ?".
func checkDepth(tokens token.Tokens) (position, error) {
	flow, line, openers := 0, 0, 0
	for _, tk := range tokens {
		if tk.Position == nil {
			continue
		}
		if tk.Position.Line != line {
			line, openers = tk.Position.Line, 0
		}
		switch tk.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType, token.AliasType:
			openers++
		}
		if flow > maxDepth || openers > maxDepth || tk.Position.IndentLevel > maxDepth {
			return position{tk.Position.Line, tk.Position.Column}, fmt.Errorf("nested more than %d deep", maxDepth)
		}
	}
	return position{}, nil
}

// where is the place at which a node starts.
func where(n ast.Node) position {
	if n == nil {
		return position{1, 1}
	}
	switch m := n.(type) {
	case *ast.MappingNode:
		if !m.IsFlowStyle && len(m.Values) > 0 {
			return where(m.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return where(m.Key)
	}
	if tk := n.GetToken(); tk != nil && tk.Position != nil {
		return position{tk.Position.Line, tk.Position.Column}
	}
	return position{1, 1}
}

func parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '.'))]
}

// lookupPath finds a key of the table by its path.
func (d *decoder) lookupPath(path string) *key { return find(d.grammar.keys, path) }

// find finds a key by its path below a table.
func find(keys []key, path string) *key {
	k := &key{keys: keys}
	for _, name := range strings.Split(path, ".") {
		name, _, _ = strings.Cut(name, "[")
		if k = lookup(k.keys, name); k == nil {
			return nil
		}
	}
	return k
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func names(keys []key) []string {
	list := make([]string, len(keys))
	for i := range keys {
		list[i] = keys[i].name
	}
	return list
}

// plain refuses the parts of YAML that a configuration has no use for.
func (d *decoder) plain(n ast.Node, path string) bool {
	var what string
	switch n.(type) {
	case *ast.AnchorNode:
		what = "an anchor"
	case *ast.AliasNode:
		what = "an alias"
	case *ast.TagNode:
		what = "a tag"
	case *ast.LiteralNode:
		what = "a block of text"
	case *ast.DirectiveNode:
		what = "a YAML directive"
	default:
		return true
	}
	d.report(where(n), Problem{Key: path, What: fmt.Sprintf("%s holds %s", path, what), Legal: "plain values",
		Reason: "what is written is what is built: write the value out"})
	d.spoil(path)
	return false
}

// spoil marks a path, and thereby everything below it, as not usable.
func (d *decoder) spoil(path string) { d.bad[path] = true }

// sound says whether the values of all paths are usable, that is, neither they nor an object above was refused.
func (d *decoder) sound(paths ...string) bool {
	for _, path := range paths {
		for p := path; p != ""; p = parent(p) {
			if d.bad[p] {
				return false
			}
		}
	}
	return true
}

func (d *decoder) object(n ast.Node, k *key, path string) {
	title := path
	if path == "" {
		title = "the file"
	}
	if !d.plain(n, title) {
		d.spoil(path)
		return
	}
	entries, ok := mapping(n)
	if !ok {
		d.report(where(n), Problem{Key: path, What: fmt.Sprintf("%s is %s", title, describe(n)),
			Legal: "a mapping with the keys " + strings.Join(names(k.keys), ", ")})
		d.spoil(path)
		return
	}
	seen := map[string]position{}
	for _, entry := range entries {
		name, at := keyText(entry.Key), where(entry.Key)
		if entry.Key.IsMergeKey() {
			d.report(at, Problem{What: "a merge key", Legal: "plain keys",
				Reason: "what is written is what is built: write the keys out"})
			continue
		}
		full := join(path, name)
		if first, again := seen[name]; again {
			d.report(at, Problem{Key: full, What: fmt.Sprintf("%s is given twice, first in line %d", full, first.line),
				Legal: "once"})
			continue
		}
		seen[name] = at
		child := lookup(k.keys, name)
		if child == nil {
			d.report(at, d.unknown(k, full, name))
			continue
		}
		d.places[full] = at
		switch child.kind {
		case kindObject:
			d.object(entry.Value, child, full)
		case kindList:
			d.list(entry.Value, child, full)
		default:
			d.scalar(entry.Value, child, full)
		}
	}
}

// unknown is the problem of a name that k, an object, has no key for.
func (d *decoder) unknown(k *key, path, name string) Problem {
	if law, ok := d.grammar.elsewhere(path); ok {
		return Problem{Key: path, What: fmt.Sprintf("%s is given, with law: %s", path, d.grammar.law),
			Legal: "with law: " + law, Reason: "a law has its own keys only", Nearest: "leave it out"}
	}
	return Problem{Key: path, What: fmt.Sprintf("unknown key %q", path), Legal: strings.Join(names(k.keys), ", "),
		Nearest: closest(name, names(k.keys))}
}

// mapping gives the entries of a mapping, however it is written.
func mapping(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, true
	}
	return nil, false
}

// list reads a list of mappings.
func (d *decoder) list(n ast.Node, k *key, path string) {
	if !d.plain(n, path) {
		return
	}
	sequence, ok := n.(*ast.SequenceNode)
	if !ok {
		d.wrong(where(n), path, k, describe(n), "")
		return
	}
	if most := int(k.high64()); len(sequence.Values) > most {
		d.wrong(where(n), path, k, fmt.Sprintf("a list of %d", len(sequence.Values)), "")
		return
	}
	for i, entry := range sequence.Values {
		full := fmt.Sprintf("%s[%d]", path, i)
		d.places[full] = where(entry)
		d.object(entry, k, full)
	}
	d.lists[path] = len(sequence.Values)
}

func lookup(keys []key, name string) *key {
	for i := range keys {
		if keys[i].name == name {
			return &keys[i]
		}
	}
	return nil
}

func keyText(n ast.MapKeyNode) string {
	if tk := n.GetToken(); tk != nil {
		return tk.Value
	}
	return n.String()
}

// describe says what a node is, for messages on wrong types.
func describe(n ast.Node) string {
	switch v := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "empty"
	case *ast.BoolNode:
		return "the truth value " + v.Token.Value
	case *ast.IntegerNode, *ast.FloatNode:
		return "the number " + shorten(n.GetToken().Value)
	case *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value
	}
	if tk := n.GetToken(); tk != nil {
		return fmt.Sprintf("the text %q", shorten(tk.Value))
	}
	return "something else"
}

func shorten(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// scalar reads the value of a key that is no object.
func (d *decoder) scalar(n ast.Node, k *key, path string) {
	if !d.plain(n, path) {
		return
	}
	at := where(n)
	if k.kind.list {
		d.items(n, k, path)
		return
	}
	text, quoted, ok := scalarText(n)
	if !ok || quoted && k.kind.plain {
		d.wrong(at, path, k, describe(n), k.nearestTo(text))
		return
	}
	v, ok := k.read(text)
	if !ok {
		d.wrong(at, path, k, describe(n), k.nearestTo(text))
		return
	}
	v.pos, v.given = at, true
	if p, ok := k.check(path, v); !ok {
		d.report(at, p)
		d.spoil(path)
		return
	}
	d.values[path] = v
}

func (d *decoder) wrong(at position, path string, k *key, what, nearest string) {
	d.report(at, Problem{Key: path, What: fmt.Sprintf("%s is %s", path, what), Legal: k.legal(), Reason: k.why,
		Nearest: nearest})
	d.spoil(path)
}

// scalarText is a scalar as written, and whether it was quoted.
func scalarText(n ast.Node) (text string, quoted, ok bool) {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode, *ast.BoolNode:
	default:
		return "", false, false
	}
	tk := n.GetToken()
	return tk.Value, tk.Type == token.SingleQuoteType || tk.Type == token.DoubleQuoteType, true
}
