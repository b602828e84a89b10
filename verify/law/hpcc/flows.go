package hpcc

import (
	"errors"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/verify/source"
)

// Flow holds the constants of one flow, as the flows file gives them.
type Flow struct {
	ID             uint64 // the number that the trace uses
	BaseRTTNs      uint64 // T
	BDPBytes       uint64 // window at line rate, for the T' of the queue term
	MaxRateBps     uint64 // R at W_max, and at the start
	RateAIBps      uint64 // W_ai / T
	MinRateBps     uint64 // R at W_min
	Eta            *big.Rat
	MaxStage       int
	UnitMultiplier uint64 // scales the units of tx and qlen
	PayloadBytes   uint64
	Fast           bool // every ACK reacts, not only per-RTT commits
	Closed         bool // no context is opened for it

	line int // of the file
}

// Window is the window in bytes that gives the rate bps over the flow's base RTT: bps * T / 8.
func (f *Flow) Window(bps *big.Rat) *big.Rat {
	w := new(big.Rat).Mul(bps, new(big.Rat).SetUint64(f.BaseRTTNs))
	return w.Quo(w, new(big.Rat).SetUint64(8e9))
}

// QueueRTTNs is the T' that normalises the queue term: the time in which the maximum rate sends the
// bandwidth-delay product.
func (f *Flow) QueueRTTNs() *big.Rat {
	num := new(big.Int).Mul(new(big.Int).SetUint64(f.BDPBytes), big.NewInt(8e9))
	return new(big.Rat).SetFrac(num, new(big.Int).SetUint64(f.MaxRateBps))
}

var flowColumns = []string{
	"flow", "base_rtt_ns", "bdp_bytes", "max_rate_bps", "rate_ai_bps", "min_rate_bps", "eta", "max_stage",
	"unit_multiplier", "payload_bytes", "fast_react",
}

// openColumn is optional: 0 for a flow whose context is not opened.
const openColumn = "open"

// maxFlows bounds the flows of a file: no configuration holds more.
const maxFlows = 1 << 16

// ReadFlows reads a flows file.
func ReadFlows(path string) ([]Flow, error) {
	f, err := source.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := source.NewTable(f)
	var flows []Flow
	if err == nil {
		flows, err = readFlows(t)
	}
	return flows, errors.Join(err, f.Close())
}

func readFlows(t *source.Table) ([]Flow, error) {
	at, err := t.Require(flowColumns)
	if err != nil {
		return nil, err
	}
	for _, c := range t.Columns {
		if !slices.Contains(flowColumns, c) && c != openColumn {
			return nil, t.Fault("", "unknown column %q; the columns are %s; and, where wanted, %s", c,
				strings.Join(flowColumns, ", "), openColumn)
		}
	}
	var flows []Flow
	lineOf := map[uint64]int{}
	for {
		if err := t.Next(); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		f, err := parseFlow(t, at)
		if err != nil {
			return nil, err
		}
		if l, ok := lineOf[f.ID]; ok {
			return nil, t.Fault("flow", "flow %d is already in line %d", f.ID, l)
		}
		if len(flows) == maxFlows {
			return nil, t.Fault("flow", "more than %d flows; no configuration holds more", maxFlows)
		}
		lineOf[f.ID] = f.line
		flows = append(flows, f)
	}
	if len(flows) == 0 {
		return nil, t.Fault("", "no flows behind the header; at least one row is expected")
	}
	return flows, nil
}

func parseFlow(t *source.Table, at map[string]int) (f Flow, err error) {
	f.line = t.Line()
	for _, u := range []struct {
		name     string
		to       *uint64
		min, max uint64
	}{
		{"flow", &f.ID, 0, math.MaxInt64},
		{"base_rtt_ns", &f.BaseRTTNs, 1, 1e12},
		{"bdp_bytes", &f.BDPBytes, 1, 1e15},
		{"max_rate_bps", &f.MaxRateBps, 1, 1e15},
		{"rate_ai_bps", &f.RateAIBps, 0, 1e15},
		{"min_rate_bps", &f.MinRateBps, 0, 1e15},
		{"unit_multiplier", &f.UnitMultiplier, 1, 1e6},
		{"payload_bytes", &f.PayloadBytes, 0, 1e9},
	} {
		if *u.to, err = t.Uint(at[u.name], u.max); err != nil {
			return f, err
		}
		if *u.to < u.min {
			return f, t.Fault(u.name, "%d is too small; at least %d", *u.to, u.min)
		}
	}
	if f.MinRateBps > f.MaxRateBps {
		return f, t.Fault("min_rate_bps", "%d is above max_rate_bps %d", f.MinRateBps, f.MaxRateBps)
	}
	if f.Eta, err = decimal(t, at["eta"]); err != nil {
		return f, err
	}
	if f.Eta.Sign() == 0 {
		return f, t.Fault("eta", "0 is no target utilisation; it lies above 0, usually at 0.95")
	}
	stage, err := t.Uint(at["max_stage"], 1<<16)
	if err != nil {
		return f, err
	}
	f.MaxStage = int(stage)
	fast, err := t.Uint(at["fast_react"], 1)
	f.Fast = fast == 1
	if i := slices.Index(t.Columns, openColumn); err == nil && i >= 0 {
		var opened uint64
		opened, err = t.Uint(i, 1)
		f.Closed = opened == 0
	}
	return f, err
}

// decimal reads the field of a column as an exact decimal number that is not negative.
func decimal(t *source.Table, column int) (*big.Rat, error) {
	// Number first: it bounds the exponent, which SetString would expand digit by digit.
	if _, err := t.Number(column); err != nil {
		return nil, err
	}
	s := t.Fields[column]
	r, ok := new(big.Rat).SetString(s)
	if !ok || len(s) > 40 {
		return nil, t.Fault(t.Columns[column], "%q is not a decimal number", s)
	}
	return r, nil
}
