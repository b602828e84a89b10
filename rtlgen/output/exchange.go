package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/internal/filelock"
)

// maxCarried is how many files of others a folder may hold that is exchanged for a new one.
const maxCarried = 1000

// exchangeable reports whether the folder can be exchanged for a new one without its user noticing, and lists the files
// of others that the new one then has too. It cannot when a folder of others is in it, which may be anything, a
// repository even, or when this process works in it, as then the user's shell does.
func (f *folder) exchangeable(m mark) (carried []string, ok bool) {
	if work, err := os.Getwd(); err != nil || !canExchange || within(f.path, work) {
		return nil, false
	}
	known := map[string]bool{".": true} // folders of generated files
	for _, name := range slices.Concat(m.Old, m.New) {
		for _, folder := range prefixes(name) {
			known[folder] = known[folder] || folder != name
		}
	}
	err := fs.WalkDir(f.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && !known[name] || len(carried) > maxCarried:
			return fs.ErrExist
		case !e.IsDir() && !m.generated(name):
			carried = append(carried, name)
		}
		return nil
	})
	return carried, err == nil
}

// generated reports whether a file is one of the design before or after.
func (m mark) generated(name string) bool {
	return slices.Contains(m.Old, name) || slices.Contains(m.New, name)
}

// exchange makes the new folder beside the old one and puts it in its place in one step. done is false when that cannot
// be done here, as in a folder that is a mount point, or below one that cannot be written; then nothing has happened.
func (f *folder) exchange(d *Design, m mark, carried []string) (done bool, err error) {
	stage, err := f.newStageBeside(m)
	if err != nil {
		return false, nil
	}
	fresh := filepath.Join(stage, freshName)
	like, err := f.fill(fresh, d, carried)
	if err != nil || !like || !f.lock(fresh) || exchangeFolders(fresh, f.path) != nil {
		return false, errors.Join(err, removeBeside(stage))
	}
	if err := f.emptyStage(stage, m); err != nil {
		return true, fmt.Errorf("what was in the folder before: %w", err)
	}
	return true, nil
}

func (f *folder) newStageBeside(m mark) (string, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	stage, err := os.MkdirTemp(filepath.Dir(f.path), f.besideName()+"*")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(stage, markName), text, 0o666); err != nil {
		return "", errors.Join(err, os.RemoveAll(stage))
	}
	return stage, nil
}

// fill makes the new folder. like is false when it cannot be made like the one that is there: modes, owners, files of
// others.
func (f *folder) fill(fresh string, d *Design, carried []string) (like bool, err error) {
	if !f.makeLike(fresh, ".") {
		return false, nil
	}
	parents := func(name string) bool {
		for _, folder := range prefixes(name) {
			if folder != name && !f.makeLike(fresh, folder) {
				return false
			}
		}
		return true
	}
	for _, file := range d.Files {
		if !parents(file.Path) {
			return false, nil
		}
		if err := os.WriteFile(inside(fresh, file.Path), file.Data, 0o666); err != nil {
			return false, err
		}
	}
	for _, name := range carried {
		if !parents(name) || os.Link(inside(f.path, name), inside(fresh, name)) != nil {
			return false, nil
		}
	}
	return true, nil
}

// makeLike makes a folder in fresh with mode and owner of the one that is there, and reports whether that was possible.
func (f *folder) makeLike(fresh, name string) bool {
	path := inside(fresh, name)
	if err := os.Mkdir(path, 0o777); err != nil {
		return errors.Is(err, fs.ErrExist)
	}
	old, err := f.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil || os.Chmod(path, old.Mode()&(fs.ModePerm|fs.ModeSetgid|fs.ModeSticky)) != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && sameOwner(old, now)
}

// lock keeps others from the new folder too, as it comes to the place of the one that is locked.
func (f *folder) lock(fresh string) bool {
	file, err := os.Open(fresh)
	if err != nil {
		return false
	}
	f.locks = append(f.locks, file)
	_, err = filelock.Try(file)
	return err == nil || !f.locked
}

// emptyStage removes a stage beside the folder. A file of others that is not in the folder, or there in an older
// version, as it came to the old folder while the new one was made, goes back.
func (f *folder) emptyStage(stage string, m mark) error {
	fresh := filepath.Join(stage, freshName)
	err := filepath.WalkDir(fresh, func(from string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(fresh, from)
		if err != nil || m.generated(filepath.ToSlash(rel)) {
			return err
		}
		to := filepath.Join(f.path, rel)
		mine, err := e.Info()
		if err != nil {
			return err
		}
		there, err := os.Lstat(to)
		if err == nil && (os.SameFile(mine, there) || !mine.ModTime().After(there.ModTime())) {
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.Rename(from, to)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return removeBeside(stage)
}

// within reports whether a path is a folder or below it.
func within(folder, path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
