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
		"nothing": nil,
		"overwritten": func(e string) error {
			return os.WriteFile(filepath.Join(e, "result"), []byte("The result"),
				0o644)
		},
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

// Folders that the cache made go when they are old. What a user keeps beside them stays, whatever its name and age.
func TestCacheTrim(t *testing.T) {
	c, err := Open(t.TempDir())
	require.NoError(t, err)
	now := time.Now()
	make := func(name, mark string, age time.Duration) {
		path := filepath.Join(c.dir, name)
		require.NoError(t, os.Mkdir(path, 0o755))
		if mark != "" {
			require.NoError(t, os.WriteFile(filepath.Join(path, mark), []byte("{}"), 0o644))
		}
		require.NoError(t, os.Chtimes(path, now.Add(-age), now.Add(-age)))
	}
	const ancient = keepEntries + time.Hour
	oldEntry, usedEntry := "model-"+Key("old"), "model-"+Key("used")
	make(oldEntry, sumsFile, ancient)
	make(usedEntry, sumsFile, keepEntries-time.Hour)
	make("build-dead", buildMark, keepBuilds+time.Hour)
	make("build-alive", buildMark, keepBuilds-time.Hour)
	own := []string{"build-2024", "model-" + Key("unsealed"), "photos", "thesis-final"}
	make(own[0], "", ancient)
	make(own[1], "", ancient)
	make(own[2], sumsFile, ancient)
	make(own[3], buildMark, ancient)
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
	c.trim(now, "")
	assert.ElementsMatch(t, append([]string{"build-alive", usedEntry}, own...), names())
	make(oldEntry, sumsFile, ancient)
	c.trim(now.Add(time.Hour), "")
	assert.Contains(t, names(), oldEntry, "not again on the same day")
	c.trim(now.Add(trimInterval+time.Hour), "")
	assert.NotContains(t, names(), oldEntry)
	assert.Subset(t, names(), own)
}

// Beyond the limit the least recently used entries go, until the rest fits; what was just made or used stays.
func TestCacheLimit(t *testing.T) {
	t.Setenv(sizeEnv, "2.5K")
	c, err := Open(t.TempDir())
	require.NoError(t, err)
	now := time.Now()
	path := func(name string) string { return filepath.Join(c.dir, "model-"+Key(name)) }
	add := func(name string, age time.Duration) {
		_, err := c.Get("model", Key(name), func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "result"), make([]byte, 900), 0o644)
		})
		require.NoError(t, err)
		require.NoError(t, os.Chtimes(path(name), now.Add(-age), now.Add(-age)))
	}
	kinds := func() []time.Duration {
		list, err := c.Entries()
		require.NoError(t, err)
		var ages []time.Duration
		for _, e := range list {
			assert.Equal(t, "model", e.Kind)
			assert.Greater(t, e.Bytes, int64(900))
			ages = append(ages, now.Sub(e.Used).Round(time.Hour))
		}
		return ages
	}
	add("a", 5*time.Hour)
	add("b", 3*time.Hour)
	assert.Equal(t, []time.Duration{5 * time.Hour, 3 * time.Hour}, kinds())
	// A use makes an entry young again.
	_, err = c.Get("model", Key("a"), nil)
	require.NoError(t, err)
	add("c", 0)
	assert.Equal(t, []time.Duration{0, 0}, kinds())
	assert.NoDirExists(t, path("b"))
	add("d", 0)
	assert.Equal(t, []time.Duration{0, 0, 0}, kinds(), "those of the last hour stay")

	require.NoError(t, os.Mkdir(filepath.Join(c.dir, "mine"), 0o755))
	removed, err := c.Clean()
	require.NoError(t, err)
	assert.Len(t, removed, 3)
	assert.Empty(t, kinds())
	assert.DirExists(t, filepath.Join(c.dir, "mine"))

	for text, want := range map[string]int64{"1": 1, "20m": 20e6, "1.5GB": 1.5e9, "": 4e9} {
		t.Setenv(sizeEnv, text)
		c, err := Open(t.TempDir())
		require.NoError(t, err)
		assert.Equal(t, want, c.Limit(), text)
	}
	for _, text := range []string{"x", "-1", "4X", "1e9", "99999999999T"} {
		t.Setenv(sizeEnv, text)
		_, err := Open(t.TempDir())
		assert.EqualError(t, err, "HPCCGEN_CACHE_SIZE: \""+text+"\" is not a size; legal are bytes, or a number with K, M, "+
			"G or T, such as 4G")
	}
}

// A killed build leaves a folder that the trim knows.
func TestKilledBuildIsTrimmed(t *testing.T) {
	c, err := Open(t.TempDir())
	require.NoError(t, err)
	dir, err := c.buildFolder()
	require.NoError(t, err)
	old := time.Now().Add(-keepBuilds - time.Hour)
	require.NoError(t, os.Chtimes(dir, old, old))
	c.trim(time.Now(), "")
	assert.NoDirExists(t, dir)
}

// A cache in which others can put programs is not used; an empty one is closed to them.
func TestCacheIsPrivate(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "made", "cache")
	_, err := Open(missing)
	require.NoError(t, err)
	mode := func(dir string) os.FileMode {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	assert.Equal(t, os.FileMode(0o700), mode(missing))
	for _, open := range []os.FileMode{0o777, 0o770, 0o702} {
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, open))
		_, err := Open(dir)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o700), mode(dir), "it was empty")
		require.NoError(t, os.Mkdir(filepath.Join(dir, "planted"), 0o755))
		require.NoError(t, os.Chmod(dir, open))
		_, err = Open(dir)
		require.ErrorContains(t, err, "others can write to the build cache "+dir)
		require.ErrorContains(t, err, "chmod 700 "+dir+"; or set HPCCGEN_CACHE")
		require.NoError(t, os.Chmod(dir, 0o755))
		_, err = Open(dir)
		require.NoError(t, err, "others may look")
	}
	if os.Geteuid() != 0 {
		_, err = Open("/") // root's
	} else {
		dir := t.TempDir()
		require.NoError(t, os.Chown(dir, 4711, -1))
		_, err = Open(dir)
	}
	require.ErrorContains(t, err, "belongs to another user")
	require.ErrorContains(t, err, "set HPCCGEN_CACHE to a directory of your own")
}

// What a program left empty is no result. A log may be empty.
func TestCacheKeepsNothingEmpty(t *testing.T) {
	c, err := Open(t.TempDir())
	require.NoError(t, err)
	leave := func(name string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), nil, 0o644) }
	}
	_, err = c.Get("text", Key("x"), leave("model.so"))
	require.EqualError(t, err, "an external program reports success and leaves an empty model.so; nothing of it is kept")
	var builds atomic.Int64
	_, err = c.Get("text", Key("x"), buildText(&builds))
	require.NoError(t, err)
	assert.Equal(t, int64(1), builds.Load())
	_, err = c.Get("text", Key("y"), leave("yosys.log"))
	require.NoError(t, err)
	require.NoError(t, c.Discard("text", Key("x")))
	_, err = c.Get("text", Key("x"), buildText(&builds))
	require.NoError(t, err)
	assert.Equal(t, int64(2), builds.Load())
}

func TestCacheDir(t *testing.T) {
	t.Setenv(dirEnv, "/somewhere/else")
	dir, err := Dir()
	require.NoError(t, err)
	assert.Equal(t, "/somewhere/else", dir)
	t.Setenv(dirEnv, "")
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
