package config

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checker validates a document against the part of JSON schema that Schema uses. A keyword that it does not know
// fails the test, so that none is silently ignored.
type checker struct{ problems []string }

func (c *checker) fault(path, format string, args ...any) {
	c.problems = append(c.problems, path+": "+fmt.Sprintf(format, args...))
}

func (c *checker) check(path string, s schema, doc any) {
	for _, keyword := range sortedKeys(s) {
		v := s[keyword]
		switch keyword {
		case "$schema", "$id", "title", "description", "default":
		case "type":
			types, many := v.([]any)
			if !many {
				types = []any{v}
			}
			if !slices.ContainsFunc(types, func(t any) bool { return isType(t.(string), doc) }) {
				c.fault(path, "%v is not of type %v", doc, v)
			}
		case "properties":
			if m, ok := doc.(map[string]any); ok {
				for name, sub := range v.(schema) {
					if value, given := m[name]; given {
						c.check(path+"."+name, sub.(schema), value)
					}
				}
			}
		case "additionalProperties":
			if m, ok := doc.(map[string]any); ok {
				for name := range m {
					if _, known := s["properties"].(schema)[name]; !known {
						c.fault(path, "unknown key %s", name)
					}
				}
			}
		case "required":
			if m, ok := doc.(map[string]any); ok {
				for _, name := range v.([]any) {
					if _, given := m[name.(string)]; !given {
						c.fault(path, "%s is missing", name)
					}
				}
			}
		case "dependentSchemas":
			if m, ok := doc.(map[string]any); ok {
				for name, sub := range v.(schema) {
					if _, given := m[name]; given {
						c.check(path, sub.(schema), doc)
					}
				}
			}
		case "allOf":
			for _, sub := range v.([]any) {
				c.check(path, sub.(schema), doc)
			}
		case "anyOf":
			if !slices.ContainsFunc(v.([]any), func(sub any) bool { return matches(sub.(schema), doc) }) {
				c.fault(path, "%v is none of several kinds", doc)
			}
		case "if":
			if then := s["then"].(schema); matches(v.(schema), doc) {
				c.check(path, then, doc)
			}
		case "then":
		case "not":
			if matches(v.(schema), doc) {
				c.fault(path, "matches what it must not")
			}
		case "enum":
			if !slices.ContainsFunc(v.([]any), func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(doc) }) {
				c.fault(path, "%v is none of %v", doc, v)
			}
		case "const":
			if fmt.Sprint(v) != fmt.Sprint(doc) {
				c.fault(path, "%v is not %v", doc, v)
			}
		case "pattern":
			if text, ok := doc.(string); ok && !regexp.MustCompile(v.(string)).MatchString(text) {
				c.fault(path, "%q does not match %s", text, v)
			}
		case "minimum", "maximum":
			if f, ok := number(doc); ok {
				limit := v.(float64)
				if keyword == "minimum" && f < limit || keyword == "maximum" && f > limit {
					c.fault(path, "%v is beyond %s %v", doc, keyword, limit)
				}
			}
		case "items":
			if list, ok := doc.([]any); ok {
				for i, item := range list {
					c.check(fmt.Sprintf("%s[%d]", path, i), v.(schema), item)
				}
			}
		case "maxItems":
			if list, ok := doc.([]any); ok && float64(len(list)) > v.(float64) {
				c.fault(path, "more than %v items", v)
			}
		case "minItems":
			if list, ok := doc.([]any); ok && float64(len(list)) < v.(float64) {
				c.fault(path, "fewer than %v items", v)
			}
		default:
			c.fault(path, "the schema has the keyword %s, which this test does not know", keyword)
		}
	}
}

func matches(s schema, doc any) bool {
	inner := checker{}
	inner.check("", s, doc)
	return len(inner.problems) == 0
}

func number(doc any) (float64, bool) {
	switch n := doc.(type) {
	case uint64:
		return float64(n), true
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

func isType(name string, doc any) bool {
	switch name {
	case "object":
		_, ok := doc.(map[string]any)
		return ok
	case "array":
		_, ok := doc.([]any)
		return ok
	case "string":
		_, ok := doc.(string)
		return ok
	case "number":
		_, ok := number(doc)
		return ok
	case "boolean":
		_, ok := doc.(bool)
		return ok
	case "integer":
		f, ok := number(doc)
		return ok && f == math.Trunc(f)
	}
	return false
}

func sortedKeys(m schema) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

func validate(t *testing.T, document []byte) []string {
	t.Helper()
	var s schema
	require.NoError(t, json.Unmarshal(Schema(), &s))
	var doc map[string]any
	require.NoError(t, yaml.Unmarshal(document, &doc))
	c := checker{}
	c.check("", s, doc)
	return c.problems
}

func TestSchemaAcceptsPresetsAndCanonicalForms(t *testing.T) {
	for _, p := range Presets() {
		text, err := PresetYAML(p.Name)
		require.NoError(t, err)
		assert.Empty(t, validate(t, text), p.Name)
		c, err := LoadDesign(p.Name)
		require.NoError(t, err)
		assert.Empty(t, validate(t, c.Canonical()), p.Name)
	}
	assert.Empty(t, validate(t, []byte(everyCSIGKey)))
}

func TestSchemaRefuses(t *testing.T) {
	for _, change := range []struct{ from, to, problem string }{
		{"design: csig\n", "design: csgi\n", ".design: csgi is none of"},
		{"stream_bits: 512", "stream_bits: 96", ".stream_bits: 96 is none of"},
		{"design: csig\n", "design: csig\nflows: 4\n", ": unknown key flows"},
		{"compact: 0x88b5", "compact: 0x0005", ".tags.compact: 5 is beyond minimum 1536"},
		{"vlan: [0x8100, 0x88a8]", "vlan: [1537, 1538, 1539, 1540, 1541]", ".tags.vlan: more than 4 items"},
		{"decrypted: false", "decrypted: maybe", ".tags.decrypted: maybe is not of type boolean"},
		{"min_abw: appendix_a", "min_abw: [0, fast]", ".buckets.min_abw: [0 fast] is none of several kinds"},
		{"base: 0%", "base: 5", ".quantizers.min_abwc.base: 5 is beyond maximum 0"},
		{"compact: port", "compact: [1, 2, 3]", ".port_defaults.locator.compact: [1 2 3] is none of several kinds"},
		{"port_overrides: []", "port_overrides: [{capacity: 1G}]", ".port_overrides[0]: ports is missing"},
		{"port_overrides: []", "port_overrides: [{ports: 0-, capacity: 1G}]",
			`.port_overrides[0].ports: "0-" does not match`},
		{"port_overrides: []", "port_overrides: [{ports: 3, capacity: fast}]",
			`.port_overrides[0].capacity: "fast" does not match`},
	} {
		checkRefusal(t, "csig-64p", change.from, change.to, change.problem)
	}
	for _, change := range []struct{ from, to, problem string }{
		{"flows: 1024", "flows: 0", ".flows: 0 is beyond minimum 2"},
		{"flows: 1024", "flows: many", ".flows: many is not of type integer"},
		{"flows: 1024", "flow: 1024", ": unknown key flow"},
		{"design: nic\n", "", ": design is missing"},
		{"profiles: 8", "profiles: 7", ".profiles: 7 is none of"},
		{"sequence_bits: 32", "sequence_bits: 28", ".sequence_bits: 28 is none of"},
		{"tick: 1ns", "tick: 1 ns", `.telemetry.tick: "1 ns" does not match`},
		{"order: parallel", "order: sideways", ".hops.order: sideways is none of"},
		{"1.6T]", "fast]", `.rates[8]: "fast" does not match`},
		{"window: UQ24.12", "window: Q24.12", `.precision.formats.window: "Q24.12" does not match`},
		{"    rate: UQ8.24", "    quack: UQ8.24", ".precision.formats: rate is missing"},
		{"precision:\n", "precision:\n  max_error: 1e-4\n", ".precision: matches what it must not"},
		{"kind: restoring_pipelined", "eps: 0.004", ".dividers.hop: kind is missing"},
	} {
		checkRefusal(t, "nic-line", change.from, change.to, change.problem)
	}
}

func checkRefusal(t *testing.T, preset, from, to, problem string) {
	t.Helper()
	text, err := PresetYAML(preset)
	require.NoError(t, err)
	document := strings.Replace(string(text), from, to, 1)
	require.NotEqual(t, string(text), document, from)
	found := validate(t, []byte(document))
	assert.True(t, slices.ContainsFunc(found, func(p string) bool { return strings.HasPrefix(p, problem) }),
		"%s: want %q in %q", to, problem, found)
}

// Whatever the table of keys holds appears in the schema with its sentence.
func TestSchemaDescribesEveryKey(t *testing.T) {
	var s schema
	require.NoError(t, json.Unmarshal(Schema(), &s))
	var walk func(path string, keys []key, s schema)
	walk = func(path string, keys []key, s schema) {
		for _, k := range keys {
			sub, ok := s["properties"].(schema)[k.name].(schema)
			require.True(t, ok, path+k.name)
			assert.True(t, strings.HasPrefix(sub["description"].(string), k.doc), path+k.name)
			switch k.kind {
			case kindObject:
				walk(path+k.name+".", k.keys, sub)
			case kindList:
				walk(path+k.name+".", k.keys, sub["items"].(schema))
			}
		}
	}
	for i, g := range registry {
		walk(g.kind+".", g.keys, s["allOf"].([]any)[i].(schema)["then"].(schema))
	}
}
