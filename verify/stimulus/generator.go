package stimulus

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/episode"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Generator is the random Source. Not safe for concurrent use.
type Generator[E, W any] struct {
	R       random.Rand
	Temper  Temper
	Used    int // profiles in use; the law sets it
	Flows   []*Flow
	Episode Episode
	Cov     *Coverage

	cfg      *config.Engine
	timing   engine.Timing
	bins     *Bins
	draw     Draw[E, W]
	episodes episode.Series[Plan]
	settled  int // cycles after which an event has surely been issued, back-pressure aside
	open     func(flow uint32) bool
	cycle    int64 // of the run
	noisy    bool  // payloads change while valid is low

	tables []config.TableWrite // to be written, oldest first
	writes []W

	// the phase
	phaseEnd               int64
	corners                int // one event in so many is a corner case; 0: none
	mix                    flowMix
	hot                    []*Flow
	turn                   int
	tableGap, cwGap, crGap int            // mean cycles between operations; 0: none
	chase                  int            // cycles until a table write follows a context write; 0: none will
	idle                   random.Pattern // of stream s
	withdraws              int            // one cycle in so many an event, or a read, is withdrawn; 0: none is
	sinkM, sinkCD          random.Pattern

	// what the streams show
	event   E
	showing bool
	meant   int // scenario of the event
	cw      W
	writing bool
	cr      uint32
	reading bool
	tw      config.TableWrite
	tabling bool

	inFlight []int // scenarios of events taken and not yet issued, oldest first
}

// flowMix is how a phase picks the flow of an event.
type flowMix int

const (
	hotOnly    flowMix = iota // one to three flows: hazards in every event
	hotAndCold                // half of each
	spread                    // uniform
	inTurn                    // one after the other: as few hazards as possible
	flowMixes
)

// NewGenerator makes a generator for an engine with the given timing. Peek shows the engine's context of a flow, from
// the golden model.
func (l *Law[E, C, W, D, R, T, P]) NewGenerator(
	timing engine.Timing, seed uint64, peek func(flow uint32) C,
) *Generator[E, W] {
	g := &Generator[E, W]{
		cfg: l.Engine, timing: timing, bins: &l.Bins, Cov: l.NewCoverage(timing),
		episodes: Episodes(l.Engine.Flows, timing, l.Setup, seed),
		settled:  timing.Latency + 4*max(timing.InputDepth*(timing.Hazard+1), timing.Interval),
		open:     func(flow uint32) bool { c := peek(flow); return l.Model.Life(&c).Open },
	}
	g.draw = l.Draw(g, peek)
	g.begin(g.episodes.At(0))
	return g
}

// GoTo goes to the start of the episode that holds the given cycle, or of one so many episodes before it, and
// returns the first cycle there. The engine must continue from there with its state before the first reset.
func (g *Generator[E, W]) GoTo(cycle int64, before int) int64 {
	e := g.episodes.Holding(cycle, before)
	g.begin(e)
	return e.Start
}

// begin starts an episode from nothing.
func (g *Generator[E, W]) begin(e Episode) {
	g.R, g.Episode, g.cycle = random.New(e.Seed), e, e.Start
	g.Temper = [...]Temper{Sane, Sane, Sane, Tight, Wild}[g.R.N(5)]
	g.noisy = !g.R.OneIn(4)
	g.Flows, g.tables, g.writes, g.hot = nil, nil, nil, nil
	g.inFlight = g.inFlight[:0]
	g.showing, g.writing, g.reading, g.tabling, g.turn = false, false, false, false, 0
	g.draw.Program(e.Plan.Size)
	g.openFlows(e.Plan.Flows)
	g.newPhase()
}

// Queue queues a table write.
func (g *Generator[E, W]) Queue(w config.TableWrite) { g.tables = append(g.tables, w) }

// Unqueue takes the first queued table write back; false when there is none.
func (g *Generator[E, W]) Unqueue() (w config.TableWrite, ok bool) {
	if len(g.tables) == 0 {
		return w, false
	}
	w, g.tables = g.tables[0], g.tables[1:]
	return w, true
}

// openFlows draws flows, those at the ends of the range always, and queues the writes that open them.
func (g *Generator[E, W]) openFlows(flows int) {
	r, indices := &g.R, map[uint32]bool{}
	for range flows {
		i := uint32(r.N(g.cfg.Flows))
		switch len(indices) {
		case 0:
			i = 0
		case 1:
			i = uint32(g.cfg.Flows - 1)
		}
		if indices[i] {
			continue
		}
		indices[i] = true
		g.Flows = append(g.Flows, &Flow{Index: i, Number: len(g.Flows), Profile: r.N(g.Used), made: -1 << 40})
	}
	for _, f := range g.Flows {
		g.writes = append(g.writes, g.draw.Open(f))
	}
}

// newPhase draws the patterns for the next stretch of the episode.
func (g *Generator[E, W]) newPhase() {
	r := &g.R
	depth := g.timing.Latency + g.timing.Credits
	g.phaseEnd = g.cycle + int64(g.timing.Latency)*int64(1+r.N(8)) + int64(r.N(1000))
	g.corners = [...]int{0, 16, 6, 3, 2, 1}[r.N(6)]
	g.mix = [...]flowMix{hotOnly, hotAndCold, spread, spread, inTurn, inTurn}[r.N(6)]
	g.hot = g.hot[:0]
	for range 1 + r.N(3) {
		g.hot = append(g.hot, g.Flows[r.N(len(g.Flows))])
	}
	g.tableGap = [...]int{0, 2000, 400, 60}[r.N(4)]
	g.cwGap = [...]int{0, 1000, 200, 20}[r.N(4)]
	g.crGap = [...]int{0, 500, 50, 1}[r.N(4)]
	if g.withdraws = 0; g.timing.Slotted() {
		// Against the rule of a handshake; but an engine that reads its ports must not act without a transfer.
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
	g.Cov.phase(g.idle.Kind(), g.sinkM.Kind(), g.sinkCD.Kind())
}

// Pick chooses the flow of the next event; nil when none is open yet.
func (g *Generator[E, W]) Pick() *Flow {
	r := &g.R
	mix := g.mix
	if mix == hotAndCold {
		mix = hotOnly
		if r.OneIn(2) {
			mix = spread
		}
	}
	for range 4 {
		var f *Flow
		switch mix {
		case hotOnly:
			f = g.hot[r.N(len(g.hot))]
		case spread:
			f = g.Flows[r.N(len(g.Flows))]
		default:
			g.turn++
			f = g.Flows[g.turn%len(g.Flows)]
		}
		if f.Open {
			return f
		}
		mix = inTurn
	}
	return nil
}

// Next sets the inputs of the next cycle.
func (g *Generator[E, W]) Next(in *engine.Inputs[E, W]) {
	if g.Episode.Over(g.cycle) {
		g.begin(g.episodes.Next(g.Episode))
	}
	if g.cycle >= g.phaseEnd {
		g.newPhase()
	}
	r := &g.R
	in.Rst = g.Episode.InReset(g.cycle)
	in.MReady = g.sinkM.Next(r)
	in.CDReady = g.sinkCD.Next(r)
	if g.Episode.Shut(g.cycle) {
		in.MReady, in.CDReady = false, false
	}
	if in.Rst {
		g.nextInReset(in)
		return
	}
	g.offer()
	in.S.Valid, in.CW.Valid, in.CR.Valid, in.TW.Valid = g.showing, g.writing, g.reading, g.tabling
	if g.withdraws > 0 {
		in.S.Valid = in.S.Valid && !r.OneIn(g.withdraws)
		in.CR.Valid = in.CR.Valid && !r.OneIn(g.withdraws)
	}
	if in.S.Valid {
		in.S.Payload = g.event
	} else if g.noisy {
		g.draw.Scribble(&in.S.Payload)
	}
	if g.writing {
		in.CW.Payload = g.cw
	} else if g.noisy {
		g.draw.ScribbleWrite(&in.CW.Payload)
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
func (g *Generator[E, W]) nextInReset(in *engine.Inputs[E, W]) {
	v := g.R.Next()
	in.S.Valid, in.CW.Valid, in.CR.Valid, in.TW.Valid = v&1 != 0, v&2 != 0, v&4 != 0, v&8 != 0
	g.draw.Noise(&in.S.Payload)
	in.CW.Payload = g.draw.AnyWrite()
	in.CR.Payload = uint32(g.R.N(g.cfg.Flows))
	in.TW.Payload = g.draw.WildWrite()
}

// offer makes the next element of each stream that shows none.
func (g *Generator[E, W]) offer() {
	r := &g.R
	idle := !g.idle.Next(r)
	if !g.showing && !idle {
		g.meant, g.showing = g.makeEvent(&g.event)
	}
	if g.chase > 0 {
		g.chase--
	}
	if !g.tabling {
		switch {
		case g.chase == 1 && len(g.tables) == 0:
			g.tw, g.tabling = g.draw.Rewrite(), true
		case len(g.tables) > 0:
			g.tw, g.tabling = g.Unqueue()
		case g.tableGap > 0 && r.OneIn(g.tableGap):
			g.tw, g.tabling = g.draw.Rewrite(), true
		}
	}
	if !g.writing {
		switch {
		case len(g.writes) > 0:
			g.cw, g.writing = g.writes[0], true
			g.writes = g.writes[1:]
		case g.cwGap > 0 && r.OneIn(g.cwGap):
			g.cw, g.writing = g.draw.Write(), true
		}
	}
	if !g.reading && g.crGap > 0 && r.OneIn(g.crGap) {
		g.cr, g.reading = uint32(r.Next()&random.Mask(g.cfg.FlowBits())), true
		if f := g.Pick(); f != nil && !r.OneIn(4) {
			g.cr = f.Index
		}
	}
}

// Seen advances the streams whose element the engine took.
func (g *Generator[E, W]) Seen(in *engine.Inputs[E, W], out Answer) {
	g.cycle++
	cycleBins(g.Cov, in, out)
	g.Cov.events.Hit(eventWithdrawn, g.showing && !in.S.Valid && !in.Rst)
	if in.Rst {
		g.inFlight = g.inFlight[:0]
		return
	}
	if in.S.Valid && out.S {
		g.showing = false
		if !g.timing.Slotted() {
			g.inFlight = append(g.inFlight, g.meant)
		}
	}
	if g.writing && out.CW {
		g.writing = false
		g.written(&g.cw)
		if g.R.OneIn(2) {
			// A table write goes first just when the context write need no longer wait for its flow.
			g.chase = 2 + g.R.N(g.timing.Hazard+3)
		}
	}
	if in.CR.Valid && out.CR {
		g.reading = false
	}
	if g.tabling && out.TW {
		g.tabling = false
		g.draw.TableWritten(g.tw)
	}
}

// written keeps the flows up to date with a context write.
func (g *Generator[E, W]) written(w *W) {
	s, mask := g.draw.Scope(w)
	g.Cov.contextWrite(s, mask, int(s.Flow) < g.cfg.Flows && g.open(s.Flow))
	for _, f := range g.Flows {
		if f.Index != s.Flow {
			continue
		}
		if s.Start {
			f.Open, f.Generation = true, s.Generation
		}
		if s.Close {
			f.Open = false
		}
		g.draw.Written(f, w)
		return
	}
}

// issued gives the scenario for which the event was made that the engine has just issued; false when it was made by
// nobody.
func (g *Generator[E, W]) issued() (scenario int, ok bool) {
	if g.timing.Slotted() { // the event is still at the port
		return g.meant, true
	}
	if len(g.inFlight) == 0 {
		return 0, false
	}
	scenario = g.inFlight[0]
	g.inFlight = append(g.inFlight[:0], g.inFlight[1:]...)
	return scenario, true
}
