package telemetry

import (
	"encoding/binary"
	"math/bits"
)

// IOAM is the header of an IOAM trace option (RFC 9197 section 4.4.1), 8 B, after the option's own header.
//
//	bit  width  field
//	0    16     Namespace-ID
//	16   5      NodeLen: words of 4 B that a node adds
//	21   4      Flags; the first is Overflow
//	25   7      RemainingLen: words of 4 B still free
//	32   24     IOAM-Trace-Type, bit 0 first
//	56   8      reserved
type IOAM struct {
	Namespace             uint16
	NodeLen, RemainingLen uint8
	Flags                 uint8
	TraceType             uint32
}

// IOAMOverflow is the Overflow flag in IOAM.Flags.
const IOAMOverflow = 8

// IOAMHop is the record of a node in the HPCC++ profile of IOAM (draft-miao-tsv-hpcc-info-01), 20 B.
//
//	word  bits
//	0     Hop_Lim 8, node_id 24
//	1     ingress_if 16, egress_if 16
//	2     queue depth 32            (IOAMFigure; with IOAMByBit the timestamp)
//	3     timestamp fraction 32     (IOAMFigure; with IOAMByBit the queue depth)
//	4     tx_bytes 32
//
// The figure of the HPCC++ draft has the queue depth before the timestamp; the order of RFC 9197's bits
// would have it after them.
type IOAMHop struct {
	HopLimit            uint8
	NodeID              uint32 // 24 bits
	IngressIf, EgressIf uint16
	Qlen, TS, TxBytes   uint32
}

// IOAMOrder is the order of queue depth and timestamp in a record.
type IOAMOrder uint8

// The orders.
const (
	IOAMByBit  IOAMOrder = iota // RFC 9197: timestamp, queue depth
	IOAMFigure                  // the HPCC++ draft's figure: queue depth, timestamp
)

// Sizes in bytes, and the bits of the trace type that the HPCC++ profile always has: 0, 1, 3 and 6. That of tx_bytes is
// not assigned; IOAMTraceType adds it.
const (
	IOAMLen      = 8
	IOAMHopLen   = 20
	ioamBase     = 1<<23 | 1<<22 | 1<<20 | 1<<17
	ioamName     = "IOAM trace header"
	ioamHopName  = "IOAM record of HPCC++"
	ioamWide     = 1<<15 | 1<<14 | 1<<13 // bits 8 to 10 take 8 B
	ioamNotNodes = 1<<1 | 1              // opaque state, reserved: not counted in NodeLen
)

// IOAMTraceType is the trace type of the HPCC++ profile when tx_bytes has the given bit, 12 to 21.
func IOAMTraceType(txBit int) (uint32, error) {
	if txBit < 12 || txBit > 21 {
		return 0, wrong(ioamName, 4, "bit %d for tx_bytes, legal are the undefined bits 12 to 21", txBit)
	}
	return ioamBase | 1<<(23-txBit), nil
}

// IOAMNodeWords is the number of 4-byte words that a node adds for a trace type, without opaque state.
func IOAMNodeWords(traceType uint32) int {
	t := traceType & 0xffffff &^ ioamNotNodes
	return bits.OnesCount32(t) + bits.OnesCount32(t&ioamWide)
}

// Decode reads a header from the start of b.
func (h *IOAM) Decode(b []byte) (int, error) {
	if err := need(ioamName, b, IOAMLen); err != nil {
		return 0, err
	}
	w := binary.BigEndian.Uint16(b[2:])
	*h = IOAM{
		Namespace: binary.BigEndian.Uint16(b), NodeLen: uint8(w >> 11), Flags: uint8(w >> 7 & 15),
		RemainingLen: uint8(w & 127),
		TraceType:    binary.BigEndian.Uint32(b[4:]) >> 8,
	}
	return IOAMLen, nil
}

// AppendBinary appends the header to b.
func (h *IOAM) AppendBinary(b []byte) ([]byte, error) {
	err := fit(ioamName, field{"NodeLen", 2, uint64(h.NodeLen), 5}, field{"Flags", 2, uint64(h.Flags), 4},
		field{"RemainingLen", 3, uint64(h.RemainingLen), 7}, field{"IOAM-Trace-Type", 4, uint64(h.TraceType), 24})
	if err != nil {
		return b, err
	}
	b = binary.BigEndian.AppendUint16(b, h.Namespace)
	b = binary.BigEndian.AppendUint16(b, uint16(h.NodeLen)<<11|uint16(h.Flags)<<7|uint16(h.RemainingLen))
	return binary.BigEndian.AppendUint32(b, h.TraceType<<8), nil
}

// Reserve finds where a node writes its NodeLen words in the pre-allocated space after the header: at byte
// at of it, filling from its end to its start. It takes the words from RemainingLen. ok is false when the node must not
// write: Overflow is set, or was not and there is no room, and then it is set.
func (h *IOAM) Reserve() (at int, ok bool) {
	if h.Flags&IOAMOverflow != 0 {
		return 0, false
	}
	if h.RemainingLen < h.NodeLen {
		h.Flags |= IOAMOverflow
		return 0, false
	}
	h.RemainingLen -= h.NodeLen
	return 4 * int(h.RemainingLen), true
}

// Decode reads a record from the start of b.
func (h *IOAMHop) Decode(b []byte, order IOAMOrder) (int, error) {
	if err := need(ioamHopName, b, IOAMHopLen); err != nil {
		return 0, err
	}
	*h = IOAMHop{
		HopLimit: b[0], NodeID: binary.BigEndian.Uint32(b) & 0xffffff, IngressIf: binary.BigEndian.Uint16(b[4:]),
		EgressIf: binary.BigEndian.Uint16(b[6:]), TS: binary.BigEndian.Uint32(b[8:]), Qlen: binary.BigEndian.Uint32(b[12:]),
		TxBytes: binary.BigEndian.Uint32(b[16:]),
	}
	if order == IOAMFigure {
		h.TS, h.Qlen = h.Qlen, h.TS
	}
	return IOAMHopLen, nil
}

// AppendBinary appends the record to b.
func (h *IOAMHop) AppendBinary(b []byte, order IOAMOrder) ([]byte, error) {
	if h.NodeID > 0xffffff {
		return b, wrong(ioamHopName, 1, "node_id is %d, the largest value of its 24 bits is %d", h.NodeID, 0xffffff)
	}
	second, third := h.TS, h.Qlen
	if order == IOAMFigure {
		second, third = third, second
	}
	b = binary.BigEndian.AppendUint32(b, uint32(h.HopLimit)<<24|h.NodeID)
	b = binary.BigEndian.AppendUint32(b, uint32(h.IngressIf)<<16|uint32(h.EgressIf))
	b = binary.BigEndian.AppendUint32(b, second)
	b = binary.BigEndian.AppendUint32(b, third)
	return binary.BigEndian.AppendUint32(b, h.TxBytes), nil
}
