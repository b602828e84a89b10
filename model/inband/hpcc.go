package inband

import "github.com/hdlpkg/hpccgen/telemetry"

// hpcc is the format of the HPCC paper.
type hpcc struct{ *shape }

func (hpcc) protocol(Node) uint8 { return udpProto }
func (hpcc) ipv4() bool          { return true }
func (hpcc) transport() bool     { return true }

func (f hpcc) find(pkt []byte, p place, node Node) (place, Status) {
	if st := udp(pkt, p, node); st != found {
		return p, st
	}
	p.b = p.l4 + udpLen
	if len(pkt) < p.b+telemetry.HPCCBaseLen {
		return p, Short
	}
	hops := int(u16(pkt, p.b) >> 12)
	if hops >= f.MaxHops {
		return p, Hops
	}
	held, needs := hops, hops
	if f.Reserved {
		held, needs = f.MaxHops, hops+1
	}
	if udpWrong(pkt, p, udpLen+telemetry.HPCCBaseLen+telemetry.HPCCHopLen*held) {
		return p, Malformed
	}
	p.at = p.b + telemetry.HPCCBaseLen + telemetry.HPCCHopLen*hops
	if len(pkt) < p.b+telemetry.HPCCBaseLen+telemetry.HPCCHopLen*needs {
		return p, Short
	}
	return p, found
}

func (hpcc) room([]byte, place) Status { return found }

func (hpcc) change(pkt []byte, p place, node Node, st Status) []word {
	if st != Inserted {
		return nil
	}
	h := u16(pkt, p.b)
	return []word{{p.b, (h>>12+1)<<12 | (h^uint16(node.ID))&0xfff}}
}

func (hpcc) stamp(m Meta) uint64 { return m.EgressNs & 0xffffff }

func (f hpcc) record(_ []byte, _ place, _ Node, snap Snapshot, m Meta) ([]byte, error) {
	h := telemetry.HPCC{NHop: 1}
	h.Hop[0] = telemetry.HPCCHop{Rate: snap.Rate, TS: uint32(f.stamp(m)), TxBytes: uint32(snap.TxBytes),
		Qlen: uint32(snap.Qlen)}
	b, err := h.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	return b[telemetry.HPCCBaseLen:], nil
}
