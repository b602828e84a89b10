package replay

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"
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

// ReadFlows reads a flows file.
func ReadFlows(path string) ([]Flow, error) {
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	flows, err := readFlows(t)
	if cerr := t.close(); err == nil {
		err = cerr
	}
	return flows, err
}

func readFlows(t *table) ([]Flow, error) {
	at, err := t.require(flowColumns)
	if err != nil {
		return nil, err
	}
	for _, c := range t.columns {
		if _, ok := at[c]; !ok {
			return nil, t.fault("", "unknown column %q; the columns are %s", c, strings.Join(flowColumns, ", "))
		}
	}
	var flows []Flow
	rowOf := map[uint64]int{}
	for {
		if err := t.next(); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		f, err := parseFlow(t, at)
		if err != nil {
			return nil, err
		}
		if r, ok := rowOf[f.ID]; ok {
			return nil, t.fault("flow", "flow %d is already in row %d", f.ID, r)
		}
		rowOf[f.ID] = t.row
		flows = append(flows, f)
	}
	if len(flows) == 0 {
		return nil, t.fault("", "no flows; at least one row is expected")
	}
	return flows, nil
}

func parseFlow(t *table, at map[string]int) (f Flow, err error) {
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
		if *u.to, err = t.uint(at[u.name], u.max); err != nil {
			return f, err
		}
		if *u.to < u.min {
			return f, t.fault(u.name, "%d is too small; at least %d", *u.to, u.min)
		}
	}
	if f.MinRateBps > f.MaxRateBps {
		return f, t.fault("min_rate_bps", "%d is above max_rate_bps %d", f.MinRateBps, f.MaxRateBps)
	}
	if f.Eta, err = t.decimal(at["eta"]); err != nil {
		return f, err
	}
	if f.Eta.Sign() == 0 {
		return f, t.fault("eta", "0 is no target utilisation; it lies above 0, usually at 0.95")
	}
	stage, err := t.uint(at["max_stage"], 1<<16)
	if err != nil {
		return f, err
	}
	f.MaxStage = int(stage)
	fast, err := t.uint(at["fast_react"], 1)
	f.Fast = fast == 1
	return f, err
}

// require gives the positions of the named columns, or an error that lists all that are missing.
func (t *table) require(names []string) (map[string]int, error) {
	at := map[string]int{}
	var missing []string
	for _, n := range names {
		if i := t.column(n); i >= 0 {
			at[n] = i
		} else {
			missing = append(missing, n)
		}
	}
	switch len(missing) {
	case 0:
		return at, nil
	case 1:
		return nil, t.fault("", "column %s is missing from the header", missing[0])
	}
	return nil, t.fault("", "columns %s are missing from the header", strings.Join(missing, ", "))
}

// FlowsPath is the flows file that belongs to a trace: NAME.flows.csv beside NAME.trace.csv.gz.
func FlowsPath(trace string) (string, error) {
	for _, suffix := range []string{".trace.csv.gz", ".trace.csv"} {
		if name, ok := strings.CutSuffix(trace, suffix); ok {
			return name + ".flows.csv", nil
		}
	}
	return "", fmt.Errorf("%s: the name does not end in .trace.csv.gz or .trace.csv, so the flows file cannot be guessed; name it with --flows", trace)
}
