package config

import (
	"fmt"
	"slices"
)

// settle gives every key that the file leaves out its default, in the order of the table, and refuses what lacks its
// needs. Path is that of the keys, needs are those of what encloses them. Keys in lists have no defaults.
func (d *decoder) settle(keys []key, path string, needs []condition, within bool) {
	for i := range keys {
		k := &keys[i]
		full := join(path, k.name)
		_, given := d.places[full]
		met := d.meets(full, k.needs, given) && d.meets(full, needs, false)
		switch {
		case k.kind == kindObject:
			d.settle(k.keys, full, slices.Concat(needs, k.needs), within)
		case k.kind == kindList:
			for n := range d.lists[full] {
				d.settle(k.keys, fmt.Sprintf("%s[%d]", full, n), needs, true)
			}
		case given || within:
		case k.fallback != "":
			d.values[full], _ = k.read(k.fallback)
		case k.choose != nil && met:
			d.values[full], _ = k.read(k.choose(d, full))
		case k.otherwise != "" && met:
			d.values[full], _ = k.read(k.otherwise)
		}
	}
}

// meets says whether needs of a key are met, as far as one can tell; it refuses a key that is given without them.
func (d *decoder) meets(path string, needs []condition, given bool) bool {
	for _, n := range needs {
		other := n.of(path)
		if !d.sound(other) || n.met(d.word(other)) {
			continue
		}
		if given {
			p := Problem{What: fmt.Sprintf("%s is given, with %s: %s", path, n.name(), d.word(other)), Legal: n.legal,
				Reason: n.why, Nearest: "leave it out"}
			if d.lookupPath(other).fallback != "" {
				p.What += d.byDefault(other)
			}
			if n.words != nil {
				p.Legal = "with " + n.name() + ": " + oneOf(n.words)
			}
			d.refuse(path, p)
		}
		return false
	}
	return true
}

// asked refuses what does not go with the words that choices hold.
func (d *decoder) asked(keys []key, path string) {
	for i := range keys {
		k, full := &keys[i], join(path, keys[i].name)
		if k.kind == kindObject {
			d.asked(k.keys, full)
		}
		for _, a := range k.asks {
			if d.sound(full, a.path) && d.word(full) == a.word {
				d.answer(full, a)
			}
		}
	}
}

// answer refuses a value of another key that is not what the word at path asks for.
func (d *decoder) answer(path string, a ask) {
	v, k := d.values[a.path], d.lookupPath(a.path)
	low, _ := k.read(a.low)
	high, _ := k.read(a.high)
	got, nearest, legal, ok := v.word, a.low, a.low, v.word == a.low
	if v.number != nil {
		got, ok = k.format(v.number), false
		if low.number != nil {
			below, above := v.number.Cmp(low.number) < 0, v.number.Cmp(high.number) > 0
			nearest, ok = pick(above, a.low, a.high), !below && !above
		}
	}
	if a.high != a.low {
		legal += " to " + a.high
	}
	if !ok {
		d.refuse(a.path, Problem{
			What:  fmt.Sprintf("%s is %s%s, with %s: %s", a.path, got, d.byDefault(a.path), path, a.word),
			Legal: legal, Reason: a.why, Nearest: nearest,
		}, path)
	}
}

// refuse reports a problem at the value of a key; when the file leaves the key out, at the first of the related
// ones that it gives, or else at what encloses the key.
func (d *decoder) refuse(path string, p Problem, related ...string) {
	p.Key = path
	at := d.at(path)
	for _, r := range append([]string{path}, related...) {
		if d.values[r].given {
			at = d.values[r].pos
			break
		}
	}
	d.report(at, p)
	d.spoil(path)
}

// at is the place of a key's value, or of what encloses the key.
func (d *decoder) at(path string) position {
	if v := d.values[path]; v.given {
		return v.pos
	}
	for p := path; p != ""; p = parent(p) {
		if at, ok := d.places[p]; ok {
			return at
		}
	}
	return position{1, 1}
}

// byDefault marks in a message a value that the file does not give.
func (d *decoder) byDefault(path string) string {
	if d.values[path].given {
		return ""
	}
	return " by default"
}

func (d *decoder) word(path string) string { return d.values[path].word }

// integer is 0 for a key that was refused; whoever divides by it checks sound first.
func (d *decoder) integer(path string) int {
	if v := d.values[path].number; v != nil {
		return int(v.Num().Int64())
	}
	return 0
}

// whole is a quantity that must be a whole number of its base unit.
func (d *decoder) whole(path, units string) uint64 {
	v := d.values[path].number
	if v == nil {
		return 0
	}
	if !v.IsInt() {
		d.refuse(path, Problem{What: fmt.Sprintf("%s is %s %s", path, decimalString(v), units),
			Legal:  "a whole number of " + units,
			Reason: "the engine counts in whole units", Nearest: d.lookupPath(path).format(nearestWhole(v))})
		return 0
	}
	return v.Num().Uint64()
}
