package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// The tables of modules in the README have the latencies and intervals of today's designs.
func TestReadmeTimings(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	for _, p := range config.Presets() {
		_, section, found := strings.Cut(string(readme), "\n`"+p.Name+"`: ")
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

// The lines of `generate` that the README shows are printed today, in this order.
func TestReadmeGenerate(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, shown, found := strings.Cut(string(readme), "of which here some lines:\n\n```\n")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, "\n```\n")
	r := hpccgen(t, t.TempDir(), nil, "generate", "--config", "nic-line", "--out", "out")
	require.Zero(t, r.status, r.errOut)
	// columns are as wide as what is printed
	words := func(line string) string { return strings.Join(strings.Fields(line), " ") }
	rest := strings.Split(r.out, "\n")
	for line := range strings.Lines(shown) {
		if words(line) == "..." {
			continue
		}
		at := slices.IndexFunc(rest, func(l string) bool { return words(l) == words(line) })
		require.NotEqual(t, -1, at, "not printed, or in another order: %s", line)
		rest = rest[at+1:]
	}
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
