package config

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Words in place of values.
const (
	wordNone    = "none"
	wordDraft   = "appendix_a" // the buckets of the draft's Appendix A
	wordPort    = "port"       // the number of the port
	wordLowBits = "low_bits"   // as many low bits of it as fit
)

// Lengths of lists.
const (
	maxVLANs   = 4
	maxBuckets = 32
)

var (
	tpidText  = regexp.MustCompile(`^(0x[0-9a-fA-F]{1,8}|[0-9]{1,9})$`)
	rangeText = regexp.MustCompile(`^([0-9]{1,9})(?:-([0-9]{1,9}))?$`)
)

func tpid(text string) (*big.Rat, bool) {
	if !tpidText.MatchString(text) {
		return nil, false
	}
	base := 10
	if strings.HasPrefix(text, "0x") {
		text, base = text[2:], 16
	}
	n, ok := new(big.Int).SetString(text, base)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetInt(n), true
}

// portRange reads "3" or "0-3" as its two ends.
func portRange(text string) (value, bool) {
	m := rangeText.FindStringSubmatch(text)
	if m == nil {
		return value{}, false
	}
	if m[2] == "" {
		m[2] = m[1]
	}
	first, _ := new(big.Rat).SetString(m[1])
	last, _ := new(big.Rat).SetString(m[2])
	return value{items: []item{{number: first}, {number: last}}}, true
}

func (k *key) checkPorts(path string, v value) (Problem, bool) {
	first, last := v.items[0].number, v.items[1].number
	if first.Cmp(last) <= 0 {
		return k.checkRange(path, last)
	}
	return Problem{Key: path, What: fmt.Sprintf("%s is %s", path, v.word), Legal: k.legal(),
		Reason:  "the first port comes first",
		Nearest: last.RatString() + "-" + first.RatString()}, false
}

// oneItem reads one value of a list. Its number is nil when the text is none.
func (k *key) oneItem(text string) (i item) {
	if slices.Contains(k.kind.each, text) {
		return item{word: text}
	}
	if v, ok := k.kind.number(k, text); ok {
		i.number = v
	}
	return i
}

// readItems reads a default: a word, or a list as YAML writes it.
func (k *key) readItems(text string) (v value, ok bool) {
	if slices.Contains(k.kind.words, text) {
		return value{word: text}, true
	}
	ok = true
	for _, one := range strings.Split(strings.Trim(text, "[]"), ",") {
		i := k.oneItem(strings.TrimSpace(one))
		v.items, ok = append(v.items, i), ok && (i.number != nil || i.word != "")
	}
	return v, ok
}

// items reads a list of rates, TPIDs, bounds or locators. A locator may be one value in place of a list, and bounds a
// word.
func (d *decoder) items(n ast.Node, k *key, path string) {
	list, isList := n.(*ast.SequenceNode)
	if !isList {
		text, quoted, ok := scalarText(n)
		switch {
		case ok && slices.Contains(k.kind.words, text):
			d.values[path] = value{pos: where(n), given: true, word: text}
		case ok && k.kind.single && !quoted:
			if i, good := d.item(n, k, path, path); good {
				d.values[path] = value{pos: where(n), given: true, items: []item{i}}
			}
		default:
			d.wrong(where(n), path, k, describe(n), k.fallback)
		}
		return
	}
	length := len(list.Values)
	switch {
	case k.kind == kindRates && length == 0:
		d.report(where(n), Problem{Key: path, What: "rates is an empty list", Legal: "one rate or more", Reason: k.why,
			Nearest: k.fallback})
		d.spoil(path)
		return
	case length < k.kind.least || length > k.kind.most:
		d.wrong(where(n), path, k, fmt.Sprintf("a list of %d", length), k.fallback)
		return
	}
	v := value{pos: where(n), given: true}
	for at, entry := range list.Values {
		i, _ := d.item(entry, k, path, fmt.Sprintf("%s[%d]", path, at))
		v.items = append(v.items, i)
	}
	d.values[path] = v
}

// item reads one value; when it is refused, the whole key is.
func (d *decoder) item(n ast.Node, k *key, path, name string) (item, bool) {
	if !d.plain(n, name) {
		d.spoil(path)
		return item{}, false
	}
	text, quoted, ok := scalarText(n)
	i := item{}
	if ok && !(quoted && k.kind.plain) {
		i = k.oneItem(text)
	}
	i.pos = where(n)
	if i.word != "" {
		return i, true
	}
	if i.number == nil {
		legal := k.legalOne()
		if k.kind == kindRates {
			legal = "a rate, " + legal + ", such as 25G, 1.6T or 25000000000 (bit/s)"
		}
		d.report(i.pos, Problem{Key: path, What: name + " is " + describe(n), Legal: legal, Reason: k.why})
		d.spoil(path)
		return i, false
	}
	if p, ok := k.checkRange(name, i.number); !ok {
		p.Key = path
		d.report(i.pos, p)
		d.spoil(path)
		return i, false
	}
	return i, true
}
