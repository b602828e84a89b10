package block

import (
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
)

// meterOp is an operation of csig_meter.
type meterOp struct {
	advance, count bool
	port           int
	now, bytes     uint64
}

// plainMeter is the meter of docs/csig.md, as plainly as it is written there.
type plainMeter struct {
	c       *config.CSIG
	window  uint64
	ports   []plainPort
	updates []int // ports that updated, of the last 16 packets, oldest first; -1: none
}

type plainPort struct {
	seen                 bool
	time, pending, value uint64
}

const recentPackets = 16

func newPlainMeter(c *config.CSIG, window uint64) *plainMeter {
	return &plainMeter{c: c, window: window, ports: make([]plainPort, c.Ports)}
}

// do takes an operation and gives what is measured after the advance.
func (m *plainMeter) do(op meterOp) (measured uint64) {
	p := &m.ports[op.port]
	if op.advance {
		updated := -1
		if m.advance(p, op.port, op.now) {
			updated = op.port
		}
		m.updates = append(m.updates, updated)
		m.updates = m.updates[max(0, len(m.updates)-recentPackets):]
		measured = p.value
		if m.c.Method == config.CSIGDRE {
			measured = m.add(p.value, p.pending)
		}
	}
	if op.count {
		p.pending = min(p.pending+op.bytes, wide.Mask(m.c.ByteBits))
	}
	return measured
}

// advance tells whether the packet updated the meter.
func (m *plainMeter) advance(p *plainPort, port int, now uint64) bool {
	bits := m.timeBits()
	if m.c.Method == config.CSIGDRE {
		now >>= m.c.TickShift
	}
	d := (now - p.time) & wide.Mask(bits)
	if d >= 1<<(bits-1) {
		d = 0
	}
	switch {
	case !p.seen:
		*p = plainPort{seen: true, time: now}
		return true
	case m.c.Method == config.CSIGRaw:
		switch {
		case d >= 2*m.window:
			p.value, p.pending, p.time = 0, 0, now
		case d >= m.window:
			p.value, p.pending, p.time = p.pending, 0, (p.time+m.window)&wide.Mask(bits)
		}
		return false
	case d < 1<<m.gap() || m.recent(port):
		return false
	case m.c.Method == config.CSIGEWMA:
		rest := uint64(0)
		if d < 1<<m.c.TimeShift {
			rest = p.value - rounded(new(big.Int).Mul(number(p.value), number(d)), m.c.TimeShift)
		}
		p.value = m.add(rest, p.pending)
	default:
		p.value = m.decay(d, m.add(p.value, p.pending))
	}
	p.pending, p.time = 0, now
	return true
}

func (m *plainMeter) timeBits() int {
	if m.c.Method == config.CSIGDRE {
		return m.c.TimeBits - m.c.TickShift
	}
	return m.c.TimeBits
}

// unit is that of a port's time, in ns.
func (m *plainMeter) unit() uint64 {
	if m.c.Method == config.CSIGDRE {
		return 1 << m.c.TickShift
	}
	return 1
}

func (m *plainMeter) gap() int {
	if m.c.Method == config.CSIGDRE {
		return 0
	}
	return m.c.GapShift
}

func (m *plainMeter) recent(port int) bool {
	for _, u := range m.updates {
		if u == port {
			return true
		}
	}
	return false
}

// add is value + pending * 2^Frac, saturated.
func (m *plainMeter) add(value, pending uint64) uint64 {
	return min(value+pending<<m.c.FracBits, wide.Mask(m.c.ByteBits+m.c.FracBits))
}

func (m *plainMeter) decay(n, v uint64) uint64 {
	a := m.c.DecayShift
	if n >= 1<<(a+4) {
		return 0
	}
	// F(n) = rhu((2^a - 1)^n 2^Recip / 2^(a n))
	f := new(big.Int).Exp(big.NewInt(1<<a-1), number(n), nil)
	f.Lsh(f, uint(m.c.RecipBits))
	factor := rounded(f, a*int(n))
	return rounded(new(big.Int).Mul(number(v), number(factor)), m.c.RecipBits)
}

func number(v uint64) *big.Int { return new(big.Int).SetUint64(v) }

// rounded is v / 2^shift, rounded half up.
func rounded(v *big.Int, shift int) uint64 {
	if shift > 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(shift-1)))
	}
	return new(big.Int).Rsh(v, uint(shift)).Uint64()
}

// meterDriver makes operations that reach the edges of the meter's rules: it looks at the reference's state to find them.
type meterDriver struct {
	ref     *plainMeter
	latency int64
	active  pattern
	port    pattern
	same    int
	now     uint64
	hoard   int // operations left in which the bytes of port hoarder add up
	hoarder int
	due     []due
}

// Meter is the meter of a CSIG switch against the contract read plainly, as a unit.
func Meter(name string, c config.CSIG) *Unit {
	m := csig.Meter(name, &c)
	d := &meterDriver{ref: newPlainMeter(&c, 1000), latency: int64(m.Latency())}
	return &Unit{Name: name, Module: m, Play: d.play}
}

func (d *meterDriver) play(c *Cycle) {
	r, cfg := c.Random, d.ref.c
	raw := cfg.Method == config.CSIGRaw
	op := d.draw(r)
	valid := d.active.next(r)
	clear := r.IntN(400) == 0
	in := []wide.Uint128{bit(valid), bit(op.advance), bit(op.count), wide.From(uint64(op.port)), wide.From(op.now), wide.From(op.bytes)}
	if !valid { // any port, also one that does not exist
		in[3] = wide.From(r.Uint64N(1 << max(1, bits.Len(uint(cfg.Ports-1)))))
	}
	if clear && raw {
		d.ref.window = []uint64{1000, 1001, 1e9, 1 << 20, 1000 + r.Uint64N(1e6), 1000 + r.Uint64N(1e9-1000)}[r.IntN(6)]
	}
	if raw {
		in = append(in, wide.From(d.ref.window))
	}
	copy(c.In, append(in, bit(clear)))
	if len(d.due) > 0 && d.due[0].cycle == c.Number {
		c.Want[0], c.Care[0] = d.due[0].results[0], true
		d.due = d.due[1:]
	}
	if c.Reset {
		d.ref, d.due = newPlainMeter(cfg, d.ref.window), nil
		return
	}
	if clear {
		d.ref = newPlainMeter(cfg, d.ref.window)
	}
	if !valid {
		return
	}
	measured := d.ref.do(op)
	d.now = op.now
	if op.advance {
		d.due = append(d.due, due{c.Number + d.latency, []wide.Uint128{wide.From(measured)}})
	}
}

// draw is the next operation.
func (d *meterDriver) draw(r *rand.Rand) meterOp {
	cfg := d.ref.c
	if !d.port.next(r) || d.same >= cfg.Ports {
		d.same = r.IntN(cfg.Ports)
	}
	op := meterOp{advance: r.IntN(5) > 0, count: r.IntN(5) > 0, port: d.same}
	if r.IntN(4) == 0 { // few ports in turn
		op.port = r.IntN(min(cfg.Ports, 3))
	}
	if d.hoard == 0 && r.IntN(1000) == 0 {
		d.hoard, d.hoarder = 1+r.IntN(1500), d.same
	}
	if d.hoard > 0 && r.IntN(8) > 0 {
		op.port = d.hoarder
	}
	op.bytes = 24 + r.Uint64N(1500)
	if r.IntN(3) == 0 {
		op.bytes = r.Uint64N(65_535 + 255 + 1)
	}
	if r.IntN(8) == 0 {
		op.bytes = 65_535 + 255
	}
	op.now = d.time(r, &d.ref.ports[op.port]) & wide.Mask(cfg.TimeBits)
	if d.hoard > 0 && op.port == d.hoarder {
		d.hoard--
		op.bytes, op.count = 65_535+255, true
		if r.IntN(300) > 0 {
			op.now = d.ref.ports[op.port].time * d.ref.unit()
		}
	}
	return op
}

// time is an egress time, often at an edge of what the port's meter does.
func (d *meterDriver) time(r *rand.Rand, p *plainPort) uint64 {
	cfg := d.ref.c
	bits, unit := d.ref.timeBits(), d.ref.unit()
	half := uint64(1) << (bits - 1)
	var edges []uint64
	switch cfg.Method {
	case config.CSIGRaw:
		edges = []uint64{0, d.ref.window, 2 * d.ref.window, 3 * d.ref.window, half}
	case config.CSIGEWMA:
		edges = []uint64{0, 1 << cfg.GapShift, 1 << cfg.TimeShift, half}
	default:
		edges = []uint64{0, 2, 1 << (cfg.DecayShift + 4), half}
	}
	switch r.IntN(8) {
	case 0, 1, 2:
		at := p.time + edges[r.IntN(len(edges))] + uint64(r.IntN(3)) - 1
		return at*unit + r.Uint64N(unit)
	case 3:
		return d.now
	case 4:
		return p.time*unit + r.Uint64N(edges[len(edges)-2]*unit)
	case 5:
		return d.now + r.Uint64N(edges[len(edges)-2]*unit)>>r.IntN(24)
	case 6:
		switch r.IntN(4) {
		case 0:
			return r.Uint64() >> r.IntN(64)
		case 1:
			return (p.time+1<<r.IntN(bits))*unit + r.Uint64N(2000)
		}
	}
	return d.now + r.Uint64N(2000)
}
