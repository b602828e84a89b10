//go:build !unix

package boardsim

import (
	"errors"
	"os"
)

// interruptible is for pseudo-terminals, which only Unix systems have.
func interruptible(f *os.File) (*os.File, error) {
	return nil, errors.Join(errors.ErrUnsupported, f.Close())
}
