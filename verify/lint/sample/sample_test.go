package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every pair of values occurs, in few rows, and every row is a valid configuration.
func TestGrid(t *testing.T) {
	grid := Grid()
	require.Equal(t, grid, Grid(), "the same every time")
	assert.Less(t, len(grid), 60)
	for _, c := range grid {
		_, _, err := c.Resolve()
		assert.NoError(t, err, c.YAML())
	}
	for a := range axes {
		for b := a + 1; b < len(axes); b++ {
			seen := map[[2]string]bool{}
			for _, c := range grid {
				seen[[2]string{valueOf(a, c), valueOf(b, c)}] = true
			}
			assert.Len(t, seen, len(axes[a].values)*len(axes[b].values), "%s x %s", axes[a].name, axes[b].name)
		}
	}
	t.Logf("%d configurations hold every pair", len(grid))
}

// valueOf tells which value of an axis a choice has: the one whose setting leaves it as it is.
func valueOf(a int, c Choice) string {
	for i, name := range axes[a].values {
		other := c
		axes[a].set(&other, i)
		if other.YAML() == c.YAML() {
			return name
		}
	}
	return "none"
}

func TestRandomChoices(t *testing.T) {
	valid, formats := 0, 0
	for seed := range uint64(200) {
		require.Equal(t, Random(seed), Random(seed), "the seed decides")
		if _, _, err := Random(seed).Resolve(); err == nil {
			valid++
		}
		nic, c := Valid(seed)
		require.NotNil(t, nic)
		if c.Formats != nil {
			formats++
		}
	}
	assert.Greater(t, valid, 100)
	assert.Less(t, valid, 200, "some are refused")
	assert.Positive(t, formats)
	t.Logf("%d of 200 drawn are valid; of 200 valid ones %d give formats", valid, formats)
}
