package inband

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// ioam is the pre-allocated trace of RFC 9197 in IPv6, with the records of HPCC++.
type ioam struct{ *shape }

func (ioam) protocol(Node) uint8 { return hopByHop }
func (ioam) ipv4() bool          { return false }
func (ioam) transport() bool     { return false }

const (
	ioamOption    = 0x31 // option type: skipped by nodes that do not know it, may change en route (RFC 9486)
	ioamOptionLen = 4    // option type and length, reserved, IOAM-Type
	ioamTraceAt   = ioamOptionLen
	ioamDataAt    = ioamTraceAt + telemetry.IOAMLen
)

func (f ioam) find(pkt []byte, p place, node Node) (place, Status) {
	p.b = p.l4 + 4
	if len(pkt) < p.b {
		return p, Short
	}
	if pad := u16(pkt, p.l4+2); pad != 0x0100 && pad != 0 {
		return p, Foreign
	}
	if len(pkt) < p.b+ioamDataAt {
		return p, Short
	}
	h, ok := f.trace(pkt, p)
	want, err := telemetry.IOAMTraceType(f.TxBit)
	known := h.Namespace == node.Space || h.Namespace == 0
	profile := known && int(h.NodeLen) == f.recLen/4 && h.TraceType == want
	if err != nil || !ok || pkt[p.b] != ioamOption || pkt[p.b+3] != 0 || !profile {
		return p, Foreign
	}
	optionLen, options := int(pkt[p.b+1]), p.l4+8+8*int(pkt[p.l4+1])
	if optionLen < 10+4*int(h.RemainingLen) || p.b+2+optionLen > options || options > p.end {
		return p, Malformed
	}
	at, ok := h.Reserve()
	if !ok {
		return p, Full
	}
	p.at = p.b + ioamDataAt + at
	if len(pkt) < p.at+f.recLen {
		return p, Short
	}
	return p, found
}

func (ioam) trace(pkt []byte, p place) (h telemetry.IOAM, ok bool) {
	_, err := h.Decode(pkt[p.b+ioamTraceAt:])
	return h, err == nil
}

func (ioam) room([]byte, place) Status { return found }

func (f ioam) change(pkt []byte, p place, _ Node, st Status) []word {
	at := p.b + ioamTraceAt + 2
	switch st {
	case Full:
		return []word{{at, u16(pkt, at) | 0x0400}}
	case Inserted:
		return []word{{at, u16(pkt, at) - uint16(f.recLen/4)}}
	}
	return nil
}

func (ioam) stamp(m Meta) uint64 { return m.EgressNs & 0xffffffff }

func (f ioam) record(pkt []byte, p place, node Node, snap Snapshot, m Meta) ([]byte, error) {
	h := telemetry.IOAMHop{
		HopLimit: pkt[p.l3+7], NodeID: node.ID, IngressIf: uint16(m.IngressPort), EgressIf: uint16(m.EgressPort),
		Qlen: uint32(snap.Qlen), TS: uint32(f.stamp(m)), TxBytes: uint32(snap.TxBytes),
	}
	order := telemetry.IOAMByBit
	if f.Order == config.IOAMFigure {
		order = telemetry.IOAMFigure
	}
	return h.AppendBinary(nil, order)
}
