package block

import "math/rand/v2"

// pattern is when a side of a block is active: a phase of one kind follows another.
type pattern struct {
	kind, left int
	a, b       int // lengths of burst and pause, or odds
	pos        int
}

const (
	always = iota
	never
	odds
	bursts
	alternate
	patternKinds
)

// next reports whether the side is active in this cycle.
func (p *pattern) next(r *rand.Rand) bool {
	if p.left == 0 {
		*p = pattern{kind: r.IntN(patternKinds), left: 1 + r.IntN(200), a: 1 + r.IntN(12), b: 1 + r.IntN(12)}
		if p.kind == never {
			p.left = 1 + r.IntN(40)
		}
	}
	p.left--
	p.pos++
	switch p.kind {
	case always:
		return true
	case odds:
		return r.IntN(p.a+p.b) < p.a
	case bursts:
		return p.pos%(p.a+p.b) < p.a
	case alternate:
		return p.pos%2 == 0
	}
	return false
}
