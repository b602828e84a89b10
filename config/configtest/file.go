package configtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// table is what a kind of design can have.
type table struct {
	keys    []config.Key
	index   map[string]int
	classes [][]string // by key
	derives bool       // formats are given, or derived from an error wanted
}

func newTable(kind string) *table {
	t := &table{keys: config.Keys(kind), index: map[string]int{}}
	for i, k := range t.keys {
		t.index[k.Path] = i
		t.classes = append(t.classes, classes(k))
		t.derives = t.derives || strings.HasPrefix(k.Path, formats)
	}
	return t
}

// file is a configuration file under construction.
type file struct {
	*table
	text   []string // by key, of port_overrides the number of them and the first; empty: left out
	others []string // overrides behind the first
}

func (t *table) newFile() *file { return &file{table: t, text: make([]string, len(t.keys))} }

func (f *file) class(i int) string { return classOf(f.keys[i], f.text[i]) }

// set gives a key a value of a class.
func (f *file) set(r *rand.Rand, i int, class string) {
	f.text[i] = f.value(r, f.keys[i], class)
	if f.keys[i].Form == config.FormList {
		f.drawOthers(r, i)
	}
}

// drawOthers draws the overrides behind the first.
func (f *file) drawOthers(r *rand.Rand, at int) {
	f.others = f.others[:0]
	n, _ := strconv.Atoi(f.text[at])
	for range n - 1 {
		f.others = append(f.others, f.override(r, at))
	}
}

// override draws a mapping of a list of overrides, with a key or two beside the ports.
func (f *file) override(r *rand.Rand, at int) string {
	prefix := f.keys[at].Path + "[]."
	var root node
	root.put("ports", f.value(r, f.keys[f.index[prefix+"ports"]], []string{single, ranged}[r.IntN(2)]))
	for n := 1 + r.IntN(2); n > 0; {
		i := at + 1 + r.IntN(len(f.keys)-at-1)
		k, c := f.keys[i], f.classes[i][r.IntN(len(f.classes[i]))]
		if strings.HasPrefix(k.Path, prefix) && k.Form != config.FormPorts && c != left && f.satisfied(k) {
			root.put(strings.TrimPrefix(k.Path, prefix), f.value(r, k, c))
			n--
		}
	}
	return root.flow()
}

// ports is the number of ports of a switch.
func (f *file) ports() int {
	i := f.index["ports"]
	text := f.text[i]
	if text == "" {
		text = f.keys[i].Default
	}
	n, _ := strconv.Atoi(text)
	return n
}

// satisfied tells that a key may be given, by its needs.
func (f *file) satisfied(k config.Key) bool {
	if at := strings.Index(k.Path, "[]."); at >= 0 {
		if c := f.class(f.index[k.Path[:at]]); c == left || c == empty {
			return false
		}
	}
	for _, n := range k.Needs {
		i := f.index[n.Path]
		text := f.text[i]
		if text == "" {
			text = f.keys[i].Default
		}
		if n.Words != nil && !slices.Contains(n.Words, text) || n.Not != "" && n.Not == text {
			return false
		}
	}
	return true
}

// node is a mapping of YAML, in the order in which its keys came.
type node struct {
	names    []string
	children map[string]*node
	text     string
}

func (n *node) put(path, text string) {
	name, rest, deeper := strings.Cut(path, ".")
	if n.children == nil {
		n.children = map[string]*node{}
	}
	child := n.children[name]
	if child == nil {
		child = &node{}
		n.children[name] = child
		n.names = append(n.names, name)
	}
	if deeper {
		child.put(rest, text)
		return
	}
	child.text = text
}

func (n *node) flow() string {
	if n.children == nil {
		return n.text
	}
	var parts []string
	for _, name := range n.names {
		parts = append(parts, name+": "+n.children[name].flow())
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// yaml is the file as it is written.
func (f *file) yaml() string {
	var root node
	for i, k := range f.keys {
		if f.text[i] == "" {
			continue
		}
		list, member, within := strings.Cut(k.Path, "[].")
		switch {
		case k.Form == config.FormList:
			root.put(k.Path, "[]")
		case within:
			root.children[list].put(member, f.text[i])
		default:
			root.put(k.Path, f.text[i])
		}
	}
	var b strings.Builder
	for _, name := range root.names {
		child := root.children[name]
		switch i, isKey := f.index[name]; {
		case isKey && f.keys[i].Form == config.FormList && f.class(i) != empty:
			fmt.Fprintf(&b, "%s:\n", name)
			for _, text := range append([]string{child.flow()}, f.others...) {
				fmt.Fprintf(&b, "  - %s\n", text)
			}
		case child.children == nil:
			fmt.Fprintf(&b, "%s: %s\n", name, child.text)
		default:
			fmt.Fprintf(&b, "%s:\n", name)
			for _, n := range child.names {
				fmt.Fprintf(&b, "  %s: %s\n", n, child.children[n].flow())
			}
		}
	}
	return b.String()
}
