package output

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

const (
	toolName   = "hpccgen"
	markName   = "hpccgen-stage.json" // in every stage; only folders with it are swept
	freshName  = "fresh"              // folder of the new files
	movingName = "moving"             // there once files are moved from a stage inside the folder
	stageStart = ".hpccgen-"
)

// A stage is a folder for the files of a run until they are in place: beside the folder that is written to, or inside
// of it.

// mark says what a stage is, for the run that finds it left over.
type mark struct {
	Tool   string   `json:"tool"`
	Folder string   `json:"folder"` // name of the folder that is written to
	Old    []string `json:"old"`    // generated files in it before
	New    []string `json:"new"`    // and after
}

func readMark(data []byte, folder string) (m mark, ok bool) {
	if err := json.Unmarshal(data, &m); err != nil || m.Tool != toolName || m.Folder != folder {
		return m, false
	}
	m.Old, m.New = believed(m.Old), believed(m.New)
	return m, true
}

// besideName is what stages beside a folder are called; digits follow.
func (f *folder) besideName() string { return stageStart + filepath.Base(f.path) + "-" }

// newStageInside makes a stage in the folder and gives its name there.
func (f *folder) newStageInside(m mark) (string, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	for {
		name := stageStart + strconv.FormatUint(uint64(rand.Uint32()), 10)
		if err := f.root.Mkdir(name, 0o777); err != nil {
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return "", err
		}
		if err := f.root.WriteFile(path.Join(name, markName), text, 0o666); err != nil {
			return "", errors.Join(err, f.root.RemoveAll(name))
		}
		return name, nil
	}
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// sweep removes what killed runs have left beside the folder. Those inside are listed: each knows files of its run in
// the folder, theirs, and goes when the next stage knows them too. Without a lock a stage may be that of a run which is
// going on.
func (f *folder) sweep() (theirs, stages []string) {
	if !f.locked {
		return nil, nil
	}
	list, _ := fs.ReadDir(f.root.FS(), ".")
	for _, e := range list {
		rest, ok := cutStage(e, stageStart)
		if !ok || !digits.MatchString(rest) {
			continue
		}
		data, err := readOwn(f.root.FS(), path.Join(e.Name(), markName))
		if m, ok := readMark(data, filepath.Base(f.path)); err == nil && ok {
			theirs = append(theirs, f.moved(e.Name(), m)...)
			stages = append(stages, e.Name())
		} else if inside, err := fs.ReadDir(f.root.FS(), e.Name()); err == nil && justBegun(inside) {
			_ = f.root.RemoveAll(e.Name())
		}
	}
	parent := filepath.Dir(f.path)
	list, _ = os.ReadDir(parent)
	for _, e := range list {
		rest, ok := cutStage(e, f.besideName())
		if !ok || !digits.MatchString(rest) {
			continue
		}
		stage := filepath.Join(parent, e.Name())
		data, err := readOwn(os.DirFS(stage), markName)
		if m, ok := readMark(data, filepath.Base(f.path)); err == nil && ok {
			_ = f.emptyStage(stage, m)
		} else if inside, err := os.ReadDir(stage); err == nil && justBegun(inside) {
			_ = os.RemoveAll(stage)
		}
	}
	return theirs, stages
}

// justBegun reports whether a folder that is called like a stage is one that was killed before its mark was written.
func justBegun(list []fs.DirEntry) bool {
	return len(list) == 0 || len(list) == 1 && list[0].Name() == markName
}

// removeInside removes a stage in the folder. That files were moved is forgotten first, so that none of the fresh ones
// that are removed is taken for one of these; the mark is last, so that what is left over is known as a stage.
func (f *folder) removeInside(stage string) error {
	for _, name := range []string{movingName, freshName} {
		if err := f.root.RemoveAll(path.Join(stage, name)); err != nil {
			return err
		}
	}
	return f.root.RemoveAll(stage)
}

// removeBeside removes a stage beside the folder, its mark last.
func removeBeside(stage string) error {
	if err := os.RemoveAll(filepath.Join(stage, freshName)); err != nil {
		return err
	}
	return os.RemoveAll(stage)
}

func cutStage(e fs.DirEntry, start string) (rest string, ok bool) {
	name := e.Name()
	if !e.IsDir() || len(name) <= len(start) || name[:len(start)] != start {
		return "", false
	}
	return name[len(start):], true
}

// moved gives the files that a killed run had in the folder before, and those that it had moved into it from its stage.
func (f *folder) moved(stage string, m mark) []string {
	names := m.Old
	if _, err := f.root.Lstat(path.Join(stage, movingName)); err != nil {
		return names
	}
	for _, name := range m.New {
		_, err := f.root.Lstat(path.Join(stage, freshName, name))
		if errors.Is(err, fs.ErrNotExist) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
