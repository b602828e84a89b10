package telemetry

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// What layer 2 is made of: sizes in bytes, and EtherTypes that are not configuration.
const (
	MACsLen      = 12     // destination and source address
	VLANTagLen   = 4      // TPID and TCI
	MaxVLANTags  = 4      // that may precede a CSIG tag (draft section 4.1)
	SecTAGLen    = 8      // EtherType, TCI and AN, SL, PN
	SCILen       = 8      // more, when the TCI's SC bit says so
	MACsecType   = 0x88e5 // EtherType of the SecTAG (IEEE 802.1AE)
	minEtherType = 0x0600 // below are lengths (IEEE 802.3)
)

// Bits of the SecTAG's TCI octet.
const (
	tciVersion   = 0x80 // must be 0
	tciSC        = 0x20 // explicit SCI follows
	tciEncrypted = 0x08 // E
	tciChanged   = 0x04 // C
)

// Tags are the TPIDs of a network. None is assigned to CSIG: both are configuration, as are those of VLAN tags.
type Tags struct {
	Compact  uint16   // TPID of compact CSIG tags; 0: there are none
	Expanded uint16   // TPID of expanded CSIG tags; 0: there are none
	VLAN     []uint16 // TPIDs of VLAN tags
	// Decrypted: SecTAGs remain on packets whose protection has been removed, so tags after them are in the
	// clear whatever their E and C bits say.
	Decrypted bool
}

// DefaultTags have the EtherTypes that IEEE 802 sets aside for experiments (88b5 compact, 88b6 expanded), and the TPIDs
// of 802.1Q and 802.1ad.
func DefaultTags() Tags {
	return Tags{Compact: 0x88b5, Expanded: 0x88b6, VLAN: []uint16{0x8100, 0x88a8}}
}

// Check reports every TPID that cannot be told from another or from a length.
func (t *Tags) Check() error {
	if t.Compact == 0 && t.Expanded == 0 {
		return errors.New("tags: no TPID for CSIG: give that of compact or of expanded tags, or both")
	}
	type named struct {
		name string
		tpid uint16
	}
	var all []named
	for _, c := range []named{{"compact CSIG", t.Compact}, {"expanded CSIG", t.Expanded}} {
		if c.tpid != 0 {
			all = append(all, c)
		}
	}
	for i, v := range t.VLAN {
		all = append(all, named{fmt.Sprintf("VLAN %d", i), v})
	}
	var list []error
	seen := []named{{"MACsec", MACsecType}}
	for _, n := range all {
		if n.tpid < minEtherType {
			list = append(list,
				fmt.Errorf("tags: the TPID of %s is %#04x, which is a length; legal are 0x0600 to 0xffff", n.name, n.tpid))
		}
		if i := slices.IndexFunc(seen, func(s named) bool { return s.tpid == n.tpid }); i >= 0 {
			list = append(list, fmt.Errorf("tags: the TPID of %s is %#04x, as is that of %s; they must differ", n.name,
				n.tpid, seen[i].name))
		}
		seen = append(seen, n)
	}
	return errors.Join(list...)
}

// TPID returns the TPID of CSIG tags of a size; 0 when there are none.
func (t *Tags) TPID(size CSIGSize) uint16 {
	if size == CSIGExpanded {
		return t.Expanded
	}
	return t.Compact
}

// Find is how the search for a CSIG tag ended.
type Find uint8

// Results of the search.
const (
	FindNone      Find = iota // layer 2 has no CSIG tag
	FindTag                   // a whole CSIG tag
	FindTruncated             // the packet ends inside the CSIG tag, after its TPID
	FindHidden                // a SecTAG hides what follows
	FindShort                 // the packet ends inside layer 2, before any CSIG TPID
)

var findNames = [...]string{"none", "tag", "truncated", "hidden", "short"}

// String returns the name of the result.
func (f Find) String() string {
	if int(f) < len(findNames) {
		return findNames[f]
	}
	return fmt.Sprintf("find(%d)", uint8(f))
}

// Place is where a walk ended.
type Place struct {
	Find   Find
	Size   CSIGSize // of the tag, with FindTag and FindTruncated
	Offset int      // of the CSIG TPID; with FindNone of the EtherType: where a tag would go
	VLANs  int      // VLAN tags before Offset
	SecTAG int      // byte of the SecTAG; 0 when there is none
	// Stacked: another CSIG TPID follows the tag, in violation of section 4.1, by which the tag is the last.
	Stacked bool
	// Ambiguous: the walk cannot tell whether the packet holds a CSIG tag once the first one is removed. A CSIG, VLAN
	// or SecTAG TPID follows the tag, or stands where the walk ended without one; or the tag is truncated; or the
	// packet ends with the first byte of a CSIG TPID, which padding would complete.
	Ambiguous bool
}

// Walk finds the CSIG tag of a packet that starts with its destination address. Up to four VLAN tags and one SecTAG, in
// any order, may precede the tag. A fifth VLAN tag, a second SecTAG or any other EtherType ends the search.
func (t *Tags) Walk(pkt []byte) Place {
	p := Place{Offset: MACsLen}
	for {
		if len(pkt) < p.Offset+2 {
			p.Find, p.Ambiguous = FindShort, t.padded(pkt, p.Offset)
			return p
		}
		tpid := binary.BigEndian.Uint16(pkt[p.Offset:])
		switch {
		case t.csig(tpid):
			t.found(&p, pkt, tpid)
			return p
		case p.VLANs < MaxVLANTags && slices.Contains(t.VLAN, tpid):
			p.VLANs++
			p.Offset += VLANTagLen
		case p.SecTAG == 0 && tpid == MACsecType:
			if !t.secTAG(&p, pkt) {
				return p
			}
		default:
			p.Ambiguous = t.layer2(tpid)
			return p
		}
	}
}

// layer2 reports whether a TPID is that of a CSIG tag, a VLAN tag or a SecTAG.
func (t *Tags) layer2(tpid uint16) bool {
	return t.csig(tpid) || tpid == MACsecType || slices.Contains(t.VLAN, tpid)
}

func (t *Tags) csig(tpid uint16) bool {
	return tpid != 0 && (tpid == t.Compact || tpid == t.Expanded)
}

func (t *Tags) found(p *Place, pkt []byte, tpid uint16) {
	if tpid == t.Expanded {
		p.Size = CSIGExpanded
	}
	end := p.Offset + p.Size.Len()
	p.Find = FindTag
	if len(pkt) < end {
		p.Find, p.Ambiguous = FindTruncated, true
	}
	if len(pkt) >= end+CSIGTPIDLen {
		behind := binary.BigEndian.Uint16(pkt[end:])
		p.Stacked, p.Ambiguous = t.csig(behind), t.layer2(behind)
	}
	p.Ambiguous = p.Ambiguous || t.padded(pkt, end)
}

// padded reports whether the byte at an offset is the packet's last and, with a zero appended, forms a CSIG TPID.
func (t *Tags) padded(pkt []byte, at int) bool {
	return len(pkt) == at+1 && t.csig(uint16(pkt[at])<<8)
}

// secTAG steps over a SecTAG. It returns false when the search ends there.
func (t *Tags) secTAG(p *Place, pkt []byte) bool {
	if len(pkt) < p.Offset+3 {
		p.Find = FindShort
		return false
	}
	tci := pkt[p.Offset+2]
	if tci&tciVersion != 0 || !t.Decrypted && tci&(tciEncrypted|tciChanged) != 0 {
		p.Find = FindHidden
		return false
	}
	p.SecTAG = p.Offset
	p.Offset += SecTAGLen
	if tci&tciSC != 0 {
		p.Offset += SCILen
	}
	return true
}
