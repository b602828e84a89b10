package outfolder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A folder of the output that is a link leads nowhere else.
func TestFolderFollowsNoLinkOut(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	precious := filepath.Join(elsewhere, "yosys.log")
	require.NoError(t, os.WriteFile(precious, []byte("precious"), 0o644))
	require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, "logs")))
	require.NoError(t, os.Symlink(precious, filepath.Join(dir, "design.bin")))
	f, err := Open(dir)
	require.NoError(t, err)
	defer f.Close()
	assert.ErrorContains(t, f.Put(filepath.Join("logs", "yosys.log"), []byte("other")), "logs")
	assert.ErrorContains(t, f.Remove(filepath.Join("logs", "yosys.log")), "logs")
	assert.Error(t, f.Put("design.bin", nil))
	assert.NoError(t, f.Replace("design.bin", []byte("bits")), "a link in the place of a file is replaced")
	text, err := os.ReadFile(precious)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(text))
	text, err = os.ReadFile(filepath.Join(dir, "design.bin"))
	require.NoError(t, err)
	assert.Equal(t, "bits", string(text))
}

// Two runs into one folder would leave the bitstream of one beside the sources of the other.
func TestFolderIsTakenOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	f, err := Open(dir)
	require.NoError(t, err)
	_, err = Open(dir)
	assert.EqualError(t, err, "another run is writing to "+dir+"; give it a folder of its own, or wait for its end")
	f.Close()
	f, err = Open(dir)
	require.NoError(t, err)
	f.Close()
}
