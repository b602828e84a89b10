package config

import (
	"math/big"
	"slices"
)

// Form is what a key holds.
type Form string

// The forms.
const (
	FormInteger    Form = "integer"
	FormNumber     Form = "number"
	FormWord       Form = "word" // one of Words
	FormIdentifier Form = "identifier"
	FormQuantity   Form = "quantity" // a duration, a size, a rate or the value of a signal
	FormRates      Form = "rates"
	FormFormat     Form = "format"
	FormTPID       Form = "TPID"
	FormTPIDs      Form = "TPIDs"
	FormBounds     Form = "bounds"
	FormLocator    Form = "locator"
	FormPorts      Form = "ports"
	FormList       Form = "list" // of mappings, whose keys follow
)

// Key is a key that a file may hold, for programs that write files. Mappings are not among them, only what is in them.
type Key struct {
	Path      string // "hops.max"; of the mappings of a list "port_overrides[].capacity"
	Form      Form
	Low, High string   // ends of the range, as a file has them, of the form or of its items; empty: none
	Words     []string // all that it holds, or what it holds in place of a number
	PowerOf2  bool     // integer: powers of two only
	Most      int      // of a list: its length
	Default   string   // as a file has it; empty: none, or one that depends on other keys
	Required  bool
	Needs     []Need // without these the key is refused

	key *key
}

// Need is a condition on another key, which may be there by default.
type Need struct {
	Path  string
	Words []string // that it must hold
	Not   string   // or the word that it must not
}

// Names lists what [Keys] takes: each kind of design, for its default law, and each other law.
func Names() (list []string) {
	for _, g := range registry {
		name := g.kind
		if g.law != "" && g.law != defaultLaw {
			name = g.law
		}
		list = append(list, name)
	}
	return list
}

// Laws lists the laws of a NIC, as the key law names them.
func Laws() []string { return selectors[1].words(registry) }

// Keys lists the keys of a kind of design, with its default law, or of a law, in the order of the table; nil for a name
// that neither has.
func Keys(name string) []Key {
	for _, g := range registry {
		if g.kind == name || g.law == name {
			return listKeys(nil, g.keys, "", nil)
		}
	}
	return nil
}

func listKeys(list []Key, keys []key, path string, needs []condition) []Key {
	for i := range keys {
		k := &keys[i]
		if len(k.choices) == 1 && !k.required { // there is nothing to choose
			continue
		}
		full, all := join(path, k.name), slices.Concat(needs, k.needs)
		if k.kind == kindObject {
			list = listKeys(list, k.keys, full, all)
			continue
		}
		one := Key{
			Path: full, Form: k.kind.public, Low: k.low, High: k.high, PowerOf2: k.powerOf2, Default: k.fallback,
			Required: k.required, Needs: publicNeeds(full, all), key: k,
			Words: slices.Concat(k.choices, k.kind.words, k.kind.each),
		}
		if k.none {
			one.Words = []string{wordNone}
		}
		switch k.kind {
		case kindTPIDs, kindBounds, kindLocator:
			one.Most = k.kind.most
		case kindList:
			one.Most = int(k.high64())
		}
		list = append(list, one)
		if k.kind == kindList {
			list = listKeys(list, k.keys, full+"[]", all)
		}
	}
	return list
}

// publicNeeds are needs with the paths of the other keys.
func publicNeeds(path string, needs []condition) []Need {
	var list []Need
	for _, n := range needs {
		list = append(list, Need{Path: n.of(path), Words: n.words, Not: n.not})
	}
	return list
}

// Number reads a number, or a quantity in its base unit: ns, bytes, bit/s, a share of one. It does not check the range.
func (k Key) Number(text string) (*big.Rat, bool) {
	switch k.Form {
	case FormInteger, FormNumber, FormQuantity, FormTPID:
		v, ok := k.key.read(text)
		return v.number, ok && v.number != nil
	case FormRates, FormTPIDs, FormBounds, FormLocator:
		i := k.key.oneItem(text)
		return i.number, i.number != nil
	}
	return nil, false
}

// Text writes a number as Number reads it.
func (k Key) Text(v *big.Rat) string {
	if k.Form == FormNumber {
		f, _ := v.Float64()
		return plainNumber(f)
	}
	return k.key.format(v)
}

// Duration says whether the quantity may be a duration as well as a size.
func (k Key) Duration() bool { return k.key.duration }
