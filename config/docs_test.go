package config

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the generated part of docs/configuration.md")

const (
	docFile  = "../docs/configuration.md"
	docStart = "<!-- The tables below are written by: go test ./config -run TestDocumentation -update -->\n"
	docEnd   = "<!-- End of the written tables. -->\n"
)

// The reference of the keys in docs/configuration.md is that of the table of keys.
func TestDocumentation(t *testing.T) {
	data, err := os.ReadFile(docFile)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(data), docStart)
	require.True(t, ok, "%s lacks the line that starts the tables", docFile)
	_, after, ok := strings.Cut(rest, docEnd)
	require.True(t, ok, "%s lacks the line that ends the tables", docFile)
	head, _, ok := strings.Cut(before, budgetHead)
	require.True(t, ok, "%s lacks the table of budgets", docFile)
	_, tail, ok := strings.Cut(before, budgetTail)
	require.True(t, ok, "%s lacks the text after the table of budgets", docFile)
	before = head + budgetHead + budgets(t) + budgetTail + tail
	want := before + docStart + reference() + docEnd + after
	if *update {
		require.NoError(t, os.WriteFile(docFile, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(data), "run: go test ./config -run TestDocumentation -update")
}

const (
	budgetHead = "| preset | W, whole range | R, whole range | U, normal range | R, normal range |\n|---|---|---|---|---|\n"
	budgetTail = "\nThe dividers have bounds of their own"
)

// budgets writes the bounds of the presets.
func budgets(t *testing.T) string {
	var b strings.Builder
	for _, p := range PresetsOf(KindNIC) {
		c, err := Load(p.Name)
		require.NoError(t, err)
		cells := []string{"`" + p.Name + "`"}
		for _, bound := range []float64{c.Budget.WindowRel, c.Budget.RateRel, c.Budget.Normal.UAbs, c.Budget.Normal.RateRel} {
			cells = append(cells, boundString(bound))
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String()
}

// reference writes, for each kind of design, a table for the top level and one for each object in it.
func reference() string {
	var b strings.Builder
	for _, g := range registry {
		name := g.kind
		if g.law != "" && g.law != defaultLaw {
			name += ", law: " + g.law
		}
		b.WriteString("\n## Keys of design: " + name + "\n\n" + strings.ToUpper(g.title[:1]) + g.title[1:] + ".\n\n")
		table(&b, g.keys, "", nil)
		for _, k := range g.keys {
			if k.kind != kindObject && k.kind != kindList {
				continue
			}
			b.WriteString("\n### " + name + ": " + k.name + "\n\n" + k.doc + "\n\n")
			switch {
			case k.name == "dividers":
				b.WriteString("`hop`: " + k.keys[0].doc + " `quotient`: " + k.keys[1].doc + " Each has these keys:\n\n")
				table(&b, k.keys[0].keys, "", nil)
			case k.kind == kindList:
				b.WriteString("`ports`: " + k.keys[0].doc + " It is required, " + k.keys[0].legal() +
					". The other keys are those of `port_defaults`; what is left out stays as it is there, or in an earlier override.\n")
			default:
				b.WriteString("| key | default | legal | what |\n|---|---|---|---|\n")
				table(&b, k.keys, " ", k.needs)
			}
		}
	}
	b.WriteString("\n")
	return b.String()
}

func table(b *strings.Builder, keys []key, prefix string, needs []condition) {
	if prefix == "" {
		b.WriteString("| key | default | legal | what |\n|---|---|---|---|\n")
	}
	for _, k := range keys {
		if k.kind == kindObject || k.kind == kindList {
			if prefix == "" {
				b.WriteString("| `" + k.name + "` | | see below | " + k.doc + " |\n")
				continue
			}
			table(b, k.keys, " "+k.name+".", slices.Concat(needs, k.needs))
			continue
		}
		fallback := k.defaultWords(slices.Concat(needs, k.needs))
		switch {
		case k.required:
			fallback = "required"
		case k.fallback != "":
			fallback = "`" + k.fallback + "`"
		case k.kind == kindFormat:
			fallback = "derived from max_error"
		}
		legal := k.legal()
		if k.why != "" {
			legal += " (" + k.why + ")"
		}
		b.WriteString("| `" + strings.TrimSpace(prefix) + k.name + "` | " + fallback + " | " + legal + " | " + k.doc + " |\n")
	}
}

// Every example in the documentation is a valid file.
func TestDocumentedExamplesAreValid(t *testing.T) {
	data, err := os.ReadFile(docFile)
	require.NoError(t, err)
	examples := strings.Split(string(data), "```yaml\n")[1:]
	require.NotEmpty(t, examples)
	for _, e := range examples {
		text, _, _ := strings.Cut(e, "```")
		_, err := ParseDesign("example", []byte(text))
		assert.NoError(t, err, text)
	}
}

// The message that the documentation shows is the one that is printed.
func TestDocumentedMessage(t *testing.T) {
	data, err := os.ReadFile(docFile)
	require.NoError(t, err)
	_, err = Parse("my-nic.yaml", []byte("design: nic\nhops:\n  max: 9\nflws: 256\n"))
	require.Error(t, err)
	for _, line := range strings.Split(err.Error(), "\n") {
		keys := strings.Join(names(hpccKeys), ", ")
		assert.Contains(t, string(data), "    "+strings.Replace(line, keys, "design, name, ...", 1)+"\n")
	}
}
