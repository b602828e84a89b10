package replay

import (
	"maps"
	"math/bits"
	"slices"

	model "github.com/hdlpkg/hpccgen/model/engine"
)

// Waits is how long the ACKs of a timed replay waited before their issue: beyond the time that an ACK takes through
// the engine when nothing is in its way.
type Waits struct {
	ClockMHz float64 `json:"clock_mhz"`
	Compress float64 `json:"compress"`
	Delayed  int     `json:"delayed"` // rows that waited at all
	MedianNs float64 `json:"wait_median_ns"`
	P99Ns    float64 `json:"wait_p99_ns"` // as long or less for 99% of the rows
	MaxNs    float64 `json:"wait_max_ns"`
	MaxRow   int     `json:"wait_max_row"`  // from 1
	LastNs   float64 `json:"wait_last_ns"`  // of the last row: whether the engine has caught up
	Queue    int     `json:"longest_queue"` // ACKs that had arrived and were not issued, the one to issue next included
	QueueRow int     `json:"longest_queue_row"`
	Lost     int     `json:"lost"` // rows without a decision
}

// waits counts them. Rows are decided in the order in which they arrive.
type waits struct {
	clock   Clock
	through int64 // cycles from the issue, or from the arrival where nothing waits, to the decision
	sum     Waits
	onWait  func(ns uint64, wait float64) // told each row's time and wait in seconds; may be nil

	arrived int           // rows
	decided int           // rows
	at      []int64       // arrivals of rows that are not decided, oldest first
	counts  map[int64]int // rows by wait in cycles, of which the upper 12 bits count
	longest int64
}

func newWaits(c Clock, t model.Timing) *waits {
	w := &waits{clock: c, counts: map[int64]int{}, through: int64(t.Through())}
	if t.Slotted() {
		w.through = int64(t.Latency + 1 + t.Output)
	}
	w.sum = Waits{ClockMHz: c.MHz, Compress: c.Compress}
	return w
}

func (w *waits) arrive(cycle int64) {
	w.arrived++
	w.at = append(w.at, cycle)
}

// decide takes the decision of the oldest row.
func (w *waits) decide(cycle int64, row int, ns uint64) {
	issued := cycle - w.through
	wait := issued - w.at[0]
	// Arrivals are known up to the present, which is after the issue.
	queue, _ := slices.BinarySearch(w.at, issued+1)
	if queue > w.sum.Queue {
		w.sum.Queue, w.sum.QueueRow = queue, row
	}
	w.at = w.at[1:]
	w.decided++
	low := max(0, bits.Len64(uint64(wait))-12)
	w.counts[wait>>low<<low]++
	if wait > 0 {
		w.sum.Delayed++
	}
	if wait > w.longest {
		w.longest, w.sum.MaxRow = wait, row
	}
	w.sum.LastNs = w.ns(wait)
	if w.onWait != nil {
		w.onWait(ns, w.clock.seconds(wait))
	}
}

func (w *waits) ns(cycles int64) float64 { return w.clock.seconds(cycles) * 1e9 }

// report sums up.
func (w *waits) report() *Waits {
	w.sum.MaxNs, w.sum.Lost = w.ns(w.longest), w.arrived-w.decided
	seen := 0
	for _, wait := range slices.Sorted(maps.Keys(w.counts)) {
		before := seen
		seen += w.counts[wait]
		if half := (w.decided + 1) / 2; before < half && seen >= half {
			w.sum.MedianNs = w.ns(wait)
		}
		if most := (99*w.decided + 99) / 100; before < most && seen >= most {
			w.sum.P99Ns = w.ns(wait)
		}
	}
	return &w.sum
}
