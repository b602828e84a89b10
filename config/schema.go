package config

import (
	"encoding/json"
	"slices"
	"strings"
)

// Schema is a JSON schema (draft 2020-12) of configuration files, for editors: keys, types, ranges, descriptions,
// defaults, by the kind of design. It cannot express what depends on several keys; ParseDesign checks that.
func Schema() []byte {
	var kinds []schema
	for _, g := range registry {
		is := schema{"design": schema{"const": g.kind}}
		required := []string{"design"}
		if g.law != "" {
			is["law"] = schema{"const": g.law}
			if g.law != defaultLaw {
				required = append(required, "law")
			}
		}
		kinds = append(kinds, schema{"if": schema{"properties": is, "required": required}, "then": objectSchema(g.keys, nil)})
	}
	root := schema{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://github.com/hdlpkg/hpccgen/schema/design.json",
		"title":       "hpccgen configuration",
		"description": "One design of hpccgen.",
		"type":        "object",
		"properties": schema{
			"design": schema{"type": "string", "enum": selectors[0].words(registry), "description": "What to build."},
			"law": schema{"type": "string", "enum": selectors[1].words(registry),
				"description": "Of nic: what computes window and rate."},
		},
		"required": []string{"design"},
		"allOf":    kinds,
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // the schema holds maps, strings and numbers only
	}
	return append(text, '\n')
}

type schema = map[string]any

func objectSchema(keys []key, needs []condition) schema {
	properties, required, dependent := schema{}, []string{}, schema{}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	for i := range keys {
		k := &keys[i]
		properties[k.name] = k.schema(needs)
		if k.required {
			required = append(required, k.name)
		}
		if k.instead != "" {
			s["not"] = schema{"required": []string{k.instead, k.name}}
		}
		for _, n := range k.needs {
			if other := lookup(keys, n.name()); other != nil && n.words != nil {
				dependent[k.name] = n.schema(other)
			}
		}
	}
	if len(required) > 0 {
		s["required"] = required
	}
	if len(dependent) > 0 {
		s["dependentSchemas"] = dependent
	}
	return s
}

// schema is of an object in which a key with the condition is given.
func (n condition) schema(other *key) schema {
	is := schema{"enum": n.words}
	if len(n.words) == 1 {
		is = schema{"const": n.words[0]}
	}
	s := schema{"properties": schema{other.name: is}}
	if !n.met(other.fallback) {
		s["required"] = []string{other.name}
	}
	return s
}

func (k *key) schema(needs []condition) schema {
	s := k.kind.schema(k, slices.Concat(needs, k.needs))
	s["description"] = k.description(needs)
	if k.fallback != "" {
		s["default"] = k.fallbackJSON()
	}
	return s
}

func rateSchema() schema {
	return schema{"type": []string{"string", "integer"}, "pattern": unitPattern(rateUnits), "minimum": 1}
}

// tpidSchema is of a TPID; some readers of YAML take a hexadecimal number for text.
func tpidSchema(none bool) schema {
	pattern := `^0x[0-9a-fA-F]+$`
	if none {
		pattern = `^(0x[0-9a-fA-F]+|none)$`
	}
	return schema{"type": []string{"string", "integer"}, "pattern": pattern, "minimum": 0x600, "maximum": 0xffff}
}

// schema is of a value of a signal. A number without a unit is a rate, or 0.
func (m measure) schema(none bool) schema {
	pattern, most := unitPattern(rateUnits), any(json.Number("4294967295000"))
	switch m {
	case shareMeasure:
		pattern, most = `^[0-9]+(\.[0-9]+)?%$`, 0
	case durationMeasure:
		pattern, most = unitPattern(durationUnits), 0
	}
	if none {
		pattern = "^none$|" + pattern
	}
	return schema{"type": []string{"string", "integer"}, "pattern": pattern, "minimum": 0, "maximum": most}
}

func (k *key) low64() int64  { low, _ := k.bounds(); return low.Num().Int64() }
func (k *key) high64() int64 { _, high := k.bounds(); return high.Num().Int64() }

// description is the key's sentence, with what a schema cannot say otherwise. Needs are those of what encloses it.
func (k *key) description(needs []condition) string {
	text := k.doc
	if k.kind.tells {
		text += " Legal: " + k.legal() + "."
	}
	if words := k.defaultWords(slices.Concat(needs, k.needs)); words != "" {
		text += " Default: " + words + "."
	}
	return text
}

// fallbackJSON is the default as a JSON value.
func (k *key) fallbackJSON() any {
	switch f := k.kind; {
	case f.public == FormInteger || f.public == FormNumber:
		return json.Number(k.fallback)
	case f.public == FormWord && f.plain:
		return k.fallback == "true"
	case f.public == FormQuantity && k.fallback == "0":
		return 0
	case f.list && !f.single:
		return strings.Split(strings.Trim(k.fallback, "[]"), ", ")
	}
	return k.fallback
}

// unitPattern is a regular expression for a number with one of the units.
func unitPattern(units []unit) string {
	suffixes, optional := []string{}, ""
	for _, u := range units {
		if u.suffix == "" {
			optional = "?"
			continue
		}
		suffixes = append(suffixes, u.suffix)
	}
	return `^[0-9]+(\.[0-9]+)?(` + strings.Join(suffixes, "|") + `)` + optional + `$`
}
