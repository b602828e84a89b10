package inband

import "github.com/hdlpkg/hpccgen/telemetry"

// ifa is IFA 2.0 with the records of HPCC++.
type ifa struct{ *shape }

func (ifa) protocol(n Node) uint8 { return uint8(n.Match) }
func (ifa) ipv4() bool            { return true }
func (ifa) transport() bool       { return false }

func (f ifa) find(pkt []byte, p place, _ Node) (place, Status) {
	if len(pkt) < p.l4+telemetry.IFALen {
		return p, Short
	}
	var h telemetry.IFA
	if _, err := h.Decode(pkt[p.l4:]); err != nil || h.Fragmented || h.TailStamp || h.Checksum {
		return p, Foreign
	}
	t := p.l4 + telemetry.IFALen
	switch h.NextHeader {
	case udpProto:
		p.b = t + udpLen
	case tcpProto:
		if len(pkt) < t+13 {
			return p, Short
		}
		words := int(pkt[t+12] >> 4)
		if words < 5 {
			return p, Malformed
		}
		p.b = t + 4*words
	default:
		return p, Foreign
	}
	p.at = p.b + telemetry.IFAMetaLen
	if len(pkt) < p.at {
		return p, Short
	}
	if p.at+4*int(pkt[p.b+3]) > p.end {
		return p, Malformed
	}
	return p, found
}

func (f ifa) room(pkt []byte, p place) Status {
	switch {
	case pkt[p.b+2] == 0:
		return Hops
	case int(pkt[p.b+3])+f.recLen/4 > int(pkt[p.l4+3]):
		return Full
	}
	return found
}

func (f ifa) change(pkt []byte, p place, _ Node, st Status) []word {
	if st != Inserted {
		return nil
	}
	limit := pkt[p.b+2]
	if limit != 255 {
		limit--
	}
	return []word{{p.b + 2, uint16(limit)<<8 | uint16(pkt[p.b+3]) + uint16(f.recLen/4)}}
}

func (f ifa) stamp(m Meta) uint64 { return min(f.since(m.IngressNs, m.EgressNs), 1<<32-1) }

func (f ifa) record(_ []byte, _ place, node Node, snap Snapshot, m Meta) ([]byte, error) {
	h := telemetry.IFAHop{
		LNS: uint8(node.Space), DeviceID: node.ID, Speed: snap.Rate,
		RxSec: uint32(m.IngressNs / 1e9 % (1 << 20)), RxNs: uint32(m.IngressNs % 1e9),
		EgressPort: uint16(m.EgressPort), IngressPort: uint16(m.IngressPort),
		Residence: uint32(f.stamp(m)), TxBytes: uint32(snap.TxBytes), Qlen: uint16(snap.Qlen),
	}
	return h.AppendBinary(nil)
}

// since is the time from one moment to another; 0 when the latter is earlier.
func (s *shape) since(from, to uint64) uint64 {
	d := s.cut(to - from)
	if d>>(s.TimeBits-1) != 0 {
		return 0
	}
	return d
}

// cut is the low bits of a time.
func (s *shape) cut(t uint64) uint64 { return t << (64 - s.TimeBits) >> (64 - s.TimeBits) }
