package buildcache

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func buildText(builds *atomic.Int64) func(string) error {
	return func(dir string) error {
		builds.Add(1)
		return os.WriteFile(filepath.Join(dir, "result"), []byte("the result"), 0o644)
	}
}

func TestCacheRebuildsWhatIsDamaged(t *testing.T) {
	damage := map[string]func(string) error{
		"nothing":        nil,
		"overwritten":    func(e string) error { return os.WriteFile(filepath.Join(e, "result"), []byte("The result"), 0o644) },
		"cut short":      func(e string) error { return os.Truncate(filepath.Join(e, "result"), 3) },
		"file removed":   func(e string) error { return os.Remove(filepath.Join(e, "result")) },
		"file added":     func(e string) error { return os.WriteFile(filepath.Join(e, "other"), nil, 0o644) },
		"no hashes":      func(e string) error { return os.Remove(filepath.Join(e, sumsFile)) },
		"bad hashes":     func(e string) error { return os.WriteFile(filepath.Join(e, sumsFile), []byte("{"), 0o644) },
		"a directory in": func(e string) error { return os.Mkdir(filepath.Join(e, "sub"), 0o755) },
		"entry removed":  os.RemoveAll,
		"entry a file": func(e string) error {
			if err := os.RemoveAll(e); err != nil {
				return err
			}
			return os.WriteFile(e, nil, 0o644)
		},
	}
	for name, spoil := range damage {
		t.Run(name, func(t *testing.T) {
			c, err := Open(t.TempDir())
			require.NoError(t, err)
			var builds atomic.Int64
			get := func() {
				entry, err := c.Get("text", Key("x"), buildText(&builds))
				require.NoError(t, err)
				text, err := os.ReadFile(filepath.Join(entry, "result"))
				require.NoError(t, err)
				require.Equal(t, "the result", string(text))
			}
			get()
			want := int64(1)
			if spoil != nil {
				require.NoError(t, spoil(filepath.Join(c.dir, "text-"+Key("x"))))
				want = 2
			}
			get()
			assert.Equal(t, want, builds.Load())
			get()
			assert.Equal(t, want, builds.Load())
		})
	}
}

func TestCacheBuildsOnceForMany(t *testing.T) {
	dir := t.TempDir()
	var builds atomic.Int64
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			c, err := Open(dir) // as another process would
			assert.NoError(t, err)
			_, err = c.Get("text", Key("x"), func(d string) error {
				time.Sleep(20 * time.Millisecond)
				return buildText(&builds)(d)
			})
			assert.NoError(t, err)
		})
	}
	wait.Wait()
	assert.Equal(t, int64(1), builds.Load())
}

func TestCacheKeepsNothingOfAFailedBuild(t *testing.T) {
	c, err := Open(t.TempDir())
	require.NoError(t, err)
	failure := errors.New("no")
	_, err = c.Get("text", Key("x"), func(string) error { return failure })
	require.ErrorIs(t, err, failure)
	left, err := filepath.Glob(filepath.Join(c.dir, "[a-z]*-*[^k]"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestCacheTrim(t *testing.T) {
	c, err := Open(t.TempDir())
	require.NoError(t, err)
	now := time.Now()
	make := func(name string, age time.Duration) {
		path := filepath.Join(c.dir, name)
		require.NoError(t, os.Mkdir(path, 0o755))
		require.NoError(t, os.Chtimes(path, now.Add(-age), now.Add(-age)))
	}
	make("model-old", keepEntries+time.Hour)
	make("model-used", keepEntries-time.Hour)
	make("build-dead", keepBuilds+time.Hour)
	make("build-alive", keepBuilds-time.Hour)
	names := func() (list []string) {
		dirs, err := os.ReadDir(c.dir)
		require.NoError(t, err)
		for _, d := range dirs {
			if d.IsDir() {
				list = append(list, d.Name())
			}
		}
		return list
	}
	c.trim(now)
	assert.Equal(t, []string{"build-alive", "model-used"}, names())
	make("model-old", keepEntries+time.Hour)
	c.trim(now.Add(time.Hour))
	assert.Len(t, names(), 3, "not again on the same day")
	c.trim(now.Add(trimInterval + time.Hour))
	assert.NotContains(t, names(), "model-old")
}

func TestCacheDir(t *testing.T) {
	t.Setenv(cacheEnv, "/somewhere/else")
	dir, err := Dir()
	require.NoError(t, err)
	assert.Equal(t, "/somewhere/else", dir)
	t.Setenv(cacheEnv, "")
	t.Setenv("XDG_CACHE_HOME", "/home/x/.cache")
	dir, err = Dir()
	require.NoError(t, err)
	assert.Equal(t, "/home/x/.cache/hpccgen", dir)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	_, err = Dir()
	assert.ErrorContains(t, err, "set HPCCGEN_CACHE to a directory")
	_, err = Open(filepath.Join(os.DevNull, "x"))
	assert.ErrorContains(t, err, "set HPCCGEN_CACHE to a directory that can be written")
}

func TestKeyOf(t *testing.T) {
	assert.NotEqual(t, Key("ab", "c"), Key("a", "bc"))
	assert.NotEqual(t, Key("a"), Key("a", ""))
}
