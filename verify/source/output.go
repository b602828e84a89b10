package source

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Output is a file being written. It takes the place of what was there when it is committed: either the old content
// or all of the new one is there. Devices and pipes, which cannot be replaced, are written to.
type Output struct {
	buffer  *bufio.Writer
	pending pendingFile // nil: a device or pipe
	file    io.Closer
}

// pendingFile is written beside the file whose place it takes.
type pendingFile interface {
	io.WriteCloser
	// CloseAtomicallyReplace puts it into its place.
	CloseAtomicallyReplace() error
	// Cleanup removes it, unless it has been put into its place.
	Cleanup() error
}

// Replaceable gives the name of a file that is to be written, without symbolic links: the target of a link is
// replaced, and the link stays, be it /dev/stdout. false is for files written in place: devices, pipes, files
// that have no name any more, and links that lead to nothing yet.
func Replaceable(path string) (string, bool) {
	if path == Standard {
		return path, false
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, true
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return path, false
	}
	behind, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path, false
	}
	there, err := os.Stat(behind)
	return behind, err == nil && os.SameFile(info, there)
}

// InPlace opens what is not [Replaceable] for writing; [Standard] is the standard output, which stays open.
func InPlace(path string) (io.WriteCloser, error) {
	if path == Standard {
		return standardOutput{os.Stdout}, nil
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
}

// standardOutput is the process's own: others write to it afterwards.
type standardOutput struct{ io.Writer }

func (standardOutput) Close() error { return nil }

// Create begins to write a file.
func Create(path string) (*Output, error) {
	path, ok := Replaceable(path)
	if !ok {
		f, err := InPlace(path)
		if err != nil {
			return nil, unwritten(err)
		}
		return &Output{bufio.NewWriterSize(f, 1<<16), nil, f}, nil
	}
	p, err := newPendingFile(path)
	if err != nil {
		return nil, unwritten(err)
	}
	return &Output{bufio.NewWriterSize(p, 1<<16), p, p}, nil
}

// Write adds to the file.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.buffer.Write(b)
	return n, unwritten(err)
}

// Commit writes the rest and puts the file into its place.
func (o *Output) Commit() error {
	err := o.buffer.Flush()
	if o.pending == nil {
		return unwritten(errors.Join(err, o.file.Close()))
	}
	if err == nil {
		err = o.pending.CloseAtomicallyReplace()
	}
	return unwritten(errors.Join(err, o.pending.Cleanup()))
}

// Discard drops the output; after Commit it does nothing.
func (o *Output) Discard() {
	if o.pending != nil {
		_ = o.pending.Cleanup()
		return
	}
	_ = o.file.Close()
}

// unwritten marks an error as one of the output.
func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the output cannot be written: %w", err)
}
