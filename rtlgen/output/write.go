package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Write puts the files into a folder, which is made when it is missing. All of them are first written aside, on the
// same file system, and then moved into place one by one, the manifest last: no file is ever there in part. Files that
// an earlier manifest in the folder lists and that are no longer generated are removed; other files are left alone.
func (d *Design) Write(dir string) (err error) {
	made, err := makeFolder(dir)
	if err != nil {
		return fmt.Errorf("the output folder: %w", err)
	}
	stage, err := os.MkdirTemp(dir, ".hpccgen-")
	if err != nil {
		return fmt.Errorf("the output folder: %w", err)
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(stage))
		if err != nil && made {
			_ = os.Remove(dir) // succeeds only when nothing is in it
		}
	}()
	for _, f := range d.Files {
		if info, err := os.Lstat(inside(dir, f.Path)); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a folder; a file is to be written there", inside(dir, f.Path))
		}
		if err := writeFile(inside(stage, f.Path), f.Data); err != nil {
			return err
		}
	}
	for _, f := range d.Files {
		if err := os.MkdirAll(filepath.Dir(inside(dir, f.Path)), 0o777); err != nil {
			return err
		}
	}
	old := listed(dir)
	for _, f := range d.Files {
		if err := os.Rename(inside(stage, f.Path), inside(dir, f.Path)); err != nil {
			return err
		}
	}
	return d.removeOld(dir, old)
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

func (d *Design) removeOld(dir string, old []string) error {
	for _, name := range old {
		if slices.ContainsFunc(d.Files, func(f File) bool { return f.Path == name }) {
			continue
		}
		if err := os.Remove(inside(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("a file of an earlier run: %w", err)
		}
		if folder := path.Dir(name); folder != "." {
			_ = os.Remove(inside(dir, folder)) // succeeds only when nothing is in it
		}
	}
	return nil
}

// listed gives the files of the manifest in a folder; none when there is no manifest, or one that is not ours. Names
// that lead out of the folder are not believed.
func listed(dir string) []string {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return nil
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil || m.Tool != "hpccgen" {
		return nil
	}
	return slices.DeleteFunc(m.Files, func(name string) bool {
		return !filepath.IsLocal(filepath.FromSlash(name)) || name != path.Clean(name) || strings.HasPrefix(name, ".")
	})
}

// makeFolder makes a folder and tells whether it was missing.
func makeFolder(dir string) (made bool, err error) {
	if _, err := os.Stat(dir); err == nil {
		return false, os.MkdirAll(dir, 0o777) // complains when dir is a file
	}
	return true, os.MkdirAll(dir, 0o777)
}

func inside(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
