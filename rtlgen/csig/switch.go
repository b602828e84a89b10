package csig

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/folded"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Timing is when a generated switch does what, composed of the latencies of its blocks.
type Timing = timing.CSIG

// Switch is a generated design with its timing.
type Switch struct {
	Top    *vgen.Module
	Timing Timing
}

// Build generates the pipeline of a configuration. An error is a mistake of the generator: a validated configuration
// has none of its own left.
func Build(c *config.CSIG) (*Switch, error) {
	return build(block.NewShape(c))
}

func build(c *block.Shape) (*Switch, error) {
	s := &Switch{}
	s.Top = switchBlock(c, &s.Timing)
	s.Top.Prefix(c.Prefix)
	if err := vgen.Check(s.Top); err != nil {
		return nil, fmt.Errorf("generated design %s: %w", c.Name, err)
	}
	return s, nil
}

// Ports is the port list of csig_switch.
type Ports struct {
	In  vgen.Stream[transit.AxisIn]  `stream:"s_axis_t%s" dir:"in" doc:"packets in departure order"`
	Out vgen.Stream[transit.AxisOut] `stream:"m_axis_t%s" dir:"out" doc:"packets, edited"`

	axil.Ports
}

// switchBlock builds csig_switch, and says when what happens in it.
func switchBlock(c *block.Shape, t *timing.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_switch",
		"CSIG telemetry of a switch: updates or removes the tags of packets from measurements of their egress ports")
	in, out := c.UserDoc()
	m.Doc(fmt.Sprintf("%d ports, %d bits a beat; one beat a cycle. Packets come in departure order.",
		c.Ports, c.DataBits),
		"After reset no packet is changed until software has configured the ports: docs/registers.md.",
		in, out)
	w := c.RegistersWidths()
	ports := vgen.Ports[Ports](m, w)
	var decided int
	t.Transit, decided = transit.Waiting(c.At.Flow)
	t.Spacing = c.Spacing
	d := &block.Datapath{Shape: c, Module: m, Pipe: c.Pipe(m), Timing: t}

	// Software's side.
	beside := microarchitecture(c).New(d)
	bus := beside.Registers()
	counts := vgen.Instantiate[block.CountersPorts](m, "u_counters", beside.Counters())
	open := counts.Sweeping.Not()
	closed := open.Not()
	// registers where ready is; who accepts has one of its own, inverted, so that it does not wait for ready
	if c.At.Flow {
		closed = m.RegNext("closed", closed, vgen.Reset(1), vgen.Control())
		open = m.StateNext("open", open)
		t.Sweep++
	}
	vgen.Settled(m, counts)
	transit.ConnectBus(m, "csig_axil", &ports.Ports, bus, counts.Addr, counts.Data, closed)

	// Packets wait in a FIFO for what is decided.
	accept := m.Wire("accept", 1)
	payload := ports.In.Payload
	word := transit.Beat(payload.BeatIn)
	if c.At.Flow {
		word.Keep = word.Keep.Or(word.Last.Not().Repeat(c.BeatBytes()))
	}
	m.StageHint(1, "the beat is written to the buffer")
	accepted, stored := transit.Accepted(m, accept, vgen.Pack(&word))
	seen, user := accept, payload.User // by the header
	if c.At.Seen {
		// The header's own copy is inverted, and goes through one register more, as the beat does: the header is far from who
		// accepts.
		unseen := m.RegNext("beat_unseen", accept.Not(), vgen.Reset(1), vgen.Control())
		seen, user = m.StateNext("beat_seen", unseen.Not()), m.Delay("user_seen", user, c.SeenAfter())
		vgen.Split(vgen.Leaves(&word), m.RegNext("beat_of_header", stored))
	}
	d.Header = vgen.Instantiate[block.HeaderPorts](m, "u_header", block.Header(c))
	m.Begin(d.Header.Valid, 0)
	m.Assign(d.Header.Valid, seen)
	m.Assign(d.Header.Data, word.Data)
	m.Assign(d.Header.Keep, word.Keep)
	m.Assign(d.Header.Last, word.Last)
	m.Assign(d.Header.User, user)

	beside.Decide()
	t.Decision += decided
	if d.Header.Open.Exists() {
		open = open.And(d.Header.Open).Named("room_for_both")
	}
	for _, stage := range []*int{&t.Lookup, &t.Meter, &t.Scale, &t.Code, &t.Count, &t.Stacked, &t.Decision} {
		*stage += c.SeenAfter()
	}
	// cycles after its first beat in which a packet starts whose beats come back to back
	latest := max(c.HeaderBeat(), c.Spacing-1)
	t.Credits = 1 << bits.Len(uint(t.Decision+latest+2))
	t.Sweep += c.SweepCycles()

	path := transit.Path{
		Name: "csig", Words: t.Credits, In: &ports.In, Open: open, Closed: closed, Accept: accept, Accepted: accepted,
		Stored: stored, Decided: d.Decided,
	}
	if c.At.Flow {
		flow(m, c, path, &d.Decision, &ports.Out)
	} else {
		wait(m, c, path, &d.Decision, &ports.Out)
	}

	// What counts.
	beside.Count(counts)
	m.Assign(counts.Status, d.Status)
	m.SetTiming(t.Decision+t.Edit(), 1)
	return m
}

// microarchitecture is that of a configuration.
func microarchitecture(c *block.Shape) block.Microarchitecture {
	if c.Folded {
		return folded.Microarchitecture
	}
	return wide.Microarchitecture
}

// BucketShape says how a bucketizer is built.
type BucketShape = wide.BucketShape
