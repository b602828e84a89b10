package packets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// metaColumns are the columns of a meta file, which may come in any order.
var metaColumns = []string{"packet", "ingress_port", "egress_port", "ingress_ns", "egress_ns", "qlen_bytes"}

// maxPortNumber bounds port numbers of a meta file; a device may have fewer ports.
const maxPortNumber = 1<<31 - 1

// ReadMeta reads a meta file for so many packets: one row for each, in any order, packets counted from 1.
func ReadMeta(path string, packets int) ([]Meta, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	list, err := readMeta(path, f, packets)
	return list, errors.Join(err, f.Close())
}

func readMeta(name string, r io.Reader, packets int) ([]Meta, error) {
	m := metaFile{name: name}
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	m.csv = csv.NewReader(in)
	m.csv.FieldsPerRecord = -1
	m.csv.ReuseRecord = true
	if err := m.header(); err != nil {
		return nil, err
	}
	list, rows := make([]Meta, packets), make([]int, packets)
	for {
		number, meta, err := m.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch {
		case number > uint64(packets):
			return nil, m.fault("packet", "there is no packet %d: the capture has %d", number, packets)
		case rows[number-1] != 0:
			return nil, m.fault("packet", "packet %d is in row %d already", number, rows[number-1])
		}
		list[number-1], rows[number-1] = meta, m.row
	}
	if i := slices.Index(rows, 0); i >= 0 {
		return nil, &Error{File: name, Reason: fmt.Sprintf("packet %d has no row; each of the capture's %d packets needs one", i+1, packets)}
	}
	return list, nil
}

// metaFile is a meta file being read.
type metaFile struct {
	name  string
	csv   *csv.Reader
	row   int       // data rows read
	order [6]int    // of metaColumns: field of a row
	value [6]uint64 // of a row, by metaColumns
}

func (m *metaFile) fault(column, format string, args ...any) *Error {
	where := "header"
	if m.row > 0 {
		where = fmt.Sprintf("row %d", m.row)
	}
	if column != "" {
		where += ", column " + column
	}
	return &Error{File: m.name, Where: where, Reason: fmt.Sprintf(format, args...)}
}

func (m *metaFile) read() ([]string, error) {
	fields, err := m.csv.Read()
	if err == nil || err == io.EOF {
		return fields, err
	}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return nil, m.fault("", "%v", parse.Err)
	}
	return nil, m.fault("", "cannot be read: %v", err)
}

func (m *metaFile) header() error {
	fields, err := m.read()
	if err == io.EOF {
		return &Error{File: m.name, Reason: "the file is empty; the first line names the columns: " + strings.Join(metaColumns, ",")}
	}
	if err != nil {
		return err
	}
	for i := range m.order {
		m.order[i] = -1
	}
	for i, f := range fields {
		c := slices.Index(metaColumns, strings.TrimSpace(f))
		switch {
		case c < 0:
			return m.fault("", "unknown column %q; the columns are %s", f, strings.Join(metaColumns, ", "))
		case m.order[c] >= 0:
			return m.fault("", "column %s is there twice", f)
		}
		m.order[c] = i
	}
	for c, at := range m.order {
		if at < 0 {
			return m.fault("", "column %s is missing; the columns are %s", metaColumns[c], strings.Join(metaColumns, ", "))
		}
	}
	return nil
}

// next reads a row.
func (m *metaFile) next() (uint64, Meta, error) {
	m.row++
	fields, err := m.read()
	if err != nil {
		return 0, Meta{}, err
	}
	if len(fields) != len(metaColumns) {
		return 0, Meta{}, m.fault("", "the row has %d fields, the header has %d", len(fields), len(metaColumns))
	}
	for c, most := range [...]uint64{1<<63 - 1, maxPortNumber, maxPortNumber, MaxTime, MaxTime, 1<<64 - 1} {
		text := strings.TrimSpace(fields[m.order[c]])
		v, err := strconv.ParseUint(text, 10, 64)
		least := uint64(0)
		if c == 0 {
			least = 1
		}
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, Meta{}, m.fault(metaColumns[c], "%q is not a whole number of %d or more", text, least)
		}
		if err != nil || v < least || v > most {
			return 0, Meta{}, m.fault(metaColumns[c], "%s; legal are %d to %d", text, least, most)
		}
		m.value[c] = v
	}
	v := &m.value
	return v[0], Meta{IngressPort: int(v[1]), EgressPort: int(v[2]), IngressNs: v[3], EgressNs: v[4], QlenBytes: v[5]}, nil
}
