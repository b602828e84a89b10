package inband

// sum is a ones' complement sum of 16-bit words, not yet folded.
type sum uint64

func (s *sum) add(w uint16) { *s += sum(w) }

// replace takes out one word and puts in another (RFC 1624).
func (s *sum) replace(old, new uint16) { *s += sum(^old) + sum(new) }

// update is a checksum after the changes in s.
func (s sum) update(checksum uint16) uint16 {
	s += sum(^checksum)
	for s > 0xffff {
		s = s&0xffff + s>>16
	}
	return ^uint16(s)
}
