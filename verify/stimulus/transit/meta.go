package transit

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// pace is how time passes from packet to packet in a phase.
type pace uint8

const (
	atRate pace = iota // as long as the packets take on the wire, at some load
	still              // hardly
	fast               // so that windows end often
	jumpy              // to the points at which the measurement does something else
	steps              // it stands still for hundreds of packets, then one step of the measurement passes
	paces
)

var paceNames = [paces]string{"at_rate", "still", "fast", "jumpy", "steps"}

// A moment is a point of time next to which a measurement does something else.
type moment uint8

const (
	momentNone     moment = iota
	momentSame            // no time has passed
	momentBefore          // the time of the measurement's step, less one
	momentAt              // the step
	momentAfter           // and one
	momentTwice           // around two steps; EWMA and DRE: when nothing is left
	momentBackward        // earlier than the packet before
	momentHalf            // half of the range or an eighth, and around it
	momentWraps           // the time wraps
	moments
)

var momentNames = [moments]string{"none", "same", "before_step", "at_step", "after_step", "twice", "backward",
	"half_range", "wraps"}

// meta draws what comes with a packet of so many bytes, about.
func (g *Generator) meta(length int) csig.Meta {
	r := &g.r
	m := csig.Meta{IngressPort: r.N(g.cfg.Ports)}
	switch g.mix {
	case OnePort:
		m.EgressPort = g.hot
	case AllPorts:
		g.turn++
		m.EgressPort = g.turn % g.cfg.Ports
	case Stripped:
		m.IngressPort, m.EgressPort = g.strip.ingress, g.strip.egress
		if g.strip.egress < 0 {
			m.EgressPort = r.N(g.cfg.Ports)
		}
		if g.strip.ingress < 0 {
			m.IngressPort = r.N(g.cfg.Ports)
		}
	default:
		m.EgressPort = r.N(g.cfg.Ports)
		if g.few > 0 {
			m.EgressPort = (g.hot + r.N(g.few)) % g.cfg.Ports
		}
	}
	if g.odd && g.mix != Stripped && r.OneIn(24) {
		absent := g.cfg.Ports + r.N(1<<PortBits(g.cfg)-g.cfg.Ports)
		switch r.N(3) {
		case 0:
			m.IngressPort = absent
		case 1:
			m.EgressPort = absent
		default:
			m.IngressPort, m.EgressPort = absent, g.cfg.Ports
		}
	}
	m.EgressNs = g.passTime(m.EgressPort, length)
	m.IngressNs = (m.EgressNs - g.delay()) & random.Mask(g.cfg.TimeBits)
	m.QlenBytes = g.queue(m.EgressPort)
	return m
}

// step is what a measurement's steps are apart, in ns, and far the time after which nothing old counts.
func (g *Generator) step() (step, far uint64) {
	switch g.cfg.Method {
	case config.CSIGEWMA:
		return 1 << g.cfg.GapShift, 1 << (g.cfg.TimeShift + 5)
	case config.CSIGDRE:
		return 1 << g.cfg.TickShift, 1 << (g.cfg.TickShift + g.cfg.DecayShift + 5)
	}
	return g.known.window, 2 * g.known.window
}

// passTime moves on to the packet's egress time.
func (g *Generator) passTime(port, length int) uint64 {
	r, mask := &g.r, random.Mask(g.cfg.TimeBits)
	step, far := g.step()
	g.moment = momentNone
	switch {
	case g.pace == jumpy && r.OneIn(3):
		return g.jump(port, step, far)
	case g.pace == still:
		if r.OneIn(8) {
			g.now += r.UpTo(3)
		}
	case g.pace == steps:
		if r.OneIn(g.rest) {
			g.now += step
			g.rest = 16 << r.N(8)
		}
	case g.pace == fast:
		g.now += r.UpTo(step / 4)
	default:
		c := g.known.capacity(port)
		ns := uint64(length+24) * 8_000_000 / c
		g.now += ns*uint64(32+r.N(64))/uint64(g.load) + r.UpTo(1)
	}
	g.now &= mask
	g.mark(port, step)
	return g.now
}

// mark follows where the steps of a port's measurement are, for Raw exactly while nothing is committed.
func (g *Generator) mark(port int, step uint64) {
	if port >= len(g.marks) {
		return
	}
	d := (g.now - g.marks[port]) & random.Mask(g.cfg.TimeBits)
	switch {
	case d >= 2*step:
		g.marks[port] = g.now
	case d >= step:
		g.marks[port] += step
	}
	if g.cfg.Method == config.CSIGDRE {
		g.marks[port] = g.now &^ (step - 1)
	}
}

// jump goes to a moment of the port's measurement.
func (g *Generator) jump(port int, step, far uint64) uint64 {
	r, mask := &g.r, random.Mask(g.cfg.TimeBits)
	mark := g.now
	if port < len(g.marks) {
		mark = g.marks[port]
	}
	half := uint64(1) << (g.cfg.TimeBits - 1)
	g.moment = moment(1 + r.N(int(moments)-1))
	switch g.moment {
	case momentSame:
	case momentBefore:
		g.now = mark + step - 1
	case momentAt:
		g.now = mark + step
	case momentAfter:
		g.now = mark + step + 1
	case momentTwice:
		g.now = mark + far + r.UpTo(2) - 1
	case momentBackward: // this packet only
		return (g.now - 1 - r.UpTo(2*step)) & mask
	case momentHalf:
		now := (mark + half>>(2*r.N(2)) + r.UpTo(2) - 1) & mask
		if r.OneIn(2) {
			g.now = now
		}
		return now
	case momentWraps:
		if g.now < half { // not too often: it takes half of the range
			g.now = mask - r.UpTo(2*step)
		}
	}
	g.now &= mask
	g.mark(port, step)
	return g.now
}

// around is a value next to one of the bounds of what codes a type's values, or any.
func (g *Generator) around(t int) uint64 {
	r, k := &g.r, &g.known
	if n := len(k.bounds[t]); n > 0 && r.OneIn(2) {
		return (k.bounds[t][r.N(n)] + r.UpTo(2) - 1) & random.Mask(32)
	}
	if q := k.quantizer[t]; q.Step > 0 && r.OneIn(2) {
		last := min(random.Mask(32)/q.Step+1, random.Mask(20)+1)
		return (q.Base + q.Step*r.UpTo(last) + r.UpTo(2) - 1) & random.Mask(33)
	}
	return r.Bits(34)
}

// delay draws the time that a packet spent in the device.
func (g *Generator) delay() uint64 {
	r := &g.r
	switch r.N(16) {
	case 0: // ingress is later
		return -(1 + r.UpTo(1000))
	case 1:
		return 1<<(g.cfg.TimeBits-1) + r.UpTo(2) - 1
	case 2:
		return r.Bits(g.cfg.TimeBits)
	case 3, 4, 5: // as before
		return g.lastDelay
	}
	g.lastDelay = g.around(config.CSIGTypes - 2)
	return g.lastDelay
}

// queue draws the depth of the queue.
func (g *Generator) queue(port int) uint64 {
	r := &g.r
	mask := random.Mask(g.cfg.QlenBits)
	switch r.N(16) {
	case 0:
		return 0
	case 1:
		return mask - r.UpTo(1)
	case 2, 3:
		return r.Bits(g.cfg.QlenBits)
	case 4, 5, 6:
		return g.lastQueue
	}
	// As many bytes as take a time next to a bound.
	hi, lo := bits.Mul64(g.around(config.CSIGTypes-1), g.known.capacity(port))
	q, _ := bits.Div64(hi%8_000_000, lo, 8_000_000)
	if q += r.UpTo(2); q > mask {
		q = r.Bits(g.cfg.QlenBits)
	}
	g.lastQueue = q
	return g.lastQueue
}
