package inband

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

// offerDelay is how many cycles after its acceptance a beat is offered to the editor.
const offerDelay = 3

// never is a cycle long after the last.
const never = 1 << 62

func (t Timing) check(s *shape) error {
	for _, v := range []struct {
		name         string
		got, lowest  int
		than, reason string
	}{
		{"lookup", t.Lookup, 1, "1", "the header is complete then"},
		{"tx", t.Tx, t.Lookup, "lookup", "what leaves counts as decided"},
		{"count", t.Count, t.Lookup, "lookup", "it counts what has been decided"},
		{"decision", t.Decision, t.Tx, "tx", "it has the snapshot"},
		{"sweep", t.Sweep, 1, "1", "counters are cleared after a reset"},
	} {
		if v.got < v.lowest {
			return fmt.Errorf("inband: timing: %s is %d, less than %s, %d: %s", v.name, v.got, v.than, v.lowest, v.reason)
		}
	}
	beat := s.DataBits / 8
	if least := (s.window + beat - 1) / beat; t.Credits < least {
		return fmt.Errorf("inband: timing: credits are %d, fewer than the %d beats of %d bytes that a decision takes", t.Credits, least, beat)
	}
	return nil
}

// Clocked is an int_source cycle by cycle. Not safe for concurrent use.
type Clocked struct {
	// OnDecision, when set, is called for each packet in the cycle e + Decision (docs/int.md). The event is valid during the call
	// only.
	OnDecision func(cycle int64, ev *Event)

	dev       *Device // what has been committed and counted, as of this cycle
	timing    Timing
	beatBytes int

	now     int64 // number of the cycle to come
	readyAt int64 // first cycle after reset and sweep
	clean   bool  // nothing has happened since the reset

	registers registerFile
	bus       bus

	// Packets from their first beat to their last effect, in order. Those that have passed a stage are counted by it.
	packets                                   []*flight
	base                                      int // packets that have been dropped from the front of packets, whose numbers run on
	looked, read, sent, counted, made, leaves int
	gathering                                 bool // the last packet is not at its end
	free                                      []*flight

	beats           []heldBeat // accepted and not taken by the editor
	accepted, taken int
	a, b            register
	c               outBeat
	cFull           bool
}

// flight is a packet on its way.
type flight struct {
	header, last int64 // cycles of the header beat and of the last beat; never: not yet
	bytes        []byte
	meta         Meta
	verdict      verdict
	edit         Edit
	ev           Event
	emitted      int // bytes that have left the editor's register B
}

type heldBeat struct {
	at          int64 // cycle of acceptance
	packet      int
	first, last bool
}

// register is register A or B of the editor.
type register struct {
	full bool
	beat heldBeat
}

type outBeat struct {
	beat   Beat
	port   int
	status Status
}

// NewClocked makes an int_source as if the cycle before had reset asserted.
func NewClocked(c *config.INT, t Timing) (*Clocked, error) {
	d, err := Reset(c)
	if err != nil {
		return nil, err
	}
	if err := t.check(d.shape); err != nil {
		return nil, err
	}
	m := &Clocked{dev: d, timing: t, beatBytes: c.DataBits / 8}
	m.registers.space = registers.NewINT(c)
	m.reset(-1)
	return m, nil
}

// Now is the number of the cycle that the next call of Cycle is, from 0.
func (m *Clocked) Now() int64 { return m.now }

// Counters are those of an egress port, as registers show them.
func (m *Clocked) Counters(port int) Counters { return m.dev.Counters(port) }

// NoPort is the counter of packets from or to ports that the device does not have.
func (m *Clocked) NoPort() uint64 { return m.dev.noPort }

// TxBytes is the count of bytes of a port.
func (m *Clocked) TxBytes(port int) uint64 { return m.dev.TxBytes(port) }

// Cycle sets out to the outputs of this cycle, which follow from the state at its start (and, with the asynchronous reset, from
// in.Rst), and then takes the clock edge at its end. Payload without its valid is left alone.
func (m *Clocked) Cycle(in *Inputs, out *Outputs) {
	now := m.now
	m.now++
	if in.Rst && m.dev.AsyncReset {
		m.reset(now)
	}
	out.Ready = now >= m.readyAt && m.accepted-m.taken < m.timing.Credits
	if out.Valid = m.cFull; m.cFull {
		out.Beat, out.EgressPort, out.Status = m.c.beat, m.c.port, m.c.status
	}
	m.bus.outputs(now, &out.Bus)
	if in.Rst {
		m.reset(now)
		return
	}
	m.clean = false
	m.busRead()
	m.stages(now)
	m.editor(now, in.MReady)
	if in.Valid && out.Ready {
		m.accept(now, in)
	}
	m.busWrite()
	if now >= m.readyAt {
		m.bus.edge(now, &in.Bus)
	}
	m.tidy()
}

// flight is the packet of a number.
func (m *Clocked) flight(n int) *flight { return m.packets[n-m.base] }

// begun is the number of packets that have begun.
func (m *Clocked) begun() int { return m.base + len(m.packets) }

// accept takes a beat from s_axis.
func (m *Clocked) accept(now int64, in *Inputs) {
	first := !m.gathering
	if first {
		f := m.newFlight()
		pb := 1<<bits.Len(uint(len(m.dev.ports))) - 1
		f.meta = in.Meta
		f.meta.IngressPort &= pb
		f.meta.EgressPort &= pb
		f.meta.IngressNs, f.meta.EgressNs = m.dev.cut(f.meta.IngressNs), m.dev.cut(f.meta.EgressNs)
		f.meta.QlenBytes &= 1<<m.dev.QlenBits - 1
		m.packets = append(m.packets, f)
	}
	f := m.packets[len(m.packets)-1]
	n := m.beatBytes
	if in.Beat.Last {
		n = in.Beat.Len
		f.last = now
	}
	f.bytes = append(f.bytes, in.Beat.Data[:n]...)
	if f.header == never && (in.Beat.Last || len(f.bytes) >= m.dev.window) {
		f.header = now
	}
	m.gathering = !in.Beat.Last
	m.beats = append(m.beats, heldBeat{now, m.begun() - 1, first, in.Beat.Last})
	m.accepted++
}

func (m *Clocked) newFlight() *flight {
	f := &flight{}
	if n := len(m.free); n > 0 {
		f, m.free = m.free[n-1], m.free[:n-1]
		*f = flight{bytes: f.bytes[:0]}
	}
	f.header, f.last = never, never
	return f
}

// stages does what the packets in flight do in this cycle.
func (m *Clocked) stages(now int64) {
	due := func(passed int, at func(*flight) int64, delay int) *flight {
		if passed == m.begun() {
			return nil
		}
		if f := m.flight(passed); at(f) == now-int64(delay) {
			return f
		}
		return nil
	}
	header, last := func(f *flight) int64 { return f.header }, func(f *flight) int64 { return f.last }
	if f := due(m.looked, header, m.timing.Lookup); f != nil {
		m.lookup(f)
		m.looked++
	}
	if f := due(m.read, header, m.timing.Tx); f != nil {
		m.snapshot(f)
		m.read++
	}
	if f := due(m.sent, last, m.timing.Tx); f != nil {
		if f.ev.Status != NoPort {
			m.dev.count(f.meta.EgressPort, len(f.bytes), f.edit.added(), f.verdict.overhead)
		}
		m.sent++
	}
	if f := due(m.counted, header, m.timing.Count); f != nil {
		m.dev.tally(f.meta.EgressPort, f.ev.Status)
		m.counted++
	}
	if f := due(m.made, header, m.timing.Decision); f != nil {
		if m.OnDecision != nil {
			m.OnDecision(now, &f.ev)
		}
		m.made++
	}
}

// lookup decides by what has been committed.
func (m *Clocked) lookup(f *flight) {
	f.ev = Event{Status: NoPort}
	if !m.dev.has(f.meta) {
		return
	}
	f.verdict = m.dev.decide(f.bytes[:min(len(f.bytes), m.dev.window)], f.meta)
	f.ev.Status = f.verdict.status
	if f.ev.Status == Inserted {
		f.ev.At = f.verdict.at
	}
}

// snapshot completes the decision.
func (m *Clocked) snapshot(f *flight) {
	if f.ev.Status == NoPort {
		return
	}
	f.ev.Snapshot = m.dev.snapshot(f.meta, f.verdict.rate)
	f.edit = m.dev.mustEdit(f.bytes, &f.verdict, f.ev.Snapshot, f.meta)
}

// tidy forgets packets that have left and done all they do.
func (m *Clocked) tidy() {
	for n := min(m.leaves, m.sent, m.counted, m.made, m.read); m.base < n; m.base++ {
		m.free = append(m.free, m.packets[0])
		m.packets = m.packets[1:]
	}
}

// reset is the state after a cycle with reset asserted.
func (m *Clocked) reset(now int64) {
	m.readyAt = now + 1 + int64(m.timing.Sweep)
	if m.clean {
		return
	}
	m.clean = true
	m.dev.reset()
	m.registers.reset()
	m.bus = bus{}
	m.packets, m.beats = m.packets[:0], m.beats[:0]
	m.base, m.looked, m.read, m.sent, m.counted, m.made, m.leaves = 0, 0, 0, 0, 0, 0, 0
	m.accepted, m.taken, m.gathering = 0, 0, false
	m.a, m.b, m.cFull = register{}, register{}, false
}
