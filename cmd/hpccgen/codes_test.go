package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// The codes that the programmer's guide of a design lists are those of the model.
func TestCodesOfGuide(t *testing.T) {
	cfg, err := config.Load("nic-serial")
	require.NoError(t, err)
	d, err := output.Build(cfg)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, d.Write(dir))
	guide, err := os.ReadFile(filepath.Join(dir, "docs", "registers.md"))
	require.NoError(t, err)
	codes := func(column string) []string {
		_, text, found := strings.Cut(string(guide), "| "+column+" | name | meaning |\n|---|---|---|\n")
		require.True(t, found)
		var names []string
		for line := range strings.Lines(text) {
			cells := strings.Split(line, " | ")
			if len(cells) < 3 {
				break
			}
			names = append(names, cells[1])
		}
		return names
	}
	var kinds, statuses []string
	for k := hpcc.KindNone; k <= hpcc.KindFast; k++ {
		kinds = append(kinds, k.String())
	}
	for s := hpcc.StatusOK; s <= hpcc.StatusClampedMax; s++ {
		statuses = append(statuses, s.String())
	}
	assert.Equal(t, kinds, codes("m_kind"))
	assert.Equal(t, statuses, codes("m_status"))
}

// So are those of a switch.
func TestStatusesOfGuide(t *testing.T) {
	guide := string(mustRead(t, mustBuild(t, "csig-4p"), "docs/registers.md"))
	_, text, found := strings.Cut(guide, "| code | status | packets |\n|---|---|---|\n")
	require.True(t, found)
	for s := csig.Untagged; s <= csig.Dropped; s++ {
		assert.Contains(t, text, fmt.Sprintf("| %d | %s | ", s, s))
	}
	assert.NotContains(t, text, fmt.Sprintf("| %d | ", csig.Dropped+1))
}

func mustRead(t *testing.T, d *output.Design, path string) []byte {
	t.Helper()
	for _, f := range d.Files {
		if f.Path == path {
			return f.Data
		}
	}
	t.Fatalf("no file %s", path)
	return nil
}
