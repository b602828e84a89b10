package transit

import (
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Script is a stimulus of a switch written down (NewPlayer plays it).
type Script struct {
	Cycles int64           `json:"cycles"`
	Width  int             `json:"width"` // bytes of a beat
	Resets []timeline.Span `json:"resets"`

	Packets []timeline.At[Packet] `json:"packets"`
	Writes  []timeline.At[Write]  `json:"writes"`
	Reads   []timeline.At[uint16] `json:"reads"` // address

	Pauses []timeline.Span `json:"pauses"`   // inside a packet, no new beat is offered
	MStall []timeline.Span `json:"m_stalls"` // m_axis_tready is low
	BStall []timeline.Span `json:"b_stalls"` // s_axil_bready is low
	RStall []timeline.Span `json:"r_stalls"` // s_axil_rready is low
}

// Parts are the script's lists.
func (s *Script) Parts() *timeline.Parts {
	return &timeline.Parts{
		Cycles: &s.Cycles, Resets: &s.Resets,
		Lists: []timeline.Ops{
			timeline.OpsOf(&s.Packets, func(p *Packet) string { return "packet " + p.String() },
				func(p *Packet) uint32 { return uint32(p.Meta.EgressPort) }),
			timeline.OpsOf(&s.Reads, func(addr *uint16) string { return fmt.Sprintf("read   %#04x", *addr) }, nil),
			timeline.OpsOf(&s.Writes, func(w *Write) string { return "write  " + w.String() }, nil),
		},
		Stalls: []timeline.Stall{
			{Spans: &s.Pauses, Text: "no new beat of a packet"}, {Spans: &s.MStall, Text: "m_axis_tready low"},
			{Spans: &s.BStall, Text: "s_axil_bready low"}, {Spans: &s.RStall, Text: "s_axil_rready low"},
		},
		Free: [][]int{{0, 1, 2, 3}, {1}, {2, 3}, {0}},
		Mute: []int{1, 0, 2},
	}
}

// Copy shares no slice with the script but the packets' bytes.
func (s *Script) Copy() timeline.Script {
	c := *s
	c.Parts().Unshare()
	return &c
}

// Simpler shortens each packet, and makes what follows the headers zero, as long as there are few.
func (s *Script) Simpler() (edits []func(timeline.Script)) {
	const few, headers = 12, 56
	if len(s.Packets) > few {
		return nil
	}
	for i := range s.Packets {
		edit := func(change func(p *Packet)) {
			edits = append(edits, func(s timeline.Script) {
				if list := s.(*Script).Packets; i < len(list) {
					change(&list[i].Op)
				}
			})
		}
		for _, n := range []int{64, headers} {
			edit(func(p *Packet) {
				if len(p.Bytes) > n && !p.Open {
					p.Bytes = slices.Clone(p.Bytes[:n])
				}
			})
		}
		edit(func(p *Packet) {
			if len(p.Bytes) > headers {
				p.Bytes = slices.Clone(p.Bytes)
				clear(p.Bytes[headers:])
			}
		})
	}
	return edits
}

// String lists packets and accesses by the cycle from which on they are offered.
func (s *Script) String() string { return s.Parts().String() }
