package packets

// slack is how much later than pace computes a beat may leave the pipeline's memory: a cycle or two until its credit
// is back, and the cycles that the editor takes to start and end a packet.
const slack = 6

// pace finds the cycles in which beats can be offered so that a device whose output is never held back is ready for
// each, without looking: a beat goes in when the one that had its credit is certain to have left the memory.
type pace struct {
	shape *design
	beats int64   // scheduled
	last  int64   // cycle of the last beat
	taken []int64 // ring by beat modulo Credits: cycle in which the editor takes it at the latest
	prev  int64   // the one of the beat before
	head  int     // beats of the packet that wait for its header cycle
	first int64   // cycle of the last packet's first beat
}

func newPace(s *design, start int64) *pace {
	return &pace{
		shape: s, last: start - 1, taken: make([]int64, s.Credits), prev: start, first: start - int64(s.Spacing),
	}
}

// next schedules the next beat; at is its number in its packet of n beats.
func (p *pace) next(at, n int) int64 {
	credits := int64(p.shape.Credits)
	cycle := p.last + 1
	if p.beats >= credits {
		cycle = max(cycle, p.taken[p.beats%credits]+slack)
	}
	if at == 0 {
		cycle = max(cycle, p.first+int64(p.shape.Spacing))
		p.first = cycle
	}
	p.last = cycle
	p.beats++
	header := min((p.shape.Header-1)/p.shape.Width(), n-1)
	switch {
	case at < header:
		p.head++
		return cycle
	case at == header: // now it is known when the decision comes
		start := max(cycle, p.first+int64(p.shape.Spacing)-1)
		p.prev = max(p.prev+int64(p.shape.growth), start+int64(p.shape.Decision)-1)
		for i := p.head; i > 0; i-- {
			p.take(p.beats-1-int64(i), 0)
		}
		p.head = 0
	}
	p.take(p.beats-1, cycle)
	return cycle
}

// take notes that a beat accepted in a cycle is taken after the one before it.
func (p *pace) take(beat, cycle int64) {
	p.prev = max(p.prev+1, cycle+int64(p.shape.Offer))
	p.taken[beat%int64(p.shape.Credits)] = p.prev
}
