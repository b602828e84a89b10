package hpcc

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/verify/replay"
	"github.com/hdlpkg/hpccgen/verify/source"
)

// Units of the raw telemetry fields of a trace (the INT layout of the HPCC authors).
const (
	traceTSBits    = 24 // timestamp, nanoseconds, wraps
	traceTxBits    = 20 // bytes sent, units of TxUnitBytes, wraps
	traceTxUnit    = 128
	traceQlenUnit  = 80
	traceMaxNhop   = 15 // four bits
	chunkedRecords = 1 << 10
)

// Hop is one telemetry record of a trace row.
type Hop struct {
	RateBps      uint64 // 0: a link that no table entry is written for
	TS, Tx, Qlen uint64 // raw
	LinkID       uint64
	SojournNs    uint64
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
	Number         int // from 1
	TNs            uint64
	Flow           int
	AckSeq, SndNxt uint64
	PathID         uint64
	Hops           []Hop
	Ref            Ref
}

// Trace is a trace with its flows, which can be read row by row, again and again.
type Trace struct {
	Flows      []Flow
	FlowsFile  string
	HasRef     bool // the ref_ columns are there
	HasSojourn bool // the sojourn columns are there
	file       *source.File
}

var (
	rowColumns = []string{"t_ns", "flow", "ack_seq", "snd_nxt", "nhop"}
	refColumns = []string{"ref_kind", "ref_u_before", "ref_u", "ref_rate_c_before_bps", "ref_rate_bps",
		"ref_stage_before", "ref_stage"}
	hopColumns = []string{"rate_bps", "ts", "tx", "qlen"}
	// Columns that a trace may lack: of a row, and of each hop.
	pathColumn     = "path_id"
	optionalOfHops = []string{"link_id", "sojourn"}
)

// OpenTrace opens a trace, reads its header, and reads its flows file; with flows == "" the one beside it.
func OpenTrace(trace, flows string) (*Trace, error) {
	if flows == "" {
		var err error
		if flows, err = replay.FlowsPath(trace); err != nil {
			return nil, err
		}
	}
	// The trace is what was named; the name of its flows only follows from it.
	f, err := source.Open(trace)
	if err != nil {
		return nil, err
	}
	tr := &Trace{FlowsFile: flows, file: f}
	if tr.Flows, err = ReadFlows(flows); err == nil {
		var r *rowReader
		if r, err = tr.rows(); err == nil {
			tr.HasRef, tr.HasSojourn = r.hasRef, r.has("sojourn")
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return tr, nil
}

// File is the name of the trace.
func (tr *Trace) File() string { return tr.file.Name }

// Close closes the trace.
func (tr *Trace) Close() error { return tr.file.Close() }

// rowReader reads a trace row by row.
type rowReader struct {
	*source.Table
	at     map[string]int // columns
	hop    [][]int        // of each hop, by hopColumns and optionalOfHops; -1: not there
	hasRef bool
	flowOf map[uint64]int
	arena  []Hop
	rows   int
}

// rows begins with the first row. A reader from before is void.
func (tr *Trace) rows() (*rowReader, error) {
	t, err := source.NewTable(tr.file)
	if err != nil {
		return nil, err
	}
	r := &rowReader{Table: t, flowOf: map[uint64]int{}}
	if err := r.header(); err != nil {
		return nil, err
	}
	for i := range tr.Flows {
		r.flowOf[tr.Flows[i].ID] = i
	}
	return r, nil
}

func hopColumn(hop int, field string) string { return fmt.Sprintf("h%d_%s", hop, field) }

// has tells whether the hops have an optional column.
func (r *rowReader) has(field string) bool { return r.hop[0][r.field(field)] >= 0 }

func (r *rowReader) field(name string) int {
	return slices.Index(slices.Concat(hopColumns, optionalOfHops), name)
}

func (r *rowReader) header() error {
	fields := slices.Clone(hopColumns)
	known := slices.Concat(rowColumns, refColumns, []string{pathColumn})
	hops := 1
	for _, c := range r.Columns {
		var h int
		var f string
		if n, _ := fmt.Sscanf(c, "h%d_%s", &h, &f); n == 2 && c == hopColumn(h, f) &&
			slices.Contains(slices.Concat(hopColumns, optionalOfHops), f) {
			if h >= traceMaxNhop {
				return r.Fault("", "column %s: at most %d hops", c, traceMaxNhop)
			}
			hops = max(hops, h+1)
			if !slices.Contains(fields, f) {
				fields = append(fields, f)
			}
			continue
		}
		if !slices.Contains(known, c) {
			return r.Fault("",
				"unknown column %q; the columns are %s, h0_{%s}, ..., %s; and, where wanted, %s, h0_{%s}, ...", c,
				strings.Join(rowColumns, ", "),
				strings.Join(hopColumns, ","), strings.Join(refColumns,
					", "), pathColumn, strings.Join(optionalOfHops, ","))
		}
		r.hasRef = r.hasRef || strings.HasPrefix(c, "ref_")
	}
	names := slices.Clone(rowColumns)
	for h := range hops {
		for _, f := range fields {
			names = append(names, hopColumn(h, f))
		}
	}
	if r.hasRef {
		names = append(names, refColumns...)
	}
	if _, err := r.Require(names); err != nil {
		return err
	}
	r.at = map[string]int{}
	for i, c := range r.Columns {
		r.at[c] = i
	}
	for h := range hops {
		var at []int
		for _, f := range slices.Concat(hopColumns, optionalOfHops) {
			i, ok := r.at[hopColumn(h, f)]
			if !ok {
				i = -1
			}
			at = append(at, i)
		}
		r.hop = append(r.hop, at)
	}
	return nil
}

// next reads a row. It returns io.EOF after the last one.
func (r *rowReader) next() (*Row, error) {
	err := r.Next()
	if err == io.EOF && r.rows == 0 {
		return nil, r.Fault("", "no rows behind the header; at least one is expected")
	}
	if err != nil {
		return nil, err
	}
	r.rows++
	row := &Row{Number: r.rows}
	return row, r.parse(row)
}

func (r *rowReader) parse(row *Row) (err error) {
	get := func(name string, limit uint64) uint64 {
		if err != nil {
			return 0
		}
		var v uint64
		v, err = r.Uint(r.at[name], limit)
		return v
	}
	row.TNs = get("t_ns", math.MaxInt64)
	flow := get("flow", math.MaxInt64)
	row.AckSeq = get("ack_seq", math.MaxInt64)
	row.SndNxt = get("snd_nxt", math.MaxInt64)
	nhop := get("nhop", traceMaxNhop)
	if _, ok := r.at[pathColumn]; ok {
		row.PathID = get(pathColumn, math.MaxUint32)
	}
	if err != nil {
		return err
	}
	var ok bool
	if row.Flow, ok = r.flowOf[flow]; !ok {
		return r.Fault("flow", "flow %d is not in the flows file", flow)
	}
	if int(nhop) > len(r.hop) {
		return r.Fault("nhop", "%d records, but the header has columns for %d", nhop, len(r.hop))
	}
	if row.Hops, err = r.parseHops(int(nhop)); err != nil {
		return err
	}
	if r.hasRef {
		err = r.parseRef(&row.Ref)
	}
	return err
}

func (r *rowReader) parseHops(nhop int) ([]Hop, error) {
	if len(r.arena) < nhop {
		r.arena = make([]Hop, chunkedRecords)
	}
	hops := r.arena[:nhop:nhop]
	r.arena = r.arena[nhop:]
	for h, at := range r.hop {
		if h >= nhop {
			for _, i := range at {
				if i >= 0 && r.Fields[i] != "" {
					return nil, r.Fault(r.Columns[i], "must be empty, since nhop is %d", nhop)
				}
			}
			continue
		}
		hop := &hops[h]
		for k, to := range []*uint64{&hop.RateBps, &hop.TS, &hop.Tx, &hop.Qlen, &hop.LinkID, &hop.SojournNs} {
			if at[k] < 0 {
				continue
			}
			var err error
			if *to, err = r.Uint(at[k], math.MaxInt64); err != nil {
				return nil, err
			}
		}
	}
	return hops, nil
}

func (r *rowReader) parseRef(ref *Ref) (err error) {
	kind := r.Fields[r.at["ref_kind"]]
	switch kind {
	case "first", "update", "fast":
		ref.Kind = kind
	default:
		return r.Fault("ref_kind", "%q is none of first, update, fast", kind)
	}
	for _, n := range []struct {
		name string
		to   *float64
	}{{"ref_u_before", &ref.UBefore}, {"ref_u", &ref.U}, {"ref_rate_c_before_bps", &ref.RateCBefore}} {
		if *n.to, err = r.Number(r.at[n.name]); err != nil {
			return err
		}
	}
	if ref.Rate, err = r.Uint(r.at["ref_rate_bps"], math.MaxInt64); err != nil {
		return err
	}
	if ref.Rate == 0 {
		return r.Fault("ref_rate_bps", "0 is no rate to compare with; at least 1")
	}
	before, err := r.Uint(r.at["ref_stage_before"], 1<<16)
	if err != nil {
		return err
	}
	after, err := r.Uint(r.at["ref_stage"], 1<<16)
	ref.StageBefore, ref.Stage = int(before), int(after)
	return err
}
