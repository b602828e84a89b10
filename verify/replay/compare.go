package replay

import (
	"math"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/hpcc"
)

// NearTie is the distance of two hops' u' below which rounding may decide which of them is the larger.
const NearTie = 1.0 / (1 << 16)

// Stats are the differences between a replay's results and the reference of the trace.
//
// A near tie is a row in which another hop's u' comes within NearTie of the largest; the two may differ in
// their time since the last record, and then the choice shows in U. Such rows are counted and kept out of
// MaxU and MaxR.
type Stats struct {
	Rows       int     `json:"rows"`
	NearTies   int     `json:"near_ties"`
	KindsOther int     `json:"kinds_other"`   // rows of another kind than the reference
	MaxU       float64 `json:"max_abs_u"`     // largest |U - ref_u|
	MaxURow    int     `json:"max_abs_u_row"` // its row, from 1
	MaxR       float64 `json:"max_rel_rate"`  // largest |R - ref_rate| / ref_rate
	MaxRRow    int     `json:"max_rel_rate_row"`
	AllMaxU    float64 `json:"max_abs_u_with_near_ties"`
	AllMaxR    float64 `json:"max_rel_rate_with_near_ties"`
	P50R       float64 `json:"p50_rel_rate"` // over all rows
	P99R       float64 `json:"p99_rel_rate"`
}

// Compare measures results against the ref_ columns of their trace.
func Compare(cfg *config.NIC, tr *Trace, results []hpcc.Result) Stats {
	var s Stats
	near := newNearTies(tr)
	rates := make([]float64, 0, len(results))
	for i := range results {
		row, r := &tr.Rows[i], &results[i]
		du := math.Abs(valueOf(cfg.Formats.U, r.U) - row.Ref.U)
		rate := valueOf(cfg.Formats.Rate, r.Rate) * 8e9 / float64(cfg.Telemetry.TickNs)
		dr := math.Abs(rate-float64(row.Ref.Rate)) / float64(row.Ref.Rate)
		rates = append(rates, dr)
		s.Rows++
		if r.Kind.String() != row.Ref.Kind {
			s.KindsOther++
		}
		s.AllMaxU, s.AllMaxR = max(s.AllMaxU, du), max(s.AllMaxR, dr)
		if near.row(row) {
			s.NearTies++
			continue
		}
		if du > s.MaxU {
			s.MaxU, s.MaxURow = du, i+1
		}
		if dr > s.MaxR {
			s.MaxR, s.MaxRRow = dr, i+1
		}
	}
	slices.Sort(rates)
	s.P50R, s.P99R = quantile(rates, 0.5), quantile(rates, 0.99)
	return s
}

// quantile is the smallest value that at least the fraction q of the sorted values does not exceed.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)]
}

func valueOf(f fixed.Format, raw uint64) float64 { return math.Ldexp(float64(raw), -f.Frac) }

// nearTies finds near ties in floating point from the telemetry alone.
type nearTies struct {
	tr   *Trace
	last map[port]Hop
	nhop map[int]int
}

func newNearTies(tr *Trace) *nearTies {
	return &nearTies{tr: tr, last: map[port]Hop{}, nhop: map[int]int{}}
}

// row takes the next row and tells whether it is a near tie.
func (n *nearTies) row(row *Row) bool {
	f := &n.tr.Flows[row.Flow]
	first := n.nhop[row.Flow] != len(row.Hops)
	n.nhop[row.Flow] = len(row.Hops)
	top, second := math.Inf(-1), math.Inf(-1)
	for h, hop := range row.Hops {
		p := port{row.Flow, h}
		last := n.last[p]
		dts := (hop.TS - last.TS) & mask(traceTSBits)
		if dts == 0 && !first {
			continue
		}
		n.last[p] = hop
		if first {
			continue
		}
		ns := 8e9 * float64(f.UnitMultiplier) / float64(hop.RateBps) // on the link, per byte of a unit
		busy := float64((hop.Tx-last.Tx)&mask(traceTxBits)) * traceTxUnit * ns / float64(dts)
		queueRTT := 8e9 * float64(f.BDPBytes) / float64(f.MaxRateBps)
		u := busy + float64(min(hop.Qlen, last.Qlen))*traceQlenUnit*ns/queueRTT
		if u > top {
			top, second = u, top
		} else {
			second = max(second, u)
		}
	}
	return top-second < NearTie
}
