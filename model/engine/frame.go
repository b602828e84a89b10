package engine

// frame is the control of an engine, which knows of payloads only where they stand.
type frame struct {
	timing Timing
	masks  masks
	do     payloads

	now     int64   // number of the cycle to come
	resetAt int64   // last cycle with reset
	clean   bool    // nothing has happened since the reset
	swept   int     // sweep operations taken
	lastAt  int64   // last issue
	flowAt  []int64 // last issue of an operation of the flow; void unless after resetAt

	s          queue
	cw, cr, tw slot
	front      []operation // from the pipeline to the slices
	spare      operation   // after the one in the first register

	credits int
	results results

	reading bool  // a read is outstanding
	cdAt    int64 // its data is on cd from this cycle on

	// Without slices an event, or a read, that was issued is still at its port. It acts if it is transferred.
	offered offer
	asked   offer
}

// payloads applies operations, when they act, to the state that the frame does not know.
type payloads interface {
	reset()
	table()            // the table write in its slice
	write(flow uint32) // the context write in its slice
	read(flow uint32)  // the context read
	// event takes the event in a place of the queue, and leaves its decision in a place of the results.
	event(issued int64, h Header, from, to int) (status uint8)
}

// offer is an element at its port from its issue to its transfer.
type offer struct {
	open     bool
	from, to int64 // the cycles of its issue and of its transfer
}

// never is a cycle long before the first, forever one after the last.
const (
	never   = -1 << 60
	forever = 1 << 60
)

func newFrame(m masks, t Timing, do payloads) frame {
	f := frame{
		timing: t, masks: m, do: do, flowAt: make([]int64, int(m.flow)+1),
		s:     queue{headers: make([]Header, max(t.InputDepth, 1)+t.Front+1)},
		front: make([]operation, t.Front), results: newResults(t),
	}
	for i := range f.flowAt {
		f.flowAt[i] = never
	}
	f.reset(-1)
	return f
}

// reset is the state after a cycle with reset asserted.
func (f *frame) reset(now int64) {
	f.resetAt, f.lastAt = now, never
	if f.clean {
		return
	}
	f.clean = true
	f.do.reset() // the sweep will have cleared it before anything issues
	f.swept = 0
	f.s.clear()
	clear(f.front)
	f.spare = operation{}
	f.cw, f.cr, f.tw = slot{}, slot{}, slot{}
	f.credits = f.timing.Credits
	f.results.clear()
	f.offered, f.asked = offer{}, offer{}
	f.reading = false
}

// initDone reports whether the clearing after reset is over at the start of cycle now.
func (f *frame) initDone(now int64) bool {
	if f.timing.Slotted() {
		return now-f.resetAt-1 >= int64(f.timing.Sweep)
	}
	return f.swept >= f.timing.Sweep
}

// slot reports whether something may be issued in cycle now where there are no slices: after reset the memories are
// cleared, an address a cycle; the cycles of issue are multiples of the interval, counted from the first without reset.
func (f *frame) slot(now int64) bool {
	return f.initDone(now) && (now-f.resetAt-1)%int64(f.timing.Interval) == 0
}

// ready is the ready output of each input stream in cycle now. After reset their registers are low for a cycle.
func (f *frame) ready(now int64) (s, cw, cr, tw bool) {
	if f.timing.Slotted() {
		return f.offered.open && f.offered.to == now, f.cw.until == now+1,
			f.asked.open && f.asked.to == now, f.tw.until == now+1
	}
	up := f.resetAt != now-1
	return up && f.s.waiting() < f.timing.InputDepth, up && f.cw.free(now), up && f.cr.free(now), up && f.tw.free(now)
}
