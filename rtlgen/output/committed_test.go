package output

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// The folder rtl holds what the generator emits for the presets, and nothing else.
func TestCommittedRTL(t *testing.T) {
	const root = "../../rtl"
	var names []string
	for _, p := range config.Presets() {
		names = append(names, p.Name)
		want, have := build(t, p.Name).asMap(), contents(t, filepath.Join(root, p.Name))
		for path, text := range want {
			if have[path] != text {
				t.Errorf("rtl/%s/%s is not what the generator emits; run: make rtl", p.Name, path)
			}
			delete(have, path)
		}
		for path := range have {
			t.Errorf("rtl/%s/%s is not generated any more; run: make rtl", p.Name, path)
		}
	}
	folders, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, f := range folders {
		assert.Contains(t, names, f.Name(), "rtl holds the presets alone")
	}
}
