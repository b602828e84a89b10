// Package outfolder is the folder that a command writes its results into. Nothing is written outside of it, through a
// symbolic link either, and one run at a time writes into it.
package outfolder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hdlpkg/hpccgen/internal/filelock"
)

// Folder is an output folder while a command writes into it. A nil folder takes everything and keeps nothing.
type Folder struct {
	root *os.Root
	lock *os.File
}

// Open makes Dir where it is missing and takes it. A system without locks lets two runs into it.
func Open(dir string) (*Folder, error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("the output folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the output folder: %w", err)
	}
	f := &Folder{root: root}
	if f.lock, err = root.Open("."); err != nil {
		return nil, errors.Join(fmt.Errorf("the output folder: %w", err), root.Close())
	}
	if held, err := filelock.Try(f.lock); !held && err == nil {
		f.Close()
		return nil, fmt.Errorf("another run is writing to %s; give it a folder of its own, or wait for its end", dir)
	}
	return f, nil
}

// Close releases the folder.
func (f *Folder) Close() {
	if f != nil {
		_ = f.lock.Close()
		_ = f.root.Close()
	}
}

// Put writes a file, and makes the folder that it is in.
func (f *Folder) Put(name string, data []byte) error {
	if f == nil {
		return nil
	}
	if err := f.root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return f.root.WriteFile(name, data, 0o666)
}

// Replace writes a file that is there as a whole or as it was.
func (f *Folder) Replace(name string, data []byte) error {
	if f == nil {
		return nil
	}
	part := name + ".part"
	defer f.root.Remove(part) // there only after a failure
	if err := f.Put(part, data); err != nil {
		return err
	}
	return f.root.Rename(part, name)
}

// Append opens a file to read it and to add to its end.
func (f *Folder) Append(name string) (*os.File, error) {
	return f.root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
}

// Remove takes a file away that an earlier run may have left.
func (f *Folder) Remove(name string) error {
	if f == nil {
		return nil
	}
	if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("what an earlier run left: %w", err)
	}
	return nil
}

// Watch is a file that a user can follow while it grows.
func (f *Folder) Watch(name string) (io.Writer, func()) {
	if f == nil {
		return io.Discard, func() {}
	}
	file, err := f.root.Create(name)
	if err != nil {
		return io.Discard, func() {}
	}
	return file, func() { _ = file.Close() }
}
