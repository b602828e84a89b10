package csig

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Timing is what a co-simulation must know of a generated switch, in cycles (docs/csig.md, Cycles of a packet).
type Timing struct {
	Lookup, Meter, Scale, Code, Count, Decision int // after a packet's header cycle
	Offer                                       int // from a beat's acceptance until the editor can take it
	Credits                                     int // beats that the pipeline holds
	Room                                        int // beats between the taking of one and m_axis; 0: m_axis stops the editor
	Act                                         int // from the cycle in which an access is chosen to that in which it acts
	Answer                                      int // from there to its answer
	Sweep                                       int // cycles after reset in which nothing is accepted
}

// Switch is a generated design with its timing.
type Switch struct {
	Top    *vgen.Module
	Timing Timing
	// PacketCycles is how far apart the first beats of packets are at least (docs/csig.md, Folding).
	PacketCycles int
}

// Build generates the pipeline of a configuration. An error is a mistake of the generator: a validated configuration has none of
// its own left.
func Build(c *config.CSIG) (*Switch, error) {
	s := &Switch{PacketCycles: 1}
	if c.Folded {
		s.PacketCycles = foldedCycles
	}
	s.Top = switchBlock(c, &s.Timing)
	s.Top.Prefix(c.Prefix)
	if err := vgen.Check(s.Top); err != nil {
		return nil, fmt.Errorf("generated design %s: %w", c.Name, err)
	}
	return s, nil
}

// axisIn is a beat on the inner stream of packets.
type axisIn struct {
	Data vgen.Signal `port:"data" width:"data" doc:"bytes, the first one lowest"`
	Keep vgen.Signal `port:"keep" width:"keep" doc:"which bytes are part of the packet; matters on the last beat"`
	Last vgen.Signal `port:"last" width:"1" doc:"end of the packet"`
	User vgen.Signal `port:"user" width:"user" doc:"with the first beat; from bit 0: ingress port, egress port, ingress time, egress time, queue depth"`
}

// Ports is the port list of csig_switch.
type Ports struct {
	In  vgen.Stream[axisIn]  `stream:"s_axis_t%s" dir:"in" doc:"packets in the order in which they leave"`
	Out vgen.Stream[axisOut] `stream:"m_axis_t%s" dir:"out" doc:"packets, edited"`
	AXIL
}

// meta is what is known of a packet besides its bytes.
type meta struct{ ingress, egress, ingressTime, egressTime, qlen vgen.Signal }

// metaOf takes s_axis_tuser apart.
func metaOf(c *config.CSIG, user vgen.Signal) meta {
	fields := userFields(c)
	part := func(i int) vgen.Signal { return user.Slice(fields[i].Low+fields[i].Width-1, fields[i].Low) }
	return meta{part(userIngress), part(userEgress), part(userIngressTime), part(userEgressTime), part(userQlen)}
}

// switchBlock builds csig_switch, and says when what happens in it.
func switchBlock(c *config.CSIG, t *Timing) *vgen.Module {
	m := vgen.NewModule("csig_switch", "CSIG telemetry of a switch: updates or removes the tags of packets by what their egress ports measure")
	m.Doc(fmt.Sprintf("%d ports, %d bits a beat; one beat a cycle. Packets come in the order in which they leave.", c.Ports, c.DataBits),
		"After reset nothing is changed until software has written what the ports are: docs/registers.md.",
		UserDoc("s_axis_tuser", userFields(c)), UserDoc("m_axis_tuser", SentUserFields(c.Ports)))
	w := registersWidths(c)
	ports := vgen.Ports[Ports](m, w)
	d := &datapath{c: c, m: m, p: lib.NewPipe(m)}

	// Software's side.
	var regs *registersPorts
	var folded *foldedRegistersPorts
	if c.Folded {
		folded = vgen.Instantiate[foldedRegistersPorts](m, "u_registers", foldedRegistersBlock(c))
		regs = folded.bus()
	} else {
		regs = vgen.Instantiate[registersPorts](m, "u_registers", registersBlock(c))
	}
	counts := vgen.Instantiate[countersPorts](m, "u_counters", countersBlock(c))
	open := counts.Sweeping.Not()
	closed := open.Not()
	if deep(c) { // registers where ready is; who accepts has one of its own, inverted, so that it does not wait for ready
		closed = m.RegNext("closed", closed, vgen.Reset(1), vgen.Control())
		open = later(m, "open", open)
	}
	connectBus(m, c, &ports.AXIL, regs, counts, closed)

	// Packets wait in a FIFO for what is decided.
	accept := m.Wire("accept", 1)
	payload := ports.In.Payload
	word := beat{payload.Data, payload.Keep, payload.Last}
	if deep(c) {
		word.Keep = word.Keep.Or(word.Last.Not().Repeat(beatBytes(c)))
	}
	accepted, stored := m.RegNext("beat_valid", accept, vgen.Reset(0), vgen.Control()), m.RegNext("beat", vgen.Pack(&word))
	seen, user := accept, payload.User // by the header
	if deep(c) {
		// The header's own copy is inverted, and goes through one register more, as the beat does: the header is far from who accepts.
		unseen := m.RegNext("beat_unseen", accept.Not(), vgen.Reset(1), vgen.Control())
		seen, user = later(m, "beat_seen", unseen.Not()), m.Delay("user_seen", user, seenAfter(c))
		vgen.Split(vgen.Leaves(&word), m.RegNext("beat_of_header", stored))
	}
	d.header = vgen.Instantiate[headerPorts](m, "u_header", headerBlock(c))
	m.Assign(d.header.Valid, seen)
	m.Assign(d.header.Data, word.Data)
	m.Assign(d.header.Keep, word.Keep)
	m.Assign(d.header.Last, word.Last)
	m.Assign(d.header.User, user)

	if c.Folded {
		d.decideFolded(folded, t)
		open = open.And(d.header.Open)
	} else {
		d.decide(regs, t)
	}
	for _, stage := range []*int{&t.Lookup, &t.Meter, &t.Scale, &t.Code, &t.Count, &t.Decision} {
		*stage += seenAfter(c)
	}
	t.Credits = 1 << bits.Len(uint(t.Decision+latestStart(c)+2))
	t.Offer, t.Act, t.Answer, t.Sweep = 3-bit(deep(c)), chosenToBus+busToAct(c), answerCycles(c), sweepCycles(c)+bit(deep(c))

	path := packetPath{c: c, m: m, credits: t.Credits, ports: ports, open: open, closed: closed, accept: accept, accepted: accepted, stored: stored, decided: d.decided, decision: d.decision}
	if deep(c) {
		path.flow()
		t.Room = roomBeats
	} else {
		path.stop()
	}

	// What counts.
	if c.Folded { // NO_PORT is a counter of port 0
		m.Assign(counts.Valid, d.counted)
		m.Assign(counts.Port, d.port.And(d.noPort.Not().Repeat(portIndexBits(c))))
		m.Assign(counts.Stacked, d.stacked.And(d.noPort.Not()))
	} else {
		none, some := d.counted.And(d.noPort), d.counted.And(d.noPort.Not())
		if deep(c) { // far away
			control := []vgen.RegOption{vgen.Reset(0), vgen.Control()}
			none, some = m.Delay("no_port_counts", none, countedAfter, control...), m.Delay("counts", some, countedAfter, control...)
			d.port, d.status = m.Delay("counted_port", d.port, countedAfter), m.Delay("counted_status", d.status, countedAfter)
			d.stacked = m.Delay("counted_stacked", d.stacked, countedAfter)
		}
		m.Assign(regs.NoPort, none)
		m.Assign(counts.Valid, some)
		m.Assign(counts.Port, d.port)
		m.Assign(counts.Stacked, d.stacked)
	}
	m.Assign(counts.Status, d.status)
	m.SetTiming(t.Decision+Leave(c), 1)
	return m
}

// Leave is how many cycles a beat takes from the one in which the editor takes it until m_axis shows it, when nothing holds it up.
func Leave(c *config.CSIG) int {
	if deep(c) {
		return 7
	}
	return 3
}

// seenAfter is how many cycles after its acceptance the header sees a beat. In a deep pipeline ready and valid move nothing but the FIFO within
// a cycle, and nothing but a register within the next one.
func seenAfter(c *config.CSIG) int { return 2 * bit(deep(c)) }

// countedAfter is how many cycles after its decision a packet of a deep pipeline counts.
const countedAfter = 2

// connectBus puts the AXI4-Lite slave in front of the registers, and the counters behind them. Where hold is 1 it takes no access.
func connectBus(m *vgen.Module, c *config.CSIG, outer *AXIL, regs *registersPorts, counts *countersPorts, hold vgen.Signal) {
	bus := vgen.Instantiate[axilPorts](m, "u_axil", axilBlock(c))
	vgen.Forward(m, outer, &bus.AXIL)
	m.Assign(bus.Hold, hold)
	m.Assign(regs.Write, bus.Write)
	m.Assign(regs.Read, bus.Read)
	m.Assign(regs.Addr, bus.Addr)
	m.Assign(regs.WData, bus.Data)
	m.Assign(regs.Full, bus.Full)
	m.Assign(bus.Done, regs.Done)
	m.Assign(bus.Error, regs.Error)
	m.Assign(bus.ReadOut, regs.RData)
	m.Assign(counts.Addr, regs.CountAddr)
	m.Assign(regs.CountData, counts.Data)
}
