package transit

import (
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config/registers"
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/directed"
)

// Sent is a packet of a directed test.
type Sent struct {
	About string
	Meta  model.Meta
	Came  []directed.Piece
	Left  []directed.Piece
	// Status is what became of it, as m_axis_tuser says.
	Status uint8
	Means  string
}

// Directed is the test of a device that software sets up, and to which packets come.
func (s Sizes) Directed(m *registers.Map, writes []registers.Write, packets []Sent) *directed.Test {
	t := &directed.Test{Beat: s.Width()}
	step := t.Step("registers", "Software sets the device up, and the ports that the packets use.")
	for _, w := range writes {
		note := ""
		if r, _, found := m.At(w.Offset); found {
			note = r.Name
		}
		step.Call(note, "write_register", directed.Digits(16, uint64(w.Offset)), directed.Digits(32, uint64(w.Data)))
	}
	for i, p := range packets {
		step := t.Step(fmt.Sprint("packet ", i+1), p.About)
		t.Longest = max(t.Longest, len(directed.Packet(p.Came)), len(directed.Packet(p.Left)))
		step.Octets(p.Came)
		from := &p.Meta
		for _, f := range row("s_axis_tuser", []directed.Field{
			part("ingress port", s.PortBits(), uint64(from.IngressPort)),
			part("egress port", s.PortBits(), uint64(from.EgressPort)),
			part("ingress time", s.TimeBits, from.IngressNs), part("egress time", s.TimeBits, from.EgressNs),
			part("queue depth", s.QlenBits, from.QlenBytes),
		}) {
			step.Add(f.Part, directed.Set{Field: f})
		}
		step.Call("", "send_packet")
		step.Call("", "receive_packet")
		for _, f := range row("m_axis_tuser", []directed.Field{
			part("egress port", s.PortBits(), uint64(from.EgressPort)), part("status", statusBits, uint64(p.Status)),
		}) {
			note := ""
			if f.Part == "status" {
				note = p.Means
			}
			step.Add(note, directed.Check{Field: f})
		}
		step.Expect(p.Left)
	}
	return t
}

func part(name string, bits int, v uint64) directed.Field {
	return directed.Field{Part: name, Value: directed.Value{Bits: bits, Of: v & (1<<bits - 1)}}
}

// row gives the parts of a port their places, the first at bit 0.
func row(port string, parts []directed.Field) []directed.Field {
	low := 0
	for i := range parts {
		parts[i].Port, parts[i].Low = port, low
		low += parts[i].Bits
	}
	return parts
}

// WritesOf leaves out the writes for ports other than those given: what comes before a write to the register commit is
// of the port that it names. The writes for ports come first.
func WritesOf(writes []registers.Write, commit uint32, ports ...int) (list []registers.Write) {
	var group []registers.Write
	for _, w := range writes {
		group = append(group, w)
		if w.Offset == commit {
			if slices.Contains(ports, int(w.Data)) {
				list = append(list, group...)
			}
			group = nil
		}
	}
	return append(list, group...)
}
