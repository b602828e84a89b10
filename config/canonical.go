package config

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Canonical is the configuration as YAML with every key resolved: defaults written out, formats in place of max_error,
// keys in one order, no comments. Files that mean the same have the same canonical form; Parse accepts it and gives the
// same configuration. Hash is taken over it.
func (c *NIC) Canonical() []byte { return canonicalForm(c, hpccKeys, nil) }

// Canonical is the configuration as YAML with every key resolved: defaults written out, tables and locators as numbers,
// ports in ranges of equal ones, no comments. Files that mean the same have the same canonical form; ParseDesign
// accepts it and gives the same configuration. Hash is taken over it.
func (c *CSIG) Canonical() []byte { return canonicalForm(c, csigKeys, nil) }

// Canonical is the configuration as YAML with every key resolved: defaults written out, ports in ranges of equal ones,
// no comments. Files that mean the same have the same canonical form; ParseDesign accepts it and gives the same
// configuration. Hash is taken over it.
func (c *INT) Canonical() []byte { return canonicalForm(c, intKeys, nil) }

// canonicalForm writes a design by the table of its keys. Other has texts in place of those of the design, by path; an
// empty one leaves a key out.
func canonicalForm(c Design, keys []key, other map[string]string) []byte {
	w := &canonical{design: c, other: other, written: map[string]string{}}
	w.print(w.lines(keys, "", "", reflect.ValueOf(c).Elem(), 0), 0)
	return w.Bytes()
}

// canonical writes YAML.
type canonical struct {
	bytes.Buffer
	design  Design
	other   map[string]string
	written map[string]string // by path: what needs look at
}

// line is what is written of a key: a text, an object, or the mappings of a list.
type line struct {
	name, text string
	below      []line
	flow       bool // the object in braces
	items      []string
}

// lines are those of a table whose keys v holds; rel is the part of path below v. Port is that of keys of ports.
func (w *canonical) lines(keys []key, path, rel string, v reflect.Value, port int) (list []line) {
	for i := range keys {
		k, full, below := &keys[i], join(path, keys[i].name), join(rel, keys[i].name)
		field, held := member(v, i, below)
		e := line{name: k.name, flow: k.flow}
		text, replaced := w.other[full]
		switch {
		case replaced:
			e.text = text
		case k.defaults || !w.meets(k, full):
		case k.kind == kindList:
			e.items = w.ports(k, field)
		case k.kind == kindObject && held:
			e.below = w.lines(k.keys, full, "", field, port)
		case k.kind == kindObject:
			e.below = w.lines(k.keys, full, below, v, port)
		case k.text != nil:
			e.text = k.text(w.design, port)
		case held:
			e.text = k.textOf(field)
		}
		w.written[full] = e.text
		if k.later && e.text == k.fallback || e.text == "" && e.below == nil && e.items == nil {
			continue
		}
		list = append(list, e)
	}
	return list
}

// meets says whether what is written meets the needs of a key.
func (w *canonical) meets(k *key, path string) bool {
	return !slices.ContainsFunc(k.needs, func(n condition) bool {
		word, written := w.written[n.of(path)]
		return written && !n.met(word)
	})
}

// ports are overrides, one for each range of equal ports.
func (w *canonical) ports(k *key, list reflect.Value) (items []string) {
	texts := make([]string, list.Len())
	for i := range texts {
		texts[i] = flow(w.lines(k.keys[1:], k.name, "", list.Index(i), i))
	}
	for first := 0; first < len(texts); {
		last := first
		for last+1 < len(texts) && texts[last+1] == texts[first] {
			last++
		}
		span := strconv.Itoa(first)
		if last > first {
			span = fmt.Sprintf("%d-%d", first, last)
		}
		items = append(items, "{ports: "+span+", "+texts[first]+"}")
		first = last + 1
	}
	return items
}

// print writes lines.
func (w *canonical) print(list []line, depth int) {
	indent := strings.Repeat("  ", depth)
	for _, e := range list {
		if e.below == nil && e.items == nil || e.flow {
			fmt.Fprintf(w, "%s%s\n", indent, flow([]line{e}))
			continue
		}
		fmt.Fprintf(w, "%s%s:\n", indent, e.name)
		w.print(e.below, depth+1)
		for _, item := range e.items {
			fmt.Fprintf(w, "%s  - %s\n", indent, item)
		}
	}
}

// flow writes lines in one.
func flow(list []line) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = e.name + ": " + e.text
		if e.below != nil {
			parts[i] += "{" + flow(e.below) + "}"
		}
	}
	return strings.Join(parts, ", ")
}

func pick(second bool, words ...string) string {
	if second {
		return words[1]
	}
	return words[0]
}

func tpidString(v uint16) string {
	if v == 0 {
		return wordNone
	}
	return fmt.Sprintf("0x%04x", v)
}

// plainNumber writes f without an exponent, and so that reading gives f again.
func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
