package stimulus

import "math/bits"

// random is a splitmix64 generator: small, fast, and the same sequence for a seed for ever, which
// printed seeds rely on.
type random struct{ state uint64 }

// DeriveSeed gives the seed of the nth of several independent runs. The 0th is the seed itself.
func DeriveSeed(seed uint64, n int) uint64 {
	if n == 0 {
		return seed
	}
	r := random{seed ^ uint64(n)*0xd1342543de82ef95}
	return r.next()
}

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// n is uniform in 0 to limit-1; limit must be above 0.
func (r *random) n(limit int) int {
	hi, _ := bits.Mul64(r.next(), uint64(limit))
	return int(hi)
}

// upTo is uniform in 0 to limit.
func (r *random) upTo(limit uint64) uint64 {
	if limit == ^uint64(0) {
		return r.next()
	}
	hi, _ := bits.Mul64(r.next(), limit+1)
	return hi
}

// oneIn is true once in k calls on average.
func (r *random) oneIn(k int) bool { return r.n(k) == 0 }

// bits is a random value of up to the given width: uniform, near either end, or of a random magnitude.
func (r *random) bits(width int) uint64 {
	if width <= 0 {
		return 0
	}
	top := mask(width)
	switch r.n(8) {
	case 0:
		return r.upTo(min(3, top))
	case 1:
		return top - r.upTo(min(3, top))
	case 2, 3:
		return r.next() & mask(1+r.n(width))
	}
	return r.next() & top
}

func mask(width int) uint64 {
	if width >= 64 {
		return ^uint64(0)
	}
	return 1<<width - 1
}
