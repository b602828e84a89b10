package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/hdlpkg/hpccgen/internal/filelock"
)

// lockPatience is how long a run waits for another that writes to the same folder: writing takes a tenth of a second.
const lockPatience = 30 * time.Second

// folder is the folder that a design is written to. While it is open no other process writes to it.
type folder struct {
	given  string // as the user calls it
	path   string // absolute, without symbolic links
	root   *os.Root
	locks  []*os.File // held until it is closed; the first is of root
	locked bool       // false where the file system has no locks
	made   bool       // it was missing
}

// openFolder makes the folder when it is missing and waits until nobody else writes to it.
func openFolder(dir string) (*folder, error) {
	begin := time.Now()
	made := false
	for {
		_, err := os.Stat(dir)
		made = made || errors.Is(err, fs.ErrNotExist)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		f, err := lockFolder(dir, begin)
		if err != nil {
			return nil, err
		}
		if f != nil {
			f.made = made
			return f, nil
		}
	}
}

// lockFolder opens and locks the folder; nil when another has come to its place meanwhile.
func lockFolder(dir string, begin time.Time) (_ *folder, err error) {
	path, err := filepath.EvalSymlinks(dir)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f := &folder{given: dir, path: path}
	if f.root, err = os.OpenRoot(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	lock, err := f.root.Open(".")
	if err != nil {
		return nil, errors.Join(err, f.root.Close())
	}
	f.locks = []*os.File{lock}
	for {
		held, err := filelock.Try(lock)
		if f.locked = held; held || err != nil {
			break
		}
		if time.Since(begin) > lockPatience {
			return nil, errors.Join(fmt.Errorf("another process has been writing to %s for %v; try again when it has ended",
				dir, lockPatience), f.close(false))
		}
		time.Sleep(5 * time.Millisecond)
	}
	mine, err := lock.Stat()
	if err != nil {
		return nil, errors.Join(err, f.close(false))
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(mine, now) {
		return nil, f.close(false)
	}
	return f, nil
}

// close lets others write to the folder. After a failure it takes a folder away that was made for nothing.
func (f *folder) close(failed bool) error {
	if failed && f.made {
		_ = os.Remove(f.path) // succeeds only when nothing is in it
	}
	err := f.root.Close()
	for _, l := range f.locks {
		err = errors.Join(err, l.Close())
	}
	return err
}
