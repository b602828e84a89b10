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
