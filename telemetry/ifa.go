package telemetry

import "encoding/binary"

// IFA is the header of IFA 2.0 (draft-kumar-ippm-ifa-08), after the IP header.
//
//	bit  width  field
//	0    4      Ver, 2
//	4    4      GNS, 15 for none: then each record has its LNS
//	8    8      NextHdr: the IP protocol that was there before
//	16   3      reserved
//	19   1      MF: fragment header present
//	20   1      TS: tail stamp, the metadata follow the payload
//	21   1      I: in-band; else a clone
//	22   1      TA: turn around
//	23   1      C: checksum header present
//	24   8      Max Length: of the metadata, in words of 4 B
type IFA struct {
	Version, GNS, NextHeader                            uint8
	Fragmented, TailStamp, Inband, TurnAround, Checksum bool
	MaxLength                                           uint8
}

// IFAMeta is the metadata header after the transport header; the records of the hops follow, newest first.
//
//	bit  width  field
//	0    8      Request vector
//	8    1      L: loss
//	9    1      C: color
//	10   6      reserved
//	16   8      Hop Limit: each hop takes 1; at 0 no more records; starting at 255 switches it off
//	24   8      Current Length: of the records, in words of 4 B
type IFAMeta struct {
	Request                 uint8
	Loss, Color             bool
	HopLimit, CurrentLength uint8
}

// IFAHop is the record of a hop in the HPCC++ profile of IFA 2.0 (draft-miao-tsv-hpcc-info-01), 32 B. The
// profile gives no units for TxBytes and Qlen.
//
//	word  bits
//	0     LNS 4, deviceID 20, reserved 8
//	1     Speed 4, reserved 8, rxTimestampSec 20
//	2     egressPort 16, ingressPort 16
//	3     rxTimeStampNs 32
//	4     residenceTime 32, ns
//	5     txBytes 32
//	6     reserved 16, Queue Length 16
//	7     reserved 32
//
// Codes of Speed: 0 10G, 1 25G, 2 40G, 3 50G, 4 100G, 5 200G, 6 400G.
type IFAHop struct {
	LNS         uint8
	DeviceID    uint32
	Speed       uint8
	RxSec       uint32
	EgressPort  uint16
	IngressPort uint16
	RxNs        uint32
	Residence   uint32
	TxBytes     uint32
	Qlen        uint16
}

// Sizes of the IFA headers and of the HPCC++ record in bytes; IFAVersion is the version encoded here.
const (
	IFALen     = 4
	IFAMetaLen = 4
	IFAHopLen  = 32
	IFAVersion = 2
)

const (
	ifaName     = "IFA header"
	ifaMetaName = "IFA metadata header"
	ifaHopName  = "IFA record of HPCC++"
)

// Decode reads a header from the start of b. Other versions than 2 are an error.
func (h *IFA) Decode(b []byte) (int, error) {
	if err := need(ifaName, b, IFALen); err != nil {
		return 0, err
	}
	if b[0]>>4 != IFAVersion {
		return 0, wrong(ifaName, 0, "version %d, want %d", b[0]>>4, IFAVersion)
	}
	f := b[2]
	*h = IFA{
		Version: b[0] >> 4, GNS: b[0] & 15, NextHeader: b[1], MaxLength: b[3],
		Fragmented: f&0x10 != 0, TailStamp: f&8 != 0, Inband: f&4 != 0, TurnAround: f&2 != 0, Checksum: f&1 != 0,
	}
	return IFALen, nil
}

// AppendBinary appends the header to b.
func (h *IFA) AppendBinary(b []byte) ([]byte, error) {
	if h.Version != IFAVersion {
		return b, wrong(ifaName, 0, "version %d, want %d", h.Version, IFAVersion)
	}
	if h.GNS > 15 {
		return b, wrong(ifaName, 0, "GNS is %d, the largest value of its 4 bits is 15", h.GNS)
	}
	flags := bit(h.Fragmented, 4) | bit(h.TailStamp, 3) | bit(h.Inband, 2) | bit(h.TurnAround, 1) | bit(h.Checksum, 0)
	return append(b, h.Version<<4|h.GNS, h.NextHeader, flags, h.MaxLength), nil
}

// Decode reads a metadata header from the start of b. It does not require the records to be there.
func (h *IFAMeta) Decode(b []byte) (int, error) {
	if err := need(ifaMetaName, b, IFAMetaLen); err != nil {
		return 0, err
	}
	*h = IFAMeta{Request: b[0], Loss: b[1]&0x80 != 0, Color: b[1]&0x40 != 0, HopLimit: b[2], CurrentLength: b[3]}
	return IFAMetaLen, nil
}

// AppendBinary appends the metadata header to b.
func (h *IFAMeta) AppendBinary(b []byte) ([]byte, error) {
	return append(b, h.Request, bit(h.Loss, 7)|bit(h.Color, 6), h.HopLimit, h.CurrentLength), nil
}

// Hops is the number of HPCC++ records that Current Length counts.
func (h *IFAMeta) Hops() (int, error) {
	if h.CurrentLength%(IFAHopLen/4) != 0 {
		return 0, wrong(ifaMetaName, 3, "Current Length is %d words, want a multiple of the record's %d",
			h.CurrentLength, IFAHopLen/4)
	}
	return int(h.CurrentLength) / (IFAHopLen / 4), nil
}

// Push counts one HPCC++ record that a hop is about to insert after the header. It returns false, and
// changes nothing, when hop limit or maxLength (that of the IFA header) forbid it.
func (h *IFAMeta) Push(maxLength uint8) bool {
	if h.HopLimit == 0 || int(h.CurrentLength)+IFAHopLen/4 > int(maxLength) {
		return false
	}
	h.CurrentLength += IFAHopLen / 4
	if h.HopLimit != 255 {
		h.HopLimit--
	}
	return true
}

// Decode reads a record from the start of b.
func (h *IFAHop) Decode(b []byte) (int, error) {
	if err := need(ifaHopName, b, IFAHopLen); err != nil {
		return 0, err
	}
	w0, w1, w2 := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	*h = IFAHop{
		LNS: uint8(w0 >> 28), DeviceID: w0 >> 8 & 0xfffff, Speed: uint8(w1 >> 28), RxSec: w1 & 0xfffff,
		EgressPort: uint16(w2 >> 16), IngressPort: uint16(w2), RxNs: binary.BigEndian.Uint32(b[12:]),
		Residence: binary.BigEndian.Uint32(b[16:]), TxBytes: binary.BigEndian.Uint32(b[20:]),
		Qlen: uint16(binary.BigEndian.Uint32(b[24:])),
	}
	return IFAHopLen, nil
}

// AppendBinary appends the record to b.
func (h *IFAHop) AppendBinary(b []byte) ([]byte, error) {
	err := fit(ifaHopName, field{"LNS", 0, uint64(h.LNS), 4}, field{"deviceID", 0, uint64(h.DeviceID), 20},
		field{"Speed", 4, uint64(h.Speed), 4}, field{"rxTimestampSec", 5, uint64(h.RxSec), 20})
	if err != nil {
		return b, err
	}
	b = binary.BigEndian.AppendUint32(b, uint32(h.LNS)<<28|h.DeviceID<<8)
	b = binary.BigEndian.AppendUint32(b, uint32(h.Speed)<<28|h.RxSec)
	b = binary.BigEndian.AppendUint32(b, uint32(h.EgressPort)<<16|uint32(h.IngressPort))
	b = binary.BigEndian.AppendUint32(b, h.RxNs)
	b = binary.BigEndian.AppendUint32(b, h.Residence)
	b = binary.BigEndian.AppendUint32(b, h.TxBytes)
	b = binary.BigEndian.AppendUint32(b, uint32(h.Qlen))
	return binary.BigEndian.AppendUint32(b, 0), nil
}

// EgressNs is the time at which the packet left, in ns: HPCC wants this one, IFA carries that of arrival. It
// wraps after 2^20 s, about 12.1 days, as RxSec does.
func (h *IFAHop) EgressNs() uint64 {
	return (uint64(h.RxSec)*1e9 + uint64(h.RxNs) + uint64(h.Residence)) % (1 << 20 * 1e9)
}

func bit(set bool, at int) byte {
	if set {
		return 1 << at
	}
	return 0
}
