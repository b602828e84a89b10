package explore

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two runs into one folder write the same files: each of them is whole at any time.
func TestReplaceAtOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "points.csv")
	var wait sync.WaitGroup
	for i := range 4 {
		text := bytes.Repeat([]byte{'a' + byte(i)}, 100_000*(i+1))
		wait.Go(func() {
			for range 50 {
				if !assert.NoError(t, replace(path, text)) {
					return
				}
				have, err := os.ReadFile(path)
				if !assert.NoError(t, err) {
					return
				}
				n := int(have[0]-'a') + 1
				assert.True(t, n >= 1 && n <= 4 && len(have) == 100_000*n, "%d bytes of %d", len(have), n)
			}
		})
	}
	wait.Wait()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, list, 1, "nothing is left over")
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&0o044, "others may read it where the umask lets them")
}
