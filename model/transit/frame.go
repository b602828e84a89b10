package transit

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/model/axil"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// never is a cycle long after the last.
const never = 1 << 62

// Config holds the parameters of the frame that a design fixes.
type Config struct {
	timing.Transit

	Ports              int
	TimeBits, QlenBits int
	BeatBytes          int
	Window             int // bytes of a packet that its decision depends on: the header beat holds the last of them
	AsyncReset         bool
	Registers          *registers.Map
}

// Bounds holds numbers of a timing to the lowest that they may be.
type Bounds struct{ Err error } // of the first number that is too low

// Least says what the lowest is of a number: that of another one, if there is a reason.
func (b *Bounds) Least(name string, got, lowest int, than, because string) {
	switch {
	case got >= lowest || b.Err != nil:
	case than == "":
		b.Err = fmt.Errorf("timing: %s is %d, must be at least %d", name, got, lowest)
	default:
		b.Err = fmt.Errorf("timing: %s is %d, earlier than %s, %d: %s", name, got, than, lowest, because)
	}
}

// check reports timing that no frame has.
func (c *Config) check() error {
	var b Bounds
	for _, v := range []struct {
		name        string
		got, lowest int
	}{
		{"spacing", c.Spacing, 1}, {"offer", c.Offer, 1}, {"return", c.Return, 1}, {"room", c.Room, 0},
		{"enter", c.Enter, 1}, {"leave", c.Leave, 1}, {"act", c.Act, 2}, {"answer", c.Answer, 1}, {"sweep", c.Sweep, 1},
	} {
		b.Least(v.name, v.got, v.lowest, "", "")
	}
	switch {
	case b.Err != nil:
		return b.Err
	case c.Room > 0 && c.Gone < 1:
		return fmt.Errorf("timing: gone is %d, must be at least 1 where m_axis does not stop the editor", c.Gone)
	case c.Room == 0 && (c.Enter != 1 || c.Leave != 1 || c.Gone != 0):
		return fmt.Errorf("timing: enter is %d, leave %d, gone %d, must be 1, 1 and 0 where m_axis stops the editor",
			c.Enter, c.Leave, c.Gone)
	}
	if least := (c.Window + c.BeatBytes - 1) / c.BeatBytes; c.Credits < least {
		return fmt.Errorf("timing: credits are %d, must be at least the %d beats of %d bytes that a decision takes",
			c.Credits, least, c.BeatBytes)
	}
	return nil
}

// Stage does something to each packet, in order: so many cycles after the one in which its header is complete, or after
// that in which it ends.
type Stage[F any] struct {
	After int
	End   bool
	Do    func(now int64, f *Flight[F])
}

// clock says when packets pass a stage.
type clock struct {
	from   []int64 // of each packet, by place: the cycle from which after counts
	after  int64
	passed uint64 // packets that have passed
}

// due is the cycle in which the next packet passes. Where none is known to come it is late, or gone by: the time of a
// packet that has passed long ago.
func (c *clock) due() int64 { return c.from[c.passed&uint64(len(c.from)-1)] + c.after }

// Flight is a packet between its first beat and its last effect.
type Flight[F any] struct {
	Bytes []byte // so far
	Meta  Meta
	Own   F

	// What leaves, as of the decision: the last stage.
	Status uint8
	Drop   bool
	Grow   int // bytes by which the packet grows, at the most one beat; negative: shrinks

	first int64 // cycle of the first beat
	left  int   // bytes that have left
}

// Frame is the clocked part that all packet pipelines share. A design embeds it. It is not safe for concurrent use.
type Frame[F any] struct {
	cfg      Config
	metaMask Meta
	stages   []Stage[F]
	clocks   []clock // of the stages
	fill     func(dst []byte, f *Flight[F], from int)

	now     int64 // number of the cycle to come
	readyAt int64 // first cycle after reset and sweep
	clean   bool  // nothing has happened since the reset

	bus axil.Bus
	dev axil.Device

	// Packets in flight, in order. Numbers run without end and are taken modulo the ring's length, a power of two.
	packets   []*Flight[F]
	spare     *Flight[F] // in place of one that register B still holds
	headers   []int64    // cycles in which their headers are complete; never: not yet
	ends      []int64    // cycles in which they end, not before headers; never: not yet
	tail      uint64     // packets begun
	gathering bool       // the last packet is not at its end
	nextAt    int64      // cycle from which the next packet may begin
	dueAt     int64      // no packet passes a stage before this cycle

	// Beats accepted and not yet out, likewise, and those whose places are free again.
	beats                     []heldBeat
	accepted, taken, returned uint64

	editor editor[F]
}

// heldBeat is a beat whose bytes are in its packet.
type heldBeat struct {
	at          int64 // cycle of acceptance
	taken       int64 // cycle in which the editor took it
	packet      uint64
	first, last bool
}

// Init makes the frame of a device as if the cycle before had reset asserted. The last stage is that of the decision.
// fill fills dst with the bytes from one on of the packet that leaves.
func (m *Frame[F]) Init(
	cfg Config, dev axil.Device, stages []Stage[F], fill func(dst []byte, f *Flight[F], from int),
) error {
	if err := cfg.check(); err != nil {
		return err
	}
	ports := 1<<bits.Len(uint(cfg.Ports)) - 1 // there is a number that no port has
	*m = Frame[F]{cfg: cfg, stages: stages, fill: fill}
	m.metaMask = Meta{ports, ports, wide.Mask(cfg.TimeBits), wide.Mask(cfg.TimeBits), wide.Mask(cfg.QlenBits)}
	m.dev = dev
	m.bus = axil.New(cfg.Act, cfg.Answer, cfg.Registers, dev)
	m.beats = make([]heldBeat, powerOfTwo(cfg.Credits+cfg.Room+4))
	m.editor.init(cfg.Room, cfg.Gone)
	longest := 0 // a packet whose beats have left may still pass stages
	for _, s := range stages {
		longest = max(longest, s.After)
	}
	n := powerOfTwo(cfg.Credits + cfg.Room + longest + 4)
	m.packets, m.headers, m.ends, m.spare = make([]*Flight[F], n), make([]int64, n), make([]int64, n), new(Flight[F])
	for i := range m.packets {
		m.packets[i] = new(Flight[F])
	}
	for _, s := range stages {
		from := m.headers
		if s.End {
			from = m.ends
		}
		m.clocks = append(m.clocks, clock{from: from, after: int64(s.After)})
	}
	m.reset(-1)
	return nil
}

func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }

// Now is the number of the cycle that the next call of Cycle is, from 0.
func (m *Frame[F]) Now() int64 { return m.now }

// Staged are the registers that are staged, as of this cycle.
func (m *Frame[F]) Staged() *axil.Staged { return m.bus.Staged() }

// Cycle sets out to the outputs of this cycle, which follow from the state at its start (and, with the asynchronous
// reset, from in.Rst), and then takes the clock edge at its end. Payload without its valid is left alone.
func (m *Frame[F]) Cycle(in *Inputs, out *Outputs) {
	now := m.now
	m.now++
	if in.Rst && m.cfg.AsyncReset {
		m.reset(now)
	}
	for m.returned != m.taken && m.beat(m.returned).taken+int64(m.cfg.Return) <= now {
		m.returned++
	}
	out.Ready = now >= m.readyAt && m.accepted-m.returned < uint64(m.cfg.Credits) &&
		(m.gathering || now >= m.nextAt)
	var shown *outBeat
	if out.Valid, shown = m.editor.shown(now); out.Valid {
		out.Beat, out.EgressPort, out.Status = shown.beat, shown.port, shown.status
	}
	m.bus.Outputs(now, &out.Bus)
	if in.Rst {
		m.reset(now)
		return
	}
	m.clean = false
	m.bus.ActRead(now)
	m.pass(now)
	if m.cfg.Room == 0 {
		m.edit(now, in.MReady)
	} else {
		m.flow(now, out.Valid && in.MReady)
	}
	if in.Valid && out.Ready {
		m.accept(now, in)
	}
	m.bus.ActWrite(now)
	if now >= m.readyAt {
		m.bus.Edge(now, &in.Bus)
	}
}

// place is where the packet of a number stands.
func (m *Frame[F]) place(n uint64) int { return int(n & uint64(len(m.packets)-1)) }

func (m *Frame[F]) flight(n uint64) *Flight[F] { return m.packets[m.place(n)] }

func (m *Frame[F]) beat(n uint64) *heldBeat { return &m.beats[n&uint64(len(m.beats)-1)] }

// pass has packets pass the stages that are due in this cycle.
func (m *Frame[F]) pass(now int64) {
	if now < m.dueAt {
		return
	}
	m.dueAt = never
	for i := range m.clocks {
		c := &m.clocks[i]
		at := c.due()
		if at == now {
			m.stages[i].Do(now, m.flight(c.passed))
			c.passed++
			at = c.due()
		}
		if at > now {
			m.dueAt = min(m.dueAt, at)
		}
	}
}

// decided is the number of packets that have been decided.
func (m *Frame[F]) decided() uint64 { return m.clocks[len(m.clocks)-1].passed }

// accept takes a beat from s_axis.
func (m *Frame[F]) accept(now int64, in *Inputs) {
	if !m.gathering {
		place := m.place(m.tail)
		m.tail++
		f := m.packets[place]
		if f == m.editor.b.packet { // dropped packets have passed it
			f, m.spare = m.spare, f
			m.packets[place] = f
		}
		*f = Flight[F]{Bytes: f.Bytes[:0], Meta: in.Meta.cut(m.metaMask), first: now}
		m.headers[place], m.ends[place] = never, never
		m.nextAt = now + int64(m.cfg.Spacing)
	}
	place := m.place(m.tail - 1)
	f := m.packets[place]
	n := m.cfg.BeatBytes
	if in.Beat.Last {
		n = in.Beat.Len
	}
	f.Bytes = append(f.Bytes, in.Beat.Data[:n]...)
	*m.beat(m.accepted) = heldBeat{at: now, packet: m.tail - 1, first: !m.gathering, last: in.Beat.Last}
	m.accepted++
	m.gathering = !in.Beat.Last
	if m.headers[place] == never && (in.Beat.Last || len(f.Bytes) >= m.cfg.Window) {
		m.headers[place], m.dueAt = max(now, f.first+int64(m.cfg.Spacing)-1), now
	}
	if in.Beat.Last {
		m.ends[place], m.dueAt = max(now, m.headers[place]), now
	}
}

// reset is the state after a cycle with reset asserted.
func (m *Frame[F]) reset(now int64) {
	m.readyAt = now + 1 + int64(m.cfg.Sweep)
	if m.clean {
		return
	}
	m.clean = true
	m.bus.Reset()
	m.dev.Reset()
	for i := range m.clocks {
		m.clocks[i].passed = 0
	}
	for i := range m.packets {
		m.headers[i], m.ends[i] = never, never
	}
	m.tail, m.gathering, m.nextAt = 0, false, 0
	m.accepted, m.taken, m.returned = 0, 0, 0
	m.editor.clear()
}
