package inband

import (
	"bytes"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// intMD is INT-MD of INT v2.1 with the instructions of HPCC++.
type intMD struct{ *shape }

const intHeads = telemetry.INTShimLen + telemetry.INTMDLen

func (intMD) protocol(Node) uint8 { return udpProto }
func (intMD) ipv4() bool          { return true }
func (intMD) transport() bool     { return true }

func (f intMD) find(pkt []byte, p place, node Node) (place, Status) {
	if st := udp(pkt, p, node); st != found {
		return p, st
	}
	p.b = p.l4 + udpLen
	if len(pkt) < p.b+intHeads {
		return p, Short
	}
	shim, md, ok := f.heads(pkt, p)
	switch {
	case !ok, shim.Type != 1, int(md.HopML) != f.recLen/4:
		return p, Foreign
	case int(shim.Length) < telemetry.INTMDLen/4, udpWrong(pkt, p, udpLen+telemetry.INTShimLen+4*int(shim.Length)):
		return p, Malformed
	}
	p.at = p.b + intHeads
	return p, found
}

// heads reads shim and INT-MD header; ok is false when the latter has another version.
func (intMD) heads(pkt []byte, p place) (shim telemetry.INTShim, md telemetry.INTMD, ok bool) {
	n, err := shim.Decode(pkt[p.b:])
	if err != nil {
		return shim, md, false
	}
	_, err = md.Decode(pkt[p.b+n:])
	return shim, md, err == nil
}

func (f intMD) room(pkt []byte, p place) Status {
	shim, md, _ := f.heads(pkt, p)
	switch {
	case md.RemainingHops == 0:
		return Hops
	case int(shim.Length)+f.recLen/4 > 255:
		return Full
	}
	return found
}

func (f intMD) change(pkt []byte, p place, _ Node, st Status) []word {
	flags := p.b + telemetry.INTShimLen
	switch st {
	case Hops:
		return []word{{flags, u16(pkt, flags) | 0x0400}}
	case MTU:
		return []word{{flags, u16(pkt, flags) | 0x0200}}
	case Inserted:
		return []word{{p.b, u16(pkt, p.b) + uint16(f.recLen/4)}, {flags + 2, u16(pkt, flags+2) - 1}}
	}
	return nil
}

func (intMD) stamp(m Meta) uint64 { return m.EgressNs }

func (f intMD) record(pkt []byte, p place, node Node, snap Snapshot, m Meta) ([]byte, error) {
	if _, md, _ := f.heads(pkt, p); md.Instructions != telemetry.INTHPCC {
		return bytes.Repeat([]byte{0xff}, f.recLen), nil // values that the device does not have
	}
	h := telemetry.INTHop{
		NodeID: node.ID, EgressIf: uint16(m.EgressPort), Occupancy: uint32(snap.Qlen), EgressTS: f.stamp(m),
		TxUtil: uint32(snap.TxBytes),
	}
	return h.AppendBinary(nil, telemetry.INTHPCC)
}
