package source

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/google/renameio/v2"
)

// Output is a file being written. It takes the place of what was there when it is committed: either the old content
// or all of the new one is there. Devices and pipes, which cannot be replaced, are written to.
type Output struct {
	buffer  *bufio.Writer
	pending *renameio.PendingFile // nil: a device or pipe
	file    *os.File
}

// Create begins to write a file.
func Create(path string) (*Output, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, unwritten(err)
		}
		return &Output{bufio.NewWriterSize(f, 1<<16), nil, f}, nil
	}
	p, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return nil, unwritten(err)
	}
	return &Output{bufio.NewWriterSize(p, 1<<16), p, p.File}, nil
}

// Write adds to the file.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.buffer.Write(b)
	return n, unwritten(err)
}

// Commit writes what is left and puts the file into its place.
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

// Discard drops what was written; behind Commit it does nothing.
func (o *Output) Discard() {
	if o.pending != nil {
		_ = o.pending.Cleanup()
		return
	}
	_ = o.file.Close()
}

// unwritten says of an error that it is one of the output.
func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the output cannot be written: %w", err)
}
