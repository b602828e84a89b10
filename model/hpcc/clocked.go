package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
)

// Timing is what the generator publishes of a design, docs/architecture.md. The model takes it as data.
type Timing struct {
	Latency    int // cycles from an operation's issue to its result at the entrance of the output FIFO
	Interval   int // least distance, in cycles, between two issues
	Hazard     int // cycles after an operation in which no operation of its flow may issue
	Credits    int // results that the output FIFO holds
	Sweep      int // operations of the initialisation sweep
	InputDepth int // capacity of the register slice of stream s, 2 (skid) or 1; 0: no stream has a slice
	Hold       int // without slices: cycles from an ACK's issue to its transfer
	Count      int // cycles from an ACK's issue until it is counted
	Front      int // registers that an operation passes between its slice and its issue
	Output     int // registers that a result passes behind the output FIFO's memory
}

// Slotted tells whether there are no slices: elements are issued from the ports, in cycles that are multiples
// of the interval.
func (t Timing) Slotted() bool { return t.InputDepth == 0 }

// Clearing is the number of cycles after reset in which contexts and tables are cleared.
func (t Timing) Clearing() int {
	if t.Slotted() {
		return t.Sweep
	}
	return t.Sweep * t.Interval
}

func (t Timing) check() error {
	for _, v := range []struct {
		name        string
		got, lowest int
	}{
		{"latency", t.Latency, 1}, {"interval", t.Interval, 1}, {"hazard", t.Hazard, 0},
		{"credits", t.Credits, 1}, {"sweep", t.Sweep, 0}, {"input depth", t.InputDepth, 0}, {"count", t.Count, 0}, {"front", t.Front, 0}, {"output", t.Output, 1},
	} {
		if v.got < v.lowest {
			return fmt.Errorf("golden model: timing: %s is %d; must be at least %d", v.name, v.got, v.lowest)
		}
	}
	if t.Count > t.Latency+1 {
		return fmt.Errorf("golden model: timing: count is %d; must be at most the latency and one, %d", t.Count, t.Latency+1)
	}
	if t.Slotted() && (t.Hold < 1 || t.Hold >= t.Interval) {
		return fmt.Errorf("golden model: timing: hold is %d; must be at least 1 and below the interval, %d", t.Hold, t.Interval)
	}
	if t.Slotted() && t.Hazard >= t.Interval {
		return fmt.Errorf("golden model: timing: hazard is %d; must be below the interval, %d, where there are no slices", t.Hazard, t.Interval)
	}
	return nil
}

// Inputs are the input ports during one cycle. The payload of a stream matters only while its valid is high.
type Inputs struct {
	Rst     bool // reset asserted, whatever its polarity at the port
	S       AckPort
	CW      ContextWritePort
	CR      ContextReadPort
	TW      TableWritePort
	MReady  bool
	CDReady bool
}

// AckPort is stream s.
type AckPort struct {
	Valid bool
	Ack
}

// ContextWritePort is stream cw.
type ContextWritePort struct {
	Valid bool
	ContextWrite
}

// ContextReadPort is stream cr.
type ContextReadPort struct {
	Valid bool
	Flow  uint32
}

// TableWritePort is stream tw.
type TableWritePort struct {
	Valid bool
	config.TableWrite
}

// Outputs are the output ports during one cycle. The payload of a stream is defined only while its valid is
// high: Cycle leaves it alone otherwise.
type Outputs struct {
	SReady, CWReady, CRReady, TWReady bool

	M        ResultPort
	CD       ContextDataPort
	Counters Counters
}

// ResultPort is stream m.
type ResultPort struct {
	Valid bool
	Result
}

// ContextDataPort is stream cd.
type ContextDataPort struct {
	Valid bool
	ContextData
}

// never is a cycle long before the first, forever one after the last.
const (
	never   = -1 << 60
	forever = 1 << 60
)

// Clocked is the engine cycle by cycle: a Model behind register slices, issue rules, latency and the output
// FIFO. Not safe for concurrent use.
type Clocked struct {
	// OnReact, when set, is called for each ACK that reacts, in the cycle of its issue. The taps are valid
	// during the call only.
	OnReact func(cycle int64, taps *Taps)
	// OnAck, when set, is called for each ACK in the cycle of its issue, after OnReact. The pointers are valid
	// during the call only.
	OnAck func(cycle int64, ack *Ack, result *Result)

	model  *Model
	timing Timing
	async  bool

	now      int64 // number of the cycle to come
	resetAt  int64 // last cycle with reset
	clean    bool  // nothing has happened since the reset
	swept    int   // sweep operations taken
	lastAt   int64 // last issue
	flowMask uint32
	flowAt   []int64 // last issue of an operation of the flow; of no account when not after resetAt

	s          ackQueue
	cw, cr, tw slot
	cwData     ContextWrite
	crFlow     uint32
	twData     config.TableWrite
	front      []operation // from the pipeline to the slices
	spare      operation   // behind the one in the first register

	credits int

	// Results in flight and in the output FIFO, oldest first. ring[head] to ring[stored-1] are in the FIFO's
	// memory, those before counted are counted. Positions run without end and are taken modulo the ring's
	// length, a power of two.
	ring                        []flight
	head, stored, counted, tail uint64
	visible                     Counters
	m                           []ResultPort // the registers behind the FIFO's memory, from the port to the memory

	reading bool // a read is outstanding
	cdAt    int64
	cd      ContextData

	heldS int64 // without slices: the ACK issued last leaves its port in the cycle before
}

// flight is a result on its way: it is in the FIFO's memory from cycle at on.
type flight struct {
	at     int64
	result Result
}

// NewClocked makes the engine as if the cycle before had reset asserted. The errors are NewDesign's,
// or name the timing that cannot be.
func NewClocked(cfg *config.NIC, t Timing) (*Clocked, error) {
	m, err := New(cfg)
	if err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	size := 1
	for size < t.Credits {
		size *= 2
	}
	c := &Clocked{
		model: m, timing: t, async: cfg.AsyncReset,
		flowMask: m.design.flowMask, flowAt: make([]int64, int(m.design.flowMask)+1),
		s: newAckQueue(max(t.InputDepth, 1) + t.Front + 1), front: make([]operation, t.Front), m: make([]ResultPort, t.Output), ring: make([]flight, size),
	}
	for f := range c.flowAt {
		c.flowAt[f] = never
	}
	c.reset(-1)
	return c, nil
}

// Now is the number of the cycle that the next call of Cycle is, from 0.
func (c *Clocked) Now() int64 { return c.now }

// Model is the state behind the streams: everything issued so far has taken effect in it.
func (c *Clocked) Model() *Model { return c.model }

// Cycle sets out to the outputs of this cycle, which follow from the state at its start (and, with the
// asynchronous reset, from in.Rst), and then takes the clock edge at its end.
func (c *Clocked) Cycle(in *Inputs, out *Outputs) {
	now := c.now
	c.now++
	if in.Rst && c.async {
		c.reset(now)
		*out = Outputs{M: out.M, CD: out.CD}
		out.M.Valid, out.CD.Valid = false, false
		return
	}

	// The outputs, from registers only.
	for c.stored != c.tail && c.ring[c.stored&c.ringMask()].at <= now {
		c.stored++
	}
	early := int64(c.timing.Latency - c.timing.Count)
	for c.counted != c.tail && c.ring[c.counted&c.ringMask()].at-early <= now {
		c.visible.count(c.ring[c.counted&c.ringMask()].result.Status, c.model.design.cfg.CountBits)
		c.counted++
	}
	up := c.resetAt != now-1 // the ready registers are low in the cycle after reset
	if c.timing.Slotted() {
		out.SReady = c.heldS == now+1
		out.CWReady, out.CRReady, out.TWReady = c.cw.until == now+1, c.cr.until == now+1, c.tw.until == now+1
	} else {
		out.SReady = up && c.s.waiting() < c.timing.InputDepth
		out.CWReady = up && c.cw.free(now)
		out.CRReady = up && c.cr.free(now)
		out.TWReady = up && c.tw.free(now)
	}
	if out.M.Valid = c.m[0].Valid; out.M.Valid {
		out.M.Result = c.m[0].Result
	}
	if out.CD.Valid = c.reading && c.cdAt <= now; out.CD.Valid {
		out.CD.ContextData = c.cd
	}
	out.Counters = c.visible

	if in.Rst {
		c.reset(now)
		return
	}
	c.edge(now, in, out)
}

// edge is the clock edge at the end of cycle now without reset.
func (c *Clocked) edge(now int64, in *Inputs, out *Outputs) {
	c.clean = false
	returned := out.M.Valid && in.MReady
	delivered := out.CD.Valid && in.CDReady

	if returned {
		c.m[0].Valid = false
	}
	c.leave()

	if !c.timing.Slotted() {
		c.operate(now)
	} else if c.slot(now) {
		c.look(now, in)
		c.operate(now)
	}
	if returned {
		c.credits++
	}
	if delivered {
		c.reading = false
	}

	if c.timing.Slotted() {
		return
	}
	if in.S.Valid && out.SReady {
		c.s.push(&in.S.Ack, c.flowMask)
	}
	from := now + 1
	if c.timing.Front > 0 {
		from++ // a front learns of them a cycle later than of an ACK
	}
	c.accept(from, in, in.CW.Valid && out.CWReady, in.CR.Valid && out.CRReady, in.TW.Valid && out.TWReady)
}

// leave moves results one step on, from the FIFO's memory through the registers behind it. A register takes one when it
// is empty or gives its own away.
func (c *Clocked) leave() {
	last := len(c.m) - 1
	for i := range last {
		if !c.m[i].Valid && c.m[i+1].Valid {
			c.m[i], c.m[i+1].Valid = c.m[i+1], false
		}
	}
	if !c.m[last].Valid && c.head != c.stored {
		c.m[last].Valid, c.m[last].Result = true, c.ring[c.head&c.ringMask()].result
		c.head++
	}
}

// accept takes elements of the streams other than s, which may be taken from their slices from cycle from on.
func (c *Clocked) accept(from int64, in *Inputs, cw, cr, tw bool) {
	if cw {
		c.cw.fill(from)
		c.cwData = in.CW.ContextWrite
		c.cwData.Flow &= c.flowMask
	}
	if cr {
		c.cr.fill(from)
		c.crFlow = in.CR.Flow & c.flowMask
	}
	if tw {
		c.tw.fill(from)
		c.twData = in.TW.TableWrite
		c.twData.Table &= 15
	}
}

// slot tells whether something may be issued in cycle now where there are no slices: after reset the memories
// are cleared, an address a cycle; the cycles of issue are multiples of the interval, counted from the first
// without reset.
func (c *Clocked) slot(now int64) bool {
	since := now - c.resetAt - 1
	return since >= int64(c.timing.Sweep) && since%int64(c.timing.Interval) == 0
}

// look takes what the ports offer: an element that is not issued now is looked at again.
func (c *Clocked) look(now int64, in *Inputs) {
	c.s.clear()
	c.cw.waiting, c.cr.waiting, c.tw.waiting = false, false, false
	if in.S.Valid && c.heldS <= now {
		c.s.push(&in.S.Ack, c.flowMask)
	}
	c.accept(now, in, in.CW.Valid && c.cw.until <= now, in.CR.Valid && c.cr.until <= now, in.TW.Valid && c.tw.until <= now)
}

func (c *Clocked) issueAck(now int64, ack *Ack) {
	f := &c.ring[c.tail&c.ringMask()]
	c.tail++
	f.at = now + int64(c.timing.Latency) + 1
	c.model.ack(ack, &f.result)
	if c.OnReact != nil && f.result.Kind.Reacts() {
		c.OnReact(now, &c.model.taps)
	}
	if c.OnAck != nil {
		c.OnAck(now, ack, &f.result)
	}
}

func (c *Clocked) ringMask() uint64 { return uint64(len(c.ring) - 1) }

// reset is the state after a cycle with reset asserted.
func (c *Clocked) reset(now int64) {
	c.resetAt, c.lastAt = now, never
	if c.clean {
		return
	}
	c.clean = true
	c.model.Reset() // the sweep will have cleared it before anything issues
	c.swept = 0
	c.s.clear()
	clear(c.front)
	c.spare = operation{}
	c.cw, c.cr, c.tw = slot{}, slot{}, slot{}
	c.credits = c.timing.Credits
	c.head, c.stored, c.counted, c.tail = 0, 0, 0, 0
	c.heldS = 0
	c.visible = Counters{}
	for i := range c.m {
		c.m[i].Valid = false
	}
	c.reading = false
}
