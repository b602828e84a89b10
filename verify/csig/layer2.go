package csig

import (
	"encoding/binary"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// appendHeaders appends addresses, VLAN tags, a SecTAG, the CSIG tag if tagged, and what follows. tagEnd is the
// position of the tag's end, 0 if there is none.
func (d *device) appendHeaders(b []byte, m *csig.Meta, tagged bool) (out []byte, tagEnd int) {
	r := &d.R
	b = binary.BigEndian.AppendUint64(b, r.Next())
	b = binary.BigEndian.AppendUint32(b, uint32(r.Next()))
	if d.Mix == Shortest {
		if r.OneIn(16) {
			b = d.appendPlaces(b)
		}
	} else if d.Mix == Minimum || d.Mix == IMIX || d.Mix == Jumbo || d.Mix == OnePort || d.Mix == AllPorts ||
		d.Mix == Dense {
		for range [...]int{0, 0, 1, 2}[r.N(4)] {
			b = d.appendVLAN(b)
		}
	} else {
		b = d.appendPlaces(b)
	}
	if tagged {
		b = d.appendTag(b, m)
		tagEnd = len(b)
	}
	switch {
	// a second tag, against section 4.1; a packet that is dropped would be a thousand beats
	case r.OneIn(16) && d.Mix != Stripped && d.Mix != Jumbo:
		b = binary.BigEndian.AppendUint16(b, d.someTPID())
	case r.OneIn(16) && tagged && d.Mix != Stripped && d.Mix != Jumbo:
		b = d.appendVLAN(b)
	case r.OneIn(16) && d.Mix == Garbage:
		b = binary.BigEndian.AppendUint16(b, uint16(r.Next()))
	default:
		b = binary.BigEndian.AppendUint16(b, 0x0800)
	}
	return b, tagEnd
}

// appendPlaces appends any number of VLAN tags and a SecTAG, in any order.
func (d *device) appendPlaces(b []byte) []byte {
	r := &d.R
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
			b = d.appendVLAN(b)
			vlans--
		} else {
			b = d.appendSecTAG(b)
			secTAGs--
		}
	}
	return b
}

func (d *device) appendVLAN(b []byte) []byte {
	if len(d.cfg.VLANTPIDs) == 0 {
		return b
	}
	b = binary.BigEndian.AppendUint16(b, d.cfg.VLANTPIDs[d.R.N(len(d.cfg.VLANTPIDs))])
	return binary.BigEndian.AppendUint16(b, uint16(d.R.Next()))
}

// appendSecTAG appends a SecTAG in the clear; seldom one that hides what follows, often where that makes no difference.
func (d *device) appendSecTAG(b []byte) []byte {
	r := &d.R
	tci := byte(r.Next()) & 0x73 // ES, SC, SCB, AN
	if r.OneIn(2) {
		tci |= 0x20
	}
	if r.OneIn(16) || d.cfg.Decrypted && r.OneIn(2) {
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

func (d *device) someTPID() uint16 {
	if d.cfg.CompactTPID == 0 || d.cfg.ExpandedTPID != 0 && d.R.OneIn(2) {
		return d.cfg.ExpandedTPID
	}
	return d.cfg.CompactTPID
}

// appendTag appends a tag. Its value is often close to the value that the device compares it with.
func (d *device) appendTag(b []byte, m *csig.Meta) []byte {
	r := &d.R
	tpid := d.someTPID()
	size := telemetry.CSIGCompact
	if tpid == d.cfg.ExpandedTPID {
		size = telemetry.CSIGExpanded
	}
	split := telemetry.CSIGIETF
	if d.cfg.UEC {
		split = telemetry.CSIGUEC
	}
	l := split.Layout(size)
	v := r.Next()
	t := telemetry.CSIG{
		Type: uint8(v & 3), Locator: uint16(v >> 8 & (1<<l.Locator - 1)),
		Reserved: uint8(v >> 24 & (1<<l.Reserved - 1)), Keep: l.Keep > 0 && v>>32&7 == 0,
	}
	if r.OneIn(8) && d.Mix != Stripped {
		t.Type = uint8(v >> 40 & (1<<l.Type - 1))
	}
	top := uint32(1)<<l.Value - 1
	switch local := d.local(m.EgressPort, t.Type, size); r.N(8) {
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
func (d *device) local(port int, t uint8, size telemetry.CSIGSize) uint32 {
	if port >= len(d.locals) || int(t) >= csig.Types {
		return 0
	}
	return d.locals[port][t][size]
}
