package output_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/verify/testbench"
)

// The folder rtl holds what is generated for the presets, and nothing else but what its test benches build.
func TestCommittedRTL(t *testing.T) {
	const root = "../../rtl"
	var names []string
	for _, p := range config.Presets() {
		names = append(names, p.Name)
		c, err := config.LoadDesign(p.Name)
		require.NoError(t, err)
		d, err := output.Build(c, testbench.Files)
		require.NoError(t, err)
		dir := filepath.Join(root, p.Name)
		differences, err := d.Compare(dir)
		require.NoError(t, err)
		for _, f := range differences {
			t.Errorf("rtl/%s/%s: %s; run: make rtl", p.Name, f.Path, f.What)
		}
		require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
			made := slices.ContainsFunc(d.Files, func(f output.File) bool { return f.Path == path })
			if err == nil && !e.IsDir() && !made && !strings.HasPrefix(path, "tb/build/") {
				t.Errorf("rtl/%s/%s is not generated any more; run: make rtl", p.Name, path)
			}
			return err
		}))
	}
	folders, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, f := range folders {
		assert.Contains(t, names, f.Name(), "rtl holds the presets alone")
	}
}
