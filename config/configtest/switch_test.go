package configtest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

func TestRandomCSIG(t *testing.T) {
	const n = 300
	hashes := map[string]bool{}
	seen := map[any]int{}
	for seed := range uint64(n) {
		c := RandomCSIG(seed)
		assert.Equal(t, c, RandomCSIG(seed))
		hashes[c.Hash] = true
		for _, v := range []any{c.Method, [2]any{"bits", c.DataBits}, [2]any{"search", c.BucketSearch}, [2]any{"uec", c.UEC}, [2]any{"decrypted", c.Decrypted}, [2]any{"async", c.AsyncReset},
			[2]any{"compact", c.CompactTPID != 0}, [2]any{"expanded", c.ExpandedTPID != 0}, [2]any{"vlan", len(c.VLANTPIDs)}} {
			seen[v]++
		}
		// Whatever is drawn has a program: every factor exists.
		_, err := registers.Program(c)
		require.NoError(t, err)
	}
	assert.Len(t, hashes, n)
	assert.Len(t, seen, 3+4+2+2+2+2+2+2+4)
	for v, count := range seen {
		assert.Greater(t, count, n/15, "%v", v)
	}
}

func TestRandomINT(t *testing.T) {
	const n = 200
	hashes := map[string]bool{}
	formats := map[config.INTFormat]int{}
	for seed := range uint64(n) {
		c := RandomINT(seed)
		assert.Equal(t, c, RandomINT(seed))
		hashes[c.Hash] = true
		formats[c.Format]++
	}
	assert.Len(t, hashes, n)
	assert.Len(t, formats, 4)
}
