package inband

import (
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/transit"
)

// Clocked is an int_source cycle by cycle. Not safe for concurrent use.
type Clocked struct {
	// OnDecision, when set, is called for each packet in the cycle e + Decision (docs/int.md). The event is valid during
	// the call only.
	OnDecision func(cycle int64, ev *Event)

	// OnSnapshot, when set, is called for each packet but those with NoPort in the cycle e + Tx. The cycle given is e.
	OnSnapshot func(header int64, t *Taps)

	transit.Frame[flight]
	dev    *Device // committed settings and counts, as of this cycle
	timing Timing
}

// flight is the state of a packet in flight.
type flight struct {
	verdict verdict
	edit    Edit
	ev      Event
}

// packet is a packet in flight.
type packet = transit.Flight[flight]

// NewClocked makes an int_source as if the cycle before had reset asserted.
func NewClocked(c *config.INT, t Timing) (*Clocked, error) {
	d, err := Reset(c)
	if err != nil {
		return nil, err
	}
	if err := checkTiming(t); err != nil {
		return nil, fmt.Errorf("inband: %w", err)
	}
	m := &Clocked{dev: d, timing: t}
	err = m.Init(transit.Config{
		Transit: t.Transit, Ports: c.Ports, TimeBits: c.TimeBits, QlenBits: c.QlenBits, BeatBytes: c.DataBits / 8,
		Window: d.window, AsyncReset: c.AsyncReset, Registers: registers.NewINT(c),
	}, m, []transit.Stage[flight]{
		{After: t.Lookup, Do: m.lookup},
		{After: t.Tx, Do: m.snapshot},
		{After: t.Tx, End: true, Do: m.sent},
		{After: t.Count, Do: m.count},
		{After: t.Decision, Do: m.decide},
	}, func(dst []byte, p *packet, from int) { p.Own.edit.copy(dst, p.Bytes, from) })
	if err != nil {
		return nil, fmt.Errorf("inband: %w", err)
	}
	return m, nil
}

// Counters are those of an egress port, as registers show them.
func (m *Clocked) Counters(port int) Counters { return m.dev.Counters(port) }

// NoPort is the counter of packets from or to ports that the device does not have.
func (m *Clocked) NoPort() uint64 { return m.dev.noPort }

// TxBytes is the count of bytes of a port.
func (m *Clocked) TxBytes(port int) uint64 { return m.dev.TxBytes(port) }

// Device returns a copy of the device with its committed settings and counts.
func (m *Clocked) Device() *Device {
	d := *m.dev
	d.ports = slices.Clone(d.ports)
	return &d
}

// Reset is the state after a cycle with reset asserted.
func (m *Clocked) Reset() {
	m.dev.reset()
	m.Staged().Set(registers.NodeOverhead, WireOverhead)
}

// lookup decides by the committed settings.
func (m *Clocked) lookup(_ int64, p *packet) {
	f := &p.Own
	f.ev = Event{Status: NoPort}
	if !m.dev.has(p.Meta) {
		return
	}
	f.verdict = m.dev.decide(p.Bytes[:min(len(p.Bytes), m.dev.window)], p.Meta)
	f.ev.Status = f.verdict.status
	if f.ev.Status == Inserted {
		f.ev.At = f.verdict.at
	}
}

// snapshot completes the decision.
func (m *Clocked) snapshot(now int64, p *packet) {
	f := &p.Own
	if f.ev.Status == NoPort {
		return
	}
	f.ev.Snapshot = m.dev.snapshot(p.Meta, f.verdict.rate)
	f.edit = m.dev.mustEdit(p.Bytes, &f.verdict, f.ev.Snapshot, p.Meta)
	if m.OnSnapshot != nil {
		taps := Taps{Event: &f.ev, Stamp: m.dev.format.stamp(p.Meta), Record: f.edit.record}
		m.OnSnapshot(now-int64(m.timing.Tx), &taps)
	}
}

// sent adds the packet to what its port has sent.
func (m *Clocked) sent(_ int64, p *packet) {
	if f := &p.Own; f.ev.Status != NoPort {
		m.dev.count(p.Meta.EgressPort, len(p.Bytes), f.edit.added(), f.verdict.overhead)
	}
}

func (m *Clocked) count(_ int64, p *packet) { m.dev.tally(p.Meta.EgressPort, p.Own.ev.Status) }

// decide passes the packet that leaves to the editor.
func (m *Clocked) decide(now int64, p *packet) {
	f := &p.Own
	p.Status, p.Grow = uint8(f.ev.Status), f.edit.added()
	if m.OnDecision != nil {
		m.OnDecision(now, &f.ev)
	}
}
