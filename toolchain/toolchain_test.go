package toolchain

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program writes an executable script and returns its folder.
func program(t *testing.T, folder, name, says string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\necho '"+says+"'\n"), 0o755))
	return folder
}

// PATH comes first, then the directory of scripts/tools; what is in neither is missing, and the message says how to get it.
func TestWhereToolsAreFound(t *testing.T) {
	home := t.TempDir()
	path, own := program(t, filepath.Join(home, "path"), "yosys", "Yosys on PATH"), filepath.Join(home, "tools")
	t.Setenv("PATH", path)
	t.Setenv("HPCCGEN_TOOLS", own)
	t.Setenv("YOSYS", "")

	_, err := NextpnrECP5.Find()
	assert.Equal(t, Missing{Tool: "nextpnr-ecp5", Needed: NextpnrECP5.needed, Install: NextpnrECP5.install}, err)
	assert.ErrorContains(t, err, "install it with: make tools")

	program(t, filepath.Join(own, "bin"), "yosys", "Yosys of its own")
	pnr := program(t, filepath.Join(own, "bin"), "nextpnr-ecp5", "nextpnr") + "/nextpnr-ecp5"
	found, err := NextpnrECP5.Find()
	require.NoError(t, err)
	assert.Equal(t, pnr, found)

	found, version, err := Yosys.Locate()
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(path, "yosys"), found)
	assert.Equal(t, "Yosys on PATH", version)

	// The synthesis that belongs to a place and route is the one beside it.
	found, err = Yosys.FindBeside(pnr)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(own, "bin", "yosys"), found)
	found, err = Verilator.FindBeside(pnr)
	assert.ErrorAs(t, err, &Missing{}, found)

	t.Setenv("YOSYS", filepath.Join(own, "bin", "yosys"))
	found, err = Yosys.Find()
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(own, "bin", "yosys"), found)
}

func TestDir(t *testing.T) {
	t.Setenv("HPCCGEN_TOOLS", "")
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("HOME", "/home/user")
	dir, err := Dir()
	require.NoError(t, err)
	assert.Equal(t, "/home/user/.local/share/hpccgen/tools", dir)
	t.Setenv("XDG_DATA_HOME", "/data")
	dir, err = Dir()
	require.NoError(t, err)
	assert.Equal(t, "/data/hpccgen/tools", dir)
}

// Every tool is listed with what it is for and how to get it.
func TestAll(t *testing.T) {
	names := map[string]Status{}
	for _, s := range All() {
		names[s.Name] = s
		assert.NotEmpty(t, s.Needed, s.Name)
		assert.Regexp(t, "^(apt-get install|make tools) ", s.Install, s.Name)
	}
	for _, n := range []string{"verilator", "g++", "iverilog", "vvp", "yosys"} {
		s, ok := names[n]
		if assert.True(t, ok, n) && s.Found {
			assert.NotEmpty(t, s.Version, n)
			assert.NotEmpty(t, s.Path, n)
		}
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HPCCGEN_TOOLS", t.TempDir())
	for _, s := range All() {
		assert.False(t, s.Found, s.Name)
	}
}
