package synth

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hdlpkg/hpccgen/internal/filelock"
)

// folder is the Dir of a job while it runs: no other run writes into it, and nothing is written outside of it, through
// a link either. A nil folder takes everything and keeps nothing.
type folder struct {
	root *os.Root
	lock *os.File
}

// openFolder makes Dir where it is missing and takes it. A system without locks lets two runs into it.
func openFolder(dir string) (*folder, error) {
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
	f := &folder{root: root}
	if f.lock, err = root.Open("."); err != nil {
		return nil, errors.Join(fmt.Errorf("the output folder: %w", err), root.Close())
	}
	if held, err := filelock.Try(f.lock); !held && err == nil {
		f.close()
		return nil, fmt.Errorf("another run is writing to %s; give it a folder of its own, or wait for its end", dir)
	}
	return f, nil
}

func (f *folder) close() {
	if f != nil {
		_ = f.lock.Close()
		_ = f.root.Close()
	}
}

// put writes a file, and makes the folder that it is in.
func (f *folder) put(name string, data []byte) error {
	if f == nil {
		return nil
	}
	if err := f.root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return f.root.WriteFile(name, data, 0o666)
}

// replace writes a file that is there as a whole or as it was.
func (f *folder) replace(name string, data []byte) error {
	if f == nil {
		return nil
	}
	part := name + ".part"
	defer f.root.Remove(part) // there only after a failure
	if err := f.put(part, data); err != nil {
		return err
	}
	return f.root.Rename(part, name)
}

// remove takes a file away that an earlier run may have left.
func (f *folder) remove(name string) error {
	if f == nil {
		return nil
	}
	if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("what an earlier run left: %w", err)
	}
	return nil
}

// watch is a file that a user can follow while it grows.
func (f *folder) watch(name string) (io.Writer, func()) {
	if f == nil {
		return io.Discard, func() {}
	}
	file, err := f.root.Create(name)
	if err != nil {
		return io.Discard, func() {}
	}
	return file, func() { _ = file.Close() }
}
