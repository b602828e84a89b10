package replay

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/source"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// Columns is the format of a trace of which the columns are the fields of the law's event, by the names of their ports,
// beside t_ns and flow: all that a law without telemetry of its own needs. Every flow of the flows file is opened.
type Columns[W any] struct {
	Event []string // columns of the trace; what has as many bits as a sequence number wraps
	Flow  []string // columns of the flows file, integers above 0
	// Open adds the tables of a flow to a plan's, and gives the context write that opens it. The values are those of
	// Flow; an error is one of the flow's row.
	Open func(index int, values []uint64) (tables []config.TableWrite, w W, err error)
}

// PlanOf reads a trace and its flows file, and finds everything that could be wrong with them.
func PlanOf[E, C, W, D, R, T, P any](l *stimulus.Law[E, C, W, D, R, T, P], c Columns[W], o *Options) (
	*Plan[E, W, R], error,
) {
	if o.Resync {
		return nil, &Error{File: o.Trace, Reason: "resync needs a reference, which traces of this law do not have"}
	}
	flows := o.Flows
	if flows == "" {
		var err error
		if flows, err = FlowsPath(o.Trace); err != nil {
			return nil, err
		}
	}
	file, err := source.Open(o.Trace)
	if err != nil {
		return nil, err
	}
	p := &Plan[E, W, R]{File: file.Name, Close: file.Close}
	numbers := map[uint64]int{}
	err = c.flows(flows, l.Engine.Flows, numbers, func(index int, values []uint64) error {
		tables, w, err := c.Open(index, values)
		p.Tables, p.Contexts = append(p.Tables, tables...), append(p.Contexts, w)
		return err
	})
	p.Flows = len(p.Contexts)
	p.Begin = func() (func() (*Item[E, W], error), error) {
		return rowsOf[E, W](file, c.Event, l.AllPorts(), l.Engine.SeqBits, numbers)
	}
	if err == nil {
		err = p.count(o.Limit)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return p, nil
}

// count reads all rows, or a limited number.
func (p *Plan[E, W, R]) count(limit int) error {
	next, err := p.Begin()
	for err == nil && (limit <= 0 || p.Rows < limit) {
		if _, err = next(); err == nil {
			p.Rows++
		}
	}
	switch {
	case err != nil && err != io.EOF:
		return err
	case p.Rows == 0:
		return &Error{File: p.File, Reason: "no rows behind the header; at least one is expected"}
	}
	return nil
}

// flows reads the flows file. The number of each flow in the trace gets its index.
func (c Columns[W]) flows(path string, limit int, numbers map[uint64]int,
	open func(index int, values []uint64) error) error {
	f, err := source.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := source.NewTable(f)
	if err != nil {
		return err
	}
	names := append([]string{"flow"}, c.Flow...)
	at, err := columns(t, names)
	if err != nil {
		return err
	}
	for {
		if err := t.Next(); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		values, err := integers(t, names, at)
		if err != nil {
			return err
		}
		if _, twice := numbers[values[0]]; twice {
			return t.Fault("flow", "flow %d is there already", values[0])
		}
		if len(numbers) == limit {
			return t.Fault("flow", "more than %d flows, which is what the configuration holds (flows)", limit)
		}
		if i := slices.Index(values[1:], 0); i >= 0 {
			return t.Fault(c.Flow[i], "0 is too small; at least 1")
		}
		if err := open(len(numbers), values[1:]); err != nil {
			return t.Fault("", "flow %d does not fit the configuration: %v", values[0], err)
		}
		numbers[values[0]] = len(numbers)
	}
	if len(numbers) == 0 {
		return t.Fault("", "no flows behind the header; at least one row is expected")
	}
	return nil
}

// rowsOf reads the rows of a trace as events.
func rowsOf[E, W any](file *source.File, fields []string, ports *bind.Table, seqBits int, numbers map[uint64]int) (
	func() (*Item[E, W], error), error,
) {
	t, err := source.NewTable(file)
	if err != nil {
		return nil, err
	}
	names := append([]string{"t_ns", "flow"}, fields...)
	at, err := columns(t, names)
	if err != nil {
		return nil, err
	}
	number := 0
	return func() (*Item[E, W], error) {
		if err := t.Next(); err != nil {
			return nil, err
		}
		values, err := integers(t, names, at)
		if err != nil {
			return nil, err
		}
		flow, ok := numbers[values[1]]
		if !ok {
			return nil, t.Fault("flow", "flow %d is not in the flows file", values[1])
		}
		number++
		it := &Item[E, W]{Number: number, Line: t.Line(), TimeNs: values[0], Flow: flow, Row: values[1]}
		bind.Set(&it.Event, "flow", uint64(flow))
		for i, name := range fields {
			v, bits := values[2+i], ports.Input("s_"+name)
			if bits == seqBits {
				v &= 1<<bits - 1
			}
			if v>>bits != 0 {
				return nil, t.Fault(name, "%d does not fit the port s_%s; at most %d", v, name, 1<<bits-1)
			}
			bind.Set(&it.Event, name, v)
		}
		return it, nil
	}, nil
}

// columns gives the places of the named columns, and refuses others.
func columns(t *source.Table, names []string) (map[string]int, error) {
	for _, c := range t.Columns {
		if !slices.Contains(names, c) {
			return nil, t.Fault("", "unknown column %q; the columns are %s", c, strings.Join(names, ", "))
		}
	}
	return t.Require(names)
}

// integers reads the named columns of a row.
func integers(t *source.Table, names []string, at map[string]int) ([]uint64, error) {
	values := make([]uint64, len(names))
	for i, name := range names {
		var err error
		if values[i], err = t.Uint(at[name], math.MaxInt64); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// RowStart begins a row of output: its number, the flow's number in the trace, and the kind.
func RowStart[E, W any](b []byte, row *Item[E, W], kind fmt.Stringer) []byte {
	return fmt.Appendf(b, "%d,%d,%s", row.Number, row.Row, kind)
}
