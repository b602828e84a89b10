package csig

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// How time passes from packet to packet in a phase.

const (
	atRate = iota // as long as the packets take on the wire, at some load
	still         // hardly
	fast          // so that windows end often
	jumpy         // to the points at which the measurement does something else
	steps         // constant for hundreds of packets, then one step of the measurement
	paces
)

var paceNames = []string{"at_rate", "still", "fast", "jumpy", "steps"}

// Points of time next to which a measurement does something else.

const (
	momentNone     = iota
	momentSame     // no time has passed
	momentBefore   // the time of the measurement's step, less one
	momentAt       // the step
	momentAfter    // and one
	momentTwice    // around two steps; EWMA and DRE: when the average is 0
	momentBackward // earlier than the packet before
	momentHalf     // half of the range or an eighth, and around it
	momentWraps    // the time wraps
	moments
)

var momentNames = []string{"none", "same", "before_step", "at_step", "after_step", "twice", "backward",
	"half_range", "wraps"}

// meta draws the metadata of a packet of about so many bytes.
func (d *device) meta(length int) csig.Meta {
	r := &d.R
	m := csig.Meta{IngressPort: r.N(d.cfg.Ports)}
	switch d.Mix {
	case OnePort:
		m.EgressPort = d.hot
	case AllPorts:
		d.turn++
		m.EgressPort = d.turn % d.cfg.Ports
	case Stripped:
		m.IngressPort, m.EgressPort = d.strip.ingress, d.strip.egress
		if d.strip.egress < 0 {
			m.EgressPort = r.N(d.cfg.Ports)
		}
		if d.strip.ingress < 0 {
			m.IngressPort = r.N(d.cfg.Ports)
		}
	default:
		m.EgressPort = r.N(d.cfg.Ports)
		if d.few > 0 {
			m.EgressPort = (d.hot + r.N(d.few)) % d.cfg.Ports
		}
	}
	if d.odd && d.Mix != Stripped && r.OneIn(24) {
		absent := d.cfg.Ports + r.N(1<<d.PortBits()-d.cfg.Ports)
		switch r.N(3) {
		case 0:
			m.IngressPort = absent
		case 1:
			m.EgressPort = absent
		default:
			m.IngressPort, m.EgressPort = absent, d.cfg.Ports
		}
	}
	m.EgressNs = d.passTime(m.EgressPort, length)
	m.IngressNs = (m.EgressNs - d.delay()) & random.Mask(d.cfg.TimeBits)
	m.QlenBytes = d.queue(m.EgressPort)
	return m
}

// step is the distance of a measurement's steps, in ns, and far the time after which older bytes no longer count.
func (d *device) step() (step, far uint64) {
	switch d.cfg.Method {
	case config.CSIGEWMA:
		return 1 << d.cfg.GapShift, 1 << (d.cfg.TimeShift + 5)
	case config.CSIGDRE:
		return 1 << d.cfg.TickShift, 1 << (d.cfg.TickShift + d.cfg.DecayShift + 5)
	}
	return d.known.window, 2 * d.known.window
}

// passTime moves on to the packet's egress time.
func (d *device) passTime(port, length int) uint64 {
	r, mask := &d.R, random.Mask(d.cfg.TimeBits)
	step, far := d.step()
	d.Moment = momentNone
	switch {
	case d.pace == jumpy && r.OneIn(3):
		return d.jump(port, step, far)
	case d.pace == still:
		if r.OneIn(8) {
			d.now += r.UpTo(3)
		}
	case d.pace == steps:
		if r.OneIn(d.rest) {
			d.now += step
			d.rest = 16 << r.N(8)
		}
	case d.pace == fast:
		d.now += r.UpTo(step / 4)
	default:
		c := d.known.capacity(port)
		ns := uint64(length+24) * 8_000_000 / c
		d.now += ns*uint64(32+r.N(64))/uint64(d.load) + r.UpTo(1)
	}
	d.now &= mask
	d.mark(port, step)
	return d.now
}

// mark tracks the steps of a port's measurement, exactly for Raw while nothing is committed.
func (d *device) mark(port int, step uint64) {
	if port >= len(d.marks) {
		return
	}
	passed := (d.now - d.marks[port]) & random.Mask(d.cfg.TimeBits)
	switch {
	case passed >= 2*step:
		d.marks[port] = d.now
	case passed >= step:
		d.marks[port] += step
	}
	if d.cfg.Method == config.CSIGDRE {
		d.marks[port] = d.now &^ (step - 1)
	}
}

// jump goes to a moment of the port's measurement.
func (d *device) jump(port int, step, far uint64) uint64 {
	r, mask := &d.R, random.Mask(d.cfg.TimeBits)
	mark := d.now
	if port < len(d.marks) {
		mark = d.marks[port]
	}
	half := uint64(1) << (d.cfg.TimeBits - 1)
	d.Moment = uint8(1 + r.N(moments-1))
	switch d.Moment {
	case momentSame:
	case momentBefore:
		d.now = mark + step - 1
	case momentAt:
		d.now = mark + step
	case momentAfter:
		d.now = mark + step + 1
	case momentTwice:
		d.now = mark + far + r.UpTo(2) - 1
	case momentBackward: // this packet only
		return (d.now - 1 - r.UpTo(2*step)) & mask
	case momentHalf:
		now := (mark + half>>(2*r.N(2)) + r.UpTo(2) - 1) & mask
		if r.OneIn(2) {
			d.now = now
		}
		return now
	case momentWraps:
		if d.now < half { // not too often: it takes half of the range
			d.now = mask - r.UpTo(2*step)
		}
	}
	d.now &= mask
	d.mark(port, step)
	return d.now
}

// around is a value close to one of the bounds of a type's coder, or any.
func (d *device) around(t int) uint64 {
	r, k := &d.R, &d.known
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
func (d *device) delay() uint64 {
	r := &d.R
	switch r.N(16) {
	case 0: // ingress is later
		return -(1 + r.UpTo(1000))
	case 1:
		return 1<<(d.cfg.TimeBits-1) + r.UpTo(2) - 1
	case 2:
		return r.Bits(d.cfg.TimeBits)
	case 3, 4, 5: // as before
		return d.lastDelay
	}
	d.lastDelay = d.around(config.CSIGTypes - 2)
	return d.lastDelay
}

// queue draws the depth of the queue.
func (d *device) queue(port int) uint64 {
	r := &d.R
	mask := random.Mask(d.cfg.QlenBits)
	switch r.N(16) {
	case 0:
		return 0
	case 1:
		return mask - r.UpTo(1)
	case 2, 3:
		return r.Bits(d.cfg.QlenBits)
	case 4, 5, 6:
		return d.lastQueue
	}
	// As many bytes as take a time next to a bound.
	hi, lo := bits.Mul64(d.around(config.CSIGTypes-1), d.known.capacity(port))
	q, _ := bits.Div64(hi%8_000_000, lo, 8_000_000)
	if q += r.UpTo(2); q > mask {
		q = r.Bits(d.cfg.QlenBits)
	}
	d.lastQueue = q
	return d.lastQueue
}
