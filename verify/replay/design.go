package replay

import (
	"container/heap"
	"errors"
	"fmt"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	model "github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/drive"
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
type designLeg[E, W, D, R any] struct {
	target *stimulus.Target[E, W, D, R]
	flowOf func(w *W) int
	eng    engine.Engine
	now    int64 // cycles done
}

func newDesignLeg[E, C, W, D, R, T, P any](l *stimulus.Law[E, C, W, D, R, T, P], name string, o *Options) (
	*designLeg[E, W, D, R], error,
) {
	t, err := l.NewTarget(false)
	if err != nil {
		return nil, err
	}
	eng, err := o.start(name, t.Design)
	if err != nil {
		return nil, err
	}
	flowOf := func(w *W) int { return int(l.Model.Scope(w).Flow) }
	return &designLeg[E, W, D, R]{target: t, flowOf: flowOf, eng: eng}, nil
}

// start starts the engine of a name.
func (o *Options) start(name string, d engine.Design) (engine.Engine, error) {
	open := o.Open
	if open == nil {
		open = engine.Open
	}
	return open(name, d, engine.Options{VCD: o.VCD, CacheDir: o.CacheDir, Progress: o.Step, Hardware: o.Hardware})
}

func (l *designLeg[E, W, D, R]) cycles() int64 { return l.now }
func (l *designLeg[E, W, D, R]) close() error  { return l.eng.Close() }

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
type step[E, W any] struct {
	cycle  int64
	stream stream
	table  config.TableWrite // by stream
	write  W
	row    *Item[E, W]
	taken  int64 // the cycle in which it is to be taken
}

func (l *designLeg[E, W, D, R]) run(p *Plan[E, W, R], done func(row *Item[E, W], r *R) error) (time.Duration, error) {
	f, err := newFeed(p)
	if err != nil {
		return 0, err
	}
	r := &run[E, W, D, R]{
		designLeg: l, plan: p, until: [streams]int64{-2, -2, -2},
		sched:    newScheduler(p, f, l.target.Timing, l.flowOf),
		finished: map[int]finished[E, W, R]{}, done: done,
	}
	if r.next, r.more, err = r.sched.next(); err != nil {
		return f.spent, err
	}
	if err := drive.Run(l.eng, r, 1); err != nil {
		var wrong *Error
		if !errors.As(err, &wrong) {
			err = fmt.Errorf("engine %s: %w", l.eng.Name(), err)
		}
		return f.spent, err
	}
	return f.spent, nil
}

// run is one replay under way.
type run[E, W, D, R any] struct {
	*designLeg[E, W, D, R]
	plan     *Plan[E, W, R]
	sched    *scheduler[E, W, R]
	asked    []*Item[E, W] // rows issued, whose results are still to come, oldest first
	offers   []step[E, W]  // of the batch, and of earlier ones where they are taken in it or later
	next     step[E, W]    // not yet offered
	more     bool
	deadline int64              // by which the last result must be there
	held     model.Inputs[E, W] // what is offered
	until    [streams]int64     // the last cycle of it

	finished map[int]finished[E, W, R] // by number, rows that wait for one before them
	done     func(row *Item[E, W], r *R) error
}

// finished is a row with its result.
type finished[E, W, R any] struct {
	row    *Item[E, W]
	result R
}

// Fill makes the inputs of the next batch. The results of the one before are there.
func (r *run[E, W, D, R]) Fill(b *drive.Batch) (err error) {
	done := !r.more && r.now > 0
	switch {
	case done && r.sched.given == r.plan.Rows:
		b.Cycles = 0
		return nil
	case done && r.now > r.deadline:
		return fmt.Errorf("%d results are missing after cycle %d; the first is that of row %d", len(r.asked),
			r.now, r.asked[0].Number)
	}
	b.Size(r.target.Binding.Layout, batchCycles)
	for c := range batchCycles {
		now := r.now + int64(c)
		changed := c == 0 || now == resetCycles
		for i := range r.until {
			if r.until[i] == now-1 {
				*r.valid(stream(i)) = false
				changed = true
			}
		}
		for r.more && r.next.cycle == now {
			r.offer(r.next)
			changed = true
			if r.next, r.more, err = r.sched.next(); err != nil {
				return err
			}
		}
		if !changed {
			copy(b.Input(c), b.Input(c-1))
			continue
		}
		r.held.Rst = now < resetCycles
		r.held.MReady, r.held.CDReady = now >= resetCycles, now >= resetCycles
		r.target.Binding.PutInputs(b.Input(c), &r.held)
	}
	return nil
}

func (r *run[E, W, D, R]) valid(s stream) *bool {
	return [...]*bool{&r.held.S.Valid, &r.held.CW.Valid, &r.held.TW.Valid}[s]
}

// offer shows an operation at its stream.
func (r *run[E, W, D, R]) offer(s step[E, W]) {
	switch s.stream {
	case streamTW:
		r.held.TW.Payload = s.table
	case streamCW:
		r.held.CW.Payload = s.write
	case streamS:
		r.held.S.Payload = s.row.Event
		r.asked = append(r.asked, s.row)
	}
	*r.valid(s.stream) = true
	r.until[s.stream] = s.taken
	r.offers = append(r.offers, s)
	r.deadline = s.taken + int64(r.target.Timing.Front) + int64(r.target.Timing.Latency) + 8
}

// Judge checks that all offers of the batch were taken, and matches the results with the rows.
func (r *run[E, W, D, R]) Judge(batch *drive.Batch) error {
	defer func() { r.now += batchCycles }()
	b := r.target.Binding
	later := r.offers[:0]
	for _, o := range r.offers {
		if o.taken >= r.now+batchCycles {
			later = append(later, o)
			continue
		}
		s, cw, _, tw := b.Ready(batch.Output(int(o.taken - r.now)))
		if ready := [...]bool{s, cw, tw}[o.stream]; !ready {
			return fmt.Errorf("%s_ready is low in cycle %d, where the timing of the design says that it is high",
				streamNames[o.stream], o.taken)
		}
	}
	r.offers = later
	for c := range batchCycles {
		res, ok := b.Result(batch.Output(c))
		if !ok {
			continue
		}
		if len(r.asked) == 0 {
			return fmt.Errorf("a result in cycle %d, but no event is under way: %s", r.now+int64(c), bind.Text(&res, nil))
		}
		row := r.asked[0]
		r.asked = r.asked[1:]
		if flow := int(bind.Getter[R]("flow")(&res)); flow != row.Flow {
			return fmt.Errorf("row %d: the result is of flow %d, not %d (cycle %d)", row.Number, flow, row.Flow,
				r.now+int64(c))
		}
		r.finished[row.Number] = finished[E, W, R]{row, res}
	}
	for {
		f, ok := r.finished[r.sched.given+1]
		if !ok {
			return nil
		}
		delete(r.finished, f.row.Number)
		r.sched.given++
		if err := r.done(f.row, &f.result); err != nil {
			return err
		}
	}
}

// window is how many rows the scheduler looks at: from the first without a result on.
const window = 1 << 14

// scheduler orders the operations of a plan in time, from the timing data alone.
type scheduler[E, W, R any] struct {
	plan   *Plan[E, W, R]
	feed   *feed[E, W, R]
	flowOf func(w *W) int
	t      model.Timing
	stride int64
	slot   int64 // earliest cycle of the next issue
	twFree int64 // earliest cycle in which tw, cw take an element
	cwFree int64
	tables int // written
	writes int
	read   int // rows, from the feed
	given  int // rows whose results are passed on
	flows  []flowQueue[E, W]
	ready  byRow[E, W, R]
	later  byTime[E, W, R]
}

// flowQueue holds the rows of a flow that are still to go.
type flowQueue[E, W any] struct {
	rows    []*Item[E, W]
	free    int64 // earliest issue of its next operation
	resumed bool  // the resync write of rows[0] is done
}

func newScheduler[E, W, R any](p *Plan[E, W, R], f *feed[E, W, R], t model.Timing,
	flowOf func(w *W) int) *scheduler[E, W, R] {
	// At this distance the credits never run out, whatever the order.
	stride := max(int64(t.Interval), int64((t.Front+t.Latency+2+t.Output+t.Credits-1)/t.Credits))
	if t.Slotted() {
		stride = int64((int(stride) + t.Interval - 1) / t.Interval * t.Interval)
	}
	s := &scheduler[E, W, R]{plan: p, feed: f, flowOf: flowOf, t: t, stride: stride,
		flows: make([]flowQueue[E, W], p.Flows)}
	s.slot = s.align(int64(t.Clearing() + 16))
	s.ready.s, s.later.s = s, s
	return s
}

// freeAfter is the earliest cycle in which a stream takes its next write, after one that reaches the issue stage in a
// cycle.
func (s *scheduler[E, W, R]) freeAfter(cycle int64) int64 {
	return cycle + int64(s.t.Front) + int64(s.t.Latency) + 1
}

// lead is how many cycles before it reaches the issue stage a write is offered; an ACK is one cycle before. Where
// there are no slices both are offered in the same cycle, and the writes are apart by as much.
func (s *scheduler[E, W, R]) lead() int64 { return int64(max(s.t.Told, 1)) }

// next gives the operations in the order of their cycles; false behind the last one.
func (s *scheduler[E, W, R]) next() (step[E, W], bool, error) {
	switch {
	case s.tables < len(s.plan.Tables):
		s.slot = s.align(max(s.slot, s.twFree+s.lead()))
		s.twFree = s.freeAfter(s.slot)
		s.tables++
		return s.issue(step[E, W]{stream: streamTW, table: s.plan.Tables[s.tables-1]}), true, nil
	case s.writes < len(s.plan.Contexts):
		w := s.plan.Contexts[s.writes]
		s.takeWrite(&s.flows[s.flowOf(&w)])
		s.writes++
		return s.issue(step[E, W]{stream: streamCW, write: w}), true, nil
	}
	return s.nextRow()
}

// look reads rows as far as the window goes, and one at least where none waits.
func (s *scheduler[E, W, R]) look() error {
	for s.read < s.plan.Rows && (s.read-s.given < window || s.ready.Len()+s.later.Len() == 0) {
		it, err := s.feed.next()
		if err != nil {
			return err
		}
		s.read++
		f := &s.flows[it.Flow]
		f.rows = append(f.rows, it)
		if len(f.rows) == 1 {
			heap.Push(&s.later, it.Flow)
		}
	}
	return nil
}

func (s *scheduler[E, W, R]) nextRow() (step[E, W], bool, error) {
	for {
		if err := s.look(); err != nil {
			return step[E, W]{}, false, err
		}
		for s.later.Len() > 0 && s.flows[s.later.items[0]].free <= s.slot {
			heap.Push(&s.ready, heap.Pop(&s.later))
		}
		if s.ready.Len() == 0 {
			if s.later.Len() == 0 {
				return step[E, W]{}, false, nil
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
			f.resumed = true
			s.takeWrite(f)
			heap.Push(&s.later, at)
			return s.issue(step[E, W]{stream: streamCW, write: f.rows[0].Resync}), true, nil
		}
		row := f.rows[0]
		f.rows, f.resumed = f.rows[1:], false
		f.free = s.slot + int64(s.t.Hazard) + 1
		if len(f.rows) > 0 {
			heap.Push(&s.later, at)
		}
		return s.issue(step[E, W]{stream: streamS, row: row}), true, nil
	}
}

// takeWrite reserves the next slot for a context write of the flow.
func (s *scheduler[E, W, R]) takeWrite(f *flowQueue[E, W]) {
	s.slot = s.align(max(s.slot, s.cwFree+s.lead(), f.free))
	s.cwFree = s.freeAfter(s.slot)
	f.free = s.slot + int64(s.t.Hazard) + 1
}

// align is the first cycle of issue from cycle on, where only some are.
func (s *scheduler[E, W, R]) align(cycle int64) int64 {
	if !s.t.Slotted() {
		return cycle
	}
	n := int64(s.t.Interval)
	return (cycle-resetCycles+n-1)/n*n + resetCycles
}

// issue uses the slot for a step, which gets its cycles.
func (s *scheduler[E, W, R]) issue(st step[E, W]) step[E, W] {
	at := s.slot
	if !s.t.Slotted() {
		s.slot += s.stride
		st.cycle = at - 1
		if st.stream != streamS {
			st.cycle = at - s.lead()
		}
		st.taken = st.cycle
		return st
	}
	at = s.align(at)
	s.slot = at + s.stride
	hold := s.t.Latency
	if st.stream == streamS {
		hold = s.t.Hold
	}
	st.cycle, st.taken = at, at+int64(hold)
	return st
}

// byRow is a heap of flows, the one with the earliest row first.
type byRow[E, W, R any] struct {
	s     *scheduler[E, W, R]
	items []int
}

func (h *byRow[E, W, R]) Len() int { return len(h.items) }
func (h *byRow[E, W, R]) Less(i, j int) bool {
	return h.s.flows[h.items[i]].rows[0].Number < h.s.flows[h.items[j]].rows[0].Number
}
func (h *byRow[E, W, R]) Swap(i, j int) { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *byRow[E, W, R]) Push(x any)    { h.items = append(h.items, x.(int)) }
func (h *byRow[E, W, R]) Pop() any      { return pop(&h.items) }

// byTime is a heap of flows, the one that is free first first; the earlier row decides between equals.
type byTime[E, W, R any] struct{ byRow[E, W, R] }

func (h *byTime[E, W, R]) Less(i, j int) bool {
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
