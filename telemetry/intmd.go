package telemetry

import (
	"encoding/binary"
	"math/bits"
)

// INTShim is the shim between the TCP or UDP header and INT (P4.org INT v2.1).
//
//	bit  width  field
//	0    4      Type: 1 INT-MD, 2 destination, 3 INT-MX
//	4    2      NPT: what the last two bytes hold
//	6    2      reserved
//	8    8      Length: of INT header and stack, in words of 4 B, without the shim
//	16   16     NPT 0: byte 3 is the original DSCP, left-aligned; 1: UDP port; 2: byte 3 is the IP protocol
type INTShim struct {
	Type, NPT uint8
	Length    uint8
	Param     uint16
}

// INTMD is the INT-MD metadata header (P4.org INT v2.1), 12 B. The stack follows, newest hop on top.
//
//	bit  width  field
//	0    4      Ver, 2
//	4    1      D: the sink discards the packet
//	5    1      E: maximum number of hops exceeded
//	6    1      M: MTU exceeded
//	7    12     reserved
//	19   5      Hop ML: words of 4 B that each hop adds
//	24   8      Remaining Hop Count: only a hop that adds takes 1
//	32   16     Instruction bitmap, bit 0 first
//	48   16     Domain Specific ID
//	64   16     DS Instruction
//	80   16     DS Flags
type INTMD struct {
	Discard, HopsExceeded, MTUExceeded     bool
	HopML, RemainingHops                   uint8
	Instructions, Domain, DSInstr, DSFlags uint16
}

// INTHop is the record of a hop in the HPCC++ profile of INT-MD (draft-miao-tsv-hpcc-info-01). With
// EgressTS it has 6 words, without it 4.
//
//	word  bits
//	0     NodeID 32
//	1     reserved 16, EgressIf 16
//	2     QueueID 8, queue occupancy 24
//	3, 4  egress timestamp 64, only with instruction bit 5
//	5     egress Tx utilization 32
type INTHop struct {
	NodeID    uint32
	EgressIf  uint16
	QueueID   uint8
	Occupancy uint32 // 24 bits
	EgressTS  uint64
	TxUtil    uint32
}

// Sizes in bytes, and the instruction bitmaps of the HPCC++ profile with and without the egress timestamp.
const (
	INTShimLen     = 4
	INTMDLen       = 12
	INTVersion     = 2
	INTHPCC        = 0xd500
	INTHPCCNoTS    = 0xd100
	INTHopLen      = 24
	INTHopNoTSLen  = 16
	intShimName    = "INT shim"
	intMDName      = "INT-MD header"
	intHopName     = "INT-MD record of HPCC++"
	intDoubleWords = 0x0e00 // bits 4, 5 and 6 take 8 B
)

// INTHopWords is the number of 4-byte words that the hop adds for an instruction bitmap: two for
// timestamps and level 2 interfaces, one for everything else, reserved bits included.
func INTHopWords(instructions uint16) int {
	return bits.OnesCount16(instructions) + bits.OnesCount16(instructions&intDoubleWords)
}

// Decode reads a shim from the start of b.
func (h *INTShim) Decode(b []byte) (int, error) {
	if err := need(intShimName, b, INTShimLen); err != nil {
		return 0, err
	}
	*h = INTShim{Type: b[0] >> 4, NPT: b[0] >> 2 & 3, Length: b[1], Param: binary.BigEndian.Uint16(b[2:])}
	return INTShimLen, nil
}

// AppendBinary appends the shim to b.
func (h *INTShim) AppendBinary(b []byte) ([]byte, error) {
	if err := fit(intShimName, field{"Type", 0, uint64(h.Type), 4}, field{"NPT", 0, uint64(h.NPT), 2}); err != nil {
		return b, err
	}
	return append(b, h.Type<<4|h.NPT<<2, h.Length, byte(h.Param>>8), byte(h.Param)), nil
}

// Decode reads a header from the start of b. Other versions than 2 are an error.
func (h *INTMD) Decode(b []byte) (int, error) {
	if err := need(intMDName, b, INTMDLen); err != nil {
		return 0, err
	}
	if b[0]>>4 != INTVersion {
		return 0, wrong(intMDName, 0, "version %d, want %d", b[0]>>4, INTVersion)
	}
	*h = INTMD{
		Discard: b[0]&8 != 0, HopsExceeded: b[0]&4 != 0, MTUExceeded: b[0]&2 != 0, HopML: b[2] & 31, RemainingHops: b[3],
		Instructions: binary.BigEndian.Uint16(b[4:]), Domain: binary.BigEndian.Uint16(b[6:]),
		DSInstr: binary.BigEndian.Uint16(b[8:]), DSFlags: binary.BigEndian.Uint16(b[10:]),
	}
	return INTMDLen, nil
}

// AppendBinary appends the header to b.
func (h *INTMD) AppendBinary(b []byte) ([]byte, error) {
	if h.HopML > 31 {
		return b, wrong(intMDName, 2, "Hop ML is %d, the largest value of its 5 bits is 31", h.HopML)
	}
	b = append(b, INTVersion<<4|bit(h.Discard, 3)|bit(h.HopsExceeded, 2)|bit(h.MTUExceeded, 1), 0, h.HopML,
		h.RemainingHops)
	b = binary.BigEndian.AppendUint16(b, h.Instructions)
	b = binary.BigEndian.AppendUint16(b, h.Domain)
	b = binary.BigEndian.AppendUint16(b, h.DSInstr)
	return binary.BigEndian.AppendUint16(b, h.DSFlags), nil
}

// Hops returns the number of records in the stack after the header when the shim's Length counts length words.
func (h *INTMD) Hops(length uint8) (int, error) {
	stack := int(length) - INTMDLen/4
	switch {
	case stack < 0:
		return 0, wrong(intShimName, 1, "Length is %d words, the INT-MD header alone has %d", length, INTMDLen/4)
	case h.HopML == 0 && stack != 0:
		return 0, wrong(intMDName, 2, "Hop ML is 0, but the stack has %d words", stack)
	case h.HopML == 0:
		return 0, nil
	case stack%int(h.HopML) != 0:
		return 0, wrong(intShimName, 1, "Length leaves %d words for the stack, want a multiple of Hop ML, %d", stack, h.HopML)
	}
	return stack / int(h.HopML), nil
}

// Push takes one hop from RemainingHops for a record about to be added. It answers false when there must be
// none: at 0 it sets E; when the record would not fit (room is the number of bytes left to the MTU) it sets M.
func (h *INTMD) Push(room int) bool {
	switch {
	case h.RemainingHops == 0:
		h.HopsExceeded = true
	case room < 4*int(h.HopML):
		h.MTUExceeded = true
	default:
		h.RemainingHops--
		return true
	}
	return false
}

// Decode reads a record from the start of b; instructions is INTHPCC or INTHPCCNoTS.
func (h *INTHop) Decode(b []byte, instructions uint16) (int, error) {
	n, err := intHopLen(instructions)
	if err != nil {
		return 0, err
	}
	if err := need(intHopName, b, n); err != nil {
		return 0, err
	}
	w := binary.BigEndian.Uint32(b[8:])
	*h = INTHop{
		NodeID: binary.BigEndian.Uint32(b), EgressIf: binary.BigEndian.Uint16(b[6:]), QueueID: uint8(w >> 24),
		Occupancy: w & 0xffffff,
		TxUtil:    binary.BigEndian.Uint32(b[n-4:]),
	}
	if n == INTHopLen {
		h.EgressTS = binary.BigEndian.Uint64(b[12:])
	}
	return n, nil
}

// AppendBinary appends the record to b; instructions is INTHPCC or INTHPCCNoTS.
func (h *INTHop) AppendBinary(b []byte, instructions uint16) ([]byte, error) {
	n, err := intHopLen(instructions)
	if err != nil {
		return b, err
	}
	if h.Occupancy > 0xffffff {
		return b, wrong(intHopName, 9, "queue occupancy is %d, the largest value of its 24 bits is %d", h.Occupancy, 0xffffff)
	}
	b = binary.BigEndian.AppendUint32(b, h.NodeID)
	b = binary.BigEndian.AppendUint32(b, uint32(h.EgressIf))
	b = binary.BigEndian.AppendUint32(b, uint32(h.QueueID)<<24|h.Occupancy)
	if n == INTHopLen {
		b = binary.BigEndian.AppendUint64(b, h.EgressTS)
	}
	return binary.BigEndian.AppendUint32(b, h.TxUtil), nil
}

func intHopLen(instructions uint16) (int, error) {
	switch instructions {
	case INTHPCC:
		return INTHopLen, nil
	case INTHPCCNoTS:
		return INTHopNoTSLen, nil
	}
	return 0, wrong(intMDName, 4, "instruction bitmap %#04x, that of HPCC++ is %#04x, or %#04x without timestamp",
		instructions, INTHPCC, INTHPCCNoTS)
}
