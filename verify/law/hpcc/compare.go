package hpcc

import (
	"maps"
	"math"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// NearTie is the distance of two hops' u' below which rounding may decide which of them is the larger.
const NearTie = 1.0 / (1 << 16)

// comparison measures results against the ref_ columns of their trace.
type comparison struct {
	replay.Stats
	cfg   *config.NIC
	near  *nearTies
	rates map[uint64]int // relative errors of R, by the upper bits of the number
}

// rateBits is the number of low bits that rates drops: 14 bits after the leading one remain.
const rateBits = 52 - 14

func newComparison(cfg *config.NIC, tr *Trace) *comparison {
	return &comparison{cfg: cfg, near: newNearTies(tr, cfg.Sojourn), rates: map[uint64]int{}}
}

func (s *comparison) add(it *item, r *hpcc.Result) {
	row := it.Row.(*Row)
	du := math.Abs(valueOf(s.cfg.Formats.U, r.U) - row.Ref.U)
	rate := valueOf(s.cfg.Formats.Rate, r.Rate) * 8e9 / float64(s.cfg.Telemetry.TickNs)
	dr := math.Abs(rate-float64(row.Ref.Rate)) / float64(row.Ref.Rate)
	s.rates[math.Float64bits(dr)>>rateBits]++
	s.Rows++
	if r.Kind.String() != row.Ref.Kind {
		s.KindsOther++
	}
	s.AllMaxU, s.AllMaxR = max(s.AllMaxU, du), max(s.AllMaxR, dr)
	if s.near.row(row, r.Kind) {
		s.NearTies++
		return
	}
	if du > s.MaxU {
		s.MaxU, s.MaxURow = du, row.Number
	}
	if dr > s.MaxR {
		s.MaxR, s.MaxRRow = dr, row.Number
	}
}

// stats are the statistics of all rows added.
func (s *comparison) stats() *replay.Stats {
	s.P50R, s.P99R = s.quantile(0.5), s.quantile(0.99)
	return &s.Stats
}

// quantile is the smallest relative error of R that at least the fraction q of the rows does not exceed, rounded down
// to 14 bits after the leading one.
func (s *comparison) quantile(q float64) float64 {
	rank := max(int(math.Ceil(q*float64(s.Rows))), 1)
	for _, key := range slices.Sorted(maps.Keys(s.rates)) {
		if rank -= s.rates[key]; rank <= 0 {
			return math.Float64frombits(key << rateBits)
		}
	}
	return 0
}

func valueOf(f fixed.Format, raw uint64) float64 { return math.Ldexp(float64(raw), -f.Frac) }

// nearTies finds near ties in floating point from the telemetry alone. The kinds of an engine's results determine which
// records of a flow it has stored.
type nearTies struct {
	tr      *Trace
	sojourn bool // the queue term comes from sojourn times
	stored  map[port]Hop
}

// port identifies the counters of a port as a trace does: by flow and hop.
type port struct{ flow, hop int }

func newNearTies(tr *Trace, sojourn bool) *nearTies { return &nearTies{tr, sojourn, map[port]Hop{}} }

// row takes the next row with the kind of its result and reports whether it is a near tie.
func (n *nearTies) row(row *Row, kind hpcc.Kind) bool {
	if kind == hpcc.KindNone {
		return false
	}
	f := &n.tr.Flows[row.Flow]
	top, second := math.Inf(-1), math.Inf(-1)
	for h, hop := range row.Hops {
		p := port{row.Flow, h}
		last := n.stored[p]
		dts := (hop.TS - last.TS) & mask(traceTSBits)
		if kind.Reacts() && dts == 0 {
			continue
		}
		n.stored[p] = hop
		if !kind.Reacts() {
			continue
		}
		ns := 8e9 * float64(f.UnitMultiplier) / float64(hop.RateBps) // on the link, per byte of a unit
		busy := float64((hop.Tx-last.Tx)&mask(traceTxBits)) * traceTxUnit * ns / float64(dts)
		queueRTT := 8e9 * float64(f.BDPBytes) / float64(f.MaxRateBps)
		queue := float64(min(hop.Qlen, last.Qlen)) * traceQlenUnit * ns
		if n.sojourn {
			queue = float64(min(hop.SojournNs, last.SojournNs))
		}
		u := busy + queue/queueRTT
		if u > top {
			top, second = u, top
		} else {
			second = max(second, u)
		}
	}
	return top-second < NearTie
}
