//go:build unix

package output

import (
	"os"
	"path"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pipe that is called like a manifest, or like the mark of a stage, holds nobody up.
func TestWriteWaitsForNoPipe(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	for _, name := range []string{"out/manifest.json", "out/.hpccgen-7/" + markName, ".hpccgen-out-7/" + markName} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(parent, name)), 0o777))
		require.NoError(t, syscall.Mkfifo(filepath.Join(parent, name), 0o666))
		place(t, parent, map[string]string{path.Join(path.Dir(name), "mine"): "m"})
	}
	done := make(chan error, 1)
	go func() { done <- letters()[0].Write(dir) }()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(10 * time.Second):
		t.Fatal("waits for ever")
	}
	assert.FileExists(t, filepath.Join(parent, ".hpccgen-out-7", "mine"))
	assert.FileExists(t, filepath.Join(dir, ".hpccgen-7", "mine"))
	require.NoError(t, os.Remove(filepath.Join(dir, ".hpccgen-7", markName)))
	assert.Equal(t, "a", holds(t, dir, map[string]string{"mine": "m"}))
}
