package telemetry

import "fmt"

// Error describes an error in telemetry that was encoded or is to be encoded.
type Error struct {
	Format string // which format
	Byte   int    // where, from the start of the header or packet
	What   string // what is wrong and what would be right
}

// Error gives format, byte and problem on one line.
func (e *Error) Error() string { return fmt.Sprintf("%s: byte %d: %s", e.Format, e.Byte, e.What) }

func wrong(format string, at int, what string, args ...any) error {
	return &Error{Format: format, Byte: at, What: fmt.Sprintf(what, args...)}
}

// need reports data that end early.
func need(format string, b []byte, n int) error {
	if len(b) >= n {
		return nil
	}
	return wrong(format, len(b), "the data end here, the header takes %d bytes", n)
}

// field is one field of a record to be encoded.
type field struct {
	name  string
	at    int // its first byte
	value uint64
	width int
}

// fit reports the first value that its field cannot hold.
func fit(format string, fields ...field) error {
	for i := range fields {
		if f := &fields[i]; f.value>>f.width != 0 {
			return wrong(format, f.at, "%s is %d, the largest value of its %d bits is %d", f.name, f.value, f.width,
				uint64(1)<<f.width-1)
		}
	}
	return nil
}
