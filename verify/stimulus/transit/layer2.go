package transit

import (
	"encoding/binary"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// appendHeaders appends addresses, VLAN tags, a SecTAG, the CSIG tag if there is to be one, and what follows. tagEnd is
// where the tag ends, 0 when there is none.
func (g *Generator) appendHeaders(b []byte, m *csig.Meta, tagged bool) (out []byte, tagEnd int) {
	r := &g.r
	b = binary.BigEndian.AppendUint64(b, r.Next())
	b = binary.BigEndian.AppendUint32(b, uint32(r.Next()))
	if g.mix == Shortest {
		if r.OneIn(16) {
			b = g.appendPlaces(b)
		}
	} else if g.mix == Minimum || g.mix == IMIX || g.mix == Jumbo || g.mix == OnePort || g.mix == AllPorts ||
		g.mix == Dense {
		for range [...]int{0, 0, 1, 2}[r.N(4)] {
			b = g.appendVLAN(b)
		}
	} else {
		b = g.appendPlaces(b)
	}
	if tagged {
		b = g.appendTag(b, m)
		tagEnd = len(b)
	}
	switch {
	// a second tag, against section 4.1; a packet that is dropped would be a thousand beats
	case r.OneIn(16) && g.mix != Stripped && g.mix != Jumbo:
		b = binary.BigEndian.AppendUint16(b, g.someTPID())
	case r.OneIn(16) && tagged && g.mix != Stripped && g.mix != Jumbo:
		b = g.appendVLAN(b)
	case r.OneIn(16) && g.mix == Garbage:
		b = binary.BigEndian.AppendUint16(b, uint16(r.Next()))
	default:
		b = binary.BigEndian.AppendUint16(b, 0x0800)
	}
	return b, tagEnd
}

// appendPlaces appends any number of VLAN tags and a SecTAG, in any order.
func (g *Generator) appendPlaces(b []byte) []byte {
	r := &g.r
	vlans := r.N(telemetry.MaxVLANTags + 1)
	if r.OneIn(24) {
		vlans++ // up to one too many
	}
	secTAGs := 0
	if r.OneIn(2) {
		secTAGs = 1
		if r.OneIn(24) {
			secTAGs = 2
		}
	}
	for vlans+secTAGs > 0 {
		if r.N(vlans+secTAGs) < vlans {
			b = g.appendVLAN(b)
			vlans--
		} else {
			b = g.appendSecTAG(b)
			secTAGs--
		}
	}
	return b
}

func (g *Generator) appendVLAN(b []byte) []byte {
	if len(g.cfg.VLANTPIDs) == 0 {
		return b
	}
	b = binary.BigEndian.AppendUint16(b, g.cfg.VLANTPIDs[g.r.N(len(g.cfg.VLANTPIDs))])
	return binary.BigEndian.AppendUint16(b, uint16(g.r.Next()))
}

// appendSecTAG appends a SecTAG in the clear; seldom one that hides what follows, often where that makes no difference.
func (g *Generator) appendSecTAG(b []byte) []byte {
	r := &g.r
	tci := byte(r.Next()) & 0x73 // ES, SC, SCB, AN
	if r.OneIn(2) {
		tci |= 0x20
	}
	if r.OneIn(16) || g.cfg.Decrypted && r.OneIn(2) {
		tci |= byte(r.Next()) & 0x0c
	}
	if r.OneIn(32) {
		tci |= 0x80
	}
	b = binary.BigEndian.AppendUint16(b, telemetry.MACsecType)
	b = append(b, tci)
	n := telemetry.SecTAGLen - 3
	if tci&0x20 != 0 {
		n += telemetry.SCILen
	}
	for range n {
		b = append(b, byte(r.Next()))
	}
	return b
}

func (g *Generator) someTPID() uint16 {
	if g.cfg.CompactTPID == 0 || g.cfg.ExpandedTPID != 0 && g.r.OneIn(2) {
		return g.cfg.ExpandedTPID
	}
	return g.cfg.CompactTPID
}

// appendTag appends a tag. Its value is often next to what the device compares it with.
func (g *Generator) appendTag(b []byte, m *csig.Meta) []byte {
	r := &g.r
	tpid := g.someTPID()
	size := telemetry.CSIGCompact
	if tpid == g.cfg.ExpandedTPID {
		size = telemetry.CSIGExpanded
	}
	split := telemetry.CSIGIETF
	if g.cfg.UEC {
		split = telemetry.CSIGUEC
	}
	l := split.Layout(size)
	v := r.Next()
	t := telemetry.CSIG{
		Type: uint8(v & 3), Locator: uint16(v >> 8 & (1<<l.Locator - 1)),
		Reserved: uint8(v >> 24 & (1<<l.Reserved - 1)), Keep: l.Keep > 0 && v>>32&7 == 0,
	}
	if r.OneIn(8) && g.mix != Stripped {
		t.Type = uint8(v >> 40 & (1<<l.Type - 1))
	}
	top := uint32(1)<<l.Value - 1
	switch local := g.local(m.EgressPort, t.Type, size); r.N(8) {
	case 0:
		t.Value = 0
	case 1:
		t.Value = top
	case 2:
		t.Value = uint32(v>>44) & top
	case 3, 4:
		t.Value = local
	case 5:
		t.Value = min(local+1, top)
	case 6:
		t.Value = max(local, 1) - 1
	default:
		t.Value = (local + uint32(v>>44)%9 - 4) & top
	}
	b = binary.BigEndian.AppendUint16(b, tpid)
	b, err := t.Append(b, size, split)
	if err != nil {
		panic("transit: a tag cut to its fields does not fit: " + err.Error())
	}
	return b
}

// local is the code that the device last found for a port, type and size.
func (g *Generator) local(port int, t uint8, size telemetry.CSIGSize) uint32 {
	if port >= len(g.locals) || int(t) >= csig.Types {
		return 0
	}
	return g.locals[port][t][size]
}
