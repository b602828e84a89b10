package vgen

import "math/bits"

// operand is a value of any width, its words in the value array from at on.
type operand struct{ at, width, words int }

func (o operand) of(v []uint64) []uint64 { return v[o.at : o.at+o.words] }

// wideOp is an operation with an operand or a result beyond 64 bits.
type wideOp struct {
	op      opcode
	dst     operand
	args    []operand
	p0, p1  int
	mem     int
	scratch []uint64
}

func (w *wideOp) run(s *Sim) {
	v := s.v
	dst := w.dst.of(v)
	a := w.args[0].of(v)
	var b []uint64
	if len(w.args) > 1 {
		b = w.args[1].of(v)
	}
	switch w.op {
	case opAdd:
		carry := uint64(0)
		for i := range dst {
			dst[i], carry = bits.Add64(a[i], b[i], carry)
		}
	case opSub:
		borrow := uint64(0)
		for i := range dst {
			dst[i], borrow = bits.Sub64(a[i], b[i], borrow)
		}
	case opMul, opMulS:
		w.multiply(dst, a, b)
	case opAnd:
		for i := range dst {
			dst[i] = a[i] & b[i]
		}
	case opOr:
		for i := range dst {
			dst[i] = a[i] | b[i]
		}
	case opXor:
		for i := range dst {
			dst[i] = a[i] ^ b[i]
		}
	case opNot:
		for i := range dst {
			dst[i] = ^a[i]
		}
	case opEq:
		dst[0] = truth(wideCompare(a, b) == 0)
	case opNe:
		dst[0] = truth(wideCompare(a, b) != 0)
	case opLt:
		dst[0] = truth(wideCompare(a, b) < 0)
	case opLe:
		dst[0] = truth(wideCompare(a, b) <= 0)
	case opGt:
		dst[0] = truth(wideCompare(a, b) > 0)
	case opGe:
		dst[0] = truth(wideCompare(a, b) >= 0)
	case opLtS:
		dst[0] = truth(w.signedCompare(a, b) < 0)
	case opLeS:
		dst[0] = truth(w.signedCompare(a, b) <= 0)
	case opGtS:
		dst[0] = truth(w.signedCompare(a, b) > 0)
	case opGeS:
		dst[0] = truth(w.signedCompare(a, b) >= 0)
	case opShl:
		wideLeft(dst, a, w.p0)
	case opShr:
		wideRight(dst, a, w.p0, 0)
	case opSra:
		w.arithmetic(dst, a, w.p0)
	case opShlBy:
		wideLeft(dst, a, clampDistance(b, w.dst.width))
	case opShrBy:
		wideRight(dst, a, clampDistance(b, w.dst.width), 0)
	case opSraBy:
		w.arithmetic(dst, a, clampDistance(b, w.dst.width))
	case opSlice:
		wideRight(dst, a, w.p1, 0)
	case opCat:
		clear(dst)
		at := w.dst.width
		for _, part := range w.args {
			at -= part.width
			insert(dst, part.of(v), at)
		}
	case opRepeat:
		clear(dst)
		for i := range w.p0 {
			insert(dst, a, i*w.args[0].width)
		}
	case opZext:
		clear(dst[copy(dst, a):])
	case opSext:
		signExtend(dst, a, w.args[0].width)
	case opAny:
		x := uint64(0)
		for _, word := range a {
			x |= word
		}
		dst[0] = truth(x != 0)
	case opAll:
		last := len(a) - 1
		ok := a[last] == topMask(w.args[0].width)
		for _, word := range a[:last] {
			ok = ok && word == ^uint64(0)
		}
		dst[0] = truth(ok)
	case opParity:
		n := 0
		for _, word := range a {
			n += bits.OnesCount64(word)
		}
		dst[0] = uint64(n & 1)
	case opMux:
		if a[0] != 0 {
			copy(dst, b)
		} else {
			copy(dst, w.args[2].of(v))
		}
	case opSelect:
		at := 1
		if i, ok := small(a); ok && i < uint64(len(w.args)-2) {
			at = int(i) + 2
		}
		copy(dst, w.args[at].of(v))
	case opMemAsync, opRomAsync:
		s.mems[w.mem].read(dst, a)
	}
	dst[len(dst)-1] &= topMask(w.dst.width)
}

// small gives the value when it fits one word.
func small(a []uint64) (uint64, bool) {
	for _, word := range a[1:] {
		if word != 0 {
			return 0, false
		}
	}
	return a[0], true
}

func wideCompare(a, b []uint64) int {
	for i := len(a) - 1; i >= 0; i-- {
		switch {
		case a[i] < b[i]:
			return -1
		case a[i] > b[i]:
			return 1
		}
	}
	return 0
}

func (w *wideOp) signedCompare(a, b []uint64) int {
	width := w.args[0].width
	sign := uint64(1) << ((width - 1) % 64)
	last := len(a) - 1
	if na, nb := a[last]&sign, b[last]&sign; na != nb {
		if na != 0 {
			return -1
		}
		return 1
	}
	return wideCompare(a, b)
}

// clampDistance limits a shift distance to the width.
func clampDistance(b []uint64, width int) int {
	if d, ok := small(b); ok && d < uint64(width) {
		return int(d)
	}
	return width
}

func wideLeft(dst, a []uint64, n int) {
	words, sh := n/64, uint(n%64)
	for i := len(dst) - 1; i >= 0; i-- {
		x := uint64(0)
		if j := i - words; j >= 0 {
			x = a[j] << sh
			if j > 0 && sh > 0 {
				x |= a[j-1] >> (64 - sh)
			}
		}
		dst[i] = x
	}
}

// wideRight shifts right; beyond a comes fill.
func wideRight(dst, a []uint64, n int, fill uint64) {
	words, sh := n/64, uint(n%64)
	word := func(i int) uint64 {
		if i < len(a) {
			return a[i]
		}
		return fill
	}
	for i := range dst {
		x := word(i+words) >> sh
		if sh > 0 {
			x |= word(i+words+1) << (64 - sh)
		}
		dst[i] = x
	}
}

func (w *wideOp) arithmetic(dst, a []uint64, n int) {
	signExtend(w.scratch, a, w.args[0].width)
	fill := uint64(0)
	if int64(w.scratch[len(w.scratch)-1]) < 0 {
		fill = ^fill
	}
	wideRight(dst, w.scratch[:len(a)], n, fill)
}

// signExtend copies a of the given width into dst and fills all of dst's words.
func signExtend(dst, a []uint64, width int) {
	n := copy(dst, a)
	sh := uint(63 - (width-1)%64)
	top := int64(dst[n-1]<<sh) >> sh
	dst[n-1] = uint64(top)
	for i := n; i < len(dst); i++ {
		dst[i] = uint64(top >> 63)
	}
}

// insert ors src into dst at a bit position.
func insert(dst, src []uint64, at int) {
	words, sh := at/64, uint(at%64)
	for i, x := range src {
		dst[words+i] |= x << sh
		if sh > 0 && words+i+1 < len(dst) {
			dst[words+i+1] |= x >> (64 - sh)
		}
	}
}

// multiply is the schoolbook product modulo the words of dst.
func (w *wideOp) multiply(dst, a, b []uint64) {
	if w.op == opMulS {
		n := len(dst)
		x, y := w.scratch[:n], w.scratch[n:2*n]
		signExtend(x, a, w.args[0].width)
		signExtend(y, b, w.args[1].width)
		a, b = x, y
	}
	clear(dst)
	for i, x := range a {
		if i >= len(dst) {
			break
		}
		carry := uint64(0)
		for j, y := range b {
			if i+j >= len(dst) {
				break
			}
			hi, lo := bits.Mul64(x, y)
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			dst[i+j], c = bits.Add64(dst[i+j], lo, 0)
			carry = hi + c
		}
		if i+len(b) < len(dst) {
			dst[i+len(b)] = carry
		}
	}
}
