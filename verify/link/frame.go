package link

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
)

// Frame is a frame of either side.
type Frame struct {
	Sequence byte
	Kind     byte
	Payload  []byte
}

// Bytes is the frame as it goes over the line.
func (f Frame) Bytes() []byte {
	b := make([]byte, 0, board.HeaderBytes+len(f.Payload)+board.CheckBytes)
	b = append(b, board.FrameStart, byte(len(f.Payload)), byte(len(f.Payload)>>8), f.Sequence, f.Kind)
	b = append(b, f.Payload...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[1:]))
}

// refusal is why the board refused a request, "" for a frame that is no refusal.
func (f Frame) refusal() string {
	if f.Kind&0xf8 != board.KindRefused {
		return ""
	}
	switch f.Kind - board.KindRefused {
	case board.ReasonDamaged:
		return "the frame arrived damaged"
	case board.ReasonLong:
		return "the frame is longer than the board's buffer"
	case board.ReasonKind:
		return "the kind of the request is unknown"
	case board.ReasonSession:
		return "the board has been reset"
	case board.ReasonSequence:
		return "the request is out of sequence"
	}
	return fmt.Sprintf("reason %d", f.Kind-board.KindRefused)
}

// receiver finds frames in the bytes from a board.
type receiver struct {
	bytes []byte // received and not yet taken
	limit int    // longest payload
}

// take returns the first frame in the received bytes, and drops the bytes up to its end. Without a frame it drops bytes
// that cannot be the beginning of one.
func (r *receiver) take() (f Frame, ok bool) {
	for len(r.bytes) > 0 {
		f, n, whole := parse(r.bytes, r.limit)
		switch {
		case n > 0:
			r.bytes = r.bytes[n:]
			return f, true
		case !whole:
			return Frame{}, false
		}
		r.bytes = r.bytes[1:]
	}
	return Frame{}, false
}

// parse reads the frame at the beginning of b and returns its length, 0 for none; whole is false if b may begin a frame
// that is not complete yet.
func parse(b []byte, limit int) (f Frame, n int, whole bool) {
	if b[0] != board.FrameStart {
		return f, 0, true
	}
	if len(b) < board.HeaderBytes {
		return f, 0, false
	}
	length := int(binary.LittleEndian.Uint16(b[1:]))
	if length > limit {
		return f, 0, true
	}
	n = board.HeaderBytes + length + board.CheckBytes
	if len(b) < n {
		return f, 0, false
	}
	body := b[:n-board.CheckBytes]
	if binary.LittleEndian.Uint32(b[len(body):]) != crc32.ChecksumIEEE(body[1:]) {
		return f, 0, true
	}
	return Frame{Sequence: b[3], Kind: b[4], Payload: append([]byte{}, body[board.HeaderBytes:]...)}, n, true
}
