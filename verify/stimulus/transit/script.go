package transit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Script is a finite stimulus written down: which packets and accesses are offered from which cycle on, when a source pauses, when
// sinks are not ready, when there is reset. It can be cut apart and played again (NewPlayer), which is how a failing run
// is shrunk.
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

// Operations is the number of packets and accesses.
func (s *Script) Operations() int { return len(s.Packets) + len(s.Writes) + len(s.Reads) }

// Clone is a copy that shares no slice but the packets' bytes.
func (s *Script) Clone() *Script {
	c := *s
	c.Resets, c.Packets, c.Writes, c.Reads = slices.Clone(s.Resets), slices.Clone(s.Packets), slices.Clone(s.Writes), slices.Clone(s.Reads)
	c.Pauses, c.MStall, c.BStall, c.RStall = slices.Clone(s.Pauses), slices.Clone(s.MStall), slices.Clone(s.BStall), slices.Clone(s.RStall)
	return &c
}

// Cut takes the cycles from to to-1 out. What was offered in them is offered at from; a reset keeps at least a cycle.
func (s *Script) Cut(from, to int64) {
	cut := timeline.Cut{From: from, To: to}
	timeline.Move(cut, s.Packets)
	timeline.Move(cut, s.Writes)
	timeline.Move(cut, s.Reads)
	s.Pauses, s.MStall, s.BStall, s.RStall = cut.Spans(s.Pauses, 0), cut.Spans(s.MStall, 0), cut.Spans(s.BStall, 0), cut.Spans(s.RStall, 0)
	s.Resets = cut.Spans(s.Resets, 1)
	s.Cycles = cut.Moved(s.Cycles)
}

// Until leaves out what is not on offer before a cycle, and ends the script there.
func (s *Script) Until(cycle int64) {
	s.Cycles = cycle
	s.Packets, s.Writes, s.Reads = timeline.Until(s.Packets, cycle), timeline.Until(s.Writes, cycle), timeline.Until(s.Reads, cycle)
	s.Resets, s.Pauses = timeline.SpansUntil(s.Resets, cycle), timeline.SpansUntil(s.Pauses, cycle)
	s.MStall, s.BStall, s.RStall = timeline.SpansUntil(s.MStall, cycle), timeline.SpansUntil(s.BStall, cycle), timeline.SpansUntil(s.RStall, cycle)
}

// JSON is the script as indented JSON.
func (s *Script) JSON() ([]byte, error) { return json.MarshalIndent(s, "", "  ") }

// String lists packets and accesses by the cycle from which on they are offered.
func (s *Script) String() string {
	type line struct {
		cycle int64
		text  string
	}
	var lines []line
	add := func(cycle int64, format string, args ...any) {
		lines = append(lines, line{cycle, fmt.Sprintf(format, args...)})
	}
	spans := func(spans []timeline.Span, what string) {
		for _, p := range spans {
			add(p.From, "%s for %d cycles", what, p.To-p.From)
		}
	}
	spans(s.Resets, "rst")
	for _, w := range s.Writes {
		add(w.Cycle, "write  %s", &w.Op)
	}
	for _, r := range s.Reads {
		add(r.Cycle, "read   %#04x", r.Op)
	}
	for _, p := range s.Packets {
		add(p.Cycle, "packet %s", &p.Op)
	}
	spans(s.Pauses, "no new beat of a packet")
	spans(s.MStall, "m_axis_tready low")
	spans(s.BStall, "s_axil_bready low")
	spans(s.RStall, "s_axil_rready low")
	slices.SortStableFunc(lines, func(a, b line) int { return int(a.cycle - b.cycle) })
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%8d  %s\n", l.cycle, l.text)
	}
	fmt.Fprintf(&b, "%8d  end\n", s.Cycles)
	return b.String()
}
