package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// The C code of the section on registers compiles without a warning against the header of the quickstart's engine with
// registers.
func TestGuideRegisters(t *testing.T) {
	need(t, "gcc")
	text, err := os.ReadFile("../../docs/quickstart/my_nic.yaml")
	require.NoError(t, err)
	c, err := config.ParseDesign("my_nic.yaml", append(text, "bus: axi_lite\n"...))
	require.NoError(t, err)
	d, err := output.Build(c)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, d.Write(dir))
	file := filepath.Join(dir, "start.c")
	code := block(t, "## Registers", "c") + "\nextern int used;\n"
	require.NoError(t, os.WriteFile(file, []byte(code), 0o666))
	out, err := exec.Command("gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-I",
		filepath.Join(dir, "driver"), "-c", "-o", filepath.Join(dir, "start.o"), file).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
