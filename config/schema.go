package config

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Schema is a JSON schema (draft 2020-12) of configuration files, for editors: keys, types, ranges, descriptions,
// defaults, by the kind of design. It cannot express what depends on several keys; ParseDesign checks that.
func Schema() []byte {
	var kinds []schema
	for _, g := range grammars() {
		kinds = append(kinds, schema{
			"if":   schema{"properties": schema{"design": schema{"const": g.kind}}, "required": []string{"design"}},
			"then": objectSchema(g.keys),
		})
	}
	root := schema{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://github.com/hdlpkg/hpccgen/schema/design.json",
		"title":       "hpccgen configuration",
		"description": "One design of hpccgen.",
		"type":        "object",
		"properties":  schema{"design": schema{"type": "string", "enum": kindNames(grammars()), "description": "What to build."}},
		"required":    []string{"design"},
		"allOf":       kinds,
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // the schema holds maps, strings and numbers only
	}
	return append(text, '\n')
}

type schema = map[string]any

func objectSchema(keys []key) schema {
	properties, required := schema{}, []string{}
	for i := range keys {
		k := &keys[i]
		properties[k.name] = k.schema()
		if k.required {
			required = append(required, k.name)
		}
	}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func (k *key) schema() schema {
	var s schema
	switch k.kind {
	case kindObject:
		s = objectSchema(k.keys)
		switch k.name {
		case "hop", "quotient":
			// The parameters of a kind ask for that kind.
			dependent := schema{}
			for name, kind := range ownerOf {
				dependent[name] = schema{"properties": schema{"kind": schema{"const": kind}}, "required": []string{"kind"}}
			}
			s["dependentSchemas"] = dependent
		case "precision":
			s["not"] = schema{"required": []string{"max_error", "formats"}}
		case "formats":
			s["required"] = names(k.keys)
		}
	case kindInteger:
		s = schema{"type": "integer", "minimum": k.low64(), "maximum": k.high64()}
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
	case kindNumber:
		s = schema{"type": "number", "minimum": json.Number(k.low), "maximum": json.Number(k.high)}
	case kindChoice:
		s = schema{"type": "string", "enum": k.choices}
	case kindIdentifier:
		s = schema{"type": "string", "pattern": identifier.String()}
	case kindDuration:
		s = schema{"type": "string", "pattern": unitPattern(durationUnits)}
	case kindSize:
		units := sizeUnits
		if k.duration {
			units = append(append([]unit{}, units...), durationUnits...)
		}
		s = schema{"type": []string{"string", "integer"}, "pattern": unitPattern(units), "minimum": k.low64()}
	case kindRates:
		s = schema{"type": "array", "minItems": 1, "items": rateSchema()}
	case kindFormat:
		s = schema{"type": "string", "pattern": `^UQ-?[0-9]+\.[0-9]+$`}
	case kindBool:
		s = schema{"type": "boolean"}
	case kindRate:
		s = rateSchema()
	case kindTPID:
		s = tpidSchema(k.none)
	case kindTPIDs:
		s = schema{"type": "array", "minItems": 1, "maxItems": maxVLANs, "items": tpidSchema(false)}
	case kindValue:
		s = k.measure.schema(k.none)
	case kindBounds:
		s = schema{"anyOf": []schema{
			{"type": "string", "enum": []string{wordDraft, wordNone}},
			{"type": "array", "minItems": 1, "maxItems": maxBuckets, "items": k.measure.schema(false)},
		}}
	case kindLocator:
		one := schema{"anyOf": []schema{
			{"type": "string", "enum": []string{wordPort, wordLowBits}},
			{"type": "integer", "minimum": k.low64(), "maximum": k.high64()},
		}}
		s = schema{"anyOf": []schema{one, {"type": "array", "minItems": CSIGTypes, "maxItems": CSIGTypes, "items": one}}}
	case kindPorts:
		s = schema{"type": []string{"string", "integer"}, "pattern": rangeText.String(), "minimum": k.low64(), "maximum": k.high64()}
	case kindList:
		s = schema{"type": "array", "maxItems": k.high64(), "items": objectSchema(k.keys)}
	}
	s["description"] = k.description()
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

// description is the key's sentence, with what a schema cannot say otherwise.
func (k *key) description() string {
	text := k.doc
	switch k.kind {
	case kindDuration, kindSize, kindRates, kindFormat, kindRate, kindValue, kindBounds, kindLocator, kindPorts:
		text += " Legal: " + k.legal() + "."
	}
	if k.derived != "" {
		text += " Default: " + k.derived + "."
	}
	return text
}

// fallbackJSON is the default as a JSON value.
func (k *key) fallbackJSON() any {
	switch k.kind {
	case kindInteger, kindNumber:
		return json.Number(k.fallback)
	case kindBool:
		return k.fallback == "true"
	case kindValue:
		if k.fallback == "0" {
			return 0
		}
	case kindRates, kindTPIDs:
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
