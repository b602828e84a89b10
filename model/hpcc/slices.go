package hpcc

// slot is the control of a register slice that holds one element.
type slot struct {
	waiting bool  // an element waits for its issue
	until   int64 // the element issued last has left at the start of this cycle
}

// free tells whether the slice is empty at the start of cycle now.
func (s *slot) free(now int64) bool { return !s.waiting && s.until <= now }

func (s *slot) fill() { s.waiting = true }

// hold is the issue of the element, which leaves before cycle until.
func (s *slot) hold(until int64) { s.waiting, s.until = false, until }

// ackQueue is the register slice of stream s: a FIFO of one or two ACKs.
type ackQueue struct {
	acks  []Ack
	n     int // elements held
	first int // position of the oldest
}

func newAckQueue(depth int) ackQueue { return ackQueue{acks: make([]Ack, depth)} }

func (q *ackQueue) clear() { q.n, q.first = 0, 0 }

func (q *ackQueue) front() *Ack { return &q.acks[q.first] }

func (q *ackQueue) pop() {
	q.n--
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
