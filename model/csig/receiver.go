package csig

import "github.com/hdlpkg/hpccgen/telemetry"

// Receiver is the CSIG part of a receiver host, for one flow: it takes tags off packets and keeps what to reflect.
type Receiver struct {
	Tags  telemetry.Tags
	Split telemetry.CSIGSplit

	latest Reflection
}

// Receive takes the tag off a packet that arrived. A packet without a whole tag, or whose tag is not the last of layer
// 2, comes back as it is, and leaves what is to be reflected alone.
func (r *Receiver) Receive(pkt []byte) (out []byte, tag telemetry.CSIG, ok bool) {
	at := r.Tags.Walk(pkt)
	if at.Find != telemetry.FindTag || at.Ambiguous {
		return pkt, tag, false
	}
	if _, err := tag.Decode(pkt[at.Offset+telemetry.CSIGTPIDLen:], at.Size, r.Split); err != nil {
		panic("csig: a whole tag does not decode: " + err.Error())
	}
	r.latest = Reflection{Valid: true, Size: at.Size, Fields: tag}
	return remove(pkt, at), tag, true
}

// Reflect returns what the next packet to the sender carries: the latest fields since the last call, whatever
// their type (draft section 4.2: with coalesced ACKs, the latest). Invalid when no tag has arrived since.
func (r *Receiver) Reflect() Reflection {
	l := r.latest
	r.latest = Reflection{}
	return l
}
