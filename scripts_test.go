package hpccgen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scripts/tools replaces folders of its directory, so it takes none that it has not filled itself.
func TestToolsKeepsWhatIsNotItsOwn(t *testing.T) {
	const command = "#!/bin/sh\nexit 1\n" // in place of apt-get and the rest: nothing is downloaded
	fakes := t.TempDir()
	for _, name := range []string{"apt-get", "apt-cache", "dpkg", "patchelf", "gpgv"} {
		require.NoError(t, os.WriteFile(filepath.Join(fakes, name), []byte(command), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(fakes, "dpkg"), []byte("#!/bin/sh\necho amd64\n"), 0o755))
	tools := func(dir string) string {
		cmd := exec.Command("scripts/tools", dir)
		cmd.Env = append(os.Environ(), "PATH="+fakes+":"+os.Getenv("PATH"))
		said, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Equal(t, 3, cmd.ProcessState.ExitCode(), "%s", said)
		return string(said)
	}
	for _, folder := range []string{"new", "root", "bin"} {
		dir := t.TempDir()
		own := filepath.Join(dir, folder, "own")
		require.NoError(t, os.Mkdir(filepath.Dir(own), 0o755))
		require.NoError(t, os.WriteFile(own, nil, 0o644))
		said := tools(dir)
		assert.FileExists(t, own)
		assert.Equal(t,
			"tools: "+dir+" is neither empty nor a directory that this script has filled; name another (for one from an earlier version: touch "+dir+"/.hpccgen-tools)\n", said)
	}
	// A new directory and its own are taken: there it goes on, up to the download.
	dir := filepath.Join(t.TempDir(), "new")
	for range 2 {
		assert.Contains(t, tools(dir), "cannot be had")
		require.FileExists(t, filepath.Join(dir, ".hpccgen-tools"))
	}
}
