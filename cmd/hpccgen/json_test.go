package main

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/synth"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/packets"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// jsonFields are the names that a value has in JSON, those of what it is made of among them, with whether they may be
// left out.
func jsonFields(t reflect.Type, into map[string]bool) map[string]bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return into
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Anonymous || name == "-" {
			continue
		}
		if _, outer := into[name]; !outer {
			into[name] = options == "omitempty"
		}
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
			jsonFields(f.Type, into)
		}
	}
	return into
}

// TestJSONIsDocumented holds docs/replay.md to the fields of what --json writes, and these to the page.
func TestJSONIsDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/replay.md")
	require.NoError(t, err)
	_, page, ok := strings.Cut(string(data), "\n## JSON\n")
	require.True(t, ok)
	for _, c := range []struct {
		title, end string
		value      any
	}{
		{"\n`replay --trace`:\n", "\n`replay --pcap`:\n", replay.Report{}},
		{"\n`replay --pcap`:\n", "\n`cosim`:\n", packets.Report{}},
		{"\n`cosim`:\n", "\n`synth`:\n", cosim.Report{}},
		{"\n`synth`:\n", "", synth.Report{}},
	} {
		_, part, ok := strings.Cut(page, c.title)
		require.True(t, ok, c.title)
		if c.end != "" {
			part, _, ok = strings.Cut(part, c.end)
			require.True(t, ok, c.end)
		}
		words := map[string]bool{}
		for _, w := range strings.FieldsFunc(part, func(r rune) bool {
			return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
		}) {
			words[w] = true
		}
		all := jsonFields(reflect.TypeOf(c.value), map[string]bool{})
		for name := range all {
			assert.True(t, words[name], "%s lacks the field %s", c.title, name)
		}
		for _, line := range strings.Split(part, "\n") {
			cells := strings.SplitN(line, "|", 4)
			if len(cells) < 4 || strings.HasPrefix(line, "|--") || strings.HasPrefix(line, "| field") {
				continue
			}
			for _, name := range strings.Split(cells[1], ", ") {
				name = strings.TrimSpace(name)
				optional, there := all[name]
				assert.True(t, there, "%s has no field %s", c.title, name)
				assert.Equal(t, optional, strings.Contains(cells[2], "optional"), "%s: whether %s may be left out",
					c.title, name)
			}
		}
	}
}
