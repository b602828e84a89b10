package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// Sender is the CSIG part of a sender host, for one flow: it tags packets and asks for the signal types in turn (draft
// section 4.3.3).
type Sender struct {
	Tags  telemetry.Tags
	Split telemetry.CSIGSplit
	Size  telemetry.CSIGSize
	// Types are asked for in this order, one a packet, over and over.
	Types []uint8
	// Locator is what tags start with (draft section 4.1.3.3: a default value).
	Locator uint16

	next int
}

// Check reports the errors in the sender.
func (s *Sender) Check() error {
	if err := s.Tags.Check(); err != nil {
		return err
	}
	if s.Tags.TPID(s.Size) == 0 {
		return fmt.Errorf("csig sender: there is no TPID for %s tags", s.Size)
	}
	if len(s.Types) == 0 {
		return fmt.Errorf("csig sender: no signal types to ask for, legal are 0 to %d", Types-1)
	}
	for _, t := range s.Types {
		if t >= Types {
			return fmt.Errorf("csig sender: signal type %d has no initial value, legal are 0 to %d", t, Types-1)
		}
	}
	_, err := (&telemetry.CSIG{Locator: s.Locator}).Append(nil, s.Size, s.Split)
	return err
}

// Insert returns the packet with a tag as the last one of layer 2, asking for the next signal type. A packet that
// has a tag, hides its tags, ends inside layer 2 or has more of it than the walk reads is refused, and the turn stays.
func (s *Sender) Insert(pkt []byte) ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	at := s.Tags.Walk(pkt)
	switch at.Find {
	case telemetry.FindTag, telemetry.FindTruncated:
		return nil, fmt.Errorf("csig sender: byte %d: the packet has a tag already", at.Offset)
	case telemetry.FindHidden:
		return nil, fmt.Errorf("csig sender: byte %d: the packet is encrypted from here on; tag it before", at.Offset)
	case telemetry.FindShort:
		return nil, fmt.Errorf("csig sender: byte %d: the packet ends inside layer 2", len(pkt))
	}
	if at.Ambiguous {
		return nil, fmt.Errorf("csig sender: byte %d: a VLAN tag or a SecTAG more than a device looks behind", at.Offset)
	}
	t := s.Types[s.next%len(s.Types)]
	tag := telemetry.CSIG{Type: t, Value: Initial(t, s.Size), Locator: s.Locator}
	tpid := s.Tags.TPID(s.Size)
	out := make([]byte, 0, len(pkt)+s.Size.Len())
	out = append(append(out, pkt[:at.Offset]...), byte(tpid>>8), byte(tpid))
	out, err := tag.Append(out, s.Size, s.Split)
	if err != nil {
		return nil, err
	}
	s.next = (s.next + 1) % len(s.Types)
	return append(out, pkt[at.Offset:]...), nil
}
