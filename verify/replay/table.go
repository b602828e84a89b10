package replay

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Error is a fault of an input file. Row counts data rows from 1; 0 is the header line or the file
// as a whole.
type Error struct {
	File   string
	Row    int
	Column string
	Reason string
}

// Error gives file, row, column and reason in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Row > 0 {
		fmt.Fprintf(&b, ": row %d", e.Row)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ": %s", e.Column)
	}
	b.WriteString(": ")
	b.WriteString(e.Reason)
	return b.String()
}

// maxLine bounds a line of an input file; the widest legal trace row has fewer than 2,000 characters.
const maxLine = 64 << 10

// table reads a CSV file row by row. Traces hold numbers and a few fixed words, so there is no quoting.
type table struct {
	file    string
	row     int // data rows read
	columns []string
	lines   *bufio.Reader
	fields  []string
	source  io.ReadCloser
	gz      *gzip.Reader
}

// openTable opens a CSV file, unpacks it when its name ends in .gz, and reads the header.
func openTable(path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := newTable(path, f, strings.HasSuffix(path, ".gz"))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

func newTable(name string, r io.ReadCloser, packed bool) (*table, error) {
	t := &table{file: name, source: r}
	var in io.Reader = r
	if packed {
		gz, err := gzip.NewReader(bufio.NewReaderSize(r, 1<<16))
		if err != nil {
			return nil, t.fault("", "not a gzip file, or cut off in its first bytes (%v)", err)
		}
		t.gz, in = gz, gz
	}
	t.lines = bufio.NewReaderSize(in, maxLine)
	header, err := t.line()
	if err == io.EOF {
		return nil, t.fault("", "the file is empty; a header line is expected")
	} else if err != nil {
		return nil, err
	}
	t.columns = strings.Split(strings.TrimPrefix(header, "\ufeff"), ",")
	seen := map[string]bool{}
	for _, c := range t.columns {
		if seen[c] {
			return nil, t.fault("", "the header names column %q twice", c)
		}
		seen[c] = true
	}
	return t, nil
}

// next reads a row. It returns io.EOF behind the last one.
func (t *table) next() error {
	t.row++
	line, err := t.line()
	if err == io.EOF {
		t.row--
	}
	if err != nil {
		return err
	}
	t.fields = t.fields[:0]
	for {
		i := strings.IndexByte(line, ',')
		if i < 0 {
			t.fields = append(t.fields, line)
			break
		}
		t.fields = append(t.fields, line[:i])
		line = line[i+1:]
	}
	if len(t.fields) != len(t.columns) {
		return t.fault("", "the row has %d fields, the header has %d", len(t.fields), len(t.columns))
	}
	return nil
}

// line reads a line without its end. What a reader that fails has left of a line is not one.
func (t *table) line() (string, error) {
	b, err := t.lines.ReadSlice('\n')
	switch {
	case err == nil:
		b = b[:len(b)-1]
	case err == io.EOF && len(b) > 0: // the last line need not end
	case err == io.EOF:
		return "", io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "", t.fault("", "the gzip stream ends here: the file is truncated")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return "", t.fault("", "the gzip stream is damaged (%v)", err)
	case errors.Is(err, bufio.ErrBufferFull):
		return "", t.fault("", "the line is longer than %d bytes", maxLine)
	default:
		return "", t.fault("", "cannot be read: %v", err)
	}
	return strings.TrimSuffix(string(b), "\r"), nil
}

// column is the index of a column, or -1.
func (t *table) column(name string) int {
	for i, c := range t.columns {
		if c == name {
			return i
		}
	}
	return -1
}

func (t *table) fault(column, format string, args ...any) *Error {
	return &Error{File: t.file, Row: t.row, Column: column, Reason: fmt.Sprintf(format, args...)}
}

func (t *table) close() error {
	var err error
	if t.gz != nil {
		err = t.gz.Close()
	}
	return errors.Join(err, t.source.Close())
}
