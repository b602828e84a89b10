package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// A waveform for which there is no room is an error in every engine, and ends nothing but the run.
func TestWaveformOnAFullDisk(t *testing.T) {
	const cycles = 2000
	d := Design{Top: wideCounter(false), Taps: true}
	for _, name := range Simulators() {
		if !HasTaps(name, Hardware{}) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			e := openDesign(t, name, d, Options{VCD: "/dev/full"})
			l := e.Layout()
			in := stimulus(l, cycles, 1)
			out := make([]uint64, cycles*l.OutWords)
			err := e.Run(cycles, in, out)
			if err == nil {
				err = e.Close() // a part of it was still in a buffer
			}
			require.EqualError(t, err, "cannot write the waveform: write /dev/full: no space left on device")
			require.NoError(t, e.Close(), "said once")
		})
	}
}

// What is cut short is taken away.
func TestWaveformCutShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.vcd")
	w, err := createWaveform(Options{VCD: path}, "top")
	require.NoError(t, err)
	require.NoError(t, w.file.Close())
	n, err := w.Write([]byte("text"))
	require.NoError(t, err)
	assert.Equal(t, 4, n)
	require.ErrorContains(t, w.close(), "cannot write the waveform: ")
	assert.NoFileExists(t, path)
}

// compiler makes a C++ compiler that is the real one in all it says, and leaves something of its own in place of the
// objects that a pattern names. It returns what gives the real one back.
func compiler(t *testing.T, pattern, instead string) {
	real, err := toolchain.CXX.Find()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "g++")
	// Without a compiled header of its own, which takes longer than the model.
	script := "#!/bin/sh\ncase \"$*\" in *c++-header*) exit 1 ;; esac\n" + real +
		" \"$@\" || exit\nwhile [ $# -gt 1 ]; do\n" +
		"  case \"$1 $2\" in \"-o \"" + pattern + ") printf '" + instead + "' >\"$2\" ;; esac\n  shift\ndone\n"
	require.NoError(t, os.WriteFile(path, []byte(script), 0o755))
	t.Setenv("CXX", path)
}

// A compiler that reports success and leaves nothing is an error, and nothing of it comes into the cache. What is in
// the cache and does not load, as an earlier version let it in, is built again.
func TestUselessModelIsNotKept(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	s := sampleSource()
	edit(s, 1, "endmodule", "// of TestUselessModelIsNotKept\nendmodule")
	t.Run("built", func(t *testing.T) {
		compiler(t, "model.so*", "")
		_, err := OpenSource("verilator", s, Options{CacheDir: sharedCache})
		require.ErrorContains(t, err, "g++ made a shared object that is of no use: loading the verilated model: ")
	})
	tools, err := findCompilers()
	require.NoError(t, err)
	cache, err := buildcache.Open(sharedCache)
	require.NoError(t, err)
	b := &modelBuild{source: s, tools: tools, cache: cache}
	require.NoError(t, b.prepare())
	_, err = cache.Get("model", b.key(), func(dir string) error {
		return os.WriteFile(filepath.Join(dir, modelObject), []byte("nonsense"), 0o644)
	})
	require.NoError(t, err)
	for range 2 {
		before := compilerRuns.Load()
		e := mustOpen(t, "verilator", s, Options{})
		in, want := sampleRecords(50, 3)
		got := make([]uint64, len(want))
		require.NoError(t, e.Run(50, in, got))
		assert.Equal(t, want, got)
		if before < compilerRuns.Load() {
			continue // built again, once
		}
		return
	}
	t.Error("it is built each time")
}

// An empty program of Icarus Verilog is not kept either.
func TestEmptyIcarusProgramIsNotKept(t *testing.T) {
	needTools(t, toolchain.Iverilog, toolchain.VVP)
	dir, cache := t.TempDir(), t.TempDir()
	path := os.Getenv("PATH")
	script := "#!/bin/sh\n[ \"$1\" = -V ] && echo Icarus Verilog version 11.0 && exit\n: >bench.vvp\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "iverilog"), []byte(script), 0o755))
	t.Setenv("PATH", dir+":"+path)
	_, err := OpenSource("icarus", sampleSource(), Options{CacheDir: cache})
	require.EqualError(t, err, "an external program reports success and leaves an empty bench.vvp; nothing of it is kept")
	left, err := filepath.Glob(filepath.Join(cache, "icarus-*[0-9a-f]"))
	require.NoError(t, err)
	assert.Empty(t, left)
}
