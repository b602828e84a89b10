// Package trace reads the reference traces of testdata/traces for the tests of the model. The README there describes
// the columns.
package trace

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
)

// Names are the shipped traces.
var Names = []string{
	"s_solo_mi0", "s_solo_mi5", "a_incast2_mi0", "a_incast2_mi5", "b_incast16_mi0", "c_fair8_mi5",
	"d_hetero_mi0", "w_wrap_mtu4000_mi5",
}

// Trace is a trace and the constants of its flows.
type Trace struct {
	Flows []Flow
	Rows  []Row
}

// Flow holds the constants of one flow.
type Flow struct {
	BaseRTTNs, BDPBytes, MaxRateBps, MinRateBps, RateAIBps uint64

	Eta            string // decimal
	MaxStage       int
	UnitMultiplier uint64
	Fast           bool
}

// Row is one ACK with the result of the reference.
type Row struct {
	TNs            uint64
	Flow           int
	AckSeq, SndNxt uint32
	Hops           []Hop

	Kind               string
	UBefore, U         float64
	RcBefore, Rate     float64 // bit/s
	StageBefore, Stage int
}

// Hop is the telemetry of one hop.
type Hop struct{ RateBps, TS, Tx, Qlen uint64 }

var loaded sync.Map // name to *Trace

// Load reads a shipped trace, once. It is shared: not to be changed.
func Load(name string) (*Trace, error) {
	if t, ok := loaded.Load(name); ok {
		return t.(*Trace), nil
	}
	t, err := read(name)
	if err == nil {
		loaded.Store(name, t)
	}
	return t, err
}

func read(name string) (*Trace, error) {
	_, here, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(here), "..", "..", "..", "testdata", "traces")
	flows, err := os.ReadFile(filepath.Join(dir, name+".flows.csv"))
	if err != nil {
		return nil, err
	}
	packed, err := os.ReadFile(filepath.Join(dir, name+".trace.csv.gz"))
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	t := &Trace{}
	err = rows(csv.NewReader(bytes.NewReader(flows)), func(c cells) {
		t.Flows = append(t.Flows, Flow{
			BaseRTTNs: c.uint("base_rtt_ns"), BDPBytes: c.uint("bdp_bytes"), MaxRateBps: c.uint("max_rate_bps"),
			MinRateBps: c.uint("min_rate_bps"), RateAIBps: c.uint("rate_ai_bps"), Eta: c.text("eta"),
			MaxStage: int(c.uint("max_stage")), UnitMultiplier: c.uint("unit_multiplier"), Fast: c.uint("fast_react") == 1,
		})
	})
	if err != nil {
		return nil, fmt.Errorf("%s.flows.csv: %w", name, err)
	}
	err = rows(csv.NewReader(unpacked), func(c cells) {
		r := Row{
			TNs: c.uint("t_ns"), Flow: int(c.uint("flow")), AckSeq: uint32(c.uint("ack_seq")), SndNxt: uint32(c.uint("snd_nxt")),
			Kind: c.text("ref_kind"), UBefore: c.float("ref_u_before"), U: c.float("ref_u"),
			RcBefore: c.float("ref_rate_c_before_bps"), Rate: c.float("ref_rate_bps"),
			StageBefore: int(c.uint("ref_stage_before")), Stage: int(c.uint("ref_stage")),
		}
		for i := range c.uint("nhop") {
			h := fmt.Sprintf("h%d_", i)
			r.Hops = append(r.Hops, Hop{c.uint(h + "rate_bps"), c.uint(h + "ts"), c.uint(h + "tx"), c.uint(h + "qlen")})
		}
		t.Rows = append(t.Rows, r)
	})
	if err != nil {
		return nil, fmt.Errorf("%s.trace.csv.gz: %w", name, err)
	}
	return t, nil
}

// cells gives the fields of a row by column name and keeps the first error.
type cells struct {
	column map[string]int
	row    []string
	err    *error
}

func (c cells) text(name string) string {
	i, ok := c.column[name]
	if !ok {
		c.fail(fmt.Errorf("no column %s", name))
		return ""
	}
	return c.row[i]
}

func (c cells) uint(name string) uint64 {
	v, err := strconv.ParseUint(c.text(name), 10, 64)
	c.fail(err)
	return v
}

func (c cells) float(name string) float64 {
	v, err := strconv.ParseFloat(c.text(name), 64)
	c.fail(err)
	return v
}

func (c cells) fail(err error) {
	if *c.err == nil && err != nil {
		*c.err = err
	}
}

func rows(r *csv.Reader, each func(cells)) error {
	all, err := r.ReadAll()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("no header")
	}
	c := cells{column: map[string]int{}, err: new(error)}
	for i, name := range all[0] {
		c.column[name] = i
	}
	for n, row := range all[1:] {
		c.row = row
		if each(c); *c.err != nil {
			return fmt.Errorf("row %d: %w", n+1, *c.err)
		}
	}
	return nil
}
