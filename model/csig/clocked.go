package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/transit"
)

// Clocked is a csig_switch cycle by cycle. Not safe for concurrent use.
type Clocked struct {
	// OnDecision, when set, is called for each packet in the cycle in which its decision is made (docs/csig.md: e +
	// Decision), in which there is no reset. The event is valid during the call only. Its signals mean something
	// only once port and estimate have been committed.
	OnDecision func(cycle int64, ev *Event)
	// OnCode, when set, is called for each packet that is to be compared, in the cycle in which its value is coded (e +
	// Code). The cycle given is e; with spaced packets, s.
	OnCode func(header int64, ev *Event)

	transit.Frame[flight]
	cfg    Config // widths, tags, split; nothing that software writes
	timing Timing

	// What software writes, as of this cycle.
	ports      []*boundPort
	estimator  estimator
	estimateOK bool
	software   software

	counters []Counters
	noPort   uint64
}

// boundPort holds the committed settings of a port.
type boundPort struct {
	Port
	ratio, depth Scale
}

// unbound is a port that has not been committed since reset.
var unbound = boundPort{Port: Port{Trusted: true}}

// flight is the state of a packet between its first beat and its last effect.
type flight struct {
	port    *boundPort // of egress; nil without ports
	compare bool
	ev      Event
	removed int // bytes that the editor takes out
}

// packet is a packet in flight.
type packet = transit.Flight[flight]

// NewClocked makes a csig_switch as if the cycle before had reset asserted.
func NewClocked(c *config.CSIG, t Timing) (*Clocked, error) {
	m := &Clocked{cfg: FromConfig(c), timing: t}
	if err := m.cfg.checkDesign(c.Ports, c.DataBits); err != nil {
		return nil, err
	}
	if err := checkTiming(c, t); err != nil {
		return nil, fmt.Errorf("csig: %w", err)
	}
	m.ports = make([]*boundPort, c.Ports)
	m.counters = make([]Counters, c.Ports)
	m.estimator = newEstimator(m.cfg.Widths, c.Ports)
	frame := transit.Config{
		Transit: t.Transit, Ports: c.Ports, TimeBits: c.TimeBits, QlenBits: c.QlenBits, BeatBytes: c.DataBits / 8,
		Window: window, AsyncReset: c.AsyncReset, Registers: registers.New(c),
	}
	err := m.Init(frame, m, []transit.Stage[flight]{
		{After: t.Lookup, Do: m.lookup},
		{After: t.Meter, Do: m.meter},
		{After: t.Meter, End: true, Do: m.measure},
		{After: t.Code, Do: m.code},
		{After: t.Count, Do: m.count},
		{After: t.Stacked, Do: m.countStacked},
		{After: t.Decision, Do: m.decide},
	}, fill)
	if err != nil {
		return nil, fmt.Errorf("csig: %w", err)
	}
	return m, nil
}

// Counters are those of an egress port, as registers show them.
func (m *Clocked) Counters(port int) Counters { return m.counters[port] }

// NoPort is the counter of packets from or to ports that the device does not have.
func (m *Clocked) NoPort() uint64 { return m.noPort }

// Meter is the state of a port's measurement.
func (m *Clocked) Meter(port int) Meter { return m.estimator.meters[port] }

// Cycle sets out to the outputs of this cycle, which follow from the state at its start (and, with the asynchronous
// reset, from in.Rst), and then takes the clock edge at its end. Payload without its valid is left alone.
func (m *Clocked) Cycle(in *Inputs, out *Outputs) {
	now := m.Now()
	m.Frame.Cycle(in, out)
	m.enforce(now)
}

// Reset is the state after a cycle with reset asserted.
func (m *Clocked) Reset() {
	for i := range m.ports {
		m.ports[i] = &unbound
	}
	m.estimator.configure(m.cfg.Estimate, Scale{})
	m.estimateOK = false
	m.software.reset()
	m.Staged().Set(registers.EstimateOverhead, WireOverhead)
	m.cfg.Bounds, m.cfg.Quantize = [Types][]uint64{}, [Types]Quantizer{}
	clear(m.counters)
	m.noPort = 0
}
