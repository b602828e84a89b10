package csig

import (
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// program queues the software's first writes.
func (d *device) program(p transit.Plan) {
	r := &d.R
	if p == transit.Whole {
		if writes, err := registers.Program(d.cfg); err == nil && len(d.cfg.Port) == d.cfg.Ports {
			for _, w := range writes {
				d.Set(w.Offset, uint64(w.Data))
			}
			return
		}
		p = transit.Drawn
	}
	var parts []func()
	if p != transit.Nothing {
		ports := min(d.cfg.Ports, 24)
		if r.OneIn(4) {
			ports = d.cfg.Ports
		}
		for _, n := range r.Perm(d.cfg.Ports)[:ports] {
			parts = append(parts, func() { d.commitPort(n) })
		}
		parts = append(parts, d.commitEstimate)
		for t := range config.CSIGTypes {
			parts = append(parts, func() { d.commitBuckets(t) }, func() { d.commitQuantizer(t) })
		}
	}
	if p == transit.Partial {
		parts = slices.DeleteFunc(parts, func(func()) bool { return r.OneIn(2) })
	}
	for _, i := range r.Perm(len(parts)) {
		parts[i]()
	}
}

// factor queues mantissa and shift: those given, or any that are legal.
func (d *device) factor(mantissa, shift uint32, f config.Factor, err error) {
	r := &d.R
	m, s := f.Mantissa, uint64(f.Shift)
	if err != nil || r.OneIn(6) {
		m = 1<<(d.cfg.RecipBits-1) | r.Bits(d.cfg.RecipBits-1)
		s = r.UpTo(63)
	}
	d.Set(mantissa, m)
	d.Set(shift, s|r.Next()&^63) // bits above a field are ignored
}

// capacity draws a port's capacity in kbit/s.
func (d *device) capacity() uint64 {
	r := &d.R
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
	updateAll = 0xaa // every type with a signal
)

// actions draws PORT_ACTIONS; types above 3 have no update.
func (d *device) actions() uint64 {
	r := &d.R
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
func (d *device) stagePort(trust, actions uint64) { d.stageCapacity(trust, actions, d.capacity()) }

func (d *device) stageCapacity(trust, actions, c uint64) {
	r := &d.R
	d.Set(registers.PortTrust, trust|r.Next()&^1)
	d.Set(registers.PortCapacity, c)
	measured := *d.cfg
	measured.WindowNs = d.known.window // on which the factor depends
	f, err := measured.RatioFactor(c)
	d.factor(registers.PortRatio, registers.PortRatioShift, f, err)
	f, err = d.cfg.DepthFactor(c)
	d.factor(registers.PortDepth, registers.PortDepthShift, f, err)
	d.Set(registers.PortActions, actions)
	for t := range uint32(config.CSIGTypes) {
		if !r.OneIn(4) {
			d.Set(registers.PortLocator(int(t)), r.Next())
		}
	}
}

func (d *device) commitPort(n int) {
	trust := uint64(1)
	if d.R.OneIn(6) {
		trust = 0
	}
	d.stagePort(trust, d.actions())
	d.Set(registers.PortCommit, uint64(n))
}

func (d *device) commitEstimate() {
	r := &d.R
	c := *d.cfg
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
		d.Set(registers.EstimateWindow, c.WindowNs)
	}
	f, err := c.EstimateFactor()
	d.factor(registers.EstimateFactor, registers.EstimateShift, f, err)
	if r.OneIn(2) {
		d.Set(registers.EstimateOverhead, r.Bits(8)|r.Next()&^255)
	}
	d.Set(registers.EstimateCommit, r.Next())
}

// bounds draws a table of buckets for a type: around currently measured values, or of any magnitude; at times with
// equal bounds.
func (d *device) bounds(t int) []uint64 {
	r := &d.R
	n := 1 + r.N(32)
	if r.OneIn(3) {
		n = 32
	}
	list := make([]uint64, n)
	width := 1 + r.N(32)
	for i := range list {
		list[i] = r.Bits(width)
		if s := d.seen[t]; r.OneIn(2) && s > 0 {
			list[i] = (s + r.UpTo(4) - 2) & random.Mask(32)
		}
	}
	slices.Sort(list)
	list[0] = 0
	return list
}

func (d *device) commitBuckets(t int) {
	if d.cfg.CompactTPID == 0 {
		return
	}
	d.Set(registers.BucketStart, uint64(t))
	for _, b := range d.bounds(t) {
		d.Set(registers.BucketPush, b)
	}
	d.Set(registers.BucketCommit, d.R.Next())
}

func (d *device) commitQuantizer(t int) {
	r := &d.R
	if d.cfg.ExpandedTPID == 0 {
		return
	}
	base, step := r.Bits(32), max(1, r.Bits(32))
	switch r.N(4) {
	case 0: // around currently measured values
		step = 1 + r.Next()&random.Mask(r.N(28))
		base = d.seen[t] - step*r.UpTo(min(20, d.seen[t]/step))
	case 1, 2:
		base, step = r.Bits(10), 1+r.Bits(12)
		if r.OneIn(3) {
			step = 1 << r.N(32)
		}
	}
	d.Set(registers.QuantizerBase, base)
	d.Set(registers.QuantizerStep, step)
	d.Set(registers.QuantizerCommit, uint64(t))
}

// Operate queues something that software does while packets are in flight.
func (d *device) Operate() {
	r := &d.R
	t := r.N(config.CSIGTypes)
	switch r.N(16) {
	case 0, 1:
		d.commitPort(r.N(d.cfg.Ports))
	case 2:
		d.commitPort(d.hot)
	case 3: // one register, then the commit: the others keep their staged values
		f := d.staged()
		d.Set(f, r.Bits(32))
		d.Set(registers.PortCommit, uint64(r.N(d.cfg.Ports)))
	case 4:
		d.commitEstimate()
	case 5, 6:
		d.commitBuckets(t)
	case 7, 8:
		d.commitQuantizer(t)
	case 9, 10:
		d.refused()
	case 11, 12:
		d.refusedBuckets(t)
	case 13:
		for range 4 {
			d.Set(uint32(d.anyAddress()), r.Bits(32))
		}
	case 14: // a strobe is missing
		from := len(d.Queue)
		switch r.N(4) {
		case 0:
			d.commitPort(d.hot)
		case 1:
			d.commitBuckets(t)
		case 2:
			d.commitQuantizer(t)
		default:
			d.commitEstimate()
		}
		if n := len(d.Queue); n > from {
			d.Queue[from+r.N(n-from)].Strb = uint8(r.N(transit.AllStrobes))
		}
	default: // a transaction that stops in the middle
		d.commitBuckets(t)
		if n := len(d.Queue); n > 1 {
			d.Queue = d.Queue[:n-1-r.N(min(n-1, 30))]
		}
	}
}

// staged is the address of a register of a port that waits for the commit.
func (d *device) staged() uint32 {
	return [...]uint32{
		registers.PortTrust, registers.PortCapacity, registers.PortRatio, registers.PortRatioShift, registers.PortDepth,
		registers.PortDepthShift,
		registers.PortActions, registers.PortLocator(0), registers.PortLocator(1), registers.PortLocator(2),
		registers.PortLocator(3),
	}[d.R.N(11)]
}

// refused queues a commit that breaks one rule.
func (d *device) refused() {
	r := &d.R
	short := random.Mask(d.cfg.RecipBits - 1)
	long := uint64(1)<<d.cfg.RecipBits | r.Next()&short
	mantissa := func() uint64 {
		if d.cfg.RecipBits < 32 && r.OneIn(2) {
			return long
		}
		return r.Next() & short
	}
	port := uint64(d.hot)
	switch r.N(9) {
	case 0:
		d.stagePort(1, d.actions())
		d.Set(registers.PortCapacity, [...]uint64{999, 999, 0, r.UpTo(999)}[r.N(4)])
	case 1:
		d.stagePort(1, d.actions())
		d.Set(registers.PortRatio, mantissa())
	case 2:
		d.stagePort(1, d.actions())
		d.Set(registers.PortDepth, mantissa())
	case 3:
		d.stagePort(1, d.actions()|3<<(2*r.N(config.CSIGTagTypes)))
	case 4:
		d.stagePort(1, d.actions()&^0xff_ff_ff_00|2<<(2*(config.CSIGTypes+r.N(config.CSIGTagTypes-config.CSIGTypes))))
	case 5:
		port = uint64(d.cfg.Ports) + r.UpTo(3)
		if r.OneIn(2) {
			port = uint64(d.hot) | 1<<(16+r.N(16))
		}
	case 6:
		d.Set(registers.EstimateFactor, mantissa())
		d.Set(registers.EstimateCommit, 0)
		d.commitEstimate()
		return
	case 7:
		d.commitEstimate()
		if d.cfg.Method == config.CSIGRaw {
			for range 3 {
				d.Set(registers.EstimateWindow, [...]uint64{0, 999, 1_000_000_001, 1 << 30, 1<<30 | 2000, 1 << 31}[r.N(6)])
				d.Set(registers.EstimateCommit, 0)
			}
		}
		return
	default:
		d.Set(registers.QuantizerBase, r.Bits(32))
		d.Set(registers.QuantizerStep, 0)
		if r.OneIn(2) {
			d.Set(registers.QuantizerStep, 1+r.Bits(20))
			d.Set(registers.QuantizerCommit, 4+r.Bits(31))
			return
		}
		d.Set(registers.QuantizerCommit, uint64(r.N(config.CSIGTypes)))
		return
	}
	d.Set(registers.PortCommit, port)
}

// refusedBuckets queues a table that breaks one rule, and often one that does not.
func (d *device) refusedBuckets(t int) {
	r := &d.R
	list := d.bounds(t)
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
	case 5: // the same commit again
		d.Set(registers.BucketCommit, 0)
		d.Set(registers.BucketCommit, 0)
		return
	case 6: // after a completed table
		d.commitBuckets(t)
		d.Set(registers.BucketPush, 0)
		d.Set(registers.BucketCommit, 0)
		return
	}
	d.Set(registers.BucketStart, start)
	for _, b := range list {
		d.Set(registers.BucketPush, b)
	}
	d.Set(registers.BucketCommit, 0)
	if r.OneIn(2) {
		d.commitBuckets(t)
	}
}

// anyAddress is an address of the map, one next to it, or any.
func (d *device) anyAddress() uint64 {
	r := &d.R
	switch r.N(8) {
	case 0:
		return r.Next() & 0xffff
	case 1:
		return uint64(registers.Counter(d.cfg.Ports, 0)) + r.UpTo(200) // after the last counter
	case 2:
		return uint64(registers.Counter(r.N(d.cfg.Ports), registers.Status(r.N(16))))
	case 3:
		return r.UpTo(0x100)
	}
	return r.UpTo(0x40) * 4
}

// Address is that of a read.
func (d *device) Address() uint16 {
	r := &d.R
	if r.OneIn(3) {
		return uint16(d.anyAddress())
	}
	if r.OneIn(4) {
		return registers.NoPort
	}
	port := d.hot
	if r.OneIn(4) {
		port = r.N(d.cfg.Ports)
	}
	return uint16(registers.Counter(port, [...]registers.Status{
		registers.StatusUntagged, registers.StatusShort, registers.StatusHidden, registers.StatusTruncated,
		registers.StatusUpdated, registers.StatusKept,
		registers.StatusHeld, registers.StatusPassed, registers.StatusStripped, registers.StatusDistrusted,
		registers.StatusStacked,
	}[r.N(11)]))
}
