package block

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/meter"
)

// meterOp is an operation of csig_meter.
type meterOp struct {
	advance, count bool
	port           int
	now, bytes     uint64
}

// plainMeter is the meter of docs/csig.md, implemented as directly as it is described there.
type plainMeter struct {
	c       *config.CSIG
	window  uint64
	ports   []plainPort
	section int // of the time, of eight; -1: none yet
}

type plainPort struct {
	seen, fresh                 bool
	time, pending, value, phase uint64
}

func newPlainMeter(c *config.CSIG, window uint64) *plainMeter {
	return &plainMeter{c: c, window: window, ports: make([]plainPort, c.Ports), section: -1}
}

// do applies an operation and returns the value measured after the advance.
func (m *plainMeter) do(op meterOp) (measured uint64) {
	p := &m.ports[op.port]
	if op.advance {
		m.turn(int(op.now >> (m.c.TimeBits - 3)))
		m.advance(p, op.now)
		p.fresh = true
		measured = p.value
		if m.c.Method != config.CSIGRaw {
			measured = m.average(p)
		}
	}
	if op.count {
		p.pending = min(p.pending+op.bytes, wide.Mask(m.c.ByteBits))
	}
	return measured
}

// turn comes to a section of the time.
func (m *plainMeter) turn(section int) {
	step := (section - m.section + 8) % 8
	if m.section >= 0 && (step == 0 || step == 7) {
		return
	}
	for i := range m.ports {
		p := &m.ports[i]
		if m.section >= 0 {
			p.seen, p.fresh = p.fresh && step == 1, false
		}
	}
	m.section = section
}

func (m *plainMeter) advance(p *plainPort, now uint64) {
	bits := m.timeBits()
	if m.c.Method == config.CSIGDRE {
		now >>= m.c.TickShift
	}
	d := (now - p.time) & wide.Mask(bits)
	if d >= 1<<(bits-1) {
		d = 0
	}
	raw := m.c.Method == config.CSIGRaw
	switch {
	case !p.seen, !raw && d>>m.late() != 0:
		*p = plainPort{seen: true, time: now}
	case raw && d >= 2*m.window:
		p.value, p.pending, p.time = 0, 0, now
	case raw && d >= m.window:
		p.value, p.pending, p.time = p.pending, 0, (p.time+m.window)&wide.Mask(bits)
	case !raw && d>>m.gap() != 0:
		*p = m.update(*p, now, d)
	}
}

func (m *plainMeter) timeBits() int {
	if m.c.Method == config.CSIGDRE {
		return m.c.TimeBits - m.c.TickShift
	}
	return m.c.TimeBits
}

// unit is the unit of a port's time, in ns.
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

// late is the power of two of the units of time after which the average is 0.
func (m *plainMeter) late() int {
	if m.c.Method == config.CSIGDRE {
		return m.c.DecayShift + 5
	}
	return m.c.TimeShift + 5
}

// update is an average d units after the update before.
func (m *plainMeter) update(p plainPort, now, d uint64) plainPort {
	var rate, phase, h uint64
	var f, k, j int
	if m.c.Method == config.CSIGDRE {
		rate, f = unit(-math.Log2(1-math.Exp2(-float64(m.c.DecayShift))), 30), 30
		k = int((p.phase + rate*d) >> f)
		phase = (p.phase + rate*d) & wide.Mask(f)
		h, j = line(math.Exp2, p.phase, f), k
	} else {
		rate, f = 5909, m.c.TimeShift+12
		k = int((p.phase + rate*d) >> f)
		gain, y, w := share, d, m.c.TimeShift
		if d>>w > 0 {
			j = bits.Len64(d>>w) - 1
			w += j
			n := math.Exp2(float64(j))
			gain, y = func(y float64) float64 { return n * share(n*(1+y)) }, d-1<<w
		}
		phase = (p.phase + rate*d) & wide.Mask(f)
		h = rounded(new(big.Int).Mul(number(line(gain, y, w)), number(line(math.Exp2, phase, f))), 26)
	}
	added := new(big.Int).Mul(number(p.pending<<m.c.FracBits), number(h))
	value := rounded(number(p.value), k) + rounded(added, 26+j)
	value = min(value, wide.Mask(m.c.ByteBits+m.c.FracBits+1))
	return plainPort{seen: true, time: now, value: value, phase: phase}
}

// average is the output of an EWMA or DRE meter.
func (m *plainMeter) average(p *plainPort) uint64 {
	f, limit := m.c.TimeShift+12, wide.Mask(m.c.ByteBits+m.c.FracBits)
	if m.c.Method == config.CSIGDRE {
		f = 30
	}
	down := func(y float64) float64 { return math.Exp2(-y) }
	v := min(rounded(new(big.Int).Mul(number(p.value), number(line(down, p.phase, f))), 26), limit)
	if m.c.Method == config.CSIGDRE {
		v = min(v+p.pending<<m.c.FracBits, limit)
	}
	return v
}

// share is G of docs/csig.md.
func share(x float64) float64 {
	const c = 5909.0 / 4096
	if x == 0 {
		return c * math.Ln2
	}
	return -math.Expm1(-c*x*math.Ln2) / x
}

// unit is v in 2^-bits, rounded half up.
func unit(v float64, bits int) uint64 { return uint64(math.Floor(math.Ldexp(v, bits) + 0.5)) }

// line is the line over the cell of f in which y / 2^w is, at that place, in 2^-26.
func line(f func(float64) float64, y uint64, w int) uint64 {
	y = y >> max(0, w-27) << max(0, 27-w)
	cell, r := float64(y>>18), y&wide.Mask(18)
	p, m, q := f(cell/512), f((cell+0.5)/512), f((cell+1)/512)
	part := rounded(new(big.Int).Mul(number(unit(math.Abs(q-p), 26)), number(r)), 18)
	base := unit(p-((p+q)/2-m)/2, 26)
	if q < p {
		return base - part
	}
	return base + part
}

func number(v uint64) *big.Int { return new(big.Int).SetUint64(v) }

// rounded is v / 2^shift, rounded half up.
func rounded(v *big.Int, shift int) uint64 {
	if shift > 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(shift-1)))
	}
	return new(big.Int).Rsh(v, uint(shift)).Uint64()
}

// meterDriver makes operations that reach the edges of the meter's rules, which it finds in the reference's state.
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
	m := meter.New(name, block.NewShape(&c))
	d := &meterDriver{ref: newPlainMeter(&c, 1000), latency: int64(m.Latency())}
	return &Unit{Name: name, Module: m, Play: d.play}
}

func (d *meterDriver) play(c *Cycle) {
	r, cfg := c.Random, d.ref.c
	raw := cfg.Method == config.CSIGRaw
	op := d.draw(r)
	valid := d.active.next(r)
	clear := r.IntN(400) == 0
	in := []wide.Uint128{bit(valid), bit(op.advance), bit(op.count), wide.From(uint64(op.port)), wide.From(op.now),
		wide.From(op.bytes)}
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

// time is an egress time, often at an edge of a rule of the port's meter.
func (d *meterDriver) time(r *rand.Rand, p *plainPort) uint64 {
	cfg := d.ref.c
	bits, unit := d.ref.timeBits(), d.ref.unit()
	half := uint64(1) << (bits - 1)
	var edges []uint64
	switch cfg.Method {
	case config.CSIGRaw:
		edges = []uint64{0, half / 4, half / 2, d.ref.window, 2 * d.ref.window, 3 * d.ref.window, half}
	case config.CSIGEWMA:
		edges = []uint64{0, half / 4, half / 2, 1 << cfg.GapShift, 1 << cfg.TimeShift, 1 << (cfg.TimeShift + r.IntN(6)), half}
	default:
		edges = []uint64{0, half / 4, half / 2, 2, 1 << cfg.DecayShift, 1 << (cfg.DecayShift + 5), half}
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
