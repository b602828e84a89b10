// Package random is the source of all random stimulus: numbers, and patterns of cycles in which a stream moves. The
// same seed always gives the same sequence.
package random

import "math/bits"

// Rand is a splitmix64 generator: small, fast, and the same sequence for a seed for ever, which
// printed seeds rely on.
type Rand struct{ state uint64 }

// New starts a sequence.
func New(seed uint64) Rand { return Rand{seed} }

// DeriveSeed gives the seed of the nth of several independent runs. The 0th is the seed itself.
func DeriveSeed(seed uint64, n int) uint64 {
	if n == 0 {
		return seed
	}
	r := Rand{seed ^ uint64(n)*0xd1342543de82ef95}
	return r.Next()
}

// Next is any 64 bits.
func (r *Rand) Next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// N is uniform in 0 to limit-1; limit must be above 0.
func (r *Rand) N(limit int) int {
	hi, _ := bits.Mul64(r.Next(), uint64(limit))
	return int(hi)
}

// UpTo is uniform in 0 to limit.
func (r *Rand) UpTo(limit uint64) uint64 {
	if limit == ^uint64(0) {
		return r.Next()
	}
	hi, _ := bits.Mul64(r.Next(), limit+1)
	return hi
}

// OneIn is true once in k calls on average.
func (r *Rand) OneIn(k int) bool { return r.N(k) == 0 }

// Bits is a random value of up to the given width: uniform, near either end, or of a random magnitude.
func (r *Rand) Bits(width int) uint64 {
	if width <= 0 {
		return 0
	}
	top := Mask(width)
	switch r.N(8) {
	case 0:
		return r.UpTo(min(3, top))
	case 1:
		return top - r.UpTo(min(3, top))
	case 2, 3:
		return r.Next() & Mask(1+r.N(width))
	}
	return r.Next() & top
}

// Append appends random bytes up to a length.
func (r *Rand) Append(b []byte, length int) []byte {
	for len(b) < length {
		v := r.Next()
		for i := 0; i < 8 && len(b) < length; i++ {
			b = append(b, byte(v>>(8*i)))
		}
	}
	return b
}

// Perm is a random permutation of 0 to n-1.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.N(i + 1)
		p[i], p[j] = p[j], i
	}
	return p
}

// Mask has the low bits of a width set.
func Mask(width int) uint64 {
	if width >= 64 {
		return ^uint64(0)
	}
	return 1<<width - 1
}
