package csig_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tests that docs/csig.md names for the MUSTs of the draft are there.
func TestDemandsHaveTests(t *testing.T) {
	page, err := os.ReadFile("../../docs/csig.md")
	require.NoError(t, err)
	_, demands, found := strings.Cut(string(page), "## What the draft demands")
	require.True(t, found)
	var tests strings.Builder
	for _, pattern := range []string{"*_test.go", "../../telemetry/*_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			tests.Write(text)
		}
	}
	names := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(demands, -1)
	assert.Greater(t, len(names), 10)
	for _, n := range names {
		assert.Contains(t, tests.String(), "func "+n[1]+"(", "named in docs/csig.md")
	}
}
