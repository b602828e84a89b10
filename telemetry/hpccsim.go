package telemetry

import "encoding/binary"

// HPCCSim is the header of the HPCC authors' simulator (ns-3, IntHeader in mode NORMAL). Its size is fixed, five hops
// always; the records stand in C bit fields, so each is one little-endian word of 64 bits, and nhop follows them,
// little-endian too. A sixth hop overwrites the first while nhop counts on.
//
//	byte  size  field
//	8i    8     hop i: bits from the least significant: B 3, TS 24, txBytes 20, qLen 17
//	40    2     nhop
//
// Codes of B: 0 25G, 1 50G, 2 100G, 3 200G, 4 400G.
type HPCCSim struct {
	NHop uint16
	Hop  [HPCCSimHops]HPCCHop
}

// The simulator's number of hops, and the size of its header in bytes.
const (
	HPCCSimHops = 5
	HPCCSimLen  = 42
)

const hpccSimName = "HPCC simulator's INT header"

// Decode reads a header from the start of b.
func (h *HPCCSim) Decode(b []byte) (int, error) {
	if err := need(hpccSimName, b, HPCCSimLen); err != nil {
		return 0, err
	}
	for i := range h.Hop {
		w := binary.LittleEndian.Uint64(b[8*i:])
		h.Hop[i] = HPCCHop{Rate: uint8(w & 7), TS: uint32(w >> 3 & 0xffffff), TxBytes: uint32(w >> 27 & 0xfffff),
			Qlen: uint32(w >> 47)}
	}
	h.NHop = binary.LittleEndian.Uint16(b[40:])
	return HPCCSimLen, nil
}

// AppendBinary appends the header to b.
func (h *HPCCSim) AppendBinary(b []byte) ([]byte, error) {
	for i := range h.Hop {
		if err := h.Hop[i].fit(hpccSimName, 8*i, 3, 17); err != nil {
			return b, err
		}
	}
	for i := range h.Hop {
		p := &h.Hop[i]
		b = binary.LittleEndian.AppendUint64(b, uint64(p.Rate)|uint64(p.TS)<<3|uint64(p.TxBytes)<<27|uint64(p.Qlen)<<47)
	}
	return binary.LittleEndian.AppendUint16(b, h.NHop), nil
}
