//go:build !unix

package source

import (
	"errors"
	"os"
	"path/filepath"
)

// renamed is a pending file where renameio has none, on Windows: there os.Rename replaces a file too.
type renamed struct {
	*os.File
	path string
	done bool
}

func newPendingFile(path string) (pendingFile, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return nil, err
	}
	return &renamed{File: f, path: path}, nil
}

func (r *renamed) CloseAtomicallyReplace() error {
	err := errors.Join(r.Sync(), r.Close())
	if err == nil {
		err = os.Rename(r.Name(), r.path)
	}
	r.done = err == nil
	return err
}

func (r *renamed) Cleanup() error {
	if r.done {
		return nil
	}
	_ = r.Close()
	return os.Remove(r.Name())
}
