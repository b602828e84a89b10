package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a command reads is never what it replaces.
func TestInputsAreKept(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	get := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(data)
	}
	for _, kind := range []string{"trace.csv.gz", "flows.csv"} {
		data, err := os.ReadFile(traceFile(t, "s_solo_mi5."+kind))
		require.NoError(t, err)
		put("s."+kind, data)
	}
	preset := hpccgen(t, dir, nil, "init", "nic-serial").out
	put("config.yaml", []byte(preset))
	require.NoError(t, os.Symlink("s.trace.csv.gz", filepath.Join(dir, "link")))

	for _, c := range []struct{ flag, out, input string }{
		{"--out", "s.trace.csv.gz", "s.trace.csv.gz"},
		{"--out", "link", "s.trace.csv.gz"},
		{"--out", "s.flows.csv", "s.flows.csv"},
		{"--out", "config.yaml", "config.yaml"},
		{"--json", "s.trace.csv.gz", "s.trace.csv.gz"},
	} {
		before := get(c.input)
		args := []string{"replay", "--config", "config.yaml", "--trace", "s.trace.csv.gz", "--engine", "model", c.flag, c.out}
		if c.flag != "--out" {
			args = append(args, "--out", "o.csv")
		}
		r := hpccgen(t, dir, nil, args...)
		assert.Equal(t,
			"hpccgen: "+c.flag+" "+c.out+" is the input "+c.input+" and would replace it; name another file\n", r.errOut)
		assert.Equal(t, 1, r.status)
		assert.Equal(t, before, get(c.input), c.out)
		assert.NoFileExists(t, filepath.Join(dir, "o.csv"))
	}

	r := hpccgen(t, dir, nil, "generate", "--config", "config.yaml", "--out", ".")
	assert.Equal(t,
		"hpccgen: config.yaml in . is written by generate and would replace the configuration config.yaml; name another folder, or the configuration differently\n", r.errOut)
	assert.Equal(t, 1, r.status)
	assert.Equal(t, preset, get("config.yaml"))
	assert.NoDirExists(t, filepath.Join(dir, "rtl"))

	// The configuration that generate wrote stays as it is, so that a folder can be generated again from itself.
	require.Equal(t, 0, hpccgen(t, dir, nil, "generate", "--config", "config.yaml", "--out", "d").status)
	written := get("d/config.yaml")
	r = hpccgen(t, dir, nil, "generate", "--config", "d/config.yaml", "--out", "d")
	assert.Equal(t, 0, r.status, r.errOut)
	assert.Equal(t, written, get("d/config.yaml"))
}
