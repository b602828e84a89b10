package inband

import "encoding/binary"

// Edit is what happens to the bytes of a packet: words are replaced, and a record comes in at a place or replaces what
// is there.
type Edit struct {
	words  []word
	at     int
	record []byte
	grows  bool
}

// edit is the change of a packet's bytes that its decision asks for.
func (s *shape) edit(pkt []byte, p place, node Node, st Status, snap Snapshot, m Meta) (Edit, error) {
	e := Edit{words: s.format.change(pkt, p, node, st)}
	var udpSum sum
	for _, w := range e.words {
		udpSum.replace(u16(pkt, w.at), w.value)
	}
	if st == Inserted {
		rec, err := s.format.record(pkt, p, node, snap, m)
		if err != nil {
			return Edit{}, err
		}
		e.at, e.record, e.grows = p.at, rec, s.grows
		for i := 0; i < len(rec); i += 2 {
			udpSum.add(u16(rec, i))
		}
		if s.grows {
			e.lengthen(pkt, p, s.recLen, s.format.transport(), &udpSum)
		}
	}
	if check := p.l4 + 6; s.format.transport() && len(e.words) > 0 && u16(pkt, check) != 0 {
		c := udpSum.update(u16(pkt, check))
		if c == 0 {
			c = 0xffff
		}
		e.words = append(e.words, word{check, c})
	}
	return e, nil
}

// lengthen corrects the lengths of IP and UDP, and the checksum of IPv4.
func (e *Edit) lengthen(pkt []byte, p place, by int, transport bool, udpSum *sum) {
	at := p.l3 + 2
	if p.v6 {
		at = p.l3 + 4
	}
	length := word{at, u16(pkt, at) + uint16(by)}
	e.words = append(e.words, length)
	if !p.v6 {
		var s sum
		s.replace(u16(pkt, at), length.value)
		check := p.l3 + 10
		e.words = append(e.words, word{check, s.update(u16(pkt, check))})
	}
	if transport {
		at := p.l4 + 4
		w := word{at, u16(pkt, at) + uint16(by)}
		e.words = append(e.words, w)
		udpSum.replace(u16(pkt, at), w.value)
		udpSum.replace(u16(pkt, at), w.value) // the pseudo-header has it, too
	}
}

// changes reports whether the edit changes the packet.
func (e *Edit) changes() bool { return len(e.words) > 0 || len(e.record) > 0 }

// added is the number of bytes by which the packet grows.
func (e *Edit) added() int {
	if e.grows {
		return len(e.record)
	}
	return 0
}

// apply is the packet that leaves: pkt itself when nothing changes.
func (e *Edit) apply(pkt []byte) []byte {
	if !e.changes() {
		return pkt
	}
	out := make([]byte, 0, len(pkt)+e.added())
	out = append(out, pkt...)
	for _, w := range e.words {
		binary.BigEndian.PutUint16(out[w.at:], w.value)
	}
	if e.grows {
		out = append(out, e.record...)
		copy(out[e.at+len(e.record):], out[e.at:len(pkt)])
	}
	copy(out[e.at:], e.record)
	return out
}

// copy fills dst with the bytes from one on of the packet that leaves; pkt is as much of the one that came as they
// need.
func (e *Edit) copy(dst, pkt []byte, from int) {
	behind := len(e.record) // bytes by which the bytes after the record move
	if !e.grows {
		behind = 0
	}
	for i := range dst {
		switch j := from + i; {
		case len(e.record) == 0 || j < e.at:
			dst[i] = pkt[j]
		case j < e.at+len(e.record):
			dst[i] = e.record[j-e.at]
		default:
			dst[i] = pkt[j-behind]
		}
	}
	for _, w := range e.words { // all in front of the record
		for k, v := range [2]byte{byte(w.value >> 8), byte(w.value)} {
			if j := w.at + k - from; j >= 0 && j < len(dst) {
				dst[j] = v
			}
		}
	}
}
