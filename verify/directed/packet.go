package directed

import (
	"slices"
)

// Piece is a field of a packet.
type Piece struct {
	Name  string
	Bytes []byte
}

// Packet is the bytes of pieces one behind the other.
func Packet(pieces []Piece) (b []byte) {
	for _, p := range pieces {
		b = append(b, p.Bytes...)
	}
	return b
}

// Left cuts a packet that has left a device into the pieces of that which came. Where it is longer, the bytes from at on
// are a new piece; where it is shorter, those of that place are gone.
func Left(came []Piece, left []byte, at int, added string) (pieces []Piece) {
	more, from := len(left)-len(Packet(came)), 0
	take := func(name string, n int) {
		n = min(n, len(left))
		pieces, left = append(pieces, Piece{name, left[:n]}), left[n:]
	}
	for _, p := range came {
		to := from + len(p.Bytes)
		switch {
		case more > 0 && from <= at && at < to:
			if at > from {
				take(p.Name, at-from)
			}
			take(added, more)
			take(p.Name, to-at)
		case more < 0 && from >= at && to <= at-more: // gone
		case more < 0 && from < at-more && to > at:
			take(p.Name, len(p.Bytes)-(min(to, at-more)-max(from, at)))
		default:
			take(p.Name, len(p.Bytes))
		}
		from = to
	}
	if len(left) > 0 {
		take(added, len(left))
	}
	return pieces
}

// most is how many bytes a bench writes as one number.
const most = 8

// Octets appends the pieces to the packet that goes in.
func (s *Step) Octets(pieces []Piece) {
	for _, p := range pieces {
		each(p, func(task string, n int, value Value) { s.Call(p.Name, task, Number(n), value) })
	}
}

// Expect holds the packet that left against pieces.
func (s *Step) Expect(pieces []Piece) {
	for _, p := range pieces {
		each(p, func(task string, n int, value Value) {
			s.Add("", Call{"expect_" + task, p.Name, []Value{Number(n), value}})
		})
	}
	s.Call("", "end_of_packet")
}

// each gives the calls for a piece.
func each(p Piece, call func(task string, n int, value Value)) {
	b := p.Bytes
	counts := len(b) > most
	for i, v := range b {
		counts = counts && v == b[0]+byte(i)
	}
	if counts {
		call("counting", len(b), Digits(8, uint64(b[0])))
		return
	}
	for part := range slices.Chunk(b, most) {
		v := uint64(0)
		for _, octet := range part {
			v = v<<8 | uint64(octet)
		}
		call("octets", len(part), Digits(8*len(part), v))
	}
}
