package telemetry

import "encoding/binary"

// HPCCHop is what one switch records in an HPCC header. The units are those of the header's user; the
// paper's are 1 ns, 128 B and 80 B, the simulator scales the latter two by a multiplier.
type HPCCHop struct {
	Rate    uint8  // code of the egress link's speed
	TS      uint32 // timestamp at egress, 24 bits
	TxBytes uint32 // accumulated bytes sent, 20 bits
	Qlen    uint32 // queue length, 16 bits in the paper, 17 in the simulator
}

// HPCC is the header of the HPCC paper (SIGCOMM 2019, Figure 7), between UDP and BTH. First hop first.
//
//	bit     width  field
//	0       4      nHop: 0 from the host, each switch adds 1
//	4       12     pathID: 0 from the host, each switch XORs its ID
//	16+64i  4      B: code of the link speed
//	20+64i  24     TS
//	44+64i  20     txBytes
//	64+64i  16     qLen
type HPCC struct {
	PathID uint16
	NHop   int // 0 to HPCCMaxHops
	Hop    [HPCCMaxHops]HPCCHop
}

// Sizes of the HPCC header in bytes, and what its nHop can count.
const (
	HPCCBaseLen = 2
	HPCCHopLen  = 8
	HPCCMaxHops = 15
)

const hpccName = "HPCC INT header"

// Len is the encoded size in bytes.
func (h *HPCC) Len() int { return HPCCBaseLen + HPCCHopLen*h.NHop }

// Decode reads a header from the start of b.
func (h *HPCC) Decode(b []byte) (int, error) {
	if err := need(hpccName, b, HPCCBaseLen); err != nil {
		return 0, err
	}
	word := binary.BigEndian.Uint16(b)
	n := HPCCBaseLen + HPCCHopLen*int(word>>12)
	if err := need(hpccName, b, n); err != nil {
		return 0, err
	}
	*h = HPCC{PathID: word & 0xfff, NHop: int(word >> 12)}
	for i := range h.NHop {
		h.Hop[i] = hpccHop(binary.BigEndian.Uint64(b[HPCCBaseLen+HPCCHopLen*i:]))
	}
	return n, nil
}

// AppendBinary appends the header to b.
func (h *HPCC) AppendBinary(b []byte) ([]byte, error) {
	if h.NHop < 0 || h.NHop > HPCCMaxHops {
		return b, wrong(hpccName, 0, "nHop is %d, legal are 0 to %d", h.NHop, HPCCMaxHops)
	}
	if h.PathID > 0xfff {
		return b, wrong(hpccName, 0, "pathID is %d, the largest value of its 12 bits is 4095", h.PathID)
	}
	for i := range h.NHop {
		if err := h.Hop[i].fit(hpccName, HPCCBaseLen+HPCCHopLen*i, 4, 16); err != nil {
			return b, err
		}
	}
	b = binary.BigEndian.AppendUint16(b, uint16(h.NHop)<<12|h.PathID)
	for i := range h.NHop {
		b = binary.BigEndian.AppendUint64(b, h.Hop[i].word())
	}
	return b, nil
}

// PushHPCC adds a hop to the header at the start of b as a switch does: it appends the record after those present,
// counts it in nHop and XORs the switch's ID into pathID. It makes room by moving what follows; b must not be used
// afterwards.
func PushHPCC(b []byte, switchID uint16, hop HPCCHop) ([]byte, error) {
	if err := need(hpccName, b, HPCCBaseLen); err != nil {
		return b, err
	}
	word := binary.BigEndian.Uint16(b)
	n := int(word >> 12)
	if n == HPCCMaxHops {
		return b, wrong(hpccName, 0, "nHop is %d already, the largest value of its 4 bits", n)
	}
	at := HPCCBaseLen + HPCCHopLen*n
	if err := need(hpccName, b, at); err != nil {
		return b, err
	}
	if switchID > 0xfff {
		return b, wrong(hpccName, 0, "the switch's ID is %d, the largest value of pathID's 12 bits is 4095", switchID)
	}
	if err := hop.fit(hpccName, at, 4, 16); err != nil {
		return b, err
	}
	var room [HPCCHopLen]byte
	b = append(b, room[:]...)
	copy(b[at+HPCCHopLen:], b[at:])
	binary.BigEndian.PutUint64(b[at:], hop.word())
	binary.BigEndian.PutUint16(b, uint16(n+1)<<12|(word&0xfff^switchID))
	return b, nil
}

func hpccHop(w uint64) HPCCHop {
	return HPCCHop{Rate: uint8(w >> 60), TS: uint32(w >> 36 & 0xffffff), TxBytes: uint32(w >> 16 & 0xfffff),
		Qlen: uint32(w & 0xffff)}
}

func (h *HPCCHop) word() uint64 {
	return uint64(h.Rate)<<60 | uint64(h.TS)<<36 | uint64(h.TxBytes)<<16 | uint64(h.Qlen)
}

func (h *HPCCHop) fit(format string, at, rateBits, qlenBits int) error {
	return fit(format,
		field{"B", at, uint64(h.Rate), rateBits}, field{"TS", at, uint64(h.TS), 24},
		field{"txBytes", at, uint64(h.TxBytes), 20}, field{"qLen", at, uint64(h.Qlen), qlenBits})
}
