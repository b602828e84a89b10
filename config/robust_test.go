package config

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// fragments are pieces of YAML, right and wrong, from which inputs are put together.
var fragments = func() []string {
	list := []string{
		"design: nic\n", "design: csig\n", "design: int\n", "flows: ", "hops: {", "}", "[", "]", "- ", "? ", ": ", ", ",
		"\n", "\n  ", "\n    ", "\t", "#", "&a ", "*a", "<<: *a\n", "!!binary ",
		"|\n", ">-\n", "'", "\"", "%YAML 1.2\n", "---\n", "...\n", "null", "~", "true", ".inf", ".nan", "0x10", "0o7",
		"1_000", "-1", "1e400", "1e-5",
		"99999999999999999999", "0x88b5", "0x88e5", "0-3", "10us", "5%", "[0, 1G, 5G]", "[0%, 100%]", "{ports: 3}",
		"UQ7.24", "UQ-400.500", "1.6T", "25G", "128B", "1ns", "1e3us", "\x00", "\xff\xfe", "\u2028", "é", "{{",
		"}}", "- - -",
	}
	var walk func(keys []key)
	walk = func(keys []key) {
		for _, k := range keys {
			list = append(list, k.name+": ", k.name+":\n")
			list = append(list, k.choices...)
			walk(k.keys)
		}
	}
	walk(hpccKeys)
	walk(csigKeys)
	walk(intKeys)
	return list
}()

// parseSafely parses and checks what holds of every input: either a valid configuration, or Problems with
// something to say.
func parseSafely(t require.TestingT, data []byte) Design {
	c, err := ParseDesign("f.yaml", data)
	if err == nil {
		require.NotNil(t, c)
		again, err := ParseDesign("canonical", c.Canonical())
		require.NoError(t, err, "the canonical form of a valid file is valid")
		require.Equal(t, c, again)
		return c
	}
	require.Nil(t, c)
	var problems Problems
	require.True(t, errors.As(err, &problems), "%T", err)
	require.NotEmpty(t, problems)
	for _, p := range problems {
		require.NotEmpty(t, p.What)
		if !bytes.ContainsRune(data, '%') {
			require.NotContains(t, p.Error(), "%!", "a message that is not formatted right")
		}
	}
	return nil
}

func TestNoInputPanics(t *testing.T) {
	presets := make([]string, 0, len(Presets()))
	for _, p := range Presets() {
		text, err := PresetYAML(p.Name)
		require.NoError(t, err)
		presets = append(presets, string(text))
	}
	inputs, valid := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		// A hundred inputs a check make the ten thousand.
		for range 100 {
			var text string
			if rapid.Bool().Draw(t, "mutate") {
				text = mutate(t, rapid.SampledFrom(presets).Draw(t, "preset"))
			} else {
				text = strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 20).Draw(t, "pieces"), "")
			}
			inputs++
			if parseSafely(t, []byte(text)) != nil {
				valid++
			}
		}
	})
	least := 10_000
	if testing.Short() { // rapid makes a fifth of its checks
		least /= 5
	}
	assert.GreaterOrEqual(t, inputs, least)
	assert.Positive(t, valid, "some mutations leave a file valid")
	assert.Less(t, valid, inputs)
	t.Logf("%d inputs, %d of them valid", inputs, valid)
}

// mutate changes one to four places of a valid file.
func mutate(t *rapid.T, text string) string {
	for range rapid.IntRange(1, 4).Draw(t, "changes") {
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		end := min(len(text), at+rapid.IntRange(0, 12).Draw(t, "length"))
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			text = text[:at] + text[end:]
		case 1:
			text = text[:at] + rapid.SampledFrom(fragments).Draw(t, "piece") + text[at:]
		case 2:
			text = text[:at] + text[at:end] + text[at:]
		case 3: // another number in place of one
			digit := strings.IndexAny(text[at:], "0123456789")
			if digit >= 0 {
				at += digit
				text = text[:at] + rapid.StringMatching(`[0-9]{1,3}`).Draw(t, "number") + text[at+1:]
			}
		}
	}
	return text
}

func FuzzParse(f *testing.F) {
	for _, p := range Presets() {
		text, err := PresetYAML(p.Name)
		require.NoError(f, err)
		f.Add(text)
	}
	for _, piece := range fragments {
		f.Add([]byte("design: nic\n" + piece))
		f.Add([]byte("design: csig\n" + piece))
		f.Add([]byte("design: int\n" + piece))
	}
	f.Fuzz(func(t *testing.T, data []byte) { parseSafely(t, data) })
}

// Inputs that are small and would take long, or much memory, in a careless reader.
func TestHostileInputs(t *testing.T) {
	for name, text := range map[string]string{
		"laughs":          "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ndesign: *c\n",
		"brackets":        strings.Repeat("[", 60_000),
		"braces":          strings.Repeat("{a: ", 15_000),
		"dashes":          strings.Repeat("- ", 30_000),
		"questions":       strings.Repeat("? ", 30_000),
		"indents":         indents(300),
		"anchors":         strings.Repeat("&a ", 20_000),
		"tags":            strings.Repeat("!a ", 20_000),
		"keys":            strings.Repeat("a: 1\n", 12_000),
		"colons":          strings.Repeat("a: ", 20_000),
		"commas":          "design: [" + strings.Repeat(",", 60_000) + "]",
		"documents":       strings.Repeat("---\n", 16_000),
		"a huge exponent": "design: nic\nprecision: {max_error: 1e-999999999}\n",
		"a huge rate":     "design: nic\nrates: [9999999999999999999999999999T]\n",
		"one long line":   "design: " + strings.Repeat("x", 65_000),
		"quotes":          "design: \"" + strings.Repeat("\\x41", 16_000) + "\"",
		"folded":          "design: >\n" + strings.Repeat(" x\n", 20_000),
	} {
		t.Run(name, func(t *testing.T) { assert.Nil(t, parseSafely(t, []byte(text))) })
	}
}

// indents nests n mappings.
func indents(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}
