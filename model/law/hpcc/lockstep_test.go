package hpcc_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

// plain is docs/architecture.md a second time, with the history of the engine as lists and every rule read off them in
// each cycle. It is slow and shares nothing with Clocked but the transaction-level model.
type plain struct {
	cfg   *config.NIC
	t     hpcc.Timing
	model *hpcc.Model
	fault fault

	cycle, reset int64 // reset: the last cycle with it
	last         int64 // last issue
	sweeps       int
	front        []moving // oldest first
	flows        []issue  // issues of operations of a flow
	s            []taken[hpcc.Ack]
	cw           []taken[hpcc.ContextWrite]
	cr           []taken[uint32]
	tw           []taken[config.TableWrite]
	results      []result // all since reset
	leaving      []int    // output registers of the memory that hold results, oldest first; 0 is the one at the port
	returned     int      // transfers on m
	reading      bool
	read         *hpcc.ContextData
	readAt       int64
	offered      []offered // issued from their ports and not transferred yet
}

// offered is an element that is still at its port. It acts in the cycle of its transfer, if it has been there until
// then.
type offered struct {
	to    int64
	there func(in *hpcc.Inputs) bool
	act   func()
	undo  func()
}

type issue struct {
	cycle int64
	flow  uint32
}

// taken is an element of an input stream; came is the cycle in which its slice accepted it, picked the one in which it
// was taken from there, left the first one in which the slice does not hold it.
type taken[T any] struct {
	payload            T
	came, picked, left int64
}

// moving is an operation between its slice and its issue, in register at of the front.
type moving struct {
	at      int
	flow    uint32
	waits   bool // for the operations of its flow
	ofFlow  bool
	operate func(now int64)
}

type result struct {
	issued int64
	hpcc.Result
}

// fault is a deliberate mistake, to see that the comparison notices.
type fault int

const (
	sound fault = iota
	lateValid
	shortHazard
	forgottenCredit
	countedEarly
	lowPriorityTables
	earlySight
	doneEarly
	actsWithdrawn
)

const waiting = 1 << 60

func held[T any](q []taken[T], cycle int64) (n int) {
	for _, e := range q {
		if e.left > cycle {
			n++
		}
	}
	return n
}

// oldest is the first element that waits, if it came before a cycle.
func oldest[T any](q []taken[T], before int64) *taken[T] {
	for i := range q {
		if q[i].picked == waiting && q[i].came < before {
			return &q[i]
		}
	}
	return nil
}

// leaves reports whether an element is at its port for the last time in a cycle.
func leaves[T any](q []taken[T], cycle int64) bool {
	for _, e := range q {
		if e.left == cycle+1 {
			return true
		}
	}
	return false
}

// still leaves out what waits.
func still[T any](q []taken[T]) []taken[T] {
	return slices.DeleteFunc(q, func(e taken[T]) bool { return e.picked == waiting })
}

func (p *plain) clear(cycle int64) {
	model := p.model
	model.Reset()
	*p = plain{cfg: p.cfg, t: p.t, model: model, fault: p.fault, cycle: p.cycle, reset: cycle, last: -1 << 40}
}

func (p *plain) step(in *hpcc.Inputs, out *hpcc.Outputs) {
	now := p.cycle
	p.cycle++
	if in.Rst && p.cfg.AsyncReset {
		p.clear(now)
		*out = hpcc.Outputs{}
		return
	}
	l := int64(p.t.Latency)
	up := p.reset != now-1
	*out = hpcc.Outputs{
		SReady: up && held(p.s, now) < p.t.InputDepth, CWReady: up && held(p.cw, now) < 1,
		CRReady: up && held(p.cr, now) < 1, TWReady: up && held(p.tw, now) < 1,
	}
	if p.t.InputDepth == 0 {
		out.SReady, out.CWReady = leaves(p.s, now), leaves(p.cw, now)
		out.CRReady, out.TWReady = leaves(p.cr, now), leaves(p.tw, now)
	}
	cleared := p.sweeps
	if p.t.InputDepth == 0 {
		cleared = int(now - p.reset - 1)
	}
	if p.fault == doneEarly {
		cleared++
	}
	out.InitDone = up && cleared >= p.t.Sweep
	if len(p.leaving) > 0 && p.leaving[0] == 0 {
		out.M.Valid, out.M.Payload = true, p.results[p.returned].Result
	}
	cdFrom := p.readAt + l + 1
	if p.fault == lateValid {
		cdFrom++
	}
	if p.read != nil && now >= cdFrom {
		out.CD.Valid, out.CD.Payload = true, *p.read
	}
	for _, r := range p.results {
		from := r.issued + int64(p.t.Count) + 1
		if p.fault == countedEarly {
			from--
		}
		if now < from {
			continue
		}
		counter := &out.Counters[r.Status]
		*counter = (*counter + 1) % (1 << p.cfg.CountBits)
	}
	if in.Rst {
		p.clear(now)
		return
	}

	if p.t.InputDepth > 0 {
		p.operate(now)
	} else if since := now - p.reset - 1; since >= int64(p.t.Sweep) && since%int64(p.t.Interval) == 0 {
		p.sweeps = p.t.Sweep
		offered := in.S.Valid && held(p.s, now) == 0
		p.take(now, in, offered, in.CW.Valid && held(p.cw, now) == 0, in.CR.Valid && held(p.cr, now) == 0,
			in.TW.Valid && held(p.tw, now) == 0)
		p.operate(now)
		p.s, p.cw, p.cr, p.tw = still(p.s), still(p.cw), still(p.cr), still(p.tw)
	}
	p.offered = slices.DeleteFunc(p.offered, func(o offered) bool {
		switch {
		case !o.there(in):
			if p.fault == actsWithdrawn {
				o.act()
			} else {
				o.undo()
			}
			return true
		case o.to == now:
			o.act()
			return true
		}
		return false
	})
	if out.M.Valid && in.MReady {
		p.leaving = p.leaving[1:]
		p.returned++
	}
	ahead := -1 // where the result ahead is now
	for i, at := range p.leaving {
		ahead = max(at-1, ahead+1)
		p.leaving[i] = ahead
	}
	if next := p.returned + len(p.leaving); ahead < p.t.Output-1 && next < len(p.results) &&
		p.results[next].issued+l+1 <= now {
		p.leaving = append(p.leaving, p.t.Output-1)
	}
	if out.CD.Valid && in.CDReady {
		p.read, p.reading = nil, false
	}
	if p.t.InputDepth > 0 {
		p.take(now, in, in.S.Valid && out.SReady, in.CW.Valid && out.CWReady, in.CR.Valid && out.CRReady, in.TW.Valid &&
			out.TWReady)
	}
}

// take appends elements offered to their streams in a cycle.
func (p *plain) take(now int64, in *hpcc.Inputs, s, cw, cr, tw bool) {
	mask := uint32(1)<<p.cfg.FlowBits() - 1
	if s {
		a := in.S.Payload
		a.Flow &= mask
		p.s = append(p.s, taken[hpcc.Ack]{a, now, waiting, waiting})
	}
	if cw {
		w := in.CW.Payload
		w.Flow &= mask
		p.cw = append(p.cw, taken[hpcc.ContextWrite]{w, now, waiting, waiting})
	}
	if cr {
		p.cr = append(p.cr, taken[uint32]{in.CR.Payload & mask, now, waiting, waiting})
	}
	if tw {
		p.tw = append(p.tw, taken[config.TableWrite]{in.TW.Payload, now, waiting, waiting})
	}
}

// operate advances the operations in the front, oldest first, and takes the next one.
func (p *plain) operate(now int64) {
	var still []moving
	inFirst := 0
	for _, op := range p.front {
		if op.at == 0 {
			inFirst++
		}
	}
	above := p.t.Front // the lowest register that an older operation has; the pipeline follows the last
	for _, op := range p.front {
		switch {
		case op.at == above: // after another in the first register
		case op.at == p.t.Front-1:
			if p.enters(now, op) {
				continue
			}
		case op.at+1 < above:
			op.at++
		}
		above = op.at
		still = append(still, op)
	}
	p.front = still
	if inFirst == 2 || p.t.Front > 0 && now == p.reset+1 {
		return
	}
	take, op := p.next(now)
	if take == nil {
		return
	}
	if p.t.Front == 0 {
		if !p.mayIssue(now, op) {
			return
		}
		take()
		p.enters(now, op)
		return
	}
	take()
	p.front = append(p.front, op)
}

// next is the operation whose turn it is, and what taking it does.
func (p *plain) next(now int64) (take func(), op moving) {
	if p.sweeps < p.t.Sweep {
		// The clearing of index i counts as an operation of flow i mod 2^FlowBits.
		return func() { p.sweeps++ }, moving{flow: uint32(p.sweeps) & (1<<p.cfg.FlowBits() - 1), ofFlow: true,
			operate: func(int64) {}}
	}
	used := 0
	for i := range p.s {
		if p.s[i].picked != waiting {
			used++
		}
	}
	credits := p.t.Credits - used + p.returned
	if p.fault == forgottenCredit {
		credits++
	}
	// What came less than Told before is not seen yet, but for an ACK.
	before, beforeRead := now-int64(p.t.Told)+1, now-int64(p.t.ToldRead)+1
	if p.fault == earlySight {
		before++
	}
	tw, cw, cr, s := oldest(p.tw, before), oldest(p.cw, before), oldest(p.cr, beforeRead), oldest(p.s, waiting)
	l := int64(p.t.Latency)
	// The slices grow, so that elements move in memory: later steps must not hold a pointer.
	twAt, cwAt := len(p.tw)-1, len(p.cw)-1
	switch {
	case tw != nil && (p.fault != lowPriorityTables || cw == nil):
		write := tw.payload
		return func() { tw.picked, tw.left = now, waiting }, moving{operate: func(at int64) {
			p.model.WriteTable(write)
			p.tw[twAt].left = at + l + 1
		}}
	case cw != nil:
		write := cw.payload
		return func() { cw.picked, cw.left = now, waiting }, moving{flow: write.Flow, waits: true, ofFlow: true,
			operate: func(at int64) {
				p.model.WriteContext(write)
				p.cw[cwAt].left = at + l + 1
			}}
	case cr != nil && !p.reading:
		flow := cr.payload
		left := now + 1
		if p.t.InputDepth == 0 {
			left = now + int64(p.t.HoldRead) + 1
		}
		act := func(at int64) {
			data := p.model.ReadContext(flow)
			p.read, p.readAt = &data, at
		}
		return func() { cr.picked, cr.left, p.reading = now, left, true }, moving{flow: flow, waits: true, ofFlow: true,
			operate: func(at int64) {
				if p.t.InputDepth > 0 {
					act(at)
					return
				}
				undo := func() { p.reading, p.cr = false, p.cr[:len(p.cr)-1] }
				there := func(in *hpcc.Inputs) bool { return in.CR.Valid }
				p.offered = append(p.offered, offered{at + int64(p.t.HoldRead), there, func() { act(at) }, undo})
			}}
	case s != nil && credits > 0:
		ack := s.payload
		left := now + 1
		if p.t.InputDepth == 0 {
			left = now + int64(p.t.Hold) + 1
		}
		act := func(at int64) { p.results = append(p.results, result{at, p.model.Event(ack)}) }
		return func() { s.picked, s.left = now, left }, moving{flow: ack.Flow, waits: true, ofFlow: true,
			operate: func(at int64) {
				if p.t.InputDepth > 0 {
					act(at)
					return
				}
				undo := func() { p.s = p.s[:len(p.s)-1] }
				p.offered = append(p.offered,
					offered{at + int64(p.t.Hold), func(in *hpcc.Inputs) bool { return in.S.Valid }, func() { act(at) }, undo})
			}}
	}
	return nil, op
}

// enters issues an operation if it may.
func (p *plain) enters(now int64, op moving) bool {
	if !p.mayIssue(now, op) {
		return false
	}
	op.operate(now)
	if op.ofFlow {
		p.flows = append(p.flows, issue{now, op.flow})
	}
	p.last = now
	return true
}

func (p *plain) mayIssue(now int64, op moving) bool {
	hazard := int64(p.t.Hazard)
	if p.fault == shortHazard {
		hazard--
	}
	if now-p.last < int64(p.t.Interval) {
		return false
	}
	for _, i := range p.flows {
		if op.waits && i.flow == op.flow && now-i.cycle <= hazard {
			return false
		}
	}
	return true
}

// traffic drives both engines: streams hold valid and payload until taken.
type traffic struct {
	t                    *rapid.T
	tables               []config.TableWrite
	in                   hpcc.Inputs
	s, cw, cr, tw, m, cd int // how often, in percent
	resets               bool
	withdraw             int
	acks                 int
}

func (g *traffic) percent(n int, what string) bool {
	return rapid.IntRange(0, 99).Draw(g.t, what) < n
}

func (g *traffic) pick(n int, what string) int { return rapid.IntRange(0, n-1).Draw(g.t, what) }

func (g *traffic) next(out *hpcc.Outputs, cycle int) *hpcc.Inputs {
	in := &g.in
	if in.S.Valid && out.SReady || in.Rst {
		in.S.Valid = false
	}
	if in.CW.Valid && out.CWReady || in.Rst {
		in.CW.Valid = false
	}
	if in.CR.Valid && out.CRReady || in.Rst {
		in.CR.Valid = false
	}
	if in.TW.Valid && out.TWReady || in.Rst {
		in.TW.Valid = false
	}
	in.Rst = cycle < 2 || g.resets && g.percent(1, "reset")
	if !in.TW.Valid && g.percent(g.tw, "tw") {
		in.TW.Valid, in.TW.Payload = true, g.tables[g.pick(len(g.tables), "table write")]
	}
	if !in.CW.Valid && g.percent(g.cw, "cw") {
		in.CW.Valid, in.CW.Payload = true, hpcc.ContextWrite{
			Flow: uint32(g.pick(6, "cw flow")), Mask: uint8(g.pick(128, "mask")), U: 1 << 24, Wc: 1 << 28, W: 1 << 27, Stage: 1,
			Generation: uint8(g.pick(4, "life")),
		}
	}
	if !in.CR.Valid && g.percent(g.cr, "cr") {
		in.CR.Valid, in.CR.Payload = true, uint32(g.pick(6, "cr flow"))
	}
	if !in.S.Valid && g.percent(g.s, "s") {
		g.acks++
		in.S.Valid, in.S.Payload = true, steadyAck(g.pick(6, "flow"), g.acks)
		in.S.Payload.Generation, in.S.Payload.Tag = uint8(g.pick(4, "generation"))&uint8(g.pick(4,
			"old generation")), uint64(g.acks)
		in.S.Payload.Nhop = g.pick(8, "nhop")
		in.S.Payload.Hop[0].TS -= uint64(g.pick(2, "old")) * 5000
	}
	// An ACK, or a read, may be withdrawn while its ready is low.
	in.S.Valid = in.S.Valid && !g.percent(g.withdraw, "s withdrawn")
	in.CR.Valid = in.CR.Valid && !g.percent(g.withdraw, "cr withdrawn")
	in.MReady, in.CDReady = g.percent(g.m, "m_ready"), g.percent(g.cd, "cd_ready")
	return in
}

// diverges runs both engines in lockstep and returns the first cycle whose outputs differ, or -1.
func diverges(t *rapid.T, cfg *config.NIC, tables []config.TableWrite, fault fault, cycles int) int {
	num := func(low, high int, name string) int { return rapid.IntRange(low, high).Draw(t, name) }
	timing := hpcc.Timing{
		Latency: num(1, 9, "latency"), Interval: num(1, 3, "interval"), Hazard: num(0, 6, "hazard"),
		Credits: num(1, 9, "credits"),
		Sweep:   num(0, 9, "sweep"), InputDepth: num(0, 2, "input depth"),
	}
	timing.Count, timing.Output = num(0, timing.Latency+1, "count"), num(1, 3, "output")
	if timing.InputDepth > 0 {
		timing.Front, timing.Told, timing.ToldRead = num(0, 3, "front"), num(1, 3, "told"), num(1, 3, "told of a read")
	} else {
		timing.Interval += num(1, 3, "longer interval")
		timing.Hazard, timing.Hold = 0, num(1, min(timing.Interval-1, timing.Latency), "hold")
		timing.HoldRead = num(1, timing.Interval-1, "hold of a read")
		timing.Count = max(timing.Count, timing.Hold)
	}
	if fault == shortHazard {
		timing.Interval, timing.Hazard, timing.InputDepth = 1, max(timing.Hazard, 1), max(timing.InputDepth, 1)
		timing.Told, timing.ToldRead = max(timing.Told, 1), max(timing.ToldRead, 1)
		timing.Hold, timing.HoldRead = 0, 0
	}
	c, err := hpcc.NewClocked(cfg, timing)
	require.NoError(t, err)
	model, err := hpcc.New(cfg)
	require.NoError(t, err)
	p := &plain{cfg: cfg, t: timing, model: model, fault: fault}
	p.clear(-1)
	g := &traffic{t: t, tables: tables, s: num(10, 100, "s load"), cw: num(0, 40, "cw load"), cr: num(0, 40, "cr load"),
		tw: num(0, 40, "tw load"), m: num(5, 100, "m load"), cd: num(5, 100, "cd load"), resets: rapid.Bool().Draw(t,
			"resets"), withdraw: rapid.SampledFrom([]int{0, 20}).Draw(t, "withdraw")}
	var out, want hpcc.Outputs
	for cycle := range cycles {
		in := *g.next(&out, cycle)
		out = hpcc.Outputs{}
		c.Cycle(&in, &out)
		p.step(&in, &want)
		if fault == sound {
			require.Equal(t, want, out, "cycle %d", cycle)
		} else if want != out {
			return cycle
		}
	}
	return -1
}

func TestClockedAgainstPlain(t *testing.T) {
	for _, async := range []bool{false, true} {
		cfg := line(t)
		cfg.AsyncReset, cfg.Flows, cfg.CountBits, cfg.TagBits = async, 5, 3, 5
		tables, _ := program(t, cfg, 1)
		rapid.Check(t, func(t *rapid.T) { diverges(t, cfg, tables, sound, 150) })
	}
}

// The comparison notices each mistake that a clocked engine is likely to have.
func TestLockstepNoticesFaults(t *testing.T) {
	cfg := line(t)
	cfg.Flows = 5
	tables, _ := program(t, cfg, 1)
	for name, f := range map[string]fault{
		"valid a cycle late": lateValid, "hazard a cycle short": shortHazard, "one credit too many": forgottenCredit,
		"counters a cycle early": countedEarly, "context writes before table writes": lowPriorityTables,
		"commands seen a cycle early": earlySight,
		"init_done a cycle early":     doneEarly, "an ACK that was withdrawn": actsWithdrawn,
	} {
		t.Run(name, func(t *testing.T) {
			found := 0
			rapid.Check(t, func(t *rapid.T) {
				if diverges(t, cfg, tables, f, 100) >= 0 {
					found++
				}
			})
			require.Positive(t, found)
		})
	}
}
