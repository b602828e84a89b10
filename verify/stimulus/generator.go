package stimulus

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/episode"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Source gives the inputs of one cycle after the other. Next sets every field of in that has a
// meaning; Seen tells what the engine answered in the same cycle, so that a stream can go on.
type Source interface {
	Next(in *hpcc.Inputs)
	Seen(in *hpcc.Inputs, out *hpcc.Outputs)
}

// Generator is the random Source. Not safe for concurrent use.
type Generator struct {
	cfg      *config.NIC
	timing   hpcc.Timing
	episodes episode.Series[plan]
	settled  int // cycles after which an ACK has surely been issued, back-pressure aside
	peek     func(flow uint32) hpcc.Context
	cov      *Coverage

	r       random.Rand
	cycle   int64 // of the run
	episode Episode
	temper  temper
	noisy   bool // payloads change while valid is low

	// what software would know
	known    []uint32         // rate codes made known
	used     int              // profiles in use
	profiles []config.Profile // by index
	invB     []uint64         // by rate code, as written
	rtt      []uint64         // by profile, as written
	flows    []*flow
	tables   []config.TableWrite // to be written, oldest first
	writes   []hpcc.ContextWrite

	// the phase
	phaseEnd               int64
	corners                int // one ACK in so many is a corner case; 0: none
	mix                    flowMix
	hot                    []*flow
	turn                   int
	tableGap, cwGap, crGap int            // mean cycles between operations; 0: none
	chase                  int            // cycles until a table write follows a context write; 0: none will
	idle                   random.Pattern // of stream s
	withdraws              int            // one cycle in so many an ACK, or a read, is withdrawn; 0: none is
	sinkM, sinkCD          random.Pattern

	// what the streams show
	ack     hpcc.Ack
	acking  bool
	meant   Scenario
	cw      hpcc.ContextWrite
	writing bool
	cr      uint32
	reading bool
	tw      config.TableWrite
	tabling bool

	inFlight []Scenario // of ACKs taken and not yet issued, oldest first
}

// flowMix is how a phase picks the flow of an ACK.
type flowMix int

const (
	hotOnly    flowMix = iota // one to three flows: hazards in every ACK
	hotAndCold                // half of each
	spread                    // uniform
	inTurn                    // one after the other: as few hazards as possible
	flowMixes
)

// New makes a generator for a design with the given timing. Peek shows the engine's context of a flow,
// from the golden model; cov may be nil.
func New(cfg *config.NIC, timing hpcc.Timing, seed uint64, peek func(flow uint32) hpcc.Context, cov *Coverage) *Generator {
	if cov == nil {
		cov = NewCoverage(cfg)
	}
	g := &Generator{
		cfg: cfg, timing: timing, episodes: Episodes(cfg, timing, seed), peek: peek, cov: cov,
		settled:  timing.Latency + 4*max(timing.InputDepth*(timing.Hazard+1), timing.Interval),
		profiles: make([]config.Profile, cfg.Profiles),
		invB:     make([]uint64, cfg.RateCodes()),
		rtt:      make([]uint64, cfg.Profiles),
	}
	g.begin(g.episodes.At(0))
	return g
}

// GoTo goes to the start of the episode that holds the given cycle, or of one so many episodes before it, and
// returns the first cycle there. The engine must go on from there with its state before the first reset.
func (g *Generator) GoTo(cycle int64, before int) int64 {
	e := g.episodes.Holding(cycle, before)
	g.begin(e)
	return e.Start
}

// Cycle is the number of the cycle that the next call of Next is for.
func (g *Generator) Cycle() int64 { return g.cycle }

// Episode is the episode of that cycle.
func (g *Generator) Episode() Episode { return g.episode }

// begin starts an episode from nothing.
func (g *Generator) begin(e Episode) {
	r := random.New(e.Seed)
	g.r, g.episode, g.cycle = r, e, e.Start
	g.temper = [...]temper{sane, sane, sane, tight, wild}[g.r.N(5)]
	g.noisy = !g.r.OneIn(4)
	clear(g.invB)
	clear(g.rtt)
	g.flows, g.tables, g.writes, g.hot = nil, nil, nil, nil
	g.inFlight = g.inFlight[:0]
	g.acking, g.writing, g.reading, g.tabling, g.turn = false, false, false, false, 0
	g.program(e.Plan.rates, e.Plan.flows)
	g.newPhase()
}

// newPhase draws the patterns for the next stretch of the episode.
func (g *Generator) newPhase() {
	r := &g.r
	depth := g.timing.Latency + g.timing.Credits
	g.phaseEnd = g.cycle + int64(g.timing.Latency)*int64(1+r.N(8)) + int64(r.N(1000))
	g.corners = [...]int{0, 16, 6, 3, 2, 1}[r.N(6)]
	g.mix = [...]flowMix{hotOnly, hotAndCold, spread, spread, inTurn, inTurn}[r.N(6)]
	g.hot = g.hot[:0]
	for range 1 + r.N(3) {
		g.hot = append(g.hot, g.flows[r.N(len(g.flows))])
	}
	g.tableGap = [...]int{0, 2000, 400, 60}[r.N(4)]
	g.cwGap = [...]int{0, 1000, 200, 20}[r.N(4)]
	g.crGap = [...]int{0, 500, 50, 1}[r.N(4)]
	if g.withdraws = 0; g.timing.Slotted() {
		// Against the rule of a handshake; but an engine that reads its ports must not act on what was not transferred.
		g.withdraws = [...]int{0, 0, 0, 0, 4 * g.timing.Interval, g.timing.Interval}[r.N(6)]
	}
	// Half of the phases run one side freely: patterns on both at once hide each other's effects.
	g.idle = random.NewPattern(r, random.Always, depth)
	g.sinkM = random.NewPattern(r, random.Always, depth)
	g.sinkCD = random.NewPattern(r, random.PatternKind(r.N(int(random.PatternKinds))), depth)
	switch r.N(4) {
	case 0:
		g.idle = random.NewPattern(r, random.PatternKind(r.N(int(random.Off))), depth)
	case 1:
		g.sinkM = random.NewPattern(r, random.PatternKind(r.N(int(random.PatternKinds))), depth)
	case 2:
		g.idle = random.NewPattern(r, random.PatternKind(r.N(int(random.PatternKinds))), depth)
		g.sinkM = random.NewPattern(r, random.PatternKind(r.N(int(random.PatternKinds))), depth)
	}
	g.cov.phase(g)
}

// pick chooses the flow of the next ACK; nil when none is open yet.
func (g *Generator) pick() *flow {
	r := &g.r
	mix := g.mix
	if mix == hotAndCold {
		mix = hotOnly
		if r.OneIn(2) {
			mix = spread
		}
	}
	for range 4 {
		var f *flow
		switch mix {
		case hotOnly:
			f = g.hot[r.N(len(g.hot))]
		case spread:
			f = g.flows[r.N(len(g.flows))]
		default:
			g.turn++
			f = g.flows[g.turn%len(g.flows)]
		}
		if f.open {
			return f
		}
		mix = inTurn
	}
	return nil
}

// Next sets the inputs of the next cycle.
func (g *Generator) Next(in *hpcc.Inputs) {
	if g.episode.Over(g.cycle) {
		g.begin(g.episodes.Next(g.episode))
	}
	if g.cycle >= g.phaseEnd {
		g.newPhase()
	}
	r := &g.r
	in.Rst = g.episode.InReset(g.cycle)
	in.MReady = g.sinkM.Next(r)
	in.CDReady = g.sinkCD.Next(r)
	if g.episode.Shut(g.cycle) {
		in.MReady, in.CDReady = false, false
	}
	if in.Rst {
		g.nextInReset(in)
		return
	}
	g.offer()
	in.S.Valid, in.CW.Valid, in.CR.Valid, in.TW.Valid = g.acking, g.writing, g.reading, g.tabling
	if g.withdraws > 0 {
		in.S.Valid = in.S.Valid && !r.OneIn(g.withdraws)
		in.CR.Valid = in.CR.Valid && !r.OneIn(g.withdraws)
	}
	if in.S.Valid {
		in.S.Payload = g.ack
	} else if g.noisy {
		g.scribble(&in.S.Payload)
	}
	if g.writing {
		in.CW.Payload = g.cw
	} else if g.noisy {
		in.CW.Payload.Flow, in.CW.Payload.Mask, in.CW.Payload.U = in.CW.Payload.Flow^1, in.CW.Payload.Mask+0x41, in.CW.Payload.U+0x10001
		in.CW.Payload.Generation++
	}
	if in.CR.Valid {
		in.CR.Payload = g.cr
	} else if g.noisy {
		in.CR.Payload ^= 1
	}
	if g.tabling {
		in.TW.Payload = g.tw
	} else if g.noisy {
		in.TW.Payload.Table, in.TW.Payload.Data = (in.TW.Payload.Table+1)&15, in.TW.Payload.Data+0x1000001
	}
}

// nextInReset offers operations that the reset must swallow.
func (g *Generator) nextInReset(in *hpcc.Inputs) {
	v := g.r.Next()
	in.S.Valid, in.CW.Valid, in.CR.Valid, in.TW.Valid = v&1 != 0, v&2 != 0, v&4 != 0, v&8 != 0
	g.noise(&in.S.Payload)
	in.CW.Payload = hpcc.ContextWrite{Flow: uint32(g.r.N(g.cfg.Flows)), Mask: ^hpcc.MaskClose, W: g.r.Bits(g.cfg.Formats.Window.Width())}
	in.CR.Payload = uint32(g.r.N(g.cfg.Flows))
	in.TW.Payload = g.wildWrite()
}

// scribble changes a few fields of a payload that has no meaning.
func (g *Generator) scribble(a *hpcc.Ack) {
	v := g.r.Next()
	a.Flow = uint32(v & random.Mask(g.cfg.FlowBits()))
	a.Nhop = int(v >> 60)
	a.Generation, a.Tag = uint8(v>>24), v
	h := &a.Hop[v>>57&7%uint64(g.cfg.MaxHops)]
	h.TS = v >> 16 & random.Mask(g.cfg.Telemetry.TSBits)
	h.RateCode = uint32(v >> 8 & random.Mask(g.cfg.Telemetry.RateCodeBits))
}

// offer makes the next element of each stream that shows none.
func (g *Generator) offer() {
	r := &g.r
	idle := !g.idle.Next(r)
	if !g.acking && !idle {
		g.meant, g.acking = g.makeAck(&g.ack)
	}
	if g.chase > 0 {
		g.chase--
	}
	if !g.tabling {
		switch {
		case g.chase == 1 && len(g.tables) == 0:
			g.tw, g.tabling = g.rewrite(), true
		case len(g.tables) > 0:
			g.tw, g.tabling = g.tables[0], true
			g.tables = g.tables[1:]
		case g.tableGap > 0 && r.OneIn(g.tableGap):
			g.tw, g.tabling = g.rewrite(), true
		}
	}
	if !g.writing {
		switch {
		case len(g.writes) > 0:
			g.cw, g.writing = g.writes[0], true
			g.writes = g.writes[1:]
		case g.cwGap > 0 && r.OneIn(g.cwGap):
			g.cw, g.writing = g.someWrite(), true
		}
	}
	if !g.reading && g.crGap > 0 && r.OneIn(g.crGap) {
		g.cr, g.reading = uint32(r.Next()&random.Mask(g.cfg.FlowBits())), true
		if f := g.pick(); f != nil && !r.OneIn(4) {
			g.cr = f.index
		}
	}
}

// Seen goes on where the engine took an element.
func (g *Generator) Seen(in *hpcc.Inputs, out *hpcc.Outputs) {
	g.cycle++
	g.cov.cycle(in, out)
	g.cov.hit(eventWithdrawn, g.acking && !in.S.Valid && !in.Rst)
	if in.Rst {
		g.inFlight = g.inFlight[:0]
		return
	}
	if in.S.Valid && out.SReady {
		g.acking = false
		if !g.timing.Slotted() {
			g.inFlight = append(g.inFlight, g.meant)
		}
	}
	if g.writing && out.CWReady {
		g.writing = false
		g.written(&g.cw)
		if g.r.OneIn(2) {
			// A table write goes first just when the context write need no longer wait for its flow.
			g.chase = 2 + g.r.N(g.timing.Hazard+3)
		}
	}
	if in.CR.Valid && out.CRReady {
		g.reading = false
	}
	if g.tabling && out.TWReady {
		g.tabling = false
		switch g.tw.Table {
		case config.TableRate:
			g.invB[g.tw.Index&(len(g.invB)-1)] = g.tw.Data & random.Mask(g.cfg.Formats.InvB.Width())
		case config.TableRTT:
			g.rtt[g.tw.Index&(len(g.rtt)-1)] = g.tw.Data & random.Mask(g.cfg.RTTBits)
		}
	}
}

// written keeps the flows up to date with a context write.
func (g *Generator) written(w *hpcc.ContextWrite) {
	g.cov.contextWrite(w, w.Flow < uint32(g.cfg.Flows) && g.peek(w.Flow).Open)
	for _, f := range g.flows {
		if f.index != w.Flow {
			continue
		}
		if w.Mask&hpcc.MaskStart != 0 {
			f.open, f.generation = true, w.Generation
		}
		if w.Mask&hpcc.MaskClose != 0 {
			f.open = false
		}
		if w.Mask&hpcc.MaskSeq != 0 {
			f.mark = w.Seq
		}
		return
	}
}

// Issued is to be called when the engine issues an ACK (hpcc.Clocked.OnEvent): it credits the effect to the scenario.
func (g *Generator) Issued(a *hpcc.Ack, r *hpcc.Result) {
	if g.timing.Slotted() { // the ACK is still at the port
		g.cov.ack(g.meant, a, r, g.contextOf(a))
		return
	}
	if len(g.inFlight) == 0 {
		return
	}
	g.cov.ack(g.inFlight[0], a, r, g.contextOf(a))
	g.inFlight = append(g.inFlight[:0], g.inFlight[1:]...)
}

// contextOf is the context of an ACK's flow; zero where there is none.
func (g *Generator) contextOf(a *hpcc.Ack) hpcc.Context {
	if a.Flow >= uint32(g.cfg.Flows) {
		return hpcc.Context{}
	}
	return g.peek(a.Flow)
}

// Reacted is to be called when an issued ACK reacts (hpcc.Clocked.OnReact), before Issued.
func (g *Generator) Reacted(t *hpcc.Taps) { g.cov.react(t) }
