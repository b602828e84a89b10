package packets_test

import (
	"encoding/binary"

	"github.com/hdlpkg/hpccgen/telemetry"
)

const macsecType = 0x88e5

// sectag is a SecTAG of a frame.
type sectag struct {
	sci  bool
	bits byte // more bits of the TCI: V, E, C
}

// header is a part of layer 2 before the CSIG tag: a VLAN tag, or a SecTAG.
type header struct {
	vlan   uint16 // TPID; 0: a SecTAG
	secTAG sectag
}

// corpusFrame holds the parts of a packet.
type corpusFrame struct {
	name    string
	headers []header
	tag     []byte // CSIG tags with their TPIDs; may be anything
	inner   inner
	size    int  // bytes of data in the inner packet
	open    bool // nothing after the tag, not even an EtherType
	dirty   bool // an analyser may complain
}

// bytes puts a corpusFrame together; at is where its tag begins.
func (m *frameMaker) bytes(f *corpusFrame) (data []byte, at int) {
	m.number++
	b := m.macs()
	in, size, icv := f.inner, f.size, false
	for _, h := range f.headers {
		if h.vlan != 0 {
			b = binary.BigEndian.AppendUint16(b, h.vlan)
			// PCP and DEI of any value; VID of a real VLAN.
			b = binary.BigEndian.AppendUint16(b, uint16(m.rng.Uint32N(16))<<12|uint16(1+m.rng.Uint32N(4094)))
			continue
		}
		b, icv = m.secTAG(b, h.secTAG), true
	}
	at = len(b)
	b = append(b, f.tag...)
	if f.open {
		return b, at
	}
	if icv { // the protected part has 48 bytes or more, so that SL is 0, and there is no padding
		size = max(size, 64)
		if in.short {
			in = inners[0]
		}
	}
	etherType, payload := in.make(m, size)
	b = binary.BigEndian.AppendUint16(b, etherType)
	b = append(b, payload...)
	if icv {
		b = append(b, m.random(16)...)
	}
	for len(b) < 60 {
		b = append(b, 0)
	}
	return b, at
}

// secTAG appends a SecTAG: TCI and AN, SL 0 (48 bytes or more), PN, and the SCI when there is one.
func (m *frameMaker) secTAG(b []byte, s sectag) []byte {
	tci := s.bits | byte(m.rng.Uint32N(4))
	if s.sci {
		tci |= 0x20
	}
	b = binary.BigEndian.AppendUint16(b, macsecType)
	b = append(b, tci, 0)
	b = binary.BigEndian.AppendUint32(b, 1+m.rng.Uint32N(1<<31))
	if s.sci {
		b = append(b, 0x02, 0, 0, 0, 0, byte(m.number), 0, 1)
	}
	return b
}

// placements are all orders of up to four VLAN tags of all TPIDs and at most one SecTAG, with and without SCI (draft
// section 4.1).
func placements(vlan []uint16) [][]header {
	var list [][]header
	for n := range telemetry.MaxVLANTags + 1 {
		count := 1
		for range n {
			count *= len(vlan)
		}
		for i := range count {
			tags := make([]header, n)
			for k, rest := 0, i; k < n; k, rest = k+1, rest/len(vlan) {
				tags[k].vlan = vlan[rest%len(vlan)]
			}
			list = append(list, tags)
			for at := range n + 1 {
				for _, sci := range []bool{false, true} {
					list = append(list, insert(tags, at, header{secTAG: sectag{sci: sci}}))
				}
			}
		}
	}
	return list
}

func insert(list []header, at int, h header) []header {
	out := append([]header{}, list[:at]...)
	return append(append(out, h), list[at:]...)
}
