package engine

// results is the control of the output FIFO and of the results in flight to it, oldest first. Places are numbered
// without end and taken modulo the length, a power of two. The FIFO's memory holds head to stored-1.
type results struct {
	ring                        []flight
	head, stored, counted, tail uint64
	visible                     Counters
	regs                        []register // after the FIFO's memory, from the port to the memory
}

// flight is a result on its way: it is in the FIFO's memory from cycle at on.
type flight struct {
	at     int64
	status uint8
}

// register holds the result of a place.
type register struct {
	full  bool
	place int
}

func newResults(t Timing) results {
	size := 1
	for size < t.Credits {
		size *= 2
	}
	return results{ring: make([]flight, size), regs: make([]register, t.Output)}
}

func (r *results) clear() {
	r.head, r.stored, r.counted, r.tail = 0, 0, 0, 0
	r.visible = Counters{}
	clear(r.regs)
}

func (r *results) place(n uint64) int { return int(n & uint64(len(r.ring)-1)) }

// next is the place of the next result.
func (r *results) next() int { return r.place(r.tail) }

// put is a result in the next place.
func (r *results) put(f flight) {
	r.ring[r.next()] = f
	r.tail++
}

// arrive brings the memory and the counters to the start of cycle now. Results are counted early cycles before they
// are in the memory.
func (r *results) arrive(now, early int64, mask uint64) {
	for r.stored != r.tail && r.ring[r.place(r.stored)].at <= now {
		r.stored++
	}
	for r.counted != r.tail && r.ring[r.place(r.counted)].at-early <= now {
		r.visible.count(r.ring[r.place(r.counted)].status, mask)
		r.counted++
	}
}

// leave moves results one step on, from the memory through the registers. A register takes one when it is empty or
// gives its own away.
func (r *results) leave(returned bool) {
	if returned {
		r.regs[0].full = false
	}
	last := len(r.regs) - 1
	for i := range last {
		if !r.regs[i].full && r.regs[i+1].full {
			r.regs[i], r.regs[i+1].full = r.regs[i+1], false
		}
	}
	if !r.regs[last].full && r.head != r.stored {
		r.regs[last] = register{true, r.place(r.head)}
		r.head++
	}
}
