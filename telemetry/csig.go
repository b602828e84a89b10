package telemetry

import "encoding/binary"

// CSIGSize is the size of a CSIG tag.
type CSIGSize uint8

// The sizes: compact has 4 bytes, expanded 8, of which 2 are the TPID.
const (
	CSIGCompact CSIGSize = iota
	CSIGExpanded
)

// Len is the size of the tag in bytes, TPID included.
func (s CSIGSize) Len() int {
	if s == CSIGExpanded {
		return 8
	}
	return 4
}

// FieldsLen is the size of the data fields in bytes, what reflection carries.
func (s CSIGSize) FieldsLen() int { return s.Len() - CSIGTPIDLen }

// String is compact or expanded.
func (s CSIGSize) String() string {
	if s == CSIGExpanded {
		return "expanded"
	}
	return "compact"
}

// CSIGSplit is how the data fields are divided.
type CSIGSplit uint8

// The splits: that of draft-ravi-ippm-csig-00, and that of UEC 1.1 and OCP SAI 1.18, in which the locator's last bit
// says "do not update".
const (
	CSIGIETF CSIGSplit = iota
	CSIGUEC
)

// String is ietf or uec.
func (s CSIGSplit) String() string {
	if s == CSIGUEC {
		return "uec"
	}
	return "ietf"
}

// CSIGTPIDLen is the size of a TPID in bytes.
const CSIGTPIDLen = 2

// CSIG holds the fields of a CSIG tag after its TPID (draft-ravi-ippm-csig-00 section 4.1; UEC: OCP SAI-CSIG-Spec).
//
//	compact   TPID 0-15, T 16-18, R 19, S 20-24, LM 25-31            UEC: LM 25-30, d 31
//	expanded  TPID 0-15, LM 16-31, T 32-35, S 36-55, R 56-63         UEC: LM 16-30, d 31
type CSIG struct {
	Type     uint8  // T, signal type: 3 or 4 bits
	Value    uint32 // S, signal value: 5 or 20 bits
	Locator  uint16 // LM: 7 or 16 bits, UEC 6 or 15
	Reserved uint8  // R: 1 or 8 bits; devices keep it
	Keep     bool   // d of UEC: do not update
}

// Signal types. The first three are the draft's, the fourth is UEC's.
const (
	CSIGMinABW  = 0 // minimum available bandwidth
	CSIGMinABWC = 1 // minimum available bandwidth relative to capacity
	CSIGMaxPD   = 2 // maximum per-hop delay
	CSIGMaxNQD  = 3 // maximum queue depth normalised by port speed
)

// CSIGLayout gives the widths of a tag's fields in bits.
type CSIGLayout struct{ Type, Value, Locator, Reserved, Keep int }

// Layout is the layout of a size in a split.
func (s CSIGSplit) Layout(size CSIGSize) CSIGLayout {
	l := CSIGLayout{Type: 3, Value: 5, Locator: 7, Reserved: 1}
	if size == CSIGExpanded {
		l = CSIGLayout{Type: 4, Value: 20, Locator: 16, Reserved: 8}
	}
	if s == CSIGUEC {
		l.Locator--
		l.Keep = 1
	}
	return l
}

// Decode reads the data fields from the start of b, which begins after the TPID.
func (t *CSIG) Decode(b []byte, size CSIGSize, split CSIGSplit) (int, error) {
	n := size.FieldsLen()
	if err := need(csigName(size), b, n); err != nil {
		return 0, err
	}
	var lm uint16
	if size == CSIGCompact {
		w := binary.BigEndian.Uint16(b)
		*t = CSIG{Type: uint8(w >> 13), Reserved: uint8(w >> 12 & 1), Value: uint32(w >> 7 & 31)}
		lm = w & 0x7f
	} else {
		w := binary.BigEndian.Uint32(b[2:])
		*t = CSIG{Type: uint8(w >> 28), Value: w >> 8 & 0xfffff, Reserved: uint8(w)}
		lm = binary.BigEndian.Uint16(b)
	}
	if split == CSIGUEC {
		t.Keep = lm&1 != 0
		lm >>= 1
	}
	t.Locator = lm
	return n, nil
}

// Append appends the data fields to b, without TPID.
func (t *CSIG) Append(b []byte, size CSIGSize, split CSIGSplit) ([]byte, error) {
	if err := t.fit(size, split); err != nil {
		return b, err
	}
	lm := t.Locator
	if split == CSIGUEC {
		lm = lm<<1 | uint16(bit(t.Keep, 0))
	}
	if size == CSIGCompact {
		return binary.BigEndian.AppendUint16(b, uint16(t.Type)<<13|uint16(t.Reserved)<<12|uint16(t.Value)<<7|lm), nil
	}
	b = binary.BigEndian.AppendUint16(b, lm)
	return binary.BigEndian.AppendUint32(b, uint32(t.Type)<<28|t.Value<<8|uint32(t.Reserved)), nil
}

func (t *CSIG) fit(size CSIGSize, split CSIGSplit) error {
	l := split.Layout(size)
	at := [4]int{0, 0, 0, 1} // T, R, S, LM
	if size == CSIGExpanded {
		at = [4]int{2, 5, 2, 0}
	}
	err := fit(csigName(size), field{"T", at[0], uint64(t.Type), l.Type}, field{"R", at[1], uint64(t.Reserved),
		l.Reserved},
		field{"S", at[2], uint64(t.Value), l.Value}, field{"LM", at[3], uint64(t.Locator), l.Locator})
	if err == nil && t.Keep && l.Keep == 0 {
		err = wrong(csigName(size), at[3], "the ietf split has no d bit")
	}
	return err
}

func csigName(size CSIGSize) string {
	if size == CSIGExpanded {
		return "expanded CSIG fields"
	}
	return "compact CSIG fields"
}
