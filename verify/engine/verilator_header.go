package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
)

// Every unit of a model begins with Verilator's header and a good part of the standard library: a second of the
// compiler's time, for a small model half of all. Compiled once, they are read in a fifth of that.

const headerFile = "verilated_once.h"

// headerKey is a compiled header in a cache.
type headerKey struct {
	cache buildcache.Cache
	key   string
}

// headers are the compiled headers that this process has found or made, by headerKey: one is 60 MB, too much to hash
// for each model.
var headers sync.Map

// header returns the path of Verilator's header, compiled with these flags; "" when the compiler makes none, as units
// can do without.
func (b *modelBuild) header(root string, flags []string) string {
	args := slices.Concat(b.commonFlags(), flags, runtimeInclude(root), []string{"-x", "c++-header", headerFile, "-o",
		headerFile + ".gch"})
	key := buildcache.Key(b.tools.verilatorVersion, b.tools.cxxVersion, b.tools.cxx, strings.Join(args, " "))
	once, _ := headers.LoadOrStore(headerKey{b.cache, key}, sync.OnceValue(func() string {
		entry, err := b.cache.Get("header", key, func(dir string) error {
			b.progress("compiling with Verilator: its header, once")
			if err := os.WriteFile(filepath.Join(dir, headerFile), []byte("#include \"verilated.h\"\n"), 0o644); err != nil {
				return err
			}
			return b.run(dir, b.tools.cxx, args...)
		})
		if err != nil {
			return ""
		}
		return filepath.Join(entry, headerFile)
	}))
	path := once.(func() string)()
	if _, err := os.Stat(path); err != nil { // the cache may have been emptied since
		return ""
	}
	return path
}
