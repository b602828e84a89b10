package engine

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

// Clocked is the engine cycle by cycle: a Model after register slices, issue rules, latency and the output FIFO. It is
// not safe for concurrent use.
type Clocked[E, C, W, D, R, T, P any] struct {
	// OnReact, when set, is called for each event to which the law reacts, in the cycle of its issue; without slices in
	// that of its transfer. The cycle given is that of the issue. The taps are valid during the call only.
	OnReact func(cycle int64, taps *P)
	// OnEvent, when set, is called for each event like OnReact, after it. The pointers are valid during the call only.
	OnEvent func(cycle int64, e *E, r *R)

	model *Model[E, C, W, D, R, T, P]
	frame frame
	async bool
	file  *file // registers; nil: the streams of software are ports

	events    []E // by place in the frame's queue
	decisions []R // by place in the frame's results
	cw        W
	tw        config.TableWrite
	cd        D

	inside Inputs[E, W] // with registers: of the engine behind them
}

// NewClocked makes the engine as if the cycle before had reset asserted. The errors are New's, or name the timing that
// cannot be.
func NewClocked[E, C, W, D, R, T, P any](cfg *config.Engine, l Law[E, C, W, D, R, T, P], t Timing) (
	*Clocked[E, C, W, D, R, T, P], error,
) {
	m, err := New(cfg, l)
	if err != nil {
		return nil, err
	}
	if err := checkTiming(t); err != nil {
		return nil, err
	}
	c := &Clocked[E, C, W, D, R, T, P]{model: m, async: cfg.AsyncReset}
	c.frame = newFrame(m.masks, t, (*acts[E, C, W, D, R, T, P])(c))
	c.events, c.decisions = make([]E, len(c.frame.s.headers)), make([]R, len(c.frame.results.ring))
	return c, nil
}

// Now is the number of the cycle that the next call of Cycle is, from 0.
func (c *Clocked[E, C, W, D, R, T, P]) Now() int64 { return c.frame.now }

// Model is the state without the streams: everything issued so far has taken effect in it.
func (c *Clocked[E, C, W, D, R, T, P]) Model() *Model[E, C, W, D, R, T, P] { return c.model }

// WithRegisters puts registers before the streams of software.
func (c *Clocked[E, C, W, D, R, T, P]) WithRegisters(cfg *config.Engine, s *config.Software) (err error) {
	c.file, err = newFile(cfg, s, c.frame.timing.Bus)
	return err
}

// Cycle sets out to the outputs of this cycle, which follow from the state at its start (and, with the asynchronous
// reset, from in.Rst), and then takes the clock edge at its end.
func (c *Clocked[E, C, W, D, R, T, P]) Cycle(in *Inputs[E, W], out *Outputs[D, R]) {
	if c.file == nil {
		c.cycle(in, out)
		return
	}
	r, now, i := c.file, c.frame.now, &c.inside
	if in.Rst && c.async {
		r.Reset()
	}
	i.Rst, i.S, i.MReady, i.CDReady = in.Rst, in.S, in.MReady, true
	i.TW.Valid = r.command.offset == registers.TableWrite
	i.CW.Valid = r.command.offset == registers.ContextWrite
	i.CR.Valid = r.command.offset == registers.ContextRead
	switch {
	case i.TW.Valid:
		i.TW.Payload = r.table()
	case i.CW.Valid:
		i.CW.Payload = c.model.law.Compose(r.command.data&0xffff, uint8(r.command.data>>registers.ContextWriteMask),
			r.fields())
	case i.CR.Valid:
		i.CR.Payload = r.command.data & 0xffff
	}
	c.cycle(i, out)
	r.bus.Outputs(now, &out.SAXIL)
	out.IRQ = r.irq
	if in.Rst {
		r.Reset()
		return
	}
	if i.TW.Valid && out.TWReady || i.CW.Valid && out.CWReady || i.CR.Valid && out.CRReady {
		r.taken(now)
	}
	if out.CD.Valid {
		r.show(now, c.model.law.Fields(&out.CD.Payload))
	}
	r.end(now, &in.SAXIL, out.InitDone, &out.Counters)
}

// cycle is Cycle of the engine without registers.
func (c *Clocked[E, C, W, D, R, T, P]) cycle(in *Inputs[E, W], out *Outputs[D, R]) {
	f := &c.frame
	now := f.now
	f.now++
	if in.Rst && c.async {
		f.reset(now)
		*out = Outputs[D, R]{M: out.M, CD: out.CD}
		out.M.Valid, out.CD.Valid = false, false
		return
	}

	// The outputs, from registers only.
	f.results.arrive(now, int64(f.timing.Latency-f.timing.Count), f.masks.count)
	out.SReady, out.CWReady, out.CRReady, out.TWReady = f.ready(now)
	out.InitDone = f.resetAt != now-1 && f.initDone(now)
	if out.M.Valid = f.results.regs[0].full; out.M.Valid {
		out.M.Payload = c.decisions[f.results.regs[0].place]
	}
	if out.CD.Valid = f.reading && f.cdAt <= now; out.CD.Valid {
		out.CD.Payload = c.cd
	}
	out.Counters = f.results.visible

	if in.Rst {
		f.reset(now)
		return
	}
	c.edge(now, in, out)
}

// edge is the clock edge at the end of cycle now without reset.
func (c *Clocked[E, C, W, D, R, T, P]) edge(now int64, in *Inputs[E, W], out *Outputs[D, R]) {
	f := &c.frame
	f.clean = false
	returned := out.M.Valid && in.MReady
	delivered := out.CD.Valid && in.CDReady
	f.results.leave(returned)

	switch {
	case !f.timing.Slotted():
		f.operate(now)
	case f.slot(now):
		// An element that is not issued now is looked at again.
		f.s.clear()
		f.cw.waiting, f.cr.waiting, f.tw.waiting = false, false, false
		c.accept(now, in, in.S.Valid, in.CW.Valid && f.cw.until <= now, in.CR.Valid, in.TW.Valid && f.tw.until <= now)
		f.operate(now)
	default:
		f.transfer(now, in.S.Valid, in.CR.Valid)
	}
	if returned {
		f.credits++
	}
	if delivered {
		f.reading = false
	}
	if f.timing.Slotted() {
		return
	}
	c.accept(now, in, in.S.Valid && out.SReady,
		in.CW.Valid && out.CWReady, in.CR.Valid && out.CRReady, in.TW.Valid && out.TWReady)
}

// accept takes elements of the streams in.
func (c *Clocked[E, C, W, D, R, T, P]) accept(now int64, in *Inputs[E, W], s, cw, cr, tw bool) {
	f, law := &c.frame, c.model.law
	from := now + int64(f.timing.Told) // of a write
	if s {
		h := law.Header(&in.S.Payload)
		h.Flow &= f.masks.flow
		c.events[f.s.push(h)] = in.S.Payload
	}
	if cw {
		f.cw.fill(law.Scope(&in.CW.Payload).Flow&f.masks.flow, from)
		c.cw = in.CW.Payload
	}
	if cr {
		f.cr.fill(in.CR.Payload&f.masks.flow, now+int64(f.timing.ToldRead))
	}
	if tw {
		f.tw.fill(0, from)
		c.tw = in.TW.Payload
		c.tw.Table &= 15
	}
}

// acts is Clocked as the frame's payloads.
type acts[E, C, W, D, R, T, P any] Clocked[E, C, W, D, R, T, P]

func (c *acts[E, C, W, D, R, T, P]) reset() { c.model.Reset() }

func (c *acts[E, C, W, D, R, T, P]) table() { c.model.WriteTable(c.tw) }

func (c *acts[E, C, W, D, R, T, P]) write(flow uint32) {
	s := c.model.law.Scope(&c.cw)
	s.Flow = flow
	c.model.write(s, &c.cw)
}

func (c *acts[E, C, W, D, R, T, P]) read(flow uint32) { c.cd = c.model.ReadContext(flow) }

func (c *acts[E, C, W, D, R, T, P]) event(issued int64, h Header, from, to int) (status uint8) {
	e, r := &c.events[from], &c.decisions[to]
	status, reacts := c.model.event(h, e, r)
	if reacts && c.OnReact != nil {
		c.OnReact(issued, &c.model.taps)
	}
	if c.OnEvent != nil {
		c.OnEvent(issued, e, r)
	}
	return status
}
