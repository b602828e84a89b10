package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// The tables of modules have the latencies and intervals of today's designs.
func TestDocumentedTimings(t *testing.T) {
	tables, err := os.ReadFile("../../docs/cells.md")
	require.NoError(t, err)
	for _, p := range config.Presets() {
		_, section, found := strings.Cut(string(tables), "\n`"+p.Name+"`: ")
		require.True(t, found, p.Name)
		_, table, _ := strings.Cut(section, "|---")
		table, _, _ = strings.Cut(table, "\n\n")
		d := mustBuild(t, p.Name)
		seen := 0
		for _, m := range d.Modules {
			row := regexp.MustCompile(`(?m)^\| ` + m.Variant() + ` \| (\S+) \| (\S+) \|`).FindStringSubmatch(table)
			if row == nil {
				continue
			}
			seen++
			if m.Interval > 0 {
				assert.Equal(t, []string{fmt.Sprint(m.Latency), fmt.Sprint(m.Interval)}, row[1:], "%s: %s", p.Name, m.Variant())
			}
		}
		assert.Equal(t, strings.Count(table, "\n| "), seen, "%s: the table names modules that the design does not have",
			p.Name)
	}
}

// The commands of the README's quickstart run in an empty folder, and generate prints what is shown there.
func TestReadmeGenerate(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, shown, found := strings.Cut(string(readme), "`generate` says what it made:\n\n```\n")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, "```\n")
	_, quickstart, found := strings.Cut(string(readme), "\n    go build -o bin/hpccgen ./cmd/hpccgen\n    bin/hpccgen ")
	require.True(t, found)
	quickstart, _, _ = strings.Cut(quickstart, "\n\n")
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	for _, name := range []string{"docs", "testdata"} {
		require.NoError(t, os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)))
	}
	for i, command := range strings.Split(strings.ReplaceAll(quickstart, "\\\n", ""), "\n    bin/hpccgen ") {
		r := hpccgen(t, dir, nil, strings.Fields(command)...)
		require.Zero(t, r.status, r.errOut)
		if i == 0 {
			assert.Equal(t, shown, r.out)
		}
	}
	picture, err := os.ReadFile(filepath.Join(dir, "out/incast.svg"))
	require.NoError(t, err)
	committed, err := os.ReadFile("../../docs/quickstart/incast.svg")
	require.NoError(t, err)
	assert.True(t, string(committed) == string(picture), "docs/quickstart/incast.svg is not what the quickstart draws")
	six, err := os.ReadFile("../../docs/quickstart/my_nic.yaml")
	require.NoError(t, err)
	assert.Contains(t, string(readme), "```yaml\n"+string(six)+"```\n")
}

// Links between the documents lead somewhere.
func TestLinks(t *testing.T) {
	const root = "../.."
	files, err := filepath.Glob(root + "/docs/*.md")
	require.NoError(t, err)
	files = append(files, root+"/README.md")
	link := regexp.MustCompile(`\]\(([^)#:\s,]+)(#[^)]*)?\)`)
	found := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			found++
			_, err := os.Stat(filepath.Join(filepath.Dir(f), m[1]))
			assert.NoError(t, err, "link in %s", f)
		}
	}
	assert.Greater(t, found, 10)
}
