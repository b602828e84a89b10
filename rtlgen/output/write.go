package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// OtherDesign is the error of writing to a folder that holds a design of another name or kind: one with another top
// module.
type OtherDesign struct{ Folder, Name, Top, ConfigHash string }

// Error says what the folder holds.
func (e OtherDesign) Error() string {
	return fmt.Sprintf("%s holds another design: %s, configuration %s, top module %s", e.Folder, e.Name, e.ConfigHash, e.Top)
}

// Write puts the files into a folder, which is made when it is missing, as [Design.Replace] does. A folder that holds
// another design is an OtherDesign.
func (d *Design) Write(dir string) error { return d.write(dir, false) }

// Replace puts the files into a folder, whatever design it holds, and creates it if it is missing. Files that an earlier
// manifest in the folder lists and that are no longer generated are removed; other files are left alone. Nothing is
// written or removed through a symbolic link in the folder; the folder itself may be one.
//
// The files are written aside first. Then the folder is exchanged for the new one in one step where that can be done,
// so that whatever happens it holds the old design or the new one; elsewhere the files are moved into it one by one
// while it has no manifest (see [folder.exchangeable]). One process writes to a folder at a time. What a killed one has
// left goes with the next.
func (d *Design) Replace(dir string) error { return d.write(dir, true) }

func (d *Design) write(dir string, replace bool) (err error) {
	f, err := openFolder(dir)
	if err != nil {
		return fmt.Errorf("the output folder: %w", err)
	}
	defer func() { err = errors.Join(err, f.close(err != nil)) }()
	there := f.manifest()
	if !replace && there.Top != "" && there.Top != d.Top {
		return OtherDesign{f.given, there.Name, there.Top, there.ConfigHash}
	}
	old := there.written()
	if err := f.check(d, old); err != nil {
		return err
	}
	theirs, stages := f.sweep()
	old = append(old, theirs...)
	m := mark{Tool: toolName, Folder: filepath.Base(f.path), Old: old}
	for _, file := range d.Files {
		m.New = append(m.New, file.Path)
	}
	if carried, ok := f.exchangeable(m); ok && len(stages) == 0 {
		if done, err := f.exchange(d, m, carried); done || err != nil {
			return err
		}
	}
	return f.moveInto(d, m, stages)
}

// manifest reads the manifest in the folder; an empty one when there is none, or one that is not ours.
func (f *folder) manifest() Manifest {
	var m Manifest
	data, err := readOwn(f.root.FS(), manifestName)
	if err != nil || json.Unmarshal(data, &m) != nil || m.Tool != toolName {
		return Manifest{}
	}
	return m
}

// written gives the files that a manifest lists, and the manifest; none of an empty one. Names that lead out of the
// folder are not believed.
func (m *Manifest) written() []string {
	if m.Tool == "" {
		return nil
	}
	return append(believed(m.Files), manifestName)
}

// listed gives the files of the manifest in the folder, and the manifest.
func (f *folder) listed() []string {
	m := f.manifest()
	return m.written()
}

// maxOwn bounds, in bytes, what is read of a file that this program may have written; a manifest has far fewer.
const maxOwn = 16 << 20

// readOwn reads a manifest, or the mark of a stage. What is called so and is none, a pipe at which nobody writes or a
// file of any size, does not hold a run up.
func readOwn(in fs.FS, name string) ([]byte, error) {
	info, err := fs.Lstat(in, name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxOwn) {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(in, name)
}

// believed leaves out the names of files that this program would not have written.
func believed(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return !filepath.IsLocal(filepath.FromSlash(name)) || name != path.Clean(name) || strings.HasPrefix(name, ".")
	})
}

// check refuses a folder in which something is in the way of a file to be written or removed.
func (f *folder) check(d *Design, old []string) error {
	names := slices.Clone(old)
	for _, file := range d.Files {
		names = append(names, file.Path)
		if info, err := f.root.Lstat(file.Path); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a folder; a file is to be written there", inside(f.given, file.Path))
		}
	}
	for _, name := range names {
		for _, part := range prefixes(name) {
			info, err := f.root.Lstat(part)
			switch {
			case err != nil:
			case info.Mode()&fs.ModeSymlink != 0:
				return fmt.Errorf("%s is a symbolic link; files are written to and removed from %s alone: "+
					"remove the link, or name another folder", inside(f.given, part), f.given)
			case part != name && !info.IsDir():
				return fmt.Errorf("%s is a file; a folder is to be made there", inside(f.given, part))
			}
		}
	}
	return nil
}

// prefixes gives the folders that lead to a file, and the file: a, a/b and a/b/c of a/b/c.
func prefixes(name string) []string {
	var list []string
	for i, c := range name {
		if c == '/' {
			list = append(list, name[:i])
		}
	}
	return append(list, name)
}

// moveInto moves the files into the folder one by one. Meanwhile there is no manifest, so nothing claims that they are
// one design; after a failure the stage stays, from which the next run learns what to remove. stages are those that
// runs before have left so.
func (f *folder) moveInto(d *Design, m mark, stages []string) error {
	stage, err := f.newStageInside(m)
	if err != nil {
		return fmt.Errorf("the output folder: %w", err)
	}
	for _, left := range stages {
		if err := f.removeInside(left); err != nil {
			return err
		}
	}
	fresh := func(name string) string { return path.Join(stage, freshName, name) }
	for _, file := range d.Files {
		err := f.root.MkdirAll(path.Dir(fresh(file.Path)), 0o777)
		if err == nil {
			err = f.root.WriteFile(fresh(file.Path), file.Data, 0o666)
		}
		if err != nil {
			return errors.Join(err, f.removeInside(stage))
		}
	}
	if err := f.root.WriteFile(path.Join(stage, movingName), nil, 0o666); err != nil {
		return errors.Join(err, f.removeInside(stage))
	}
	if slices.Contains(m.Old, manifestName) {
		if err := f.root.Remove(manifestName); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := f.removeOld(m); err != nil {
		return err
	}
	for _, file := range d.Files {
		if err := f.root.MkdirAll(path.Dir(file.Path), 0o777); err != nil {
			return err
		}
		if err := f.root.Rename(fresh(file.Path), file.Path); err != nil {
			return err
		}
	}
	return f.removeInside(stage)
}

// removeOld removes the files of earlier runs that are generated no more.
func (f *folder) removeOld(m mark) error {
	for _, name := range m.Old {
		if slices.Contains(m.New, name) {
			continue
		}
		if info, err := f.root.Lstat(name); err != nil || info.IsDir() {
			continue
		}
		if err := f.root.Remove(name); err != nil {
			return fmt.Errorf("a file of an earlier run: %w", err)
		}
		if folder := path.Dir(name); folder != "." {
			_ = f.root.Remove(folder) // succeeds only when nothing is in it
		}
	}
	return nil
}

func inside(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
