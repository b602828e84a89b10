package toolchain

import (
	"bytes"
	"fmt"
)

// Said keeps the start of a program's output, up to a limit, and then closes the program's output.
type Said struct {
	Most int // bytes
	Over bool

	text bytes.Buffer // not embedded: its ReadFrom knows no limit
}

// String returns the output kept.
func (s *Said) String() string { return s.text.String() }

// Write keeps what comes.
func (s *Said) Write(p []byte) (int, error) {
	room := max(s.Most-s.text.Len(), 0)
	if len(p) <= room {
		return s.text.Write(p)
	}
	s.Over = true
	n, _ := s.text.Write(p[:room])
	return n, s.Error()
}

// Error is nil unless the program has said more.
func (s *Said) Error() error {
	if !s.Over {
		return nil
	}
	return fmt.Errorf("it says more than %d KiB", s.Most>>10)
}
