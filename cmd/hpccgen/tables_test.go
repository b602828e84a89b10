package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The words of a design with registers come with the accesses that write them; those of one without say tw.
func TestTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bus.yaml")
	require.NoError(t, os.WriteFile(file, []byte("design: nic\nlaw: aimd\nname: x\nbus: axi_lite\n"), 0o666))
	var out, errs bytes.Buffer
	require.Equal(t, 0, run([]string{"tables", "--config", file, "--rtt", "10us", "--profile", "2", "--json", "-"},
		streams{out: &out, err: &errs}), errs.String())
	var list []tableWord
	require.NoError(t, json.Unmarshal(out.Bytes(), &list))
	require.Len(t, list, 4)
	assert.Equal(t, tableWord{3, "1/T", 2, "1/T", "profile 2", "0.0001 a tick", "0x0d1b71759", []busAccess{
		{"0x0030", "0xd1b71759"}, {"0x0034", "0x00000000"}, {"0x0038", "0x00030002"}}}, list[3])

	out.Reset()
	require.Equal(t, 0, run([]string{"tables", "--config", "nic-line"}, streams{out: &out, err: &errs}))
	assert.Contains(t, out.String(), "tw: table 8, index 0")
	assert.Equal(t, exitWrong, run([]string{"tables", "--config", "nic-line", "--rtt", "1ms"},
		streams{out: &out, err: &errs}))
	assert.Contains(t, errs.String(), "rtt: 1ms is too large; legal: 1us to 100us; nearest: 100us")
	errs.Reset()
	assert.Equal(t, exitWrong, run([]string{"tables", "--config", "csig-4p"}, streams{out: &out, err: &errs}))
	assert.Contains(t, errs.String(), "csig_4p is a switch design")
}
