//go:build unix

package filelock

import (
	"os"
	"syscall"
)

// Wait takes the exclusive lock of an open file once no other process holds it. Closing the file releases the lock. An
// error means that the file system does not support locks.
func Wait(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// Try takes the exclusive lock of an open file if it is free, and reports whether it did. An error means that the file
// system does not support locks.
func Try(f *os.File) (bool, error) {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}
