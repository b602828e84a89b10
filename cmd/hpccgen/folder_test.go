package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// One file of what generate has written is edited: --check says which one, and cosim --rtl where the design and the
// model part, with exit status 1. Before the edit all is well.
func TestEditedVerilog(t *testing.T) {
	needsTools(t, toolchain.Iverilog, toolchain.VVP)
	dir := t.TempDir()
	file := filepath.Join(dir, "my_nic.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
design: nic
law: aimd
name: my_nic
flows: 5
profiles: 2
sequence_bits: 24
clock_bits: 60
counter_bits: 8
formats: {window: UQ12.2, inv_t: UQ-3.12, rate: UQ8.4}
`), 0o666))
	require.Equal(t, 0, hpccgen(t, dir, nil, "generate", "--config", "my_nic.yaml", "--out", "mine").status)
	cosim := func() result {
		return hpccgen(t, dir, nil, "cosim", "--config", "my_nic.yaml", "--rtl", "mine", "--engine", "icarus", "--cycles",
			"6000", "--seed", "1")
	}
	r := cosim()
	assert.Equal(t, 0, r.status, r.errOut)
	assert.Contains(t, r.out, ": 0 mismatches")

	edit(t, filepath.Join(dir, "mine/rtl"), file, "my_nic_aimd_core.v",
		vgen.Fault{Module: "aimd_core", At: "fc_wr_marked", Change: vgen.StuckAt(0)})
	r = cosim()
	assert.Equal(t, 1, r.status, r.errOut)
	assert.Empty(t, r.errOut)
	assert.Regexp(t, `first mismatch: output m_status in cycle \d+ \(seed 1\): expected .+, got .+\n`, r.out)
	assert.Regexp(t, `again, with a waveform: hpccgen cosim --config my_nic.yaml --engine icarus --rtl mine --seed 1 `, r.out)
	r = hpccgen(t, dir, nil, "generate", "--config", "my_nic.yaml", "--check", "mine")
	assert.Equal(t, 1, r.status)
	assert.Contains(t, r.out, "changed: rtl/my_nic_aimd_core.v\n")
}

// edit writes a file of a design with a fault.
func edit(t *testing.T, dir, design, file string, f vgen.Fault) {
	t.Helper()
	c, err := config.LoadDesign(design)
	require.NoError(t, err)
	top, err := output.Module(c)
	require.NoError(t, err)
	top, err = vgen.Broken(top, f)
	require.NoError(t, err)
	files, err := output.Verilog(c, top)
	require.NoError(t, err)
	for _, f := range files {
		if f.Name == file {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), f.Text, 0o666))
			return
		}
	}
	require.Fail(t, "no such file", file)
}
