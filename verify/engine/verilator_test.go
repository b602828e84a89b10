package engine

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

func TestVerilatorMatchesModel(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	e := mustOpen(t, "verilator", sampleSource(), Options{})
	const cycles = 1000
	in, want := sampleRecords(cycles, 1)
	got := make([]uint64, len(want))
	// In pieces: state persists between calls.
	for c, n := 0, 0; c < cycles; c += n {
		n = min(1+c/3, cycles-c)
		require.NoError(t, e.Run(n, in[c*5:(c+n)*5], got[c*9:]))
	}
	require.Equal(t, want, got)
}

func TestVerilatorInstancesAreIndependent(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	const cycles = 500
	var wait sync.WaitGroup
	for seed := range uint64(4) {
		wait.Go(func() {
			e, err := OpenSource("verilator", sampleSource(), Options{CacheDir: sharedCache})
			if !assert.NoError(t, err) {
				return
			}
			defer func() { assert.NoError(t, e.Close()) }()
			in, want := sampleRecords(cycles, seed+1)
			got := make([]uint64, len(want))
			for c := 0; c < cycles; c += 10 {
				assert.NoError(t, e.Run(10, in[c*5:], got[c*9:]))
			}
			assert.Equal(t, want, got)
		})
	}
	wait.Wait()
}

func TestVerilatorConcurrentBuildsOfOneDesign(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	s := sampleSource()
	edit(s, 1, "endmodule", "// another text, so that it is built here\nendmodule")
	mustOpen(t, "verilator", sampleSource(), Options{}) // the runtime is built
	before := compilerRuns.Load()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			e, err := OpenSource("verilator", s, Options{CacheDir: sharedCache})
			if assert.NoError(t, err) {
				assert.NoError(t, e.Close())
			}
		})
	}
	wait.Wait()
	// verilator, one compilation, the linker: one build's worth.
	assert.Equal(t, int64(3), compilerRuns.Load()-before)
}

func TestVerilatorCache(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	source := sampleSource()
	edit(source, 1, "endmodule", "// a text of its own, so that it is built here\nendmodule")
	open := func() int64 {
		before := compilerRuns.Load()
		e := mustOpen(t, "verilator", source, Options{})
		in, want := sampleRecords(50, 3)
		got := make([]uint64, len(want))
		require.NoError(t, e.Run(50, in, got))
		require.Equal(t, want, got)
		require.NoError(t, e.Close())
		return compilerRuns.Load() - before
	}
	require.Positive(t, open(), "the first time builds")
	require.Zero(t, open(), "the second time builds nothing")

	tools, err := findCompilers()
	require.NoError(t, err)
	cache, err := buildcache.Open(sharedCache)
	require.NoError(t, err)
	b := &modelBuild{source: source, tools: tools, cache: cache}
	object, err := b.object()
	require.NoError(t, err)
	// Another file, not a change of the one that may still be mapped.
	require.NoError(t, os.Remove(object))
	require.NoError(t, os.WriteFile(object, []byte("not an object"), 0o644))
	assert.Equal(t, int64(3), open(), "a damaged entry is built again, the runtime is not")
	require.Zero(t, open())
	left, err := filepath.Glob(filepath.Join(sharedCache, "build-*"))
	require.NoError(t, err)
	assert.Empty(t, left, "builds leave nothing behind")
}

func TestVerilatorMissingTool(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("VERILATOR", "")
	_, err := OpenSource("verilator", sampleSource(), Options{CacheDir: t.TempDir()})
	var missing toolchain.Missing
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, "verilator", missing.Tool)
	assert.EqualError(t, err,
		"verilator is not installed or not on PATH; it is needed for the verilator engine and lint; install it with: apt-get install verilator (5.006 or later)")
}

func TestVerilatorMissingCompiler(t *testing.T) {
	needTools(t, toolchain.Verilator)
	t.Setenv("CXX", "no-such-compiler")
	_, err := OpenSource("verilator", sampleSource(), Options{CacheDir: t.TempDir()})
	var missing toolchain.Missing
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, "no-such-compiler", missing.Tool)
}

func TestVerilatorBrokenSource(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	s := sampleSource()
	edit(s, 1, "assign m_odd", "assign m_even")
	_, err := OpenSource("verilator", s, Options{CacheDir: sharedCache})
	require.ErrorContains(t, err, "verilating sample: ")
	require.ErrorContains(t, err, "m_even")
}

func TestVerilatorFailureInTheModel(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	s := sampleSource()
	edit(s, 1, "endmodule",
		"  always @(posedge clk) if (m_count == 33'd5) $stop;\nendmodule")
	e := mustOpen(t, "verilator", s, Options{})
	in := make([]uint64, 20*5)
	for c := range 20 {
		in[c*5+1] = 1
	}
	err := e.Run(20, in, make([]uint64, 20*9))
	require.EqualError(t, err,
		"verilator: the model of sample failed after 5 cycles of the batch: $stop (src/sample.v:22)")
	require.Equal(t, err, e.Run(1, in, make([]uint64, 9)), "it stays failed")
}

func TestVerilatorArguments(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	e := mustOpen(t, "verilator", sampleSource(), Options{})
	require.EqualError(t, e.Run(2, make([]uint64, 9), make([]uint64, 18)),
		"engine: 2 cycles need 10 input words, there are 9")
	require.EqualError(t, e.Run(2, make([]uint64, 10), make([]uint64, 17)),
		"engine: 2 cycles need 18 output words, there are 17")
	require.EqualError(t, e.Run(-1, nil, nil), "engine: -1 cycles")
	require.NoError(t, e.Run(0, nil, nil))
	require.NoError(t, e.Close())
	require.NoError(t, e.Close())
	require.True(t, errors.Is(e.Run(0, nil, nil), errClosed))
	require.True(t, errors.Is(e.(*Verilator).BareLoop(1, nil), errClosed))
}

func TestVerilatorBareLoop(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	in, want := sampleRecords(64, 9)
	e := mustOpen(t, "verilator", sampleSource(), Options{}).(*Verilator)
	require.NoError(t, e.BareLoop(63, in))
	got := make([]uint64, 9)
	require.NoError(t, e.Run(1, in[63*5:], got))
	assert.Equal(t, want[63*9:], got, "with records it does what Run does")
	require.NoError(t, e.BareLoop(1000, nil))
}

func TestLoadModelOfAnotherLayout(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	mustOpen(t, "verilator", sampleSource(), Options{})
	objects, err := filepath.Glob(filepath.Join(sharedCache, "model-*", modelObject))
	require.NoError(t, err)
	require.NotEmpty(t, objects)
	_, err = loadModel(objects[0], "another")
	require.ErrorContains(t, err, "is for another record layout")
}
