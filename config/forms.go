package config

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/fixed"
)

// form is how a key's value is written in a file: all that decoder, messages, schema and drawing know of it.
type form struct {
	public Form // of Keys

	number func(k *key, text string) (*big.Rat, bool) // a value, or an item of a list; nil: values are no numbers
	print  func(k *key, v *big.Rat) string            // a number as a file has it; nil: in decimal
	text   func(text string) (value, bool)            // a value that is no number; nil: any text
	check  func(k *key, path string, v value) (Problem, bool)

	legal  func(k *key, within string) string // what is legal, in words; within is "1 to 8"
	schema func(k *key, needs []condition) schema
	tells  bool // the schema says it in words too

	words       []string // that stand for a value, or for a whole list
	plain       bool     // a value in quotes is none
	list        bool     // of items
	each        []string // list: words that stand for an item
	single      bool     // list: one item may stand in its place
	least, most int      // list: its length
}

// saying says in words what is legal: a text with the range, %s, in it.
func saying(text string) func(*key, string) string {
	return func(_ *key, within string) string { return strings.Replace(text, "%s", within, 1) }
}

// orNone is saying for keys that may hold the word none.
func orNone(legal func(*key, string) string) func(*key, string) string {
	return func(k *key, within string) string {
		if k.none {
			return legal(k, within) + ", or none"
		}
		return legal(k, within)
	}
}

// in reads quantities in units.
func in(units []unit) func(*key, string) (*big.Rat, bool) {
	return func(_ *key, text string) (*big.Rat, bool) { return quantity(text, units) }
}

func printed(units []unit) func(*key, *big.Rat) string {
	return func(_ *key, v *big.Rat) string { return quantityString(v, units) }
}

// matching reads decimal numbers.
func matching(text interface{ MatchString(string) bool }) func(*key, string) (*big.Rat, bool) {
	return func(_ *key, number string) (*big.Rat, bool) {
		if !text.MatchString(number) {
			return nil, false
		}
		return new(big.Rat).SetString(number)
	}
}

func ofType(name string, more ...any) func(*key, []condition) schema {
	return func(*key, []condition) schema {
		s := schema{"type": name}
		for i := 0; i < len(more); i += 2 {
			s[more[i].(string)] = more[i+1]
		}
		return s
	}
}

func signalLegal(k *key, within string) string { return k.measure.what() + ", " + within }

func printRate(_ *key, v *big.Rat) string { return rateString(v) }

func printTPID(_ *key, v *big.Rat) string { return fmt.Sprintf("0x%04x", v.Num()) }

func readTPID(_ *key, text string) (*big.Rat, bool) { return tpid(text) }

func readSignal(k *key, text string) (*big.Rat, bool) { return k.measure.read(text) }

func printSignal(k *key, v *big.Rat) string { return k.measure.format(v) }

// The forms.
var (
	kindObject = &form{schema: func(k *key, needs []condition) schema {
		s := objectSchema(k.keys, needs)
		if k.all {
			s["required"] = names(k.keys)
		}
		return s
	}}
	kindInteger = &form{public: FormInteger, number: matching(integerText), plain: true,
		legal: func(k *key, within string) string {
			switch {
			case k.choices != nil:
				return strings.Join(k.choices, " or ")
			case k.powerOf2:
				return "a power of two, " + within
			}
			return "an integer, " + within
		},
		schema: func(k *key, _ []condition) schema {
			s := schema{"type": "integer", "minimum": k.low64(), "maximum": k.high64()}
			var enum []int64
			for _, c := range k.choices {
				n, _ := strconv.ParseInt(c, 10, 64)
				enum = append(enum, n)
			}
			for p := int64(1); k.powerOf2 && p <= k.high64(); p *= 2 {
				enum = append(enum, p)
			}
			if enum != nil {
				s["enum"] = enum
			}
			return s
		}}
	kindNumber = &form{public: FormNumber, number: matching(numberText), plain: true, // possibly with an exponent
		print: func(_ *key, v *big.Rat) string { return shortNumber(v) },
		legal: saying("a number, %s"),
		schema: func(k *key, _ []condition) schema {
			return schema{"type": "number", "minimum": json.Number(k.low), "maximum": json.Number(k.high)}
		}}
	kindBool = &form{public: FormWord, plain: true, words: []string{"true", "false"}, legal: saying("true or false"),
		text:   func(text string) (value, bool) { return value{}, text == "true" || text == "false" },
		schema: ofType("boolean")}
	kindChoice = &form{public: FormWord, // one of a list of words
		legal: func(k *key, _ string) string { return oneOf(k.choices) }, check: (*key).checkChoice,
		schema: func(k *key, _ []condition) schema { return schema{"type": "string", "enum": k.choices} }}
	kindIdentifier = &form{public: FormIdentifier, // of Verilog
		legal:  orNone(saying(legalIdentifier)),
		check:  func(k *key, path string, v value) (Problem, bool) { return k.checkIdentifier(path, v.word) },
		schema: ofType("string", "pattern", identifier.String())}
	kindFormat = &form{public: FormFormat, legal: saying(formatLegal), tells: true, check: (*key).checkFormat,
		text: func(text string) (value, bool) {
			f, err := fixed.Parse(text)
			return value{format: f}, err == nil
		},
		schema: ofType("string", "pattern", `^UQ-?[0-9]+\.[0-9]+$`)}
	kindDuration = &form{public: FormQuantity, number: in(durationUnits), print: printed(durationUnits),
		legal: saying("a duration with ns, us, ms or s, %s"), tells: true,
		schema: ofType("string", "pattern", unitPattern(durationUnits))}
	kindSize = &form{public: FormQuantity, print: printed(sizeUnits), // or plain bytes
		number: func(_ *key, text string) (*big.Rat, bool) {
			if integerText.MatchString(text) {
				text += "B"
			}
			return quantity(text, sizeUnits)
		},
		legal: saying("a size with B, kB, MB, GB, KiB, MiB or GiB, %s"), tells: true,
		schema: func(k *key, _ []condition) schema {
			units := sizeUnits
			if k.duration {
				units = append(append([]unit{}, units...), durationUnits...)
			}
			return schema{"type": []string{"string", "integer"}, "pattern": unitPattern(units), "minimum": k.low64()}
		}}
	kindRate = &form{public: FormQuantity, number: in(rateUnits), print: printRate, // a number with k, ..., or bit/s
		legal: saying("a rate, such as 25G or 1.6T, %s"), tells: true,
		schema: func(*key, []condition) schema { return rateSchema() }}
	kindRates = &form{public: FormRates, print: printRate, list: true, least: 1, most: maxBytes,
		number: func(_ *key, text string) (*big.Rat, bool) {
			bps, ok := quantity(text, rateUnits)
			return bps, ok && bps.IsInt()
		},
		legal: saying("a list of rates, such as [25G, 100G], each %s"), tells: true,
		schema: func(*key, []condition) schema { return schema{"type": "array", "minItems": 1, "items": rateSchema()} }}
	kindTPID = &form{public: FormTPID, number: readTPID, print: printTPID, // a 16-bit number, usually hexadecimal
		legal:  orNone(saying("a TPID, %s")),
		schema: func(k *key, _ []condition) schema { return tpidSchema(k.none) }}
	kindTPIDs = &form{public: FormTPIDs, number: readTPID, print: printTPID, list: true, least: 1, most: maxVLANs,
		legal: saying(fmt.Sprintf("a list of 1 to %d TPIDs, each %%s", maxVLANs)),
		schema: func(*key, []condition) schema {
			return schema{"type": "array", "minItems": 1, "maxItems": maxVLANs, "items": tpidSchema(false)}
		}}
	kindValue = &form{public: FormQuantity, number: readSignal, print: printSignal, // of a signal, in its measure
		legal: orNone(signalLegal), tells: true,
		schema: func(k *key, _ []condition) schema { return k.measure.schema(k.none) }}
	kindBounds = &form{public: FormBounds, number: readSignal, print: printSignal,
		words: []string{wordNone, wordDraft}, list: true, least: 1, most: maxBuckets,
		legal: func(k *key, within string) string {
			return fmt.Sprintf("appendix_a, none, or a list of 1 to %d bounds that starts with 0 and does not decrease, "+
				"each %s", maxBuckets, signalLegal(k, within))
		}, tells: true,
		schema: func(k *key, _ []condition) schema {
			return schema{"anyOf": []schema{
				{"type": "string", "enum": []string{wordDraft, wordNone}},
				{"type": "array", "minItems": 1, "maxItems": maxBuckets, "items": k.measure.schema(false)},
			}}
		}}
	kindLocator = &form{public: FormLocator, number: matching(integerText), plain: true, // one, or one for each signal
		list: true, each: []string{wordPort, wordLowBits}, single: true, least: CSIGTypes, most: CSIGTypes,
		legal: saying(fmt.Sprintf("port, low_bits, an integer, %%s, or a list of %d of these", CSIGTypes)), tells: true,
		schema: func(k *key, _ []condition) schema {
			one := schema{"anyOf": []schema{
				{"type": "string", "enum": []string{wordPort, wordLowBits}},
				{"type": "integer", "minimum": k.low64(), "maximum": k.high64()},
			}}
			return schema{"anyOf": []schema{one,
				{"type": "array", "minItems": CSIGTypes, "maxItems": CSIGTypes, "items": one}}}
		}}
	kindPorts = &form{public: FormPorts, number: matching(integerText), text: portRange, // a port, or a range of them
		legal: saying("a port or a range of ports, such as 3 or 0-3, within %s"), tells: true, check: (*key).checkPorts,
		schema: func(k *key, _ []condition) schema {
			return schema{"type": []string{"string", "integer"}, "pattern": rangeText.String(), "minimum": k.low64(),
				"maximum": k.high64()}
		}}
	kindList = &form{public: FormList, number: matching(integerText), // of mappings
		legal: func(k *key, _ string) string {
			return "a list of up to " + k.high + " mappings with the keys " + strings.Join(names(k.keys), ", ")
		},
		schema: func(k *key, needs []condition) schema {
			return schema{"type": "array", "maxItems": k.high64(), "items": objectSchema(k.keys, needs)}
		}}
)
