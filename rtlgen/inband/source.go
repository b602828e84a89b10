package inband

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Timing is what a co-simulation must know of a generated source, in cycles (docs/int.md, Cycles of a packet).
type Timing struct {
	Lookup, Tx, Count, Decision int // after a packet's header cycle
	Credits                     int // beats that the pipeline holds
	Sweep                       int // cycles after reset in which nothing is accepted
}

// Source is a generated design with its timing.
type Source struct {
	Top    *vgen.Module
	Timing Timing
}

// Build generates the pipeline of a configuration. An error is a mistake of the generator: a validated configuration has none of its
// own left.
func Build(c *config.INT) (*Source, error) {
	b := &builder{s: newShape(c)}
	b.source()
	b.m.Prefix(c.Prefix)
	if err := vgen.Check(b.m); err != nil {
		return nil, fmt.Errorf("generated design %s: %w", c.Name, err)
	}
	return &Source{Top: b.m, Timing: b.timing}, nil
}

// axisIn is a beat on the outer stream.
type axisIn struct {
	Data vgen.Signal `port:"data" width:"data" doc:"bytes, the first one lowest"`
	Keep vgen.Signal `port:"keep" width:"keep" doc:"which bytes are part of the packet; matters on the last beat"`
	Last vgen.Signal `port:"last" width:"1" doc:"end of the packet"`
	User vgen.Signal `port:"user" width:"user" doc:"with the first beat; from bit 0: ingress port, egress port, ingress time, egress time, queue depth"`
}

// Ports is the port list of int_source.
type Ports struct {
	In  vgen.Stream[axisIn]  `stream:"s_axis_t%s" dir:"in" doc:"packets in the order in which they leave"`
	Out vgen.Stream[axisOut] `stream:"m_axis_t%s" dir:"out" doc:"packets with their records"`
	csig.AXIL
}

// builder is int_source under construction. Stage 0 of its pipeline is the cycle in which a packet's header is complete, or, for what counts its
// bytes, in which its last beat is accepted.
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
	m := vgen.NewModule("int_source", "Records in passing packets what their egress ports have sent and hold, for HPCC")
	m.Doc(fmt.Sprintf("Format %s, %d ports, %d bits a beat; one beat a cycle. Packets come in the order in which they leave.", s.Format, s.Ports, s.DataBits),
		"After reset nothing is changed until software has written what node and ports are.",
		csig.UserDoc("s_axis_tuser", s.userFields()), csig.UserDoc("m_axis_tuser", csig.SentUserFields(s.Ports)))
	b.m, b.p = m, lib.NewPipe(m)
	ports := vgen.Ports[Ports](m, s.widths())
	b.regs = vgen.Instantiate[registersPorts](m, "u_registers", registersBlock(s))
	b.counts = vgen.Instantiate[countersPorts](m, "u_counters", countersBlock(s))
	accept := m.Wire("accept", 1)
	b.gather(accept, &ports.In.Payload)
	decided, dec := b.decide()
	b.timing.Credits = 1 << bits.Len(uint(b.timing.Decision+s.headerBeat()))
	b.timing.Sweep = s.sweepCycles()

	// Packets wait in a FIFO for what is decided.
	open := b.counts.Sweeping.Not().Named("open")
	b.bus(&ports.AXIL)
	payload := ports.In.Payload
	word := beat{payload.Data, payload.Keep, payload.Last}
	fifo := vgen.Instantiate[lib.CreditFIFOPorts](m, "u_beats", lib.CreditFIFO("int_beats", b.timing.Credits, vgen.Pack(&word).Width()))
	m.Assign(accept, all(ports.In.Valid, open, fifo.Credit))
	m.Assign(ports.In.Ready, open.And(fifo.Credit))
	m.Assign(fifo.Take, accept)
	m.Assign(fifo.Push, later(m, "beat_valid", accept))
	m.Assign(fifo.Data, m.RegNext("beat", vgen.Pack(&word)))
	vgen.Split(vgen.Leaves(&word), fifo.OutData)

	decisions := vgen.Instantiate[lib.CreditFIFOPorts](m, "u_decisions", lib.CreditFIFO("int_decisions", b.timing.Credits, vgen.Pack(dec).Width()))
	m.Assign(decisions.Push, decided)
	m.Assign(decisions.Take, decided)
	m.Assign(decisions.Data, vgen.Pack(dec))
	m.Ignore(decisions.Credit, "a packet has a decision only while it has beats in the other FIFO")
	vgen.Split(vgen.Leaves(dec), decisions.OutData)

	editor := vgen.Instantiate[editorPorts](m, "u_editor", editorBlock(s))
	m.Assign(editor.Beat.Valid, fifo.OutValid)
	m.Assign(fifo.OutReady, editor.Beat.Ready)
	vgen.Connect(m, &editor.Beat.Payload, &word)
	m.Assign(editor.Decision.Valid, decisions.OutValid)
	m.Assign(decisions.OutReady, editor.Decision.Ready)
	vgen.Connect(m, &editor.Decision.Payload, dec)
	m.Assign(ports.Out.Valid, editor.Out.Valid)
	m.Assign(editor.Out.Ready, ports.Out.Ready)
	vgen.Connect(m, &ports.Out.Payload, &editor.Out.Payload)
	m.SetTiming(b.timing.Decision+3, 1)
}

// bus puts the AXI4-Lite slave in front of the registers, and the counters behind them.
func (b *builder) bus(outer *csig.AXIL) {
	m := b.m
	axil := m.Instance("u_axil", csig.AXILite("int_axil"))
	for _, s := range vgen.Leaves(outer) {
		if s.Dir() == "out" {
			m.Assign(*s, axil.Port(s.Name()))
		} else {
			m.Assign(axil.Port(s.Name()), *s)
		}
	}
	m.Assign(axil.Port("hold"), b.counts.Sweeping)
	m.Assign(b.regs.Write, axil.Port("bus_write"))
	m.Assign(b.regs.Read, axil.Port("bus_read"))
	m.Assign(b.regs.Addr, axil.Port("bus_addr"))
	m.Assign(b.regs.WData, axil.Port("bus_wdata"))
	m.Assign(b.regs.Full, axil.Port("bus_strobes_full"))
	m.Assign(axil.Port("bus_done"), b.regs.Done)
	m.Assign(axil.Port("bus_error"), b.regs.Error)
	m.Assign(axil.Port("bus_rdata"), b.regs.RData)
	m.Assign(b.counts.Addr, b.regs.CountAddr)
	m.Assign(b.regs.CountData, b.counts.Data)
}

// gather instantiates the header block, and takes apart what is known of a packet.
func (b *builder) gather(accept vgen.Signal, in *axisIn) {
	m, s, p := b.m, b.s, b.p
	b.header = vgen.Instantiate[headerPorts](m, "u_header", headerBlock(s))
	h := b.header
	m.Assign(h.Valid, accept)
	m.Assign(h.Data, in.Data)
	m.Assign(h.Keep, in.Keep)
	m.Assign(h.Last, in.Last)
	m.Assign(h.User, in.User)
	k := &b.known
	names := []string{"ingress", "egress", "ingress_time", "egress_time", "qlen"}
	for i, v := range []*lib.Value{&k.ingress, &k.egress, &k.ingressTime, &k.egressTime, &k.qlen} {
		f := s.userFields()[i]
		*v = p.Value(names[i], 1, h.OutUse.Slice(f.Low+f.Width-1, f.Low))
	}
	b.valid = p.Value("header", 1, h.Header)
}
