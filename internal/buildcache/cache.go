// Package buildcache keeps results of slow programs: compiled models, netlists, routed designs. Each is a directory
// named by a hash of all inputs.
package buildcache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/hdlpkg/hpccgen/internal/filelock"
)

const (
	dirEnv       = "HPCCGEN_CACHE"
	sumsFile     = "sums.json"     // in every entry; only folders with it are removed
	buildMark    = "hpccgen-build" // in the folder of every build; only folders with it are removed
	buildPattern = "build-*"
)

// Dir returns the directory of the build cache: $HPCCGEN_CACHE, or
// hpccgen under the user's cache directory.
func Dir() (string, error) {
	if dir := os.Getenv(dirEnv); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for the build cache: %w; set %s to a directory", err, dirEnv)
	}
	return filepath.Join(dir, "hpccgen"), nil
}

// Cache is a directory of build results, each named by the hash of everything
// that went into it. Entries appear by a rename, so a reader never sees a part
// of one; they carry the hashes of their files, so damage is noticed.
type Cache struct {
	dir   string
	limit int64 // bytes
}

// Open opens the cache in a directory, which is made when it is missing; "" for [Dir].
func Open(dir string) (Cache, error) {
	if dir == "" {
		var err error
		if dir, err = Dir(); err != nil {
			return Cache{}, err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Cache{}, err
	}
	limit, err := sizeLimit()
	if err != nil {
		return Cache{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Cache{}, fmt.Errorf("creating the build cache: %w; set %s to a directory that can be written", err, dirEnv)
	}
	if err := checkPrivate(dir); err != nil {
		return Cache{}, err
	}
	return Cache{dir, limit}, nil
}

// Key hashes the parts; the lengths are hashed too, so that no two lists of
// parts run together.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Get returns the directory of the entry kind-key, building it when it is
// missing or damaged. build fills the directory it is given. Other processes
// that want an entry at the same time wait for the one that builds.
func (c Cache) Get(kind, key string, build func(dir string) error) (string, error) {
	entry := filepath.Join(c.dir, kind+"-"+key)
	// Few lock files that stay, rather than one for each entry. Kinds do not
	// share them: building one kind may need an entry of another.
	unlock := lockFile(filepath.Join(c.dir, fmt.Sprintf("%s-%s.lock", kind, key[:2])))
	defer unlock()

	if err := verifyEntry(entry); err == nil {
		touch(entry)
		return entry, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		if err := c.discard(entry); err != nil {
			return "", fmt.Errorf("removing a damaged cache entry: %w", err)
		}
	}

	temp, err := c.buildFolder()
	if err != nil {
		return "", fmt.Errorf("creating a directory to build in: %w", err)
	}
	defer os.RemoveAll(temp)
	made := filepath.Join(temp, "entry")
	if err := os.Mkdir(made, 0o700); err != nil {
		return "", err
	}
	if err := build(made); err != nil {
		return "", err
	}
	if err := sealEntry(made); err != nil {
		return "", err
	}
	if err := os.Rename(made, entry); err != nil {
		// Where locks do not work, another process may have been first.
		if verifyEntry(entry) != nil {
			return "", fmt.Errorf("storing a cache entry: %w", err)
		}
	}
	c.trim(time.Now(), entry)
	return entry, nil
}

// Discard removes an entry that turned out to be of no use, so that the next Get builds it again.
func (c Cache) Discard(kind, key string) error { return c.discard(filepath.Join(c.dir, kind+"-"+key)) }

// buildFolder makes a folder to build in, with the mark by which trim knows it when the build was killed.
func (c Cache) buildFolder() (string, error) {
	temp, err := os.MkdirTemp(c.dir, buildPattern)
	if err != nil {
		return "", err
	}
	return temp, os.WriteFile(filepath.Join(temp, buildMark), nil, 0o600)
}

// discard moves a damaged entry out of the way before it removes it, so that
// nobody meets half of it.
func (c Cache) discard(entry string) error {
	if _, err := os.Lstat(entry); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	temp, err := c.buildFolder()
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	return os.Rename(entry, filepath.Join(temp, "damaged"))
}

// emptySum is the hash of a file without a byte in it.
var emptySum = sumOf(nil)

// sealEntry writes the hashes of the files in dir. A result without a byte in it
// is none, whatever the program that left it says; a log may be empty.
func sealEntry(dir string) error {
	sums, err := hashFiles(dir)
	if err != nil {
		return err
	}
	for name, sum := range sums {
		if sum == emptySum && filepath.Ext(name) != ".log" {
			return fmt.Errorf("an external program reports success and leaves an empty %s; nothing of it is kept", name)
		}
	}
	text, err := json.Marshal(sums)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, sumsFile), text, 0o644)
}

// verifyEntry reports fs.ErrNotExist for an entry that is not there and another
// error for one that is not as it was sealed.
func verifyEntry(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		return fmt.Errorf("cache entry without hashes: %s", err.Error())
	}
	want := map[string]string{}
	if err := json.Unmarshal(text, &want); err != nil {
		return fmt.Errorf("cache entry with unreadable hashes: %w", err)
	}
	got, err := hashFiles(dir)
	if err != nil {
		return fmt.Errorf("cache entry that cannot be read: %s", err.Error())
	}
	if len(got) != len(want) {
		return errors.New("cache entry with missing or additional files")
	}
	for name, sum := range want {
		if got[name] != sum {
			return fmt.Errorf("cache entry with a damaged file: %s", name)
		}
	}
	return nil
}

func hashFiles(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, e := range entries {
		if e.Name() == sumsFile {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		sums[e.Name()] = sumOf(data)
	}
	return sums, nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// touch marks an entry as used. A cache that cannot be written may still be read.
func touch(entry string) {
	now := time.Now()
	if info, err := os.Stat(entry); err == nil && now.Sub(info.ModTime()) > touchInterval {
		_ = os.Chtimes(entry, now, now)
	}
}

// lockFile takes an exclusive lock among processes and returns its release. On
// a file system without locks it does nothing: entries still appear whole,
// only the same build may run twice.
func lockFile(path string) (unlock func()) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return func() {}
	}
	_ = filelock.Wait(f)
	return func() { _ = f.Close() } // closing releases
}
