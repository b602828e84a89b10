package vgen

import "math/bits"

// code is an operation of the interpreter. All but exWide work on values of at most
// 64 bits, which are kept in one word with the bits above the width at 0.
type code uint8

const (
	exAdd      code = iota // (a + b) & mask
	exSub                  // (a - b) & mask
	exMul                  // a * b
	exMulS                 // signed; sh and c are 64 minus the widths
	exMulWide              // 64 x 64 bits to two words
	exAnd                  // a & b
	exOr                   // a | b
	exXor                  // a ^ b
	exNot                  // a ^ mask
	exEq                   // a == b
	exNe                   // a != b
	exLt                   // a < b
	exLe                   // a <= b
	exLtS                  // with the sign bits flipped; mask is the sign bit
	exLeS                  //
	exShl                  // (a << sh) & mask
	exShr                  // a >> sh
	exSra                  // arithmetic; c is 64 minus the width
	exShlBy                // (a << b) & mask
	exShrBy                // a >> b
	exSraBy                // arithmetic; sh is 64 minus the width
	exSlice                // (a >> sh) & mask
	exStraddle             // bits sh.. of the words a, a+1, & mask
	exCat2                 // a << sh | b
	exCat3                 // a << sh | b << mask | c
	exRepeat               // a * mask, a pattern of ones
	exSext                 // sh is 64 minus the width
	exNonzero              // a != 0
	exFull                 // a == mask
	exParity               // of a
	exMux                  // a ? b : c
	exSelect               // cases[b + a], a < c, else cases[b - 1]
	exRead                 // memory b at address a
	exWide                 // wide[a]
	exCount
)

// instr is one operation: dst and the operands are places in the value array.
type instr struct {
	op           code
	sh           uint8
	dst, a, b, c int32
	mask         uint64
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// run is a stretch of the program with one operation, so that the processor need
// not guess what comes next.
type run struct {
	op   code
	part []instr
}

// settle computes all combinational values from inputs and state, each once, in an
// order in which operands come first.
func (s *Sim) settle() {
	v := s.v
	for _, r := range s.runs {
		switch r.op {
		case exAdd:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = (v[p.a] + v[p.b]) & p.mask
			}
		case exSub:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = (v[p.a] - v[p.b]) & p.mask
			}
		case exMul:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] * v[p.b]
			}
		case exMulS:
			for i := range r.part {
				p := &r.part[i]
				x := int64(v[p.a]<<p.sh) >> p.sh
				y := int64(v[p.b]<<uint(p.c)) >> uint(p.c)
				v[p.dst] = uint64(x*y) & p.mask
			}
		case exMulWide:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst+1], v[p.dst] = bits.Mul64(v[p.a], v[p.b])
			}
		case exAnd:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] & v[p.b]
			}
		case exOr:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] | v[p.b]
			}
		case exXor:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] ^ v[p.b]
			}
		case exNot:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] ^ p.mask
			}
		case exEq:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = truth(v[p.a] == v[p.b])
			}
		case exNe:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = truth(v[p.a] != v[p.b])
			}
		case exLt:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = truth(v[p.a] < v[p.b])
			}
		case exLe:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = truth(v[p.a] <= v[p.b])
			}
		case exLtS:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = truth(v[p.a]^p.mask < v[p.b]^p.mask)
			}
		case exLeS:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = truth(v[p.a]^p.mask <= v[p.b]^p.mask)
			}
		case exShl:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] << p.sh & p.mask
			}
		case exShr:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] >> p.sh
			}
		case exSra:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = uint64(int64(v[p.a]<<uint(p.c))>>uint(p.c)>>p.sh) & p.mask
			}
		case exShlBy:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] << v[p.b] & p.mask
			}
		case exShrBy:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] >> v[p.b]
			}
		case exSraBy:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = uint64(int64(v[p.a]<<p.sh)>>p.sh>>v[p.b]) & p.mask
			}
		case exSlice:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] >> p.sh & p.mask
			}
		case exStraddle:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = (v[p.a]>>p.sh | v[p.a+1]<<(64-p.sh)) & p.mask
			}
		case exCat2:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a]<<p.sh | v[p.b]
			}
		case exCat3:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a]<<p.sh | v[p.b]<<p.mask | v[p.c]
			}
		case exRepeat:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = v[p.a] * p.mask
			}
		case exSext:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = uint64(int64(v[p.a]<<p.sh)>>p.sh) & p.mask
			}
		case exNonzero:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = truth(v[p.a] != 0)
			}
		case exFull:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = truth(v[p.a] == p.mask)
			}
		case exParity:
			for i := range r.part {
				p := &r.part[i]
				v[p.dst] = uint64(bits.OnesCount64(v[p.a]) & 1)
			}
		case exMux:
			for i := range r.part {
				p := &r.part[i]
				x := v[p.c]
				if v[p.a] != 0 {
					x = v[p.b]
				}
				v[p.dst] = x
			}
		case exSelect:
			for i := range r.part {
				p := &r.part[i]
				at := p.b - 1
				if i := v[p.a]; i < uint64(p.c) {
					at = p.b + int32(i)
				}
				v[p.dst] = v[s.cases[at]]
			}
		case exRead:
			for i := range r.part {
				p := &r.part[i]
				m := &s.mems[p.b]
				x := uint64(0)
				if i := v[p.a]; i < uint64(m.depth) {
					x = m.words[i]
				}
				v[p.dst] = x
			}
		case exWide:
			for i := range r.part {
				p := &r.part[i]
				s.wide[p.a].run(s)
			}
		}
	}
	s.dirty = false
}

// edge is the rising edge of the clock: registers and memories take what was
// settled. New state is gathered aside first, since it may be made of old state.
func (s *Sim) edge() {
	v, next := s.v, s.next
	for i := range s.plain {
		r := &s.plain[i]
		next[r.at] = v[r.src]
	}
	for i := range s.gated {
		r := &s.gated[i]
		if v[r.en] != 0 {
			next[r.at] = v[r.src]
		} else {
			next[r.at] = v[s.state+r.at]
		}
	}
	for i := range s.wider {
		r := &s.wider[i]
		src := r.src
		if r.en >= 0 && v[r.en] == 0 {
			src = s.state + r.at
		}
		copy(next[r.at:r.at+r.words], v[src:src+r.words])
	}
	for i := range s.reads {
		r := &s.reads[i]
		if r.en >= 0 && v[r.en] == 0 {
			copy(next[r.at:r.at+r.words], v[s.state+r.at:s.state+r.at+r.words])
			continue
		}
		word := next[r.at : r.at+r.words]
		s.mems[r.mem].read(word, v[r.src:r.src+r.addrWords])
		if r.clash >= 0 && v[r.clash] != 0 {
			for k := range word {
				word[k] = ^word[k]
			}
			word[len(word)-1] &= r.top
		}
	}
	if s.rst >= 0 && v[s.rst] != 0 {
		for i := range s.resets {
			r := &s.resets[i]
			copy(next[r.at:], r.value)
		}
	}
	for i := range s.writes {
		w := &s.writes[i]
		if v[w.en] == 0 {
			continue
		}
		m := &s.mems[w.mem]
		if a := v[w.addr]; a < uint64(m.depth) {
			copy(m.words[int(a)*m.stride:(int(a)+1)*m.stride], v[w.data:])
		}
	}
	copy(v[s.state:], next)
	s.dirty = true
}

// read copies the word at an address, which may be wider than a word itself.
func (m *memoryState) read(dst, addr []uint64) {
	for _, high := range addr[1:] {
		if high != 0 {
			clear(dst)
			return
		}
	}
	if addr[0] >= uint64(m.depth) {
		clear(dst)
		return
	}
	at := int(addr[0]) * m.stride
	copy(dst, m.words[at:at+m.stride])
}
