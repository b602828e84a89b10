package csig

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// never is a cycle long after the last.
const never = 1 << 62

// Clocked is a csig_switch cycle by cycle. Not safe for concurrent use.
type Clocked struct {
	// OnDecision, when set, is called for each packet in the cycle in which its decision is made (docs/csig.md: e +
	// Decision), in which there is no reset. The event is valid during the call only. Its signals mean something
	// only once port and estimate have been committed.
	OnDecision func(cycle int64, ev *Event)
	// OnCode, when set, is called for each packet that is to be compared, in the cycle in which its value is coded (e + Code).
	OnCode func(cycle int64, ev *Event)

	cfg    Config // widths, tags, split; nothing that software writes
	timing Timing
	async  bool
	folded bool
	// stackedDelay is how many cycles after the counter of its status that of stacked tags counts.
	stackedDelay int
	beatBytes    int
	metaMask     Meta // of the widths of s_axis_tuser

	now     int64 // number of the cycle to come
	readyAt int64 // first cycle after reset and sweep
	clean   bool  // nothing has happened since the reset

	// What software writes, as of this cycle.
	ports      []*boundPort
	estimator  estimator
	estimateOK bool
	registers  registerFile
	bus        bus

	// Packets in flight, in order. Positions run without end and are taken modulo the ring's length, a power of two.
	packets              []flight
	tail                 uint64 // packets begun
	looked, metered      uint64 // packets past lookup, meter's advance,
	ended                uint64 // meter's count,
	coded, counted, made uint64 // code, counters, decision
	stacked              uint64 // and counters of stacked tags
	gathering            bool   // the last packet is not at its end
	nextAt               int64  // cycle from which the next packet may begin

	// Beats accepted and not yet out, likewise. A register of the editor has a position.
	beats           []heldBeat
	accepted, taken uint64
	takenBefore     uint64 // as of the cycle before
	a, b            uint64
	aFull, bFull    bool
	cFull           bool
	c               outBeat
	// Of an editor that never stops: beats taken that have come to A, those taken that m_axis has not sent, and what waits for m_axis.
	entered uint64
	inside  int
	gone    int // in the cycle before: sent or absorbed, not taken from inside yet
	queue   outQueue

	counters []Counters
	noPort   uint64
}

// boundPort is what a port has been committed to.
type boundPort struct {
	Port
	ratio, depth Scale
}

// unbound is a port that has not been committed since reset.
var unbound = boundPort{Port: Port{Trusted: true}}

// flight is a packet between its first beat and its last effect.
type flight struct {
	first     int64 // cycle of the first beat
	start     int64 // cycle s, from which the stages count; never: the header is not complete
	end       int64 // cycle from which the stage counts in which the bytes count; never: the packet has not ended
	firstBeat uint64
	size      int // bytes so far
	meta      Meta
	port      *boundPort // of egress; nil without ports
	compare   bool
	ev        Event
	removed   int // bytes that the editor takes out
	head      [window]byte
}

type heldBeat struct {
	Beat
	at     int64 // cycle of acceptance
	packet uint64
	index  int   // in the packet
	taken  int64 // cycle in which the editor took it
}

type outBeat struct {
	beat   Beat
	port   int
	status Status
}

// NewClocked makes a csig_switch as if the cycle before had reset asserted.
func NewClocked(c *config.CSIG, t Timing) (*Clocked, error) {
	m := &Clocked{cfg: FromConfig(c), timing: t, async: c.AsyncReset, folded: c.Folded, beatBytes: c.DataBits / 8}
	if err := m.cfg.checkDesign(c.Ports, c.DataBits); err != nil {
		return nil, err
	}
	if err := t.check(m.beatBytes); err != nil {
		return nil, err
	}
	w := &m.cfg.Widths
	ports := 1<<bits.Len(uint(c.Ports)) - 1 // PB bits
	m.metaMask = Meta{ports, ports, wide.Mask(w.Time), wide.Mask(w.Time), wide.Mask(w.Qlen)}
	m.ports = make([]*boundPort, c.Ports)
	m.counters = make([]Counters, c.Ports)
	m.estimator = newEstimator(*w, c.Ports)
	m.registers.init(c)
	if c.Folded {
		m.stackedDelay = foldedStacked
	}
	m.beats = make([]heldBeat, powerOfTwo(t.Credits+t.Room+4))
	m.queue.init(t.Room)
	// A packet whose beats have left may still have to count.
	m.packets = make([]flight, powerOfTwo(t.Credits+t.Room+max(t.Count, t.Decision)+4+foldedStacked))
	m.reset(-1)
	return m, nil
}

func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }

// Now is the number of the cycle that the next call of Cycle is, from 0.
func (m *Clocked) Now() int64 { return m.now }

// Counters are those of an egress port, as registers show them.
func (m *Clocked) Counters(port int) Counters { return m.counters[port] }

// NoPort is the counter of packets from or to ports that the device does not have.
func (m *Clocked) NoPort() uint64 { return m.noPort }

// Meter is the state of a port's measurement.
func (m *Clocked) Meter(port int) Meter { return m.estimator.meters[port] }

// Cycle sets out to the outputs of this cycle, which follow from the state at its start (and, with the asynchronous reset,
// from in.Rst), and then takes the clock edge at its end. Payload without its valid is left alone.
func (m *Clocked) Cycle(in *Inputs, out *Outputs) {
	now := m.now
	m.now++
	if in.Rst && m.async {
		m.reset(now)
		out.Ready, out.Valid = false, false
		m.bus.outputs(now, &out.Bus)
		return
	}
	taken := m.taken
	if m.timing.Room > 0 { // an editor that never stops: what the last cycle took still counts
		taken, m.takenBefore = m.takenBefore, m.taken
	}
	out.Ready = now >= m.readyAt && m.accepted-taken < uint64(m.timing.Credits) && (m.gathering || now >= m.nextAt)
	var shown *outBeat
	if out.Valid, shown = m.shown(now); out.Valid {
		out.Beat, out.EgressPort, out.Status = shown.beat, shown.port, shown.status
	}
	m.bus.outputs(now, &out.Bus)
	if in.Rst {
		m.reset(now)
		return
	}
	m.clean = false
	m.busRead(now)
	m.stages(now)
	if m.timing.Room == 0 {
		m.edit(now, in.MReady)
	} else {
		m.flow(now, out.Valid && in.MReady)
	}
	if in.Valid && out.Ready {
		m.accept(now, in)
	}
	m.busWrite(now)
	if now >= m.readyAt {
		m.bus.edge(now, &in.Bus, m.timing.Act)
	}
}

func (m *Clocked) flight(at uint64) *flight { return &m.packets[at&uint64(len(m.packets)-1)] }

func (m *Clocked) beat(at uint64) *heldBeat { return &m.beats[at&uint64(len(m.beats)-1)] }

// accept takes a beat from s_axis.
func (m *Clocked) accept(now int64, in *Inputs) {
	if !m.gathering {
		f := m.flight(m.tail)
		m.tail++
		f.start, f.end, f.first, f.firstBeat, f.size = never, never, now, m.accepted, 0
		if m.folded {
			m.nextAt = now + foldedCycles
		}
		f.port, f.compare, f.removed = nil, false, 0
		f.meta = Meta{
			in.Meta.IngressPort & m.metaMask.IngressPort, in.Meta.EgressPort & m.metaMask.EgressPort,
			in.Meta.IngressNs & m.metaMask.IngressNs, in.Meta.EgressNs & m.metaMask.EgressNs, in.Meta.QlenBytes & m.metaMask.QlenBytes,
		}
	}
	f := m.flight(m.tail - 1)
	b := m.beat(m.accepted)
	n := m.beatBytes
	if in.Beat.Last {
		n = in.Beat.Len
	}
	copy(b.Data[:n], in.Beat.Data[:])
	b.Len, b.Last = n, in.Beat.Last
	b.at, b.packet, b.index = now, m.tail-1, int(m.accepted-f.firstBeat)
	m.accepted++
	if f.size < window {
		copy(f.head[f.size:], in.Beat.Data[:n])
	}
	f.size += n
	m.gathering = !b.Last
	if f.start == never && (f.size >= window || b.Last) {
		f.start = now
		if m.folded {
			f.start = max(now, f.first+foldedCycles-1)
		}
	}
	if b.Last {
		f.end = max(now, f.start)
	}
}

// reset is the state after a cycle with reset asserted.
func (m *Clocked) reset(now int64) {
	m.readyAt = now + 1 + int64(m.timing.Sweep)
	if m.clean {
		return
	}
	m.clean = true
	for i := range m.ports {
		m.ports[i] = &unbound
	}
	m.estimator.configure(m.cfg.Estimate, Scale{})
	m.estimateOK = false
	m.registers.reset()
	m.cfg.Bounds, m.cfg.Quantize = [Types][]uint64{}, [Types]Quantizer{}
	m.bus = bus{}
	m.tail, m.looked, m.metered, m.ended, m.coded, m.counted, m.stacked, m.made = 0, 0, 0, 0, 0, 0, 0, 0
	m.gathering, m.nextAt = false, 0
	m.accepted, m.taken, m.takenBefore = 0, 0, 0
	m.aFull, m.bFull, m.cFull = false, false, false
	m.entered, m.inside, m.gone = 0, 0, 0
	m.queue.clear()
	clear(m.counters)
	m.noPort = 0
}
