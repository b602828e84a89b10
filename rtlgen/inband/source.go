package inband

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Timing is the timing of a generated source, composed of the latencies of its blocks.
type Timing = timing.INT

// Source is a generated design with its timing.
type Source struct {
	Top    *vgen.Module
	Timing Timing
}

// Build generates the pipeline of a configuration. An error is a bug of the generator: a validated configuration causes
// none.
func Build(c *config.INT) (*Source, error) {
	b := &builder{s: newShape(c)}
	b.source()
	b.m.Prefix(c.Prefix)
	if err := vgen.Check(b.m); err != nil {
		return nil, fmt.Errorf("generated design %s: %w", c.Name, err)
	}
	return &Source{Top: b.m, Timing: b.timing}, nil
}

// Ports is the port list of int_source.
type Ports struct {
	In  vgen.Stream[transit.AxisIn]  `stream:"s_axis_t%s" dir:"in" doc:"packets in departure order"`
	Out vgen.Stream[transit.AxisOut] `stream:"m_axis_t%s" dir:"out" doc:"packets with their records"`

	axil.Ports
}

// builder is int_source under construction. Stage 0 of its pipeline is the cycle in which a packet's header is complete
// or, for the logic that counts its bytes, in which its last beat is accepted.
type builder struct {
	s      *shape
	m      *vgen.Module
	p      *lib.Pipe
	timing Timing

	regs   *registersPorts
	counts *countersPorts
	header *headerPorts

	known struct{ ingress, egress, ingressTime, egressTime, qlen lib.Value }
	valid lib.Value // a header is complete
}

func (b *builder) source() {
	s := b.s
	m := vgen.NewModule("int_source", "Adds telemetry of the egress port to passing packets, for HPCC")
	in, out := s.UserDoc()
	m.Doc(
		fmt.Sprintf(
			"Format %s, %d ports, %d bits a beat; one beat a cycle. Packets come in departure order.",
			s.Format, s.Ports, s.DataBits),
		"After reset no packet is changed until software has configured the node and the ports.",
		in, out)
	b.m, b.p = m, lib.NewPipe(m)
	ports := vgen.Ports[Ports](m, s.widths())
	t := &b.timing
	var decidedAfter int
	t.Transit, decidedAfter = transit.Waiting(false)
	file := registersBlock(s)
	b.regs = vgen.Instantiate[registersPorts](m, "u_registers", file)
	vgen.Settled(m, b.regs)
	t.Spacing, t.Act, t.Answer, t.Sweep = 1, axil.ChosenToBus, file.Latency(), s.SweepCycles()
	b.counts = vgen.Instantiate[countersPorts](m, "u_counters", countersBlock(s))
	vgen.Settled(m, b.counts)
	accept := m.Wire("accept", 1)
	b.gather(accept, &ports.In.Payload)
	decided, dec := b.decide()
	t.Decision += decidedAfter
	t.Credits = 1 << bits.Len(uint(t.Decision+s.headerBeat()))

	// Packets wait in a FIFO for their decisions.
	open := b.counts.Sweeping.Not().Named("open")
	transit.ConnectBus(m, "int_axil", &ports.Ports, b.regs.bus(), b.counts.Addr, b.counts.Data, b.counts.Sweeping)
	word := ports.In.Payload.BeatIn
	accepted, stored := transit.Accepted(m, accept, vgen.Pack(&word))
	beats, decisions := transit.Path{
		Name: "int", Words: t.Credits, In: &ports.In, Open: open, Accept: accept, Accepted: accepted, Stored: stored,
		Decided: decided,
	}.Wait(m, &word, dec)

	editor := vgen.Instantiate[editorPorts](m, "u_editor", editorBlock(s))
	m.Assign(editor.Beat.Valid, beats.OutValid)
	m.Assign(beats.OutReady, editor.Beat.Ready)
	vgen.Connect(m, &editor.Beat.Payload, &word)
	m.Assign(editor.Decision.Valid, decisions.OutValid)
	m.Assign(decisions.OutReady, editor.Decision.Ready)
	vgen.Connect(m, &editor.Decision.Payload, dec)
	m.Assign(ports.Out.Valid, editor.Out.Valid)
	m.Assign(editor.Out.Ready, ports.Out.Ready)
	vgen.Connect(m, &ports.Out.Payload, &editor.Out.Payload)
	m.SetTiming(t.Decision+t.Edit(), 1)
}

// gather instantiates the header block, and unpacks the data of a packet.
func (b *builder) gather(accept vgen.Signal, in *transit.AxisIn) {
	m, s, p := b.m, b.s, b.p
	b.header = vgen.Instantiate[headerPorts](m, "u_header", headerBlock(s))
	h := b.header
	m.Assign(h.Valid, accept)
	m.Assign(h.Data, in.Data)
	m.Assign(h.Keep, in.Keep)
	m.Assign(h.Last, in.Last)
	m.Assign(h.User, in.User)
	k := &b.known
	meta := s.Meta(h.OutUse)
	k.ingress, k.egress = p.Value("ingress", 1, meta.Ingress), p.Value("egress", 1, meta.Egress)
	k.ingressTime, k.egressTime = p.Value("ingress_time", 1, meta.IngressTime), p.Value("egress_time", 1, meta.EgressTime)
	k.qlen = p.Value("qlen", 1, meta.Qlen)
	b.valid = p.Value("header", 1, h.Header)
}
