package config

import (
	"encoding/json"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// toy is a design with another law than hpcc: all that config has to be told of one.
type toy struct {
	Engine
	Pace int `key:"pace_bits"`
}

func (c *toy) Canonical() []byte { return canonicalForm(c, toyKeys, nil) }

var toyKeys = []key{
	designKey(KindNIC, "What to build."), nameKey("toy"), prefixKey, lawKey("toy", "What paces: toy."),
	flowsKey, tagKey, resetKey,
	{name: "pace_bits", kind: kindInteger, low: "1", high: "8", fallback: "4", why: "a toy is slow",
		doc: "Width of the pace."},
	{name: "lanes", kind: kindChoice, choices: []string{"one", "many"}, fallback: "one", doc: "Lanes.",
		text: func(Design, int) string { return "one" },
		asks: []ask{{"many", "flows", "2", "16", "a lane has sixteen flows at most"}}},
}

var toyLaw = grammar{kind: KindNIC, law: "toy", title: "a toy engine", keys: toyKeys,
	start: func() Design { return &toy{} }, finish: func(*decoder, Design) {}}

func withToy(t *testing.T) {
	registry = append(registry, &toyLaw)
	t.Cleanup(func() { registry = registry[:len(registry)-1] })
}

// A law is an entry of the registry, with a table of its own.
func TestLawOfItsOwn(t *testing.T) {
	withToy(t)
	d, err := ParseDesign("f.yaml", []byte("design: nic\nlaw: toy\nflows: 7\npace_bits: 3\n"))
	require.NoError(t, err)
	c := d.(*toy)
	assert.Equal(t, []any{"toy", 7, 3, 0}, []any{c.Name, c.Flows, c.Pace, c.TagBits})
	assert.Equal(t, "design: nic\nname: \"toy\"\nlaw: toy\nflows: 7\ntag_bits: 0\nreset: sync\npace_bits: 3\nlanes: one\n",
		string(d.Canonical()))
	again, err := ParseDesign("again", d.Canonical())
	require.NoError(t, err)
	assert.Equal(t, d, again)
	assert.Empty(t, validate(t, d.Canonical()), "the schema accepts it")
	assert.Len(t, Keys("toy"), len(toyKeys))
	assert.Equal(t, Keys(KindNIC), Keys(LawHPCC))

	// The schema sees what the law does not have, and a law that does not exist.
	for _, text := range []string{"design: nic\nlaw: toy\nmode: sender\n", "design: nic\nlaw: tay\n",
		"design: nic\npace_bits: 3\n"} {
		var s schema
		var doc map[string]any
		require.NoError(t, json.Unmarshal(Schema(), &s))
		require.NoError(t, yaml.Unmarshal([]byte(text), &doc))
		check := checker{}
		check.check("", s, doc)
		assert.NotEmpty(t, check.problems, text)
	}
	_, err = Parse("f.yaml", []byte("design: nic\nlaw: toy\n"))
	assert.EqualError(t, err, "f.yaml:2:6: law is toy, a toy engine; legal: hpcc; reason: an HPCC++ engine is asked for")
}

// The default law may be named; a design has the same hash as without it.
func TestDefaultLaw(t *testing.T) {
	a, err := Parse("a", []byte("design: nic\n"))
	require.NoError(t, err)
	b, err := Parse("b", []byte("law: hpcc\ndesign: nic\n"))
	require.NoError(t, err)
	assert.Equal(t, a, b)
	assert.NotContains(t, string(a.Canonical()), "law")
}

func TestLawMessages(t *testing.T) {
	assert.Equal(t, "f.yaml:2:6: law is \"hpc\"; legal: hpcc or aimd; reason: these laws are built in; nearest: hpcc",
		parseText("design: nic\nlaw: hpc\nwhatever: 1\n"))
	assert.Equal(t, "f.yaml:2:6: law is a list; legal: hpcc or aimd; reason: it says what computes window and rate",
		parseText("design: nic\nlaw: [hpcc]\n"))
	assert.Equal(t,
		"f.yaml:2:1: unknown key \"law\"; legal: design, name, module_prefix, reset, ports, stream_bits, format, reserved, "+
			"max_hops, timestamps, queue, tx, vlan, trace, udp_port, protocol, lns, node, port_defaults, port_overrides; nearest: vlan",
		parseText("design: int\nlaw: hpcc\n"))
	withToy(t)
	for _, c := range []struct{ name, text, want string }{
		{"no such law", "design: nic\nlaw: toi\n",
			"f.yaml:2:6: law is \"toi\"; legal: hpcc, aimd or toy; reason: these laws are built in; nearest: toy"},
		{"keys of another law", "design: nic\nlaw: toy\nmode: sender\nhops: {max: 3}\nclock: 3\n",
			"f.yaml:3:1: mode is given, with law: toy; legal: with law: hpcc; reason: a law has its own keys only; nearest: leave it out\n" +
				"f.yaml:4:1: hops is given, with law: toy; legal: with law: hpcc; reason: a law has its own keys only; nearest: leave it out\n" +
				"f.yaml:5:1: unknown key \"clock\"; legal: design, name, module_prefix, law, flows, tag_bits, reset, pace_bits, lanes; nearest: flows"},
		{"a key of another law than the default", "design: nic\npace_bits: 4\n",
			"f.yaml:2:1: pace_bits is given, with law: hpcc; legal: with law: toy; reason: a law has its own keys only; nearest: leave it out"},
		{"more than a microarchitecture takes", "design: nic\nlaw: toy\nlanes: many\nflows: 17\n",
			"f.yaml:4:8: flows is 17, with lanes: many; legal: 2 to 16; reason: a lane has sixteen flows at most; nearest: 16"},
		{"more by default", "design: nic\nlaw: toy\nlanes: many\n",
			"f.yaml:3:8: flows is 1024 by default, with lanes: many; legal: 2 to 16; reason: a lane has sixteen flows at most; nearest: 16"},
		{"as many as it takes", "design: nic\nlaw: toy\nlanes: many\nflows: 16\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, parseText(c.text)) })
	}
}
