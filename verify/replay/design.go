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
// published timing says that it is taken at once and waits for no other: so the inputs need not wait
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
	words  []uint64 // of a cycle
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
		in: make([]uint64, batchCycles*l.InWords), out: make([]uint64, batchCycles*l.OutWords), words: make([]uint64, l.InWords),
	}
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
	streams
)

var streamNames = [streams]string{"s", "cw", "tw"}

// resetCycles is the number of cycles with reset at the start.
const resetCycles = 2

// step is an operation and the cycle in which it is offered.
type step struct {
	cycle  int64
	stream stream
	row    int   // of an ACK
	taken  int64 // the cycle in which it is to be taken
}

func (l *designLeg) run(p *Plan, progress func(done, total int)) ([]hpcc.Result, error) {
	p.rewind()
	r := &run{
		designLeg: l, plan: p, progress: progress, until: [streams]int64{-2, -2, -2}, results: make([]hpcc.Result, len(p.Trace.Rows)), sched: newScheduler(p, l.target.Timing),
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
	offers   []step // of the batch, and of earlier ones where they are taken in it or later
	got      int
	next     step // not yet offered
	more     bool
	deadline int64          // by which the last result must be there
	held     hpcc.Inputs    // what is offered
	until    [streams]int64 // the last cycle of it
}

func (r *run) all() error {
	r.next, r.more = r.sched.next()
	for {
		r.fill()
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
		if !r.more && r.got == len(r.results) {
			return nil
		}
		if !r.more && r.now > r.deadline {
			return fmt.Errorf("%d results are missing after cycle %d; the first is that of row %d", len(r.asked), r.now, r.asked[0]+1)
		}
	}
}

// fill makes the inputs of a batch.
func (r *run) fill() {
	w := len(r.words)
	for c := range batchCycles {
		now := r.now + int64(c)
		changed := now == 0 || now == resetCycles
		for i := range r.until {
			if r.until[i] == now-1 {
				*r.valid(stream(i)) = false
				changed = true
			}
		}
		for r.more && r.next.cycle == now {
			r.offer(r.next)
			changed = true
			r.next, r.more = r.sched.next()
		}
		if changed {
			r.held.Rst = now < resetCycles
			r.held.MReady, r.held.CDReady = now >= resetCycles, now >= resetCycles
			r.target.Binding.PutInputs(r.words, &r.held)
		}
		copy(r.in[c*w:], r.words)
	}
}

func (r *run) valid(s stream) *bool {
	return [...]*bool{&r.held.S.Valid, &r.held.CW.Valid, &r.held.TW.Valid}[s]
}

// offer shows an operation at its stream.
func (r *run) offer(s step) {
	switch s.stream {
	case streamTW:
		r.held.TW.TableWrite = r.plan.Tables[s.row]
	case streamCW:
		r.held.CW.ContextWrite = r.sched.write
	case streamS:
		r.held.S.Ack = *r.plan.toAck(&r.plan.Trace.Rows[s.row])
		r.asked = append(r.asked, s.row)
	}
	*r.valid(s.stream) = true
	r.until[s.stream] = s.taken
	r.offers = append(r.offers, s)
	r.deadline = s.taken + int64(r.target.Timing.Front) + int64(r.target.Timing.Latency) + 8
}

// collect checks that all offers of the batch were taken, and matches the results with the rows.
func (r *run) collect() error {
	b, w := r.target.Binding, r.target.Binding.Layout.OutWords
	later := r.offers[:0]
	for _, o := range r.offers {
		if o.taken >= r.now+batchCycles {
			later = append(later, o)
			continue
		}
		s, cw, _, tw := b.Ready(r.out[int(o.taken-r.now)*w:])
		if ready := [...]bool{s, cw, tw}[o.stream]; !ready {
			return fmt.Errorf("%s_ready is low in cycle %d, where the timing of the design says that it is high", streamNames[o.stream], o.taken)
		}
	}
	r.offers = later
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
	stride := max(int64(t.Interval), int64((t.Front+t.Latency+2+t.Output+t.Credits-1)/t.Credits))
	if t.Slotted() {
		stride = int64((int(stride) + t.Interval - 1) / t.Interval * t.Interval)
	}
	s := &scheduler{plan: p, t: t, stride: stride, flows: make([]flowQueue, len(p.Trace.Flows))}
	s.slot = s.align(int64(t.Clearing() + 16))
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

// freeAfter is the earliest cycle in which a stream takes its next write, after one that reaches the issue stage in a cycle.
func (s *scheduler) freeAfter(cycle int64) int64 {
	return cycle + int64(s.t.Front) + int64(s.t.Latency) + 1
}

// lead is how many cycles before it reaches the issue stage a write is offered; an ACK is one cycle before. Where there are no slices both are
// offered in the same cycle, and the writes are apart by as much.
func (s *scheduler) lead() int64 {
	if s.t.Front > 0 {
		return 2
	}
	return 1
}

// next gives the operations in the order of their cycles; false behind the last one.
func (s *scheduler) next() (step, bool) {
	switch {
	case s.tables < len(s.plan.Tables):
		s.slot = s.align(max(s.slot, s.twFree+s.lead()))
		s.twFree = s.freeAfter(s.slot)
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
			if s.cwFree+s.lead() > s.slot { // the write stream is still occupied
				f.free = s.cwFree + s.lead()
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
	s.slot = s.align(max(s.slot, s.cwFree+s.lead(), f.free))
	s.cwFree = s.freeAfter(s.slot)
	f.free = s.slot + int64(s.t.Hazard) + 1
}

// align is the first cycle of issue from cycle on, where only some are.
func (s *scheduler) align(cycle int64) int64 {
	if !s.t.Slotted() {
		return cycle
	}
	n := int64(s.t.Interval)
	return (cycle-resetCycles+n-1)/n*n + resetCycles
}

// issue uses the slot.
func (s *scheduler) issue(st stream, row int) step {
	at := s.slot
	if !s.t.Slotted() {
		s.slot += s.stride
		from := at - 1
		if st != streamS {
			from = at - s.lead()
		}
		return step{cycle: from, stream: st, row: row, taken: from}
	}
	at = s.align(at)
	s.slot = at + s.stride
	hold := s.t.Latency
	if st == streamS {
		hold = s.t.Hold
	}
	return step{cycle: at, stream: st, row: row, taken: at + int64(hold)}
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
