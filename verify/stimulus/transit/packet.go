package transit

import (
	"encoding/hex"
	"fmt"

	model "github.com/hdlpkg/hpccgen/model/transit"
)

// Packet is a packet with its metadata.
type Packet struct {
	Bytes Bytes      `json:"bytes"` // from the destination address on, without FCS
	Meta  model.Meta `json:"meta"`
	// Open: there are more bytes, and they do not come: a reset comes first, or the end.
	Open bool `json:"open,omitempty"`
	// Behind is what follows the packet's end in its last beat, and is not part of it; filler where there is none.
	Behind Bytes `json:"behind,omitempty"`
}

// Cut leaves so many bytes of a packet at the most. What is cut off stays in the last beat: a device must not take it
// for part of the packet.
func (p *Packet) Cut(n int) {
	n = min(n, len(p.Bytes))
	p.Behind = append(p.Behind[:0], p.Bytes[n:]...)
	p.Bytes = p.Bytes[:n]
}

// Bytes is written as hexadecimal digits.
type Bytes []byte

// MarshalText writes the digits.
func (b Bytes) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, b), nil }

// UnmarshalText reads them.
func (b *Bytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.AppendDecode(nil, text)
	return err
}

// String is the packet on one line, with the bytes that the device looks at.
func (p *Packet) String() string {
	const most = 56
	m := &p.Meta
	text := fmt.Sprintf("ingress port %d at %#x egress port %d at %#x qlen %d, %d bytes", m.IngressPort, m.IngressNs,
		m.EgressPort, m.EgressNs, m.QlenBytes, len(p.Bytes))
	if p.Open {
		text += " without end"
	}
	if len(p.Bytes) > most {
		return fmt.Sprintf("%s %x...", text, []byte(p.Bytes[:most]))
	}
	return fmt.Sprintf("%s %x", text, []byte(p.Bytes))
}

// beat sets the beat that starts at a byte of the packet, width bytes at most, and its tuser. Bytes that tkeep leaves
// out, and the tuser of all beats but the first, mean nothing; they are not what a device might hope for.
func (p *Packet) beat(in *model.Inputs, at, width int) {
	n := copy(in.Beat.Data[:width], p.Bytes[at:])
	behind := 0
	if at+n == len(p.Bytes) {
		behind = copy(in.Beat.Data[n:width], p.Behind)
	}
	for i := n + behind; i < width; i++ {
		in.Beat.Data[i] = ^in.Beat.Data[i-1] + 0x35
	}
	in.Valid = true
	in.Beat.Len = n
	in.Beat.Last = at+n == len(p.Bytes) && !p.Open
	in.Meta = p.Meta
	if at > 0 {
		m := &in.Meta
		m.IngressPort, m.EgressPort = m.IngressPort^1, m.EgressPort^1
		m.IngressNs, m.EgressNs, m.QlenBytes = ^m.IngressNs, ^m.EgressNs, ^m.QlenBytes
	}
}
