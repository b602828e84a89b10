//go:build unix

package boardsim

import (
	"errors"
	"os"
	"syscall"
)

// interruptible gives the file again so that Close ends reads and writes that are under way: package pty leaves it in
// the mode in which they end when the host wants it.
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
