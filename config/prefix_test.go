package config

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Names of modules begin with the design's name unless the file says otherwise. Saying what is the default anyway
// changes neither canonical form nor hash.
func TestModulePrefix(t *testing.T) {
	for _, kind := range []string{KindNIC, KindCSIG, KindINT} {
		head := "design: " + kind + "\n"
		hashes := map[string]string{}
		for _, c := range []struct{ text, prefix, hash string }{
			{"name: leaf\n", "leaf_", "same"},
			{"name: leaf\nmodule_prefix: leaf_\n", "leaf_", "same"},
			{"name: leaf\nmodule_prefix: core\n", "core", "core"},
			{"name: leaf\nmodule_prefix: none\n", "", "none"},
		} {
			d, err := ParseDesign("f.yaml", []byte(head+c.text))
			require.NoError(t, err)
			assert.Equal(t, c.prefix, d.ModulePrefix(), c.text)
			if known, ok := hashes[c.hash]; ok {
				assert.Equal(t, known, d.DesignHash(), c.text)
			}
			hashes[c.hash] = d.DesignHash()
			again, err := ParseDesign("f.yaml", d.Canonical())
			require.NoError(t, err)
			assert.Equal(t, d, again)
		}
		assert.Len(t, hashes, 3)
		assert.NotEqual(t, hashes["none"], hashes["same"])
		assert.NotEqual(t, hashes["none"], hashes["core"])
	}
}
