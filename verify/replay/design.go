package replay

import (
	"container/heap"
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// batchCycles is how many cycles cross to the engine at once.
const batchCycles = 2048

// designLeg runs on the generated design. Every operation is offered for one cycle, at a time at which the design's
// published timing says that it is taken at once and issued in the next cycle: so the inputs need not wait
// for the outputs, and whole batches go to the engine. That each offer was in fact taken is checked.
//
// Rows of one flow keep their order and their distance, the hazard. Rows of different flows do not
// depend on each other: while one flow waits for its hazard, the next rows of others go ahead.
type designLeg struct {
	target *stimulus.Target
	eng    engine.Engine
	now    int64 // cycles done
	in     []uint64
	out    []uint64
	idle   []uint64
}

func newDesignLeg(cfg *config.NIC, name string, o *Options) (*designLeg, error) {
	t, err := stimulus.NewTarget(cfg, false)
	if err != nil {
		return nil, err
	}
	open := o.Open
	if open == nil {
		open = engine.Open
	}
	eng, err := open(name, t.Design, engine.Options{VCD: o.VCD, CacheDir: o.CacheDir, Progress: o.Step, Hardware: o.Hardware})
	if err != nil {
		return nil, err
	}
	l := t.Binding.Layout
	leg := &designLeg{
		target: t, eng: eng,
		in: make([]uint64, batchCycles*l.InWords), out: make([]uint64, batchCycles*l.OutWords), idle: make([]uint64, l.InWords),
	}
	t.Binding.PutInputs(leg.idle, &hpcc.Inputs{MReady: true, CDReady: true})
	return leg, nil
}

func (l *designLeg) cycles() int64 { return l.now }
func (l *designLeg) close() error  { return l.eng.Close() }

// stream is an input stream of the design.
type stream int

const (
	streamS stream = iota
	streamCW
	streamTW
)

// step is an operation and the cycle in which it is offered.
type step struct {
	cycle  int64
	stream stream
	row    int // of an ACK
}

func (l *designLeg) run(p *Plan, progress func(done, total int)) ([]hpcc.Result, error) {
	p.rewind()
	r := &run{
		designLeg: l, plan: p, progress: progress, results: make([]hpcc.Result, len(p.Trace.Rows)), sched: newScheduler(p, l.target.Timing),
	}
	if err := r.all(); err != nil {
		return nil, fmt.Errorf("engine %s: %w", l.eng.Name(), err)
	}
	return r.results, nil
}

// run is one replay under way.
type run struct {
	*designLeg
	plan     *Plan
	sched    *scheduler
	progress func(done, total int)
	results  []hpcc.Result
	asked    []int  // rows issued, whose results are still to come, oldest first
	offers   []step // of the batch
	got      int
}

func (r *run) all() error {
	const resetCycles = 2
	next, more := r.sched.next()
	deadline := int64(0)
	for {
		r.offers = r.offers[:0]
		w := len(r.idle)
		for c := range batchCycles {
			copy(r.in[c*w:], r.idle)
			if r.now+int64(c) < resetCycles {
				r.target.Binding.PutInputs(r.in[c*w:(c+1)*w], &hpcc.Inputs{Rst: true})
			}
		}
		for more && next.cycle < r.now+batchCycles {
			c := int(next.cycle-r.now) * w
			r.offer(r.in[c:c+w], next)
			r.offers = append(r.offers, next)
			deadline = next.cycle + int64(r.target.Timing.Latency) + 8
			next, more = r.sched.next()
		}
		if err := r.eng.Run(batchCycles, r.in, r.out); err != nil {
			return err
		}
		if err := r.collect(); err != nil {
			return err
		}
		r.now += batchCycles
		if r.progress != nil {
			r.progress(r.got, len(r.results))
		}
		if !more && r.got == len(r.results) {
			return nil
		}
		if !more && r.now > deadline {
			return fmt.Errorf("%d results are missing after cycle %d; the first is that of row %d", len(r.asked), r.now, r.asked[0]+1)
		}
	}
}

// offer puts an operation into the words of its cycle.
func (r *run) offer(words []uint64, s step) {
	in := hpcc.Inputs{MReady: true, CDReady: true}
	switch s.stream {
	case streamTW:
		in.TW = hpcc.TableWritePort{Valid: true, TableWrite: r.plan.Tables[s.row]}
	case streamCW:
		in.CW = hpcc.ContextWritePort{Valid: true, ContextWrite: r.sched.write}
	case streamS:
		in.S = hpcc.AckPort{Valid: true, Ack: *r.plan.toAck(&r.plan.Trace.Rows[s.row])}
		r.asked = append(r.asked, s.row)
	}
	r.target.Binding.PutInputs(words, &in)
}

// collect checks that all offers of the batch were taken, and matches the results with the rows.
func (r *run) collect() error {
	b, w := r.target.Binding, r.target.Binding.Layout.OutWords
	for _, o := range r.offers {
		s, cw, _, tw := b.Ready(r.out[int(o.cycle-r.now)*w:])
		if ready := [...]bool{s, cw, tw}[o.stream]; !ready {
			return fmt.Errorf("%s_ready is low in cycle %d, where the timing of the design says that it is high", [...]string{"s", "cw", "tw"}[o.stream], o.cycle)
		}
	}
	for c := range batchCycles {
		res, ok := b.Result(r.out[c*w:])
		if !ok {
			continue
		}
		if len(r.asked) == 0 {
			return fmt.Errorf("a result of flow %d in cycle %d, but no ACK is under way", res.Flow, r.now+int64(c))
		}
		row := r.asked[0]
		r.asked = r.asked[1:]
		if flow := r.plan.Trace.Rows[row].Flow; int(res.Flow) != flow {
			return fmt.Errorf("row %d: the result is of flow %d, not %d (cycle %d)", row+1, res.Flow, flow, r.now+int64(c))
		}
		r.results[row] = res
		r.got++
	}
	return nil
}

// scheduler orders the operations of a plan in time, from the timing data alone.
type scheduler struct {
	plan   *Plan
	t      hpcc.Timing
	stride int64
	slot   int64 // earliest cycle of the next issue
	twFree int64 // earliest cycle in which tw, cw take an element
	cwFree int64
	write  hpcc.ContextWrite // of the step returned last
	tables int               // written
	writes int
	flows  []flowQueue
	ready  byRow
	later  byTime
}

// flowQueue holds the rows of a flow that are still to go.
type flowQueue struct {
	rows    []int
	free    int64 // earliest issue of its next operation
	resumed bool  // the resync write of rows[0] is done
}

func newScheduler(p *Plan, t hpcc.Timing) *scheduler {
	// At this distance the credits never run out, whatever the order.
	stride := max(int64(t.Interval), int64((t.Latency+3+t.Credits-1)/t.Credits))
	s := &scheduler{plan: p, t: t, stride: stride, slot: int64(t.Sweep*t.Interval + 16), flows: make([]flowQueue, len(p.Trace.Flows))}
	for i := range p.Trace.Rows {
		f := p.Trace.Rows[i].Flow
		s.flows[f].rows = append(s.flows[f].rows, i)
	}
	for f := range s.flows {
		if len(s.flows[f].rows) > 0 {
			s.later.items = append(s.later.items, f)
		}
	}
	s.ready.s, s.later.s = s, s
	return s
}

// next gives the operations in the order of their cycles; false behind the last one. An operation offered in a
// cycle is issued in the next one.
func (s *scheduler) next() (step, bool) {
	switch {
	case s.tables < len(s.plan.Tables):
		s.slot = max(s.slot, s.twFree+1)
		s.twFree = s.slot + int64(s.t.Latency) + 1
		s.tables++
		return s.issue(streamTW, s.tables-1), true
	case s.writes < len(s.plan.Contexts):
		s.write = s.plan.Contexts[s.writes]
		s.takeWrite(&s.flows[s.write.Flow])
		s.writes++
		if s.writes == len(s.plan.Contexts) {
			heap.Init(&s.later)
		}
		return s.issue(streamCW, 0), true
	}
	return s.nextRow()
}

func (s *scheduler) nextRow() (step, bool) {
	for {
		for s.later.Len() > 0 && s.flows[s.later.items[0]].free <= s.slot {
			heap.Push(&s.ready, heap.Pop(&s.later))
		}
		if s.ready.Len() == 0 {
			if s.later.Len() == 0 {
				return step{}, false
			}
			late := s.flows[s.later.items[0]].free - s.slot
			s.slot += (late + s.stride - 1) / s.stride * s.stride
			continue
		}
		at := heap.Pop(&s.ready).(int)
		f := &s.flows[at]
		if s.plan.Resync && !f.resumed {
			if s.cwFree+1 > s.slot { // the write stream is still occupied
				f.free = s.cwFree + 1
				heap.Push(&s.later, at)
				continue
			}
			w, err := s.plan.resync(&s.plan.Trace.Rows[f.rows[0]])
			if err != nil { // NewPlan has checked them all
				panic(err)
			}
			s.write = w
			f.resumed = true
			s.takeWrite(f)
			heap.Push(&s.later, at)
			return s.issue(streamCW, 0), true
		}
		row := f.rows[0]
		f.rows, f.resumed = f.rows[1:], false
		f.free = s.slot + int64(s.t.Hazard) + 1
		if len(f.rows) > 0 {
			heap.Push(&s.later, at)
		}
		return s.issue(streamS, row), true
	}
}

// takeWrite reserves the next slot for a context write of the flow.
func (s *scheduler) takeWrite(f *flowQueue) {
	s.slot = max(s.slot, s.cwFree+1, f.free)
	s.cwFree = s.slot + int64(s.t.Latency) + 1
	f.free = s.slot + int64(s.t.Hazard) + 1
}

// issue uses the slot.
func (s *scheduler) issue(st stream, row int) step {
	at := s.slot
	s.slot += s.stride
	return step{cycle: at - 1, stream: st, row: row}
}

// byRow is a heap of flows, the one with the earliest row first.
type byRow struct {
	s     *scheduler
	items []int
}

func (h *byRow) Len() int { return len(h.items) }
func (h *byRow) Less(i, j int) bool {
	return h.s.flows[h.items[i]].rows[0] < h.s.flows[h.items[j]].rows[0]
}
func (h *byRow) Swap(i, j int) { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *byRow) Push(x any)    { h.items = append(h.items, x.(int)) }
func (h *byRow) Pop() any      { return pop(&h.items) }

// byTime is a heap of flows, the one that is free first first; the earlier row decides between equals.
type byTime struct{ byRow }

func (h *byTime) Less(i, j int) bool {
	a, b := &h.s.flows[h.items[i]], &h.s.flows[h.items[j]]
	if a.free != b.free {
		return a.free < b.free
	}
	return h.byRow.Less(i, j)
}

func pop(items *[]int) int {
	n := len(*items) - 1
	x := (*items)[n]
	*items = (*items)[:n]
	return x
}
