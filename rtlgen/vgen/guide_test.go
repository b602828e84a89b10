package vgen_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The guide shows the examples of this package; go test checks their output.
func TestGuideShowsTheExamples(t *testing.T) {
	guide, err := os.ReadFile("../../docs/vgen.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	shown := string(guide)
	for _, name := range []string{"ExampleModule", "ExampleStream", "ExampleCheck", "ExampleSim_Run"} {
		body, ok := cutBetween(string(source), "func "+name+"() {\n", "\n}\n")
		require.True(t, ok, name)
		code, output, ok := strings.Cut(body, "\n\n\t// Output:\n")
		require.True(t, ok, name)
		assert.Contains(t, shown, strings.ReplaceAll("\n"+code, "\n\t", "\n"), "%s differs from docs/vgen.md", name)
		output = strings.ReplaceAll("\n"+output, "\n\t// ", "\n")
		output = strings.ReplaceAll(output, "\n\t//", "\n")
		assert.Contains(t, shown, output, "the output of %s differs from docs/vgen.md", name)
	}
	types, ok := cutBetween(string(source), "// Word is the payload", "\n// A stream as a bundle")
	require.True(t, ok)
	assert.Contains(t, shown, strings.TrimSpace("// Word is the payload"+types), "NewSlice differs from docs/vgen.md")
}

func cutBetween(s, from, to string) (string, bool) {
	_, s, ok := strings.Cut(s, from)
	if !ok {
		return "", false
	}
	return s[:max(strings.Index(s, to), 0)], strings.Contains(s, to)
}
