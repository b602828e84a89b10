//go:build unix

package boardsim

import (
	"errors"
	"os"
	"syscall"
)

// interruptible returns the file in a mode in which Close interrupts pending reads and writes: package pty leaves it in
// one in which they end only when the host acts.
func interruptible(f *os.File) (*os.File, error) {
	defer f.Close()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(err, syscall.Close(fd))
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}
