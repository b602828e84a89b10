package buildcache

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	sizeEnv       = "HPCCGEN_CACHE_SIZE"
	defaultSize   = "4G"
	trimStamp     = "hpccgen-trimmed"   // when entries were last trimmed by their age
	keepEntries   = 30 * 24 * time.Hour // entries unused for longer are removed
	keepBuilds    = 24 * time.Hour      // remains of builds that were killed
	keepRecent    = time.Hour           // entries used since then stay whatever the limit: a run may read them
	touchInterval = time.Minute         // how exact the time of use is
	trimInterval  = 24 * time.Hour
)

// Entry is a build that the cache holds.
type Entry struct {
	Kind  string // "model", "netlist", ...
	Bytes int64
	Used  time.Time // last, to the minute

	path string
}

// Dir is the directory of the cache.
func (c Cache) Dir() string { return c.dir }

// Limit is how many bytes the entries may take: $HPCCGEN_CACHE_SIZE, or 4 GB. What was used in the last hour stays
// beyond it.
func (c Cache) Limit() int64 { return c.limit }

// sizes are the suffixes of a size.
var sizes = map[string]float64{"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}

var sizeText = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)([KMGT]?)B?$`)

func sizeLimit() (int64, error) {
	text := cmp.Or(os.Getenv(sizeEnv), defaultSize)
	m := sizeText.FindStringSubmatch(strings.ToUpper(text))
	if m != nil {
		n, err := strconv.ParseFloat(m[1], 64)
		if bytes := n * sizes[m[2]]; err == nil && bytes < math.MaxInt64 {
			return int64(bytes), nil
		}
	}
	return 0, fmt.Errorf("%s: %q is not a size; legal are bytes, or a number with K, M, G or T, such as %s", sizeEnv,
		text, defaultSize)
}

// entryName is what entries are called: the kind and the key.
var entryName = regexp.MustCompile(`^([a-z]+)-[0-9a-f]{64}$`)

// Entries lists what the cache holds, the least recently used first.
func (c Cache) Entries() ([]Entry, error) {
	var list []Entry
	err := c.folders(func(name string, used time.Time) {
		m := entryName.FindStringSubmatch(name)
		path := filepath.Join(c.dir, name)
		if m == nil || !marked(path, sumsFile) {
			return
		}
		e := Entry{Kind: m[1], Used: used, path: path}
		files, _ := os.ReadDir(path)
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				e.Bytes += info.Size()
			}
		}
		list = append(list, e)
	})
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(a.Used.Compare(b.Used), strings.Compare(a.path, b.path))
	})
	return list, err
}

// Clean removes all entries and the remains of killed builds, and says what the entries were.
func (c Cache) Clean() ([]Entry, error) {
	list, err := c.Entries()
	if err != nil {
		return nil, err
	}
	c.removeBuilds(time.Now())
	for i, e := range list {
		if err := c.discard(e.path); err != nil {
			return list[:i], err
		}
	}
	return list, nil
}

// folders gives the folders in the cache with the time of their last change.
func (c Cache) folders(see func(name string, changed time.Time)) error {
	entries, err := os.ReadDir(c.dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() {
			see(e.Name(), info.ModTime())
		}
	}
	return err
}

// marked reports whether a folder has a file that the cache puts into its own.
func marked(path, mark string) bool {
	m, err := os.Lstat(filepath.Join(path, mark))
	return err == nil && m.Mode().IsRegular()
}

// trim removes entries beyond the limit, the least recently used first, but for the one that was just made; and once a
// day those that have not been used for long, and the remains of killed builds. Only folders with the name and the mark
// of either go, as the directory may be one that the user keeps other things in. It never fails: the next build tries
// again.
func (c Cache) trim(now time.Time, made string) {
	list, err := c.Entries()
	if err != nil {
		return
	}
	daily := c.due(now)
	if daily {
		c.removeBuilds(now)
	}
	total := int64(0)
	for _, e := range list {
		total += e.Bytes
	}
	for _, e := range list {
		age := now.Sub(e.Used)
		if e.path == made || !(daily && age > keepEntries || total > c.limit && age > keepRecent) {
			continue
		}
		if c.discard(e.path) == nil {
			total -= e.Bytes
		}
	}
}

// due reports whether the trim of the day is still to come, and notes that it has come.
func (c Cache) due(now time.Time) bool {
	stamp := filepath.Join(c.dir, trimStamp)
	if info, err := os.Stat(stamp); err == nil && now.Sub(info.ModTime()) < trimInterval {
		return false
	}
	if os.WriteFile(stamp, nil, 0o600) != nil {
		return false
	}
	_ = os.Chtimes(stamp, now, now)
	return true
}

// removeBuilds removes what killed builds have left.
func (c Cache) removeBuilds(now time.Time) {
	_ = c.folders(func(name string, changed time.Time) {
		path := filepath.Join(c.dir, name)
		if ok, _ := filepath.Match(buildPattern, name); ok && marked(path, buildMark) && now.Sub(changed) > keepBuilds {
			_ = os.RemoveAll(path)
		}
	})
}
