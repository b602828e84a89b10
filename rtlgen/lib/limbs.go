package lib

import "github.com/hdlpkg/hpccgen/config"

// Limbs is how the factors of a product are cut: the bits of the two that a multiplier block takes, unsigned.
type Limbs struct{ A, B int }

// LimbsOf is the limbs for a multiplier block.
func LimbsOf(m config.Multiplier) Limbs {
	a, b := m.Bits()
	return Limbs{a, b}
}

// blocks is the number of multiplier blocks for a product of so many bits.
func (l Limbs) blocks(a, b int) int { return ceilDiv(a, l.A) * ceilDiv(b, l.B) }

// around is l, or l with A and B exchanged where a product of so many bits takes fewer blocks so.
func (l Limbs) around(a, b int) Limbs {
	if turned := (Limbs{l.B, l.A}); turned.blocks(a, b) < l.blocks(a, b) {
		return turned
	}
	return l
}

// Square is limbs of so many bits of either factor.
func Square(n int) Limbs { return Limbs{n, n} }
