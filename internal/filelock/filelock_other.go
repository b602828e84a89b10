//go:build !unix

package filelock

import (
	"errors"
	"os"
)

// Wait reports that this system has no locks.
func Wait(*os.File) error { return errors.ErrUnsupported }

// Try reports that this system has no locks.
func Try(*os.File) (bool, error) { return false, errors.ErrUnsupported }
