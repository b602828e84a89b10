package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What was generated is up to date; what was edited, lost, or belongs to another design is shown, and nothing is
// written.
func TestGenerateCheck(t *testing.T) {
	dir := t.TempDir()
	check := func(config string) result {
		return hpccgen(t, dir, nil, "generate", "--config", config, "--check", "d")
	}
	r := check("csig-4p")
	assert.Equal(t, 1, r.status)
	assert.Contains(t, r.errOut, "--check: open d: no such file")

	require.Equal(t, 0, hpccgen(t, dir, nil, "generate", "--config", "csig-4p", "--out", "d").status)
	r = check("csig-4p")
	assert.Equal(t, 0, r.status, r.errOut)
	assert.Contains(t, r.out, "d is up to date: 27 files\n")

	edited := filepath.Join(dir, "d/rtl/csig_4p_csig_walk.v")
	text, err := os.ReadFile(edited)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(edited, append(text, "// mine\n"...), 0o644))
	require.NoError(t, os.Remove(filepath.Join(dir, "d/csig_4p.f")))
	r = check("csig-4p")
	assert.Equal(t, 1, r.status)
	assert.Empty(t, r.errOut)
	assert.Contains(t, r.out, "--- d/rtl/csig_4p_csig_walk.v\n+++ generated/rtl/csig_4p_csig_walk.v\n@@ ")
	assert.Contains(t, r.out, "\n-// mine\n")
	assert.Contains(t, r.out, "changed: rtl/csig_4p_csig_walk.v\nmissing: csig_4p.f\n")
	assert.Contains(t, r.out, "\nd is not what this configuration and this version generate: 2 differences\n")
	again, err := os.ReadFile(edited)
	require.NoError(t, err)
	assert.Equal(t, string(text)+"// mine\n", string(again))

	r = check("nic-serial")
	assert.Equal(t, 1, r.status)
	assert.Contains(t, r.out, "missing: rtl/nic_serial_hpcc_nic.v\n")
	assert.Contains(t, r.out, "left over: driver/csig_4p_regs.h\n")
}

// A folder with another design is left alone unless --force is given; the clock of the constraints can be chosen.
func TestGenerateIntoAnotherDesign(t *testing.T) {
	dir := t.TempDir()
	generate := func(args ...string) result { return hpccgen(t, dir, nil, append([]string{"generate"}, args...)...) }
	require.Equal(t, 0, generate("--config", "csig-4p", "--out", "d").status)
	r := generate("--config", "nic-serial", "--out", "d")
	assert.Equal(t, 1, r.status)
	assert.Regexp(t, `^hpccgen: --out: d holds another design: csig_4p, configuration [0-9a-f]{16}, top module `+
		`csig_4p_csig_switch; name another folder, or replace that design with --force\n$`, r.errOut)
	assert.Equal(t, 0, generate("--config", "csig-4p", "--check", "d").status)

	require.Equal(t, 0, generate("--config", "nic-serial", "--out", "d", "--force", "--clock", "80").status)
	assert.NoFileExists(t, filepath.Join(dir, "d/rtl/csig_4p_csig_switch.v"))
	assert.Equal(t, 0, generate("--config", "nic-serial", "--check", "d", "--clock", "80").status)
	r = generate("--config", "nic-serial", "--check", "d")
	assert.Equal(t, 1, r.status)
	assert.Contains(t, r.out, "+create_clock -name clk -period 6.667 [get_ports clk]\n")
}
