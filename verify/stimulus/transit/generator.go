package transit

import (
	"github.com/hdlpkg/hpccgen/config/registers"
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/stimulus/episode"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Source gives the inputs of one cycle after the other. Next sets every field of in that has a
// meaning; Seen reports what the device answered in the same cycle, so that a stream can advance.
type Source interface {
	Next(in *model.Inputs)
	Seen(in *model.Inputs, out *model.Outputs)
}

// Generator is the random Source. Not safe for concurrent use.
type Generator struct {
	*Design
	R      random.Rand
	Queue  []Write // to be written, oldest first
	Moment uint8   // when the device notes the packet

	device   Device
	episodes episode.Series[Plan]
	cov      *Coverage
	cycle    int64 // of the run
	episode  Episode

	// the phase
	Mix                int // of Design.Mixes
	PhaseEnd           int64
	OpGap              int  // mean cycles between operations; 0: none
	Late               bool // packets are those of the mix once Queue has been written
	phaseStart         int64
	mixStart           int64 // since when packets of its mix are offered; before phaseStart: not yet
	readGap            int
	idle               random.Pattern // between packets
	gap                random.Pattern // inside of packets
	sink, sinkB, sinkR random.Pattern
	lagging            bool // address and data of a write come apart

	// what the streams show
	packet   Packet
	sent     int // bytes of it that were taken
	offered  bool
	between  bool // no packet is under way
	write    Write
	writing  bool // write is under way
	awAt     int64
	wAt      int64
	read     uint16
	reading  bool
	inFlight []Flight // packets begun and not yet decided, oldest first
	busy     int64    // cycle in which the device last held a packet
}

// Flight is the generator's state of a packet.
type Flight struct {
	Meta   model.Meta
	Length int
	Moment uint8

	mix int
}

// goTo goes to the start of the episode that holds the given cycle, or of one so many episodes before it, and
// returns the first cycle there. The device must continue from there with its state before the first reset.
func (g *Generator) goTo(cycle int64, before int) int64 {
	e := g.episodes.Holding(cycle, before)
	g.begin(e)
	return e.Start
}

// begin starts an episode from nothing.
func (g *Generator) begin(e Episode) {
	g.R, g.episode, g.cycle = random.New(e.Seed), e, e.Start
	g.Queue = g.Queue[:0]
	g.offered, g.between, g.writing, g.reading, g.sent = false, true, false, false, 0
	g.inFlight = g.inFlight[:0]
	g.mixStart, g.busy = -1, e.Start
	g.device.Begin(e.Plan)
	g.cov.plans[e.Plan]++
	g.newPhase()
}

// newPhase draws the patterns for the next stretch of the episode.
func (g *Generator) newPhase() {
	r := &g.R
	depth := g.Decision + g.Credits
	g.phaseStart = g.cycle
	g.PhaseEnd = g.cycle + int64(2*depth) + int64(r.N(2500))
	g.Mix, g.Late = r.N(len(g.Mixes)), false
	g.device.Phase()
	g.OpGap = [...]int{0, 1000, 100, 20}[r.N(4)]
	g.readGap = [...]int{0, 500, 60, 1}[r.N(4)]
	g.lagging = r.OneIn(2)
	g.device.Prepare()
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
	if len(g.Queue) > 0 { // programming must come to an end
		g.sinkB, g.sinkR = random.NewPattern(r, random.Always, depth), random.NewPattern(r, random.Mostly, depth)
		g.lagging = false
	}
	g.cov.phase(g)
}

// Set queues a write.
func (g *Generator) Set(addr uint32, data uint64) {
	g.Queue = append(g.Queue, Write{Addr: uint16(addr), Data: uint32(data), Strb: AllStrobes})
}

// Pauses reports whether the source has no beat in some cycles of the phase.
func (g *Generator) Pauses() bool {
	return g.idle.Kind() != random.Always || g.gap.Kind() != random.Always
}

// Quiet reports whether the device has done all that it does with the packets that it was given.
func (g *Generator) Quiet() bool { return g.cycle > g.busy+int64(g.Decision) }

// Next sets the inputs of the next cycle.
func (g *Generator) Next(in *model.Inputs) {
	if g.episode.Over(g.cycle) {
		g.begin(g.episodes.Next(g.episode))
	}
	if g.cycle >= g.PhaseEnd {
		g.newPhase()
	}
	r := &g.R
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

// nextInReset offers elements that the reset must discard.
func (g *Generator) nextInReset(in *model.Inputs) {
	v := g.R.Next()
	g.device.Packet(&g.packet)
	g.packet.beat(in, 0, g.Width())
	in.Valid = v&1 != 0
	u := &in.Bus
	u.AWValid, u.WValid, u.ARValid = v&2 != 0, v&4 != 0, v&8 != 0
	u.AWAddr, u.ARAddr, u.WData, u.WStrb = registers.PortCommit, registers.PortCommit, uint32(v>>32), AllStrobes
}

// offer shows a beat, a new one when none is waiting.
func (g *Generator) offer(in *model.Inputs) {
	if !g.offered {
		if g.between {
			if g.offered = !g.device.Hold() && g.idle.Next(&g.R); g.offered {
				g.device.Packet(&g.packet)
				g.sent, g.between = 0, false
				if g.mixStart < g.phaseStart {
					g.mixStart = g.cycle
				}
			}
		} else {
			g.offered = g.gap.Next(&g.R)
		}
	}
	in.Valid = g.offered
	width := g.DataBits / 8
	if g.offered {
		g.packet.beat(in, g.sent, width)
	} else { // the value is undefined
		in.Beat.Last = !in.Beat.Last
		in.Beat.Len = width
		in.Beat.Data[g.cycle&int64(width-1)] ^= 0x5a
	}
}

// access shows reads and writes.
func (g *Generator) access(in *model.Inputs) {
	r, u := &g.R, &in.Bus
	if !g.writing {
		if len(g.Queue) == 0 && g.OpGap > 0 && r.OneIn(g.OpGap) {
			g.device.Operate()
		}
		if len(g.Queue) > 0 && (!g.lagging || r.OneIn(4)) {
			g.write, g.writing = g.Queue[0], true
			g.Queue = append(g.Queue[:0], g.Queue[1:]...)
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
		g.read, g.reading = g.device.Address(), true
	}
	u.ARValid = g.reading
	if g.reading {
		u.ARAddr = g.read
	} else {
		u.ARAddr ^= 4
	}
}

// Seen advances the streams whose element the device took.
func (g *Generator) Seen(in *model.Inputs, out *model.Outputs) {
	g.cov.cycle(g, in, out)
	if !g.between || len(g.cov.entered) > 0 {
		g.busy = g.cycle
	}
	g.cycle++
	if in.Rst {
		g.inFlight = g.inFlight[:0]
		return
	}
	if in.Valid && out.Ready {
		if g.sent == 0 {
			g.inFlight = append(g.inFlight, Flight{in.Meta, len(g.packet.Bytes), g.Moment, g.Mix})
		}
		g.sent += in.Beat.Len
		g.offered = false
		g.between = in.Beat.Last
	}
	if g.writing && out.Bus.AWReady {
		g.writing = false
		g.device.Written(&g.write)
	}
	if g.reading && out.Bus.ARReady {
		g.reading = false
	}
}

// decided is the oldest packet in flight, which has been decided on.
func (g *Generator) decided(dropped bool) *Flight {
	f := g.inFlight[0]
	g.inFlight = append(g.inFlight[:0], g.inFlight[1:]...)
	g.cov.decided(&f, dropped)
	return &f
}
