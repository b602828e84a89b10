package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
)

// The command shows what the cache holds by kind, removes it, and leaves files of others alone.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	env := []string{"HPCCGEN_CACHE=" + dir, "HPCCGEN_CACHE_SIZE=20M"}
	show := func(args ...string) string {
		r := hpccgen(t, ".", env, append([]string{"cache"}, args...)...)
		require.Equal(t, 0, r.status, r.errOut)
		return r.out
	}
	assert.Equal(t, dir+": 0 builds, 0 B; limit 20 MB\n", show())

	c, err := buildcache.Open(dir)
	require.NoError(t, err)
	for i, kind := range []string{"model", "model", "netlist"} {
		_, err := c.Get(kind, buildcache.Key(string(rune('a'+i))), func(to string) error {
			return os.WriteFile(filepath.Join(to, "result"), make([]byte, 200_000), 0o644)
		})
		require.NoError(t, err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), []byte("x"), 0o644))
	out := show()
	assert.Regexp(t, `: 3 builds, 600 kB; limit 20 MB\n\nKind +builds  size    last used\n`+
		`  models of Verilator, compiled  2       400 kB  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n  netlists  +1       200 kB  `, out)
	assert.Equal(t, dir+": removed 3 builds, 600 kB\n", show("--clean"))
	assert.Equal(t, dir+": 0 builds, 0 B; limit 20 MB\n", show())
	assert.FileExists(t, filepath.Join(dir, "mine"))

	env[1] = "HPCCGEN_CACHE_SIZE=much"
	r := hpccgen(t, ".", env, "cache")
	assert.Equal(t, 1, r.status)
	assert.Contains(t, r.errOut, `HPCCGEN_CACHE_SIZE: "much" is not a size; legal are bytes, or a number with`)
}
