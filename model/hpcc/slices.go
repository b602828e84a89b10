package hpcc

// slot is the control of a register slice that holds one element.
type slot struct {
	waiting bool  // an element waits to be taken
	from    int64 // from this cycle on it may be taken
	until   int64 // the element taken last has left at the start of this cycle
}

// free tells whether the slice is empty at the start of cycle now.
func (s *slot) free(now int64) bool { return !s.waiting && s.until <= now }

// fill puts an element in, which may be taken from cycle from on.
func (s *slot) fill(from int64) { s.waiting, s.from = true, from }

// ready tells whether an element may be taken in cycle now.
func (s *slot) ready(now int64) bool { return s.waiting && s.from <= now }

// hold takes the element, which leaves before cycle until.
func (s *slot) hold(until int64) { s.waiting, s.until = false, until }

// ackQueue is the register slice of stream s, a FIFO, followed by the ACKs that have been taken from it and
// are not issued yet.
type ackQueue struct {
	acks  []Ack
	n     int // ACKs held
	taken int // of these the oldest, taken from the slice
	first int // position of the oldest
}

func newAckQueue(depth int) ackQueue { return ackQueue{acks: make([]Ack, depth)} }

func (q *ackQueue) clear() { q.n, q.taken, q.first = 0, 0, 0 }

// waiting is how many ACKs the slice holds.
func (q *ackQueue) waiting() int { return q.n - q.taken }

// take takes the oldest ACK from the slice.
func (q *ackQueue) take() { q.taken++ }

// flow is the flow of the oldest ACK in the slice.
func (q *ackQueue) flow() uint32 { return q.acks[(q.first+q.taken)%len(q.acks)].Flow }

// front is the oldest ACK that is not issued.
func (q *ackQueue) front() *Ack { return &q.acks[q.first] }

// pop is the issue of the oldest ACK.
func (q *ackQueue) pop() {
	q.n--
	q.taken--
	if q.first++; q.first == len(q.acks) {
		q.first = 0
	}
}

// push copies the ACK in, cut to the width of its port where that is not done later.
func (q *ackQueue) push(a *Ack, flowMask uint32) {
	at := q.first + q.n
	if at >= len(q.acks) {
		at -= len(q.acks)
	}
	q.acks[at] = *a
	q.acks[at].Flow &= flowMask
	q.acks[at].Nhop &= 15
	q.n++
}
