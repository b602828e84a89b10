package packets

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/verify/source"
)

// metaColumns are the columns of a meta file, which may come in any order.
var metaColumns = []string{"packet", "ingress_port", "egress_port", "ingress_ns", "egress_ns", "qlen_bytes"}

// Limits of meta files.
const (
	maxPortNumber = 1<<31 - 1 // a device may have fewer ports
	maxWaiting    = 1 << 19   // rows that come before that of a packet whose turn it is
)

// metaFile gives the rows of a meta file, one for each packet, packets counted from 1. Rows in another order wait for
// their packets.
type metaFile struct {
	*source.Table
	order   [6]int // of metaColumns: field of a row
	wanted  uint64 // packet whose turn it is
	waiting map[uint64]metaRow
}

// metaRow is a row with its line.
type metaRow struct {
	Meta
	line int
}

func openMeta(f *source.File) (*metaFile, error) {
	t, err := source.NewTable(f)
	if err != nil {
		return nil, err
	}
	m := &metaFile{Table: t, waiting: map[uint64]metaRow{}}
	return m, m.header()
}

// of is the row of a packet. It is asked for each packet, in order.
func (m *metaFile) of(packet uint64) (Meta, error) {
	m.wanted = packet
	if row, ok := m.waiting[packet]; ok {
		delete(m.waiting, packet)
		return row.Meta, nil
	}
	for {
		number, meta, err := m.next()
		switch {
		case err == io.EOF:
			return Meta{}, m.Fault("", "packet %d has no row; each packet of the capture needs one", packet)
		case err != nil:
			return Meta{}, err
		case number == packet:
			return meta, nil
		case len(m.waiting) == maxWaiting:
			return Meta{}, m.Fault("packet",
				"packet %d has no row so far, and %d rows of later packets; order the rows by packet", packet, maxWaiting)
		}
		m.waiting[number] = metaRow{meta, m.Line()}
	}
}

// end checks that no rows follow those of the capture's packets.
func (m *metaFile) end(packets int) error {
	m.wanted = uint64(packets) + 1
	switch number, meta, err := m.next(); err {
	case nil:
		m.waiting[number] = metaRow{meta, m.Line()}
	case io.EOF:
	default:
		return err
	}
	var first, line int
	for number, row := range m.waiting {
		if line == 0 || row.line < line {
			first, line = int(number), row.line
		}
	}
	if line == 0 {
		return nil
	}
	return &Error{File: m.Name(), Where: fmt.Sprintf("line %d, column packet", line),
		Reason: fmt.Sprintf("there is no packet %d: the capture has %d", first, packets)}
}

func (m *metaFile) header() error {
	for i := range m.order {
		m.order[i] = -1
	}
	for i, f := range m.Columns {
		c := slices.Index(metaColumns, plain(f))
		switch {
		case c < 0:
			return m.Fault("", "unknown column %q; the columns are %s", f, strings.Join(metaColumns, ", "))
		case m.order[c] >= 0:
			return m.Fault("", "the header names column %q twice", plain(f))
		}
		m.order[c] = i
	}
	for c, at := range m.order {
		if at < 0 {
			return m.Fault("", "column %s is missing from the header; the columns are %s", metaColumns[c],
				strings.Join(metaColumns, ", "))
		}
	}
	return nil
}

// plain takes spaces and quotes off a field.
func plain(field string) string {
	field = strings.TrimSpace(field)
	if n := len(field); n > 1 && field[0] == '"' && field[n-1] == '"' {
		field = field[1 : n-1]
	}
	return field
}

// next reads a row, of a packet that has had none.
func (m *metaFile) next() (uint64, Meta, error) {
	if err := m.Next(); err != nil {
		return 0, Meta{}, err
	}
	var v [6]uint64
	for c, most := range [...]uint64{1<<63 - 1, maxPortNumber, maxPortNumber, MaxTime, MaxTime, 1<<64 - 1} {
		text := plain(m.Fields[m.order[c]])
		n, err := strconv.ParseUint(text, 10, 64)
		least := uint64(0)
		if c == 0 {
			least = 1
		}
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, Meta{}, m.Fault(metaColumns[c], "%q is not a whole number of %d or more", text, least)
		}
		if err != nil || n < least || n > most {
			return 0, Meta{}, m.Fault(metaColumns[c], "%s; legal are %d to %d", text, least, most)
		}
		v[c] = n
	}
	if row, ok := m.waiting[v[0]]; ok {
		return 0, Meta{}, m.Fault("packet", "packet %d is in line %d already", v[0], row.line)
	}
	if v[0] < m.wanted {
		return 0, Meta{}, m.Fault("packet", "packet %d has a row already, further up", v[0])
	}
	return v[0], Meta{IngressPort: int(v[1]), EgressPort: int(v[2]), IngressNs: v[3], EgressNs: v[4], QlenBytes: v[5]}, nil
}
