package source

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// MaxLine bounds a line of a table, in bytes; the widest legal row of a trace has fewer than 3,000.
const MaxLine = 64 << 10

// Table reads a CSV file row by row. What it reads holds numbers and a few fixed words, so there is no quoting. Empty
// lines mean nothing.
type Table struct {
	Columns []string // of the header
	Fields  []string // of the row; as many as there are columns; valid until Next
	name    string
	in      *Reader
	line    int // as editors count: that of the header is 1
}

// NewTable begins to read a file, and reads its header.
func NewTable(f *File) (*Table, error) {
	in, err := f.Reader()
	if err != nil {
		return nil, err
	}
	t := &Table{name: f.Name, in: in}
	header, err := t.next()
	if err == io.EOF {
		return nil, &Error{File: f.Name, Reason: "the file is empty; a header line is expected"}
	} else if err != nil {
		return nil, err
	}
	t.Columns = strings.Split(strings.TrimPrefix(header, "\ufeff"), ",")
	seen := map[string]bool{}
	for _, c := range t.Columns {
		if seen[c] {
			return nil, t.Fault("", "the header names column %q twice", c)
		}
		seen[c] = true
	}
	return t, nil
}

// Name is the name of the file.
func (t *Table) Name() string { return t.name }

// Line is the line of the row read last, as editors count: the header is line 1.
func (t *Table) Line() int { return t.line }

// Next reads a row. It returns io.EOF after the last one.
func (t *Table) Next() error {
	line, err := t.next()
	for err == nil && line == "" {
		line, err = t.next()
	}
	if err != nil {
		return err
	}
	t.Fields = t.Fields[:0]
	for more := true; more; {
		var field string
		field, line, more = strings.Cut(line, ",")
		t.Fields = append(t.Fields, field)
	}
	if len(t.Fields) != len(t.Columns) {
		return t.Fault("", "the row has %d fields, the header has %d", len(t.Fields), len(t.Columns))
	}
	return nil
}

// next reads a line without its end.
func (t *Table) next() (string, error) {
	b, err := t.in.ReadSlice('\n')
	if err == io.EOF && len(b) == 0 {
		return "", io.EOF
	}
	t.line++
	switch {
	case err == nil:
		b = b[:len(b)-1]
	case err == io.EOF && t.in.Packed: // whole, as gzip says
	case err == io.EOF:
		return "", t.Fault("", "the last line has no line end, so that a number in it may be cut; end the line")
	case err == bufio.ErrBufferFull:
		return "", t.Fault("", "the line is longer than %d bytes", MaxLine)
	default:
		return "", t.Fault("", "%v", err)
	}
	return strings.TrimSuffix(string(b), "\r"), nil
}

// Require gives the positions of the named columns, or an error that lists all that are missing.
func (t *Table) Require(names []string) (map[string]int, error) {
	at := map[string]int{}
	for i, c := range t.Columns {
		at[c] = i
	}
	var missing []string
	for _, n := range names {
		if _, ok := at[n]; !ok {
			missing = append(missing, n)
		}
	}
	switch len(missing) {
	case 0:
		return at, nil
	case 1:
		return nil, t.Fault("", "column %s is missing from the header", missing[0])
	}
	return nil, t.Fault("", "columns %s are missing from the header", strings.Join(missing, ", "))
}

// Fault is an error of the row read last, or of the header before there is one. column may be "".
func (t *Table) Fault(column, format string, args ...any) *Error {
	where := ""
	if t.line > 1 || column == "" && t.line == 1 && t.Columns == nil {
		where = fmt.Sprintf("line %d", t.line)
	}
	if column != "" {
		where += ", column " + column
	}
	return &Error{File: t.name, Where: where, Reason: fmt.Sprintf(format, args...)}
}
