package configtest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/config"
)

func TestRandom(t *testing.T) {
	kinds := map[config.DividerKind]int{}
	hashes := map[string]bool{}
	serial, sojourn, receiver, async := 0, 0, 0, 0
	const n = 200
	for seed := range uint64(n) {
		c := Random(seed)
		assert.Equal(t, c, Random(seed))
		hashes[c.Hash] = true
		kinds[c.HopDivider.Kind]++
		for b, count := range map[*int]bool{&serial: c.Serial, &sojourn: c.Sojourn, &receiver: c.CommitByTime, &async: c.AsyncReset} {
			if count {
				*b++
			}
		}
	}
	assert.Len(t, hashes, n)
	assert.Len(t, kinds, 4)
	for _, count := range []int{serial, sojourn, receiver, async} {
		assert.Greater(t, count, n/10)
		assert.Less(t, count, n*9/10)
	}
}
