package output

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contents reads a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	}))
	return files
}

func (d *Design) asMap() map[string]string {
	files := map[string]string{}
	for _, f := range d.Files {
		files[f.Path] = string(f.Data)
	}
	return files
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	line, serial := build(t, "nic-line"), build(t, "nic-serial")
	require.NoError(t, line.Write(dir))
	assert.Equal(t, line.asMap(), contents(t, dir))

	// The same design, configured differently, may take its place.
	require.NoError(t, variant(t, "nic-line", "flows: 1024", "flows: 512").Write(dir))
	require.NoError(t, line.Write(dir))

	// Another design, one with another top module, must be asked for.
	before := contents(t, dir)
	require.EqualError(t, serial.Write(dir), dir+" holds another design: nic_line, configuration "+
		line.Config.DesignHash()+", top module nic_line_hpcc_nic")
	assert.Equal(t, before, contents(t, dir))

	// Then the files of the first that it does not have go, those of others stay.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rtl", "mine.v"), []byte("module mine; endmodule\n"), 0o666))
	require.NoError(t, serial.Replace(dir))
	want := serial.asMap()
	want["rtl/mine.v"] = "module mine; endmodule\n"
	assert.Equal(t, want, contents(t, dir))

	info, err := os.Stat(filepath.Join(dir, "rtl", "nic_serial_hpcc_nic.v"))
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&0o044, "others may read it where the umask lets them")
}

// A fault that shows only after most files were prepared leaves the folder as it was.
func TestWriteFailsWhole(t *testing.T) {
	dir := t.TempDir()
	line, serial := build(t, "nic-line"), build(t, "nic-serial")
	require.NoError(t, line.Write(dir))
	require.NoError(t, os.Remove(filepath.Join(dir, "docs", "precision.md")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "docs", "precision.md"), 0o777))
	before := contents(t, dir)
	err := serial.Replace(dir)
	require.ErrorContains(t, err, "precision.md is a folder; a file is to be written there")
	assert.Equal(t, before, contents(t, dir))

	// A folder that was made for nothing is taken away again.
	fresh := filepath.Join(t.TempDir(), "fresh")
	bad := &Design{Files: []File{{"a", []byte("1")}, {"a/b", []byte("2")}}}
	require.Error(t, bad.Write(fresh))
	assert.NoDirExists(t, fresh)
}

func TestWriteIntoAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("keep me"), 0o666))
	require.ErrorContains(t, build(t, "nic-serial").Write(file), "not a directory")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "keep me", string(data))
}

// An earlier manifest is not believed when it names files outside of its folder, or is not ours.
func TestWriteRemovesOnlyItsOwn(t *testing.T) {
	d := build(t, "nic-serial")
	for _, c := range []struct {
		manifest string
		removed  bool
	}{
		{`{"tool":"hpccgen","files":["../victim","/etc/victim","rtl/../../victim","old.v"]}`, true},
		{`{"tool":"other","files":["old.v"]}`, false},
		{`{"tool":"hpccgen","files":`, false},
	} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "out")
		require.NoError(t, os.Mkdir(dir, 0o777))
		for path, text := range map[string]string{"victim": "x", "out/old.v": "x", "out/manifest.json": c.manifest} {
			require.NoError(t, os.WriteFile(filepath.Join(parent, path), []byte(text), 0o666))
		}
		require.NoError(t, d.Write(dir))
		assert.FileExists(t, filepath.Join(parent, "victim"))
		_, err := os.Stat(filepath.Join(dir, "old.v"))
		assert.Equal(t, c.removed, err != nil)
	}
}

func TestManifestIsLast(t *testing.T) {
	d := build(t, "nic-serial")
	assert.Equal(t, len(d.Files)-1, slices.IndexFunc(d.Files, func(f File) bool { return f.Path == manifestName }))
}
