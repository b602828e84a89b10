package transit

import (
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// plan is what an episode's software writes at its start.
type plan uint8

const (
	whole   plan = iota // what the configuration says, as drivers do
	drawn               // ports, estimate and tables at random, in any order
	partial             // some of that
	nothing             // reset values
	plans
)

var planNames = [plans]string{"configuration", "drawn", "partial", "nothing"}

// set queues a write.
func (g *Generator) set(addr uint32, data uint64) {
	g.writes = append(g.writes, Write{Addr: uint16(addr), Data: uint32(data), Strb: allStrobes})
}

// program queues what software writes first.
func (g *Generator) program(p plan) {
	r := &g.r
	if p == whole {
		if writes, err := registers.Program(g.cfg); err == nil && len(g.cfg.Port) == g.cfg.Ports {
			for _, w := range writes {
				g.set(w.Offset, uint64(w.Data))
			}
			return
		}
		p = drawn
	}
	var parts []func()
	if p != nothing {
		ports := min(g.cfg.Ports, 24)
		if r.OneIn(4) {
			ports = g.cfg.Ports
		}
		for _, n := range r.Perm(g.cfg.Ports)[:ports] {
			parts = append(parts, func() { g.commitPort(n) })
		}
		parts = append(parts, g.commitEstimate)
		for t := range config.CSIGTypes {
			parts = append(parts, func() { g.commitBuckets(t) }, func() { g.commitQuantizer(t) })
		}
	}
	if p == partial {
		parts = slices.DeleteFunc(parts, func(func()) bool { return r.OneIn(2) })
	}
	for _, i := range r.Perm(len(parts)) {
		parts[i]()
	}
}

// factor queues mantissa and shift: those given, or any that are legal.
func (g *Generator) factor(mantissa, shift uint32, f config.Factor, err error) {
	r := &g.r
	m, s := f.Mantissa, uint64(f.Shift)
	if err != nil || r.OneIn(6) {
		m = 1<<(g.cfg.RecipBits-1) | r.Bits(g.cfg.RecipBits-1)
		s = r.UpTo(63)
	}
	g.set(mantissa, m)
	g.set(shift, s|r.Next()&^63) // bits above a field are ignored
}

// capacity draws a port's capacity in kbit/s.
func (g *Generator) capacity() uint64 {
	r := &g.r
	switch r.N(4) {
	case 0:
		return 1000 + r.Bits(32)%(1<<32-1000)
	case 1:
		return 1000 * (1 + r.UpTo(400_000))
	}
	return [...]uint64{1000, 1_000_000, 10_000_000, 25_000_000, 100_000_000, 400_000_000, 1_600_000_000, 1<<32 - 1}[r.N(8)]
}

// Contents of PORT_ACTIONS.
const (
	removeAll = 0x5555_5555
	updateAll = 0xaa // what has a signal
)

// actions draws PORT_ACTIONS; types above 3 have no update.
func (g *Generator) actions() uint64 {
	r := &g.r
	v := uint64(0)
	all := r.N(6)
	for t := range config.CSIGTagTypes {
		a := uint64(r.N(2))
		if t < config.CSIGTypes {
			a = [...]uint64{2, 2, 2, 2, 2, 2, 1, 0}[r.N(8)]
			if all == 0 {
				a = 2
			}
		}
		v |= a << (2 * t)
	}
	if all == 1 {
		v = removeAll
	}
	return v
}

// stagePort queues everything of a port but the commit.
func (g *Generator) stagePort(trust, actions uint64) { g.stageCapacity(trust, actions, g.capacity()) }

func (g *Generator) stageCapacity(trust, actions, c uint64) {
	r := &g.r
	g.set(registers.PortTrust, trust|r.Next()&^1)
	g.set(registers.PortCapacity, c)
	measured := *g.cfg
	measured.WindowNs = g.known.window // on which the factor depends
	f, err := measured.RatioFactor(c)
	g.factor(registers.PortRatio, registers.PortRatioShift, f, err)
	f, err = g.cfg.DepthFactor(c)
	g.factor(registers.PortDepth, registers.PortDepthShift, f, err)
	g.set(registers.PortActions, actions)
	for t := range uint32(config.CSIGTypes) {
		if !r.OneIn(4) {
			g.set(registers.PortLocator(int(t)), r.Next())
		}
	}
}

func (g *Generator) commitPort(n int) {
	trust := uint64(1)
	if g.r.OneIn(6) {
		trust = 0
	}
	g.stagePort(trust, g.actions())
	g.set(registers.PortCommit, uint64(n))
}

func (g *Generator) commitEstimate() {
	r := &g.r
	c := *g.cfg
	if c.Method == config.CSIGRaw {
		c.WindowNs = 1000 + r.UpTo(20_000)
		switch r.N(6) {
		case 0:
			c.WindowNs = 1000
		case 1:
			c.WindowNs = 1000 + r.Bits(29)
		case 2:
			c.WindowNs = 1_000_000_000
		}
		g.set(registers.EstimateWindow, c.WindowNs)
	}
	f, err := c.EstimateFactor()
	g.factor(registers.EstimateFactor, registers.EstimateShift, f, err)
	if r.OneIn(2) {
		g.set(registers.EstimateOverhead, r.Bits(8)|r.Next()&^255)
	}
	g.set(registers.EstimateCommit, r.Next())
}

// bounds draws a table of buckets for a type: around what is measured at present, or of any magnitude; at times with
// equal bounds.
func (g *Generator) bounds(t int) []uint64 {
	r := &g.r
	n := 1 + r.N(32)
	if r.OneIn(3) {
		n = 32
	}
	list := make([]uint64, n)
	width := 1 + r.N(32)
	for i := range list {
		list[i] = r.Bits(width)
		if s := g.seen[t]; r.OneIn(2) && s > 0 {
			list[i] = (s + r.UpTo(4) - 2) & random.Mask(32)
		}
	}
	slices.Sort(list)
	list[0] = 0
	return list
}

func (g *Generator) commitBuckets(t int) {
	if g.cfg.CompactTPID == 0 {
		return
	}
	g.set(registers.BucketStart, uint64(t))
	for _, b := range g.bounds(t) {
		g.set(registers.BucketPush, b)
	}
	g.set(registers.BucketCommit, g.r.Next())
}

func (g *Generator) commitQuantizer(t int) {
	r := &g.r
	if g.cfg.ExpandedTPID == 0 {
		return
	}
	base, step := r.Bits(32), max(1, r.Bits(32))
	switch r.N(4) {
	case 0: // around what is measured at present
		step = 1 + r.Next()&random.Mask(r.N(28))
		base = g.seen[t] - step*r.UpTo(min(20, g.seen[t]/step))
	case 1, 2:
		base, step = r.Bits(10), 1+r.Bits(12)
		if r.OneIn(3) {
			step = 1 << r.N(32)
		}
	}
	g.set(registers.QuantizerBase, base)
	g.set(registers.QuantizerStep, step)
	g.set(registers.QuantizerCommit, uint64(t))
}

// operate queues something that software does while packets are in flight.
func (g *Generator) operate() {
	r := &g.r
	t := r.N(config.CSIGTypes)
	switch r.N(16) {
	case 0, 1:
		g.commitPort(r.N(g.cfg.Ports))
	case 2:
		g.commitPort(g.hot)
	case 3: // one register, then the commit: the rest is what was staged before
		f := g.staged()
		g.set(f, r.Bits(32))
		g.set(registers.PortCommit, uint64(r.N(g.cfg.Ports)))
	case 4:
		g.commitEstimate()
	case 5, 6:
		g.commitBuckets(t)
	case 7, 8:
		g.commitQuantizer(t)
	case 9, 10:
		g.refused()
	case 11, 12:
		g.refusedBuckets(t)
	case 13:
		for range 4 {
			g.set(uint32(g.anyAddress()), r.Bits(32))
		}
	case 14: // a strobe is missing
		from := len(g.writes)
		switch r.N(4) {
		case 0:
			g.commitPort(g.hot)
		case 1:
			g.commitBuckets(t)
		case 2:
			g.commitQuantizer(t)
		default:
			g.commitEstimate()
		}
		if n := len(g.writes); n > from {
			g.writes[from+r.N(n-from)].Strb = uint8(r.N(allStrobes))
		}
	default: // a transaction that stops in the middle
		g.commitBuckets(t)
		if n := len(g.writes); n > 1 {
			g.writes = g.writes[:n-1-r.N(min(n-1, 30))]
		}
	}
}

// staged is the address of a register of a port that waits for the commit.
func (g *Generator) staged() uint32 {
	return [...]uint32{
		registers.PortTrust, registers.PortCapacity, registers.PortRatio, registers.PortRatioShift, registers.PortDepth,
		registers.PortDepthShift,
		registers.PortActions, registers.PortLocator(0), registers.PortLocator(1), registers.PortLocator(2),
		registers.PortLocator(3),
	}[g.r.N(11)]
}

// refused queues a commit that breaks one rule.
func (g *Generator) refused() {
	r := &g.r
	short := random.Mask(g.cfg.RecipBits - 1)
	long := uint64(1)<<g.cfg.RecipBits | r.Next()&short
	mantissa := func() uint64 {
		if g.cfg.RecipBits < 32 && r.OneIn(2) {
			return long
		}
		return r.Next() & short
	}
	port := uint64(g.hot)
	switch r.N(9) {
	case 0:
		g.stagePort(1, g.actions())
		g.set(registers.PortCapacity, [...]uint64{999, 999, 0, r.UpTo(999)}[r.N(4)])
	case 1:
		g.stagePort(1, g.actions())
		g.set(registers.PortRatio, mantissa())
	case 2:
		g.stagePort(1, g.actions())
		g.set(registers.PortDepth, mantissa())
	case 3:
		g.stagePort(1, g.actions()|3<<(2*r.N(config.CSIGTagTypes)))
	case 4:
		g.stagePort(1, g.actions()&^0xff_ff_ff_00|2<<(2*(config.CSIGTypes+r.N(config.CSIGTagTypes-config.CSIGTypes))))
	case 5:
		port = uint64(g.cfg.Ports) + r.UpTo(3)
		if r.OneIn(2) {
			port = uint64(g.hot) | 1<<(16+r.N(16))
		}
	case 6:
		g.set(registers.EstimateFactor, mantissa())
		g.set(registers.EstimateCommit, 0)
		g.commitEstimate()
		return
	case 7:
		g.commitEstimate()
		if g.cfg.Method == config.CSIGRaw {
			for range 3 {
				g.set(registers.EstimateWindow, [...]uint64{0, 999, 1_000_000_001, 1 << 30, 1<<30 | 2000, 1 << 31}[r.N(6)])
				g.set(registers.EstimateCommit, 0)
			}
		}
		return
	default:
		g.set(registers.QuantizerBase, r.Bits(32))
		g.set(registers.QuantizerStep, 0)
		if r.OneIn(2) {
			g.set(registers.QuantizerStep, 1+r.Bits(20))
			g.set(registers.QuantizerCommit, 4+r.Bits(31))
			return
		}
		g.set(registers.QuantizerCommit, uint64(r.N(config.CSIGTypes)))
		return
	}
	g.set(registers.PortCommit, port)
}

// refusedBuckets queues a table that breaks one rule, and often one that does not.
func (g *Generator) refusedBuckets(t int) {
	r := &g.r
	list := g.bounds(t)
	start := uint64(t)
	switch r.N(8) {
	case 0:
		start = 4 + r.Bits(31)
	case 1:
		list[0] = 1 + r.Bits(31)
	case 2:
		if i := r.N(len(list)); i > 0 {
			list[i] = list[i-1] - min(1, list[i-1])
		}
	case 3:
		for len(list) < 33+r.N(2) {
			list = append(list, list[len(list)-1])
		}
	case 4:
		list = nil
	case 5: // the commit of what has been committed
		g.set(registers.BucketCommit, 0)
		g.set(registers.BucketCommit, 0)
		return
	case 6: // behind a table that is done
		g.commitBuckets(t)
		g.set(registers.BucketPush, 0)
		g.set(registers.BucketCommit, 0)
		return
	}
	g.set(registers.BucketStart, start)
	for _, b := range list {
		g.set(registers.BucketPush, b)
	}
	g.set(registers.BucketCommit, 0)
	if r.OneIn(2) {
		g.commitBuckets(t)
	}
}

// anyAddress is an address of the map, one next to it, or any.
func (g *Generator) anyAddress() uint64 {
	r := &g.r
	switch r.N(8) {
	case 0:
		return r.Next() & 0xffff
	case 1:
		return uint64(registers.Counter(g.cfg.Ports, 0)) + r.UpTo(200) // behind the last counter
	case 2:
		return uint64(registers.Counter(r.N(g.cfg.Ports), registers.Status(r.N(16))))
	case 3:
		return r.UpTo(0x100)
	}
	return r.UpTo(0x40) * 4
}

// readAddress is the address of a read.
func (g *Generator) readAddress() uint16 {
	r := &g.r
	if r.OneIn(3) {
		return uint16(g.anyAddress())
	}
	if r.OneIn(4) {
		return registers.NoPort
	}
	port := g.hot
	if r.OneIn(4) {
		port = r.N(g.cfg.Ports)
	}
	return uint16(registers.Counter(port, [...]registers.Status{
		registers.StatusUntagged, registers.StatusShort, registers.StatusHidden, registers.StatusTruncated,
		registers.StatusUpdated, registers.StatusKept,
		registers.StatusHeld, registers.StatusPassed, registers.StatusStripped, registers.StatusDistrusted,
		registers.StatusStacked,
	}[r.N(11)]))
}
