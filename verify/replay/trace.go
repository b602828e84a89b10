package replay

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
)

// Units of the raw telemetry fields of a trace (the INT layout of the HPCC authors).
const (
	traceTSBits    = 24 // timestamp, nanoseconds, wraps
	traceTxBits    = 20 // bytes sent, units of TxUnitBytes, wraps
	traceTxUnit    = 128
	traceQlenUnit  = 80
	traceMaxNhop   = 15 // four bits
	chunkedRecords = 1 << 14
)

// Hop is one telemetry record of a trace row.
type Hop struct {
	RateBps      uint64
	TS, Tx, Qlen uint64 // raw
}

// Ref is what the authors' simulator computed for a row.
type Ref struct {
	Kind               string  // first, update, fast
	UBefore, U         float64 // their U before and after
	RateCBefore        float64 // Rc = Wc/T before, bit/s
	Rate               uint64  // R = W/T after, bit/s
	StageBefore, Stage int
}

// Row is one ACK of a trace. Flow is an index into the flows, not the number in the file.
type Row struct {
	TNs            uint64
	Flow           int
	AckSeq, SndNxt uint64
	Hops           []Hop
	Ref            Ref
}

// Trace is a complete, checked trace.
type Trace struct {
	File   string
	Flows  []Flow
	Rows   []Row
	HasRef bool // the ref_ columns are there
}

var (
	rowColumns = []string{"t_ns", "flow", "ack_seq", "snd_nxt", "nhop"}
	refColumns = []string{"ref_kind", "ref_u_before", "ref_u", "ref_rate_c_before_bps", "ref_rate_bps", "ref_stage_before", "ref_stage"}
	hopColumns = []string{"rate_bps", "ts", "tx", "qlen"}
)

// Load reads a trace and its flows file; with flows == "" the one beside it.
func Load(trace, flows string) (*Trace, error) {
	if flows == "" {
		var err error
		if flows, err = FlowsPath(trace); err != nil {
			return nil, err
		}
	}
	// The trace is what was named; the name of its flows only follows from it.
	f, err := os.Open(trace)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	fs, err := ReadFlows(flows)
	if err != nil {
		return nil, err
	}
	return ReadTrace(trace, fs)
}

// ReadTrace reads a trace of the given flows.
func ReadTrace(path string, flows []Flow) (*Trace, error) {
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	tr, err := readTrace(t, flows)
	if cerr := t.close(); err == nil && cerr != nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	return tr, nil
}

// traceReader knows where the columns of a trace are.
type traceReader struct {
	*table
	row, ref map[string]int
	hop      [][4]int
	flowOf   map[uint64]int
	arena    []Hop
}

func readTrace(t *table, flows []Flow) (*Trace, error) {
	r := &traceReader{table: t, flowOf: map[uint64]int{}}
	if err := r.header(); err != nil {
		return nil, err
	}
	for i := range flows {
		r.flowOf[flows[i].ID] = i
	}
	tr := &Trace{File: t.file, Flows: flows, HasRef: r.ref != nil}
	for {
		if err := t.next(); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		row, err := r.parse()
		if err != nil {
			return nil, err
		}
		tr.Rows = append(tr.Rows, row)
	}
	if len(tr.Rows) == 0 {
		return nil, t.fault("", "no rows behind the header")
	}
	return tr, nil
}

func (r *traceReader) header() error {
	known := slices.Concat(rowColumns, refColumns)
	names := slices.Clone(rowColumns)
	hops := 0
	for _, c := range r.columns {
		var h int
		var f string
		if n, _ := fmt.Sscanf(c, "h%d_%s", &h, &f); n == 2 && slices.Contains(hopColumns, f) && c == fmt.Sprintf("h%d_%s", h, f) {
			if h >= traceMaxNhop {
				return r.fault("", "column %s: at most %d hops", c, traceMaxNhop)
			}
			hops = max(hops, h+1)
			continue
		}
		if !slices.Contains(known, c) {
			return r.fault("", "unknown column %q; the columns are %s, h0_{%s}, ..., %s", c,
				strings.Join(rowColumns, ", "), strings.Join(hopColumns, ","), strings.Join(refColumns, ", "))
		}
		if strings.HasPrefix(c, "ref_") && r.ref == nil {
			r.ref = map[string]int{}
		}
	}
	for h := range max(hops, 1) {
		for _, f := range hopColumns {
			names = append(names, fmt.Sprintf("h%d_%s", h, f))
		}
	}
	if r.ref != nil {
		names = append(names, refColumns...)
	}
	at, err := r.require(names)
	if err != nil {
		return err
	}
	r.row = at
	if r.ref != nil {
		r.ref = at
	}
	for h := range max(hops, 1) {
		var c [4]int
		for k, f := range hopColumns {
			c[k] = at[fmt.Sprintf("h%d_%s", h, f)]
		}
		r.hop = append(r.hop, c)
	}
	return nil
}

func (r *traceReader) parse() (row Row, err error) {
	get := func(name string, limit uint64) uint64 {
		if err != nil {
			return 0
		}
		var v uint64
		v, err = r.uint(r.row[name], limit)
		return v
	}
	row.TNs = get("t_ns", math.MaxInt64)
	flow := get("flow", math.MaxInt64)
	row.AckSeq = get("ack_seq", math.MaxInt64)
	row.SndNxt = get("snd_nxt", math.MaxInt64)
	nhop := get("nhop", traceMaxNhop)
	if err != nil {
		return row, err
	}
	var ok bool
	if row.Flow, ok = r.flowOf[flow]; !ok {
		return row, r.fault("flow", "flow %d is not in the flows file", flow)
	}
	if int(nhop) > len(r.hop) {
		return row, r.fault("nhop", "%d records, but the header has columns for %d", nhop, len(r.hop))
	}
	if row.Hops, err = r.parseHops(int(nhop)); err != nil {
		return row, err
	}
	if r.ref != nil {
		err = r.parseRef(&row.Ref)
	}
	return row, err
}

func (r *traceReader) parseHops(nhop int) ([]Hop, error) {
	if len(r.arena) < nhop {
		r.arena = make([]Hop, chunkedRecords)
	}
	hops := r.arena[:nhop:nhop]
	r.arena = r.arena[nhop:]
	for h, at := range r.hop {
		if h >= nhop {
			for _, i := range at {
				if r.fields[i] != "" {
					return nil, r.fault(r.columns[i], "must be empty, since nhop is %d", nhop)
				}
			}
			continue
		}
		var err error
		hop := &hops[h]
		for k, to := range []*uint64{&hop.RateBps, &hop.TS, &hop.Tx, &hop.Qlen} {
			if *to, err = r.uint(at[k], math.MaxInt64); err != nil {
				return nil, err
			}
		}
		if hop.RateBps == 0 {
			return nil, r.fault(r.columns[at[0]], "a link rate of 0")
		}
	}
	return hops, nil
}

func (r *traceReader) parseRef(ref *Ref) (err error) {
	kind := r.fields[r.ref["ref_kind"]]
	switch kind {
	case "first", "update", "fast":
		ref.Kind = kind
	default:
		return r.fault("ref_kind", "%q is none of first, update, fast", kind)
	}
	for _, n := range []struct {
		name string
		to   *float64
	}{{"ref_u_before", &ref.UBefore}, {"ref_u", &ref.U}, {"ref_rate_c_before_bps", &ref.RateCBefore}} {
		if *n.to, err = r.number(r.ref[n.name]); err != nil {
			return err
		}
	}
	if ref.Rate, err = r.uint(r.ref["ref_rate_bps"], math.MaxInt64); err != nil {
		return err
	}
	before, err := r.uint(r.ref["ref_stage_before"], 1<<16)
	if err != nil {
		return err
	}
	after, err := r.uint(r.ref["ref_stage"], 1<<16)
	ref.StageBefore, ref.Stage = int(before), int(after)
	return err
}
