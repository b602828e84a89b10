package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type txPorts struct {
	Header   vgen.Signal `port:"s_header" dir:"in" width:"1" role:"valid" doc:"the decision on a packet is valid"`
	End      vgen.Signal `port:"s_end" dir:"in" width:"1" role:"valid" doc:"the packet ends, with its header or with the same delay"`
	Port     vgen.Signal `port:"s_port" dir:"in" width:"index" doc:"with s_header: egress port"`
	Exists   vgen.Signal `port:"s_exists" dir:"in" width:"1" doc:"with s_header: its ports exist; if not, it does not count"`
	Grows    vgen.Signal `port:"s_grows" dir:"in" width:"1" doc:"with s_header: it leaves with one more record"`
	Overhead vgen.Signal `port:"s_overhead" dir:"in" width:"overhead" doc:"with s_header: bytes on the wire beyond those of the packet"`
	Length   vgen.Signal `port:"s_length" dir:"in" width:"length" doc:"with s_end: length of the packet at the input, bytes"`
	Sweeping vgen.Signal `port:"sweeping" dir:"in" width:"1" doc:"sums are being cleared"`
	Sweep    vgen.Signal `port:"sweep_index" dir:"in" width:"index" doc:"number of the port whose sum is cleared"`
	Before   vgen.Signal `port:"m_before" dir:"out" width:"sum" doc:"bytes that left the port before the packet of s_header"`
}

// minBytes is the length as which a shorter packet leaves.
const minBytes = 60

// txBlock builds int_tx: bytes on the wire by egress port, and what they were before each packet.
func txBlock(s *shape) *vgen.Module {
	m := vgen.NewModule("int_tx", "Counts the bytes that each port sends, and reports those sent before a packet")
	m.Doc(
		"A header reads its port's sum, the end of its packet adds to it; when both come at once, the header reads first.")
	ports := vgen.Ports[txPorts](m, s.widths())
	p := lib.NewPipe(m)
	held := func(name string, v vgen.Signal) vgen.Signal {
		return vgen.Mux(ports.Header, v, m.RegNext(name+"_held", v, vgen.Enable(ports.Header))).Named(name)
	}
	m.StageDoc(1, "fields of the packet's header, and its length as it leaves")
	m.StageDoc(2, fmt.Sprintf("the MAC pads a shorter packet to %d bytes", minBytes))
	m.StageDoc(3, "bytes on the wire")
	m.StageDoc(4, "the port's sum, read before it is written")
	m.StageDoc(5, "the sum with the packet, forwarded to packets that follow closely")
	port := p.Reg("port", 0, held("port", ports.Port))
	adds := p.Reg("adds", 0, ports.End.And(held("exists", ports.Exists)), vgen.Reset(0), vgen.Control())
	w := transit.LengthBits + 1
	overhead := p.Reg("overhead", 0, held("overhead", ports.Overhead))
	sent := ports.Length.Zext(w)
	if s.grows {
		sent = sent.Add(vgen.Const(w, uint64(s.recBytes)).Where(held("grows", ports.Grows)))
	} else {
		m.Ignore(ports.Grows, "records do not make packets longer")
	}
	leaves := p.Reg("leaves", 0, sent)
	padded := p.Reg("padded", 1, vgen.Mux(leaves.Lt(vgen.Const(w, minBytes)), vgen.Const(w, minBytes), leaves.Signal))
	bytes := p.Reg("bytes", 2, padded.Add(p.At(overhead, 2).Zext(w)))

	n := s.sumBits()
	amount := p.At(bytes, 3).Zext(n)
	t := transit.Tally{
		Module: m, Name: "sent", Memory: "sent_memory", Doc: "bytes that have left each port", Bits: n,
		Clearing: ports.Sweeping, Clear: ports.Sweep,
	}
	before := t.Build(p.At(port, 1), p.At(port, 2), p.At(port, 3), p.At(adds, 3, vgen.Reset(0), vgen.Control()), amount)
	out := p.Reg("before", 3, before)
	m.Assign(ports.Before, out.Signal)
	m.SetTiming(out.Stage, 1)
	return m
}
