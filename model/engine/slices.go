package engine

// slot is the control of a register slice that holds one element.
type slot struct {
	waiting bool   // an element waits to be taken
	flow    uint32 // of the element
	from    int64  // from this cycle on it may be taken
	until   int64  // the element taken last has left at the start of this cycle
}

// free reports whether the slice is empty at the start of cycle now.
func (s *slot) free(now int64) bool { return !s.waiting && s.until <= now }

// fill puts an element in, which may be taken from cycle from on.
func (s *slot) fill(flow uint32, from int64) { s.waiting, s.flow, s.from = true, flow, from }

// ready reports whether an element may be taken in cycle now.
func (s *slot) ready(now int64) bool { return s.waiting && s.from <= now }

// hold takes the element, which leaves before cycle until.
func (s *slot) hold(until int64) { s.waiting, s.until = false, until }

// queue is the control of the register slice of stream s, a FIFO, followed by the events that have been taken from it
// and are not issued yet. Events have places.
type queue struct {
	headers []Header // by place
	n       int      // events held
	taken   int      // of these the oldest, taken from the slice
	first   int      // place of the oldest
}

func (q *queue) clear() { q.n, q.taken, q.first = 0, 0, 0 }

// waiting is how many events the slice holds.
func (q *queue) waiting() int { return q.n - q.taken }

// take takes the oldest event from the slice.
func (q *queue) take() { q.taken++ }

// flow is the flow of the oldest event in the slice.
func (q *queue) flow() uint32 { return q.headers[q.place(q.taken)].Flow }

// pop is the issue of the oldest event.
func (q *queue) pop() {
	q.first = q.place(1)
	q.n--
	q.taken--
}

// push gives a place to an event.
func (q *queue) push(h Header) (place int) {
	place = q.place(q.n)
	q.headers[place] = h
	q.n++
	return place
}

// place is the place of the event after the nth oldest.
func (q *queue) place(n int) int {
	at := q.first + n
	if at >= len(q.headers) {
		at -= len(q.headers)
	}
	return at
}
