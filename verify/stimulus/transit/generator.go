package transit

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/episode"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Source gives the inputs of one cycle after the other. Next sets every field of in that has a
// meaning; Seen tells what the device answered in the same cycle, so that a stream can go on.
type Source interface {
	Next(in *csig.Inputs)
	Seen(in *csig.Inputs, out *csig.Outputs)
}

// Generator is the random Source. Not safe for concurrent use.
type Generator struct {
	// Meter, when set, shows the state of a port's measurement in the golden model, for coverage.
	Meter func(port int) csig.Meter

	cfg      *config.CSIG
	timing   csig.Timing
	episodes episode.Series[plan]
	width    int // bytes of a beat
	cov      *Coverage

	r       random.Rand
	cycle   int64 // of the run
	episode Episode
	known   knowledge
	locals  [][csig.Types][2]uint32 // by egress port, type and size: the code found last
	seen    [csig.Types]uint64      // by type: the value found last

	// the phase
	phaseStart, phaseEnd int64
	mixStart             int64 // since when packets of its mix are offered; before phaseStart: not yet
	mix                  Mix
	pace                 pace
	load                 int // in 64ths
	hot, few             int // an egress port, and how many from it on take the packets; 0: all
	odd                  bool
	huge                 int // packets of more than 65,535 bytes still allowed
	strip                struct{ ingress, egress int }
	opGap, readGap       int            // mean cycles between operations; 0: none
	idle                 random.Pattern // between packets
	gap                  random.Pattern // inside of packets
	sink, sinkB, sinkR   random.Pattern
	lagging              bool // address and data of a write come apart

	// time
	now, lastDelay, lastQueue uint64
	marks                     []uint64
	moment                    moment
	turn                      int
	rest                      int // packets until time passes, about

	// what the streams show
	packet   Packet
	sent     int // bytes of it that were taken
	offered  bool
	between  bool // no packet is under way
	write    Write
	writing  bool // write is under way
	awAt     int64
	wAt      int64
	writes   []Write // to be written, oldest first
	read     uint16
	reading  bool
	inFlight []flight // packets begun and not yet decided, oldest first
}

// flight is what coverage wants to know of a packet.
type flight struct {
	mix    Mix
	meta   csig.Meta
	length int
	moment moment
}

// New makes a generator for a design with the given timing; cov may be nil.
func New(cfg *config.CSIG, timing csig.Timing, seed uint64, cov *Coverage) *Generator {
	if cov == nil {
		cov = NewCoverage(cfg)
	}
	g := &Generator{
		cfg: cfg, timing: timing, episodes: Episodes(cfg, timing, seed), width: cfg.DataBits / 8, cov: cov,
		locals: make([][csig.Types][2]uint32, cfg.Ports), marks: make([]uint64, cfg.Ports),
	}
	g.begin(g.episodes.At(0))
	return g
}

// GoTo goes to the start of the episode that holds the given cycle, or of one so many episodes before it, and
// returns the first cycle there. The device must go on from there with its state before the first reset.
func (g *Generator) GoTo(cycle int64, before int) int64 {
	e := g.episodes.Holding(cycle, before)
	g.begin(e)
	return e.Start
}

// Coverage is what the generator counts in.
func (g *Generator) Coverage() *Coverage { return g.cov }

// Cycle is the number of the cycle that the next call of Next is for.
func (g *Generator) Cycle() int64 { return g.cycle }

// begin starts an episode from nothing.
func (g *Generator) begin(e Episode) {
	g.r, g.episode, g.cycle = random.New(e.Seed), e, e.Start
	r := &g.r
	g.known.reset(g.cfg)
	clear(g.locals)
	clear(g.marks)
	g.seen = [csig.Types]uint64{}
	g.now = r.Bits(g.cfg.TimeBits)
	g.lastDelay, g.lastQueue, g.turn, g.huge, g.rest = 0, 0, 0, 2, 100
	g.writes = g.writes[:0]
	g.offered, g.between, g.writing, g.reading, g.sent = false, true, false, false, 0
	g.inFlight = g.inFlight[:0]
	g.mixStart = -1
	g.program(e.Plan)
	g.cov.begun(e)
	g.newPhase()
}

// newPhase draws the patterns for the next stretch of the episode.
func (g *Generator) newPhase() {
	r := &g.r
	depth := g.timing.Decision + g.timing.Credits
	g.phaseStart = g.cycle
	g.phaseEnd = g.cycle + int64(2*depth) + int64(r.N(2500))
	g.mix = Mix(r.N(int(mixes)))
	g.pace = pace(r.N(int(paces)))
	g.load = 8 + r.N(64)
	g.hot = r.N(g.cfg.Ports)
	g.few = [...]int{0, 0, 1, 2, 4}[r.N(5)]
	g.odd = r.OneIn(2)
	if g.mix == Dense { // so that the bytes of a window can saturate
		g.few, g.pace = 1, [...]pace{still, steps}[r.N(2)]
		g.phaseEnd += 4000
		if len(g.writes) == 0 { // and be seen
			g.stageCapacity(1, updateAll, 1<<32-1)
			g.set(registers.PortCommit, uint64(g.hot))
		}
	}
	g.opGap = [...]int{0, 1000, 100, 20}[r.N(4)]
	g.readGap = [...]int{0, 500, 60, 1}[r.N(4)]
	g.lagging = r.OneIn(2)
	if g.mix == Stripped {
		g.stripAll()
	}
	// Half of the phases run one side freely: patterns on both at once hide each other's effects.
	g.idle = random.NewPattern(r, random.Always, depth)
	g.gap = random.NewPattern(r, random.Always, depth)
	g.sink = random.NewPattern(r, random.Always, depth)
	any := func() random.Pattern {
		return random.NewPattern(r, random.PatternKind(r.N(int(random.PatternKinds))), depth)
	}
	source := func() {
		// A source that never comes is not one.
		some := func() random.Pattern { return random.NewPattern(r, random.PatternKind(r.N(int(random.Off))), depth) }
		switch r.N(3) {
		case 0:
			g.idle = some()
		case 1:
			g.gap = some()
		default:
			g.idle, g.gap = some(), some()
		}
	}
	switch r.N(6) {
	case 0, 1:
		source()
	case 2:
		g.sink = any()
	case 3:
		source()
		g.sink = any()
	}
	g.sinkB, g.sinkR = any(), any()
	if len(g.writes) > 0 { // programming must come to an end
		g.sinkB, g.sinkR = random.NewPattern(r, random.Always, depth), random.NewPattern(r, random.Mostly, depth)
		g.lagging = false
	}
	g.cov.phase(g)
}

// stripAll has everything that goes to a port, or comes from one, lose its tag.
func (g *Generator) stripAll() {
	g.opGap = 0
	g.strip.ingress, g.strip.egress = -1, -1
	if g.r.OneIn(3) {
		g.strip.ingress = g.hot
		g.stagePort(0, g.actions())
	} else {
		g.strip.egress = g.hot
		g.stagePort(1, removeAll)
	}
	g.set(registers.PortCommit, uint64(g.hot))
}

// Next sets the inputs of the next cycle.
func (g *Generator) Next(in *csig.Inputs) {
	if g.episode.Over(g.cycle) {
		g.begin(g.episodes.Next(g.episode))
	}
	if g.cycle >= g.phaseEnd {
		g.newPhase()
	}
	r := &g.r
	in.Rst = g.episode.InReset(g.cycle)
	in.MReady, in.Bus.BReady, in.Bus.RReady = g.sink.Next(r), g.sinkB.Next(r), g.sinkR.Next(r)
	if g.episode.Shut(g.cycle) {
		in.MReady, in.Bus.BReady, in.Bus.RReady = false, false, false
	}
	if in.Rst {
		g.nextInReset(in)
		return
	}
	g.offer(in)
	g.access(in)
}

// nextInReset offers what the reset must swallow.
func (g *Generator) nextInReset(in *csig.Inputs) {
	v := g.r.Next()
	g.makePacket()
	g.packet.beat(in, 0, g.width)
	in.Valid = v&1 != 0
	u := &in.Bus
	u.AWValid, u.WValid, u.ARValid = v&2 != 0, v&4 != 0, v&8 != 0
	u.AWAddr, u.ARAddr, u.WData, u.WStrb = registers.PortCommit, registers.PortCommit, uint32(v>>32), allStrobes
}

// offer shows a beat, a new one when none is waiting.
func (g *Generator) offer(in *csig.Inputs) {
	if !g.offered {
		if g.between {
			if g.offered = g.idle.Next(&g.r); g.offered {
				g.makePacket()
				g.sent, g.between = 0, false
				if g.mixStart < g.phaseStart {
					g.mixStart = g.cycle
				}
			}
		} else {
			g.offered = g.gap.Next(&g.r)
		}
	}
	in.Valid = g.offered
	if g.offered {
		g.packet.beat(in, g.sent, g.width)
	} else { // what is there means nothing
		in.Beat.Last = !in.Beat.Last
		in.Beat.Len = g.width
		in.Beat.Data[g.cycle&int64(g.width-1)] ^= 0x5a
	}
}

// makePacket makes the next packet.
func (g *Generator) makePacket() {
	r := &g.r
	p := &g.packet
	p.Meta = g.meta(60)
	var tagEnd int
	p.Bytes, tagEnd = g.appendHeaders(p.Bytes[:0], &p.Meta, g.tagged())
	n := g.length(len(p.Bytes), tagEnd)
	p.Behind = p.Behind[:0]
	if n < len(p.Bytes) {
		// What is cut off stays in the last beat: a device must not take it for part of the packet.
		p.Behind = append(p.Behind, p.Bytes[n:]...)
		p.Bytes = p.Bytes[:n]
	}
	for len(p.Bytes) < n {
		v := r.Next()
		for i := 0; i < 8 && len(p.Bytes) < n; i++ {
			p.Bytes = append(p.Bytes, byte(v>>(8*i)))
		}
	}
}

// access shows reads and writes.
func (g *Generator) access(in *csig.Inputs) {
	r, u := &g.r, &in.Bus
	if !g.writing {
		if len(g.writes) == 0 && g.opGap > 0 && r.OneIn(g.opGap) {
			g.operate()
		}
		if len(g.writes) > 0 && (!g.lagging || r.OneIn(4)) {
			g.write, g.writing = g.writes[0], true
			g.writes = append(g.writes[:0], g.writes[1:]...)
			if g.lagging {
				g.write.Lag = r.N(9) - 4
			}
			g.awAt, g.wAt = g.cycle+int64(max(0, -g.write.Lag)), g.cycle+int64(max(0, g.write.Lag))
		}
	}
	u.AWValid, u.WValid = g.writing && g.cycle >= g.awAt, g.writing && g.cycle >= g.wAt
	if u.AWValid {
		u.AWAddr = g.write.Addr
	} else {
		u.AWAddr ^= 4
	}
	if u.WValid {
		u.WData, u.WStrb = g.write.Data, g.write.Strb
	} else {
		u.WData++
	}
	if !g.reading && g.readGap > 0 && r.OneIn(g.readGap) {
		g.read, g.reading = g.readAddress(), true
	}
	u.ARValid = g.reading
	if g.reading {
		u.ARAddr = g.read
	} else {
		u.ARAddr ^= 4
	}
}

// Seen goes on where the device took something.
func (g *Generator) Seen(in *csig.Inputs, out *csig.Outputs) {
	g.cov.cycle(g, in, out)
	g.cycle++
	if in.Rst {
		g.inFlight = g.inFlight[:0]
		return
	}
	if in.Valid && out.Ready {
		if g.sent == 0 {
			g.inFlight = append(g.inFlight, flight{g.mix, in.Meta, len(g.packet.Bytes), g.moment})
		}
		g.sent += in.Beat.Len
		g.offered = false
		g.between = in.Beat.Last
	}
	if g.writing && out.Bus.AWReady {
		g.writing = false
		g.known.written(&g.write)
	}
	if g.reading && out.Bus.ARReady {
		g.reading = false
	}
}

// Decided is to be called when the device has decided what happens to a packet (csig.Clocked.OnDecision).
func (g *Generator) Decided(ev *csig.Event) {
	if len(g.inFlight) == 0 {
		return
	}
	f := g.inFlight[0]
	g.inFlight = append(g.inFlight[:0], g.inFlight[1:]...)
	g.cov.decided(g, &f, ev)
	if ev.Status == csig.Updated || ev.Status == csig.Kept {
		g.locals[f.meta.EgressPort][ev.Tag.Type][ev.Place.Size] = ev.Code
		g.seen[ev.Tag.Type] = ev.Value
	}
}
