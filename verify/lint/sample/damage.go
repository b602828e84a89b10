package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Damage returns a configuration file with one to four changes: characters, values or whole lines lost, doubled or
// exchanged, or its end taken from another file. Most results are invalid; some are not.
func Damage(r *rand.Rand, text, other string) string {
	for range 1 + r.IntN(4) {
		if i := r.IntN(len(damages) + 1); i < len(damages) {
			text = damages[i](r, text)
		} else {
			text = text[:r.IntN(len(text)+1)] + other[r.IntN(len(other)):]
		}
	}
	return text
}

var damages = []func(r *rand.Rand, text string) string{
	func(r *rand.Rand, text string) string { // another value after a colon
		return replaceAfter(r, text, ":", odd[r.IntN(len(odd))])
	},
	func(r *rand.Rand, text string) string { // another number
		return replaceAfter(r, text, ":", fmt.Sprint(r.IntN(1<<r.IntN(20))))
	},
	func(r *rand.Rand, text string) string { // characters lost
		at := r.IntN(len(text) + 1)
		return text[:at] + text[min(len(text), at+1+r.IntN(8)):]
	},
	func(r *rand.Rand, text string) string { // characters that mean something
		at := r.IntN(len(text) + 1)
		return text[:at] + marks[r.IntN(len(marks))] + text[at:]
	},
	func(r *rand.Rand, text string) string { // a line lost, doubled, moved
		lines := strings.Split(text, "\n")
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines = append(lines[:i:i], lines[i+1:]...)
		case 1:
			lines = append(lines[:i+1:i+1], lines[i:]...)
		default:
			lines[i], lines[j] = lines[j], lines[i]
		}
		return strings.Join(lines, "\n")
	},
}

var marks = []string{":", "-", "{", "}", "[", "]", "\n", "  ", "#", "&a ", "*a", "\"", "\x00", "\t", ",", "0", "é"}

var odd = []string{
	"0", "1", "-1", "2", "3", "9", "17", "65", "65536", "65537", "99999999999999999999", "1.5", "1e-9", "1e400", ".nan",
	".inf", "true", "null", "~", "''",
	"sync", "serial", "restoring_serial", "reciprocal_table", "newton_raphson", "receiver", "sojourn", "UQ1.63",
	"UQ-3.4", "UQ64.64", "1ns", "1s", "0ns", "100T", "0G",
	"[]", "{}", "[1]", "[10G]", "{a: 1}", "&x 3", "*x", "!!int 5", "0x10", "|", "module", "$x",
}

// replaceAfter puts value after one of the separators of a text.
func replaceAfter(r *rand.Rand, text, separator, value string) string {
	parts := strings.Split(text, separator)
	if len(parts) < 2 {
		return text + separator + " " + value
	}
	i := 1 + r.IntN(len(parts)-1)
	rest := parts[i]
	end := strings.IndexAny(rest, ",}\n#")
	if end < 0 {
		end = len(rest)
	}
	parts[i] = " " + value + rest[end:]
	return strings.Join(parts, separator)
}
