package block

import (
	"fmt"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// busWrite is a write on its way.
type busWrite struct{ addr, data, strobes uint32 }

// busMaster is the software's side of an AXI4-Lite interface: each of the five channels follows its own pattern, and an
// offered transfer is held until it is accepted.
type busMaster struct {
	writes                   *registerProgram
	write                    busWrite
	readAddr                 uint32
	awValid, wValid, arValid bool
	awSent, wSent            bool // of the current write, offered already
	bReady, rReady           bool
	aw, w, ar, b, r          pattern
}

// drive chooses the master's outputs in the next cycle.
func (b *busMaster) drive(r *rand.Rand) *busMaster {
	if !b.awValid && !b.wValid && b.awSent == b.wSent {
		b.write, b.awSent, b.wSent = b.writes.next(r), false, false
	}
	if aw := b.aw.next(r); aw && !b.awSent {
		b.awValid, b.awSent = true, true
	}
	if w := b.w.next(r); w && !b.wSent {
		b.wValid, b.wSent = true, true
	}
	if ar := b.ar.next(r) && r.IntN(12) == 0; ar && !b.arValid {
		b.arValid, b.readAddr = true, b.writes.address(r)
	}
	b.bReady, b.rReady = b.b.next(r), b.r.next(r)
	return b
}

// registerProgram makes writes in sequences that mean something, most of them in order.
type registerProgram struct {
	c     *config.CSIG
	queue []busWrite
}

// next is the next write.
func (p *registerProgram) next(r *rand.Rand) busWrite {
	for len(p.queue) == 0 {
		p.plan(r)
	}
	w := p.queue[0]
	p.queue = p.queue[1:]
	return w
}

// rarely is true once in n times.
func rarely(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

func (p *registerProgram) add(r *rand.Rand, addr, data uint32) {
	w := busWrite{addr, data, 15}
	if rarely(r, 100) {
		w.strobes = uint32(r.IntN(16))
	}
	p.queue = append(p.queue, w)
}

func (p *registerProgram) plan(r *rand.Rand) {
	switch r.IntN(8) {
	case 0, 1:
		p.port(r)
	case 2, 3:
		p.estimate(r)
	case 4, 5:
		p.table(r)
	case 6:
		p.add(r, registers.QuantizerBase, uint32(draw(r, 32).Lo))
		if !rarely(r, 4) {
			p.add(r, registers.QuantizerStep, uint32(draw(r, 32).Lo))
		}
		p.add(r, registers.QuantizerCommit, p.kind(r))
	case 7:
		p.add(r, p.address(r), uint32(draw(r, 32).Lo))
	}
}

// kind is a signal type, rarely one that has no signal.
func (p *registerProgram) kind(r *rand.Rand) uint32 {
	kind := uint32(r.IntN(config.CSIGTypes))
	if rarely(r, 6) {
		kind |= 1 << r.IntN(32)
	}
	return kind
}

// mantissa is a mantissa of the right number of bits, rarely of another.
func (p *registerProgram) mantissa(r *rand.Rand) uint32 {
	n := p.c.RecipBits
	if rarely(r, 8) {
		n = 1 + r.IntN(32)
	}
	return 1<<(n-1) | r.Uint32()&(1<<(n-1)-1)
}

// near is a number at a limit, or any.
func near(r *rand.Rand, limit uint32) uint32 {
	if rarely(r, 2) {
		return limit - 1 + uint32(r.IntN(3))
	}
	return uint32(draw(r, 32).Lo)
}

func (p *registerProgram) port(r *rand.Rand) {
	p.add(r, registers.PortTrust, r.Uint32())
	capacity := max(1000, uint32(draw(r, 32).Lo))
	if rarely(r, 4) {
		capacity = near(r, 1000)
	}
	p.add(r, registers.PortCapacity, capacity)
	p.add(r, registers.PortRatio, p.mantissa(r))
	p.add(r, registers.PortRatioShift, r.Uint32())
	p.add(r, registers.PortDepth, p.mantissa(r))
	p.add(r, registers.PortDepthShift, r.Uint32())
	actions := uint32(0)
	for t := range 16 {
		n := 2
		if t < config.CSIGTypes {
			n = 3
		}
		actions |= uint32(r.IntN(n)) << (2 * t)
	}
	if rarely(r, 3) {
		t := r.IntN(16)
		actions = actions&^(3<<(2*t)) | uint32(2+r.IntN(2))<<(2*t)
	}
	p.add(r, registers.PortActions, actions)
	for t := range uint32(config.CSIGTypes) {
		p.add(r, registers.PortLocator(int(t)), r.Uint32())
	}
	r.Shuffle(len(p.queue), func(i, j int) { p.queue[i], p.queue[j] = p.queue[j], p.queue[i] })
	for range 1 + r.IntN(2) {
		number := uint32(r.IntN(p.c.Ports))
		switch r.IntN(8) {
		case 0:
			number = near(r, uint32(p.c.Ports))
		case 1:
			number |= 1 << r.IntN(32)
		}
		p.add(r, registers.PortCommit, number)
	}
}

func (p *registerProgram) estimate(r *rand.Rand) {
	p.add(r, registers.EstimateFactor, p.mantissa(r))
	if rarely(r, 2) {
		p.add(r, registers.EstimateShift, r.Uint32())
		p.add(r, registers.EstimateOverhead, r.Uint32())
	}
	for range 1 + r.IntN(3) {
		window := 1000 + r.Uint32N(1e9-999)
		switch r.IntN(3) {
		case 0:
			window = near(r, 1000)
		case 1:
			window = near(r, 1e9)
		}
		p.add(r, registers.EstimateWindow, window)
		p.add(r, registers.EstimateCommit, r.Uint32())
	}
}

// table writes a bucket table: often of 1, 31, 32 or 33 bounds, often with equal ones, rarely out of order.
func (p *registerProgram) table(r *rand.Rand) {
	if !rarely(r, 10) {
		p.add(r, registers.BucketStart, p.kind(r))
	}
	n := r.IntN(6)
	if rarely(r, 2) {
		n = []int{r.IntN(34), 31, 32, 33}[r.IntN(4)]
	}
	bound := uint32(0)
	if rarely(r, 12) {
		bound = uint32(draw(r, 32).Lo)
	}
	for range n {
		p.add(r, registers.BucketPush, bound)
		if step := r.Uint32N(1 << r.IntN(30)); !rarely(r, 4) {
			bound = max(bound, bound+step)
		}
		if rarely(r, 150) {
			bound--
		}
	}
	if !rarely(r, 10) {
		p.add(r, registers.BucketCommit, r.Uint32())
	}
}

// address is that of a register, or close to one, or any.
func (p *registerProgram) address(r *rand.Rand) uint32 {
	addr := 4 * uint32(r.IntN(0xc4/4))
	switch r.IntN(8) {
	case 0, 1, 2: // counters, often those of the first two ports
		port := uint32(r.IntN(p.c.Ports + 2))
		if rarely(r, 2) {
			port = uint32(r.IntN(2))
		}
		addr = registers.Count + registers.CountStride*port + 4*uint32(r.IntN(16))
		if rarely(r, 2) {
			addr = addr&^0x3c | []uint32{0, 4, 60}[r.IntN(3)]
		}
	case 3:
		addr = r.Uint32N(1 << 16)
	}
	if rarely(r, 20) {
		addr ^= 1 << r.IntN(16)
	}
	return addr
}

// axiLiteRules are the rules of any AXI4-Lite slave, whatever its timing.
type axiLiteRules struct {
	in, out             map[string]int
	aw, w, ar           int // transfers without an answer
	bHeld, rHeld        bool
	bResp, rResp, rData wide.Uint128
}

func newAXILiteRules(m *vgen.Module) *axiLiteRules {
	return &axiLiteRules{in: indexes(inputs(m)), out: indexes(outputs(m))}
}

func (a *axiLiteRules) see(o *Observed) error {
	if o.Reset {
		*a = axiLiteRules{in: a.in, out: a.out}
		return nil
	}
	in := func(name string) wide.Uint128 { return o.In[a.in["s_axil_"+name]] }
	out := func(name string) wide.Uint128 { return o.Out[a.out["s_axil_"+name]] }
	is := func(v wide.Uint128) bool { return v.Lo == 1 }

	bValid, rValid := is(out("bvalid")), is(out("rvalid"))
	switch {
	case a.bHeld && !bValid:
		return fmt.Errorf("bvalid falls before it is taken")
	case a.bHeld && out("bresp") != a.bResp:
		return fmt.Errorf("bresp changes before it is taken")
	case a.rHeld && !rValid:
		return fmt.Errorf("rvalid falls before it is taken")
	case a.rHeld && (out("rresp") != a.rResp || out("rdata") != a.rData):
		return fmt.Errorf("the answer to a read changes before it is taken")
	case bValid && (a.aw == 0 || a.w == 0):
		return fmt.Errorf("an answer to no write")
	case rValid && a.ar == 0:
		return fmt.Errorf("an answer to no read")
	case bValid && out("bresp").Lo&1 != 0, rValid && out("rresp").Lo&1 != 0:
		return fmt.Errorf("an answer that AXI4-Lite does not have")
	}
	a.bHeld, a.bResp = bValid && !is(in("bready")), out("bresp")
	a.rHeld, a.rResp, a.rData = rValid && !is(in("rready")), out("rresp"), out("rdata")
	if bValid && !a.bHeld {
		a.aw, a.w = a.aw-1, a.w-1
	}
	if rValid && !a.rHeld {
		a.ar--
	}
	count := func(n *int, channel string) {
		if is(in(channel+"valid")) && is(out(channel+"ready")) {
			*n++
		}
	}
	count(&a.aw, "aw")
	count(&a.w, "w")
	count(&a.ar, "ar")
	return nil
}

// tableRules watches the bounds that are written: never into a bank in use, and all of them before the bank is.
type tableRules struct {
	out      map[string]int
	bounds   [config.CSIGTypes][2][32]struct{ present, bound uint64 }
	expected []tableSwap
}

func newTableRules(m *vgen.Module) *tableRules { return &tableRules{out: indexes(outputs(m))} }

func (t *tableRules) see(o *Observed) error {
	valid, ok := t.out["w_valid"]
	if !ok || o.Number == 0 {
		return nil
	}
	get := func(name string) uint64 { return o.Out[t.out[name]].Lo }
	banks := get("bucket_bank")
	if o.Out[valid].Lo == 1 {
		kind, bank, index := get("w_type"), get("w_bank"), get("w_index")
		if banks>>kind&1 == bank && !o.Reset {
			return fmt.Errorf("a bound is written into a bank that is in use")
		}
		b := &t.bounds[kind][bank][index]
		b.present, b.bound = get("w_present"), get("w_bound")
	}
	if len(t.expected) == 0 || t.expected[0].cycle != o.Number+1 {
		return nil
	}
	s := t.expected[0]
	t.expected = t.expected[1:]
	table := &t.bounds[s.kind][1^banks>>s.kind&1]
	for i := 1; i < 32; i++ {
		switch b := table[i]; {
		case i >= len(s.bounds) && b.present == 1:
			return fmt.Errorf("bucket %d of type %d is there, the table has %d", i, s.kind, len(s.bounds))
		case i < len(s.bounds) && (b.present == 0 || b.bound != uint64(s.bounds[i])):
			return fmt.Errorf("bound %d of type %d is %#x (present %d), not %#x", i, s.kind, b.bound, b.present, s.bounds[i])
		}
	}
	return nil
}
