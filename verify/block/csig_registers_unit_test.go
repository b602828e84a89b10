package block

import (
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// CSIGRegisters is a CSIG switch as software sees it: the AXI4-Lite slave, the register block and the counters, against
// the rules of docs/csig.md, Registers and Register bus. The tally counts how often each rule was exercised.
func CSIGRegisters(name string, c *config.CSIG) (*Unit, map[string]int) {
	m := join(name, map[string]string{"hold": "sweeping"},
		axil.Slave(name+"_axil"), rtl.Registers(name+"_registers",
			block.NewShape(c)), rtl.Counters(name+"_counters", block.NewShape(c)))
	u := &registerUnit{
		c: c, in: indexes(inputs(m)), out: indexes(outputs(m)), tally: map[string]int{},
		bus: busMaster{writes: &registerProgram{c: c}}, file: newRegisterFile(c),
		rules: newAXILiteRules(m), tables: newTableRules(m),
	}
	u.sweep = 16 << portIndexBits(c)
	return &Unit{Name: name, Module: m, Play: u.play, Watch: u.watch}, u.tally
}

// answer is how many cycles after it acts an access is answered.
func answer(c *config.CSIG) int64 {
	if c.Deep {
		return 6
	}
	return 3
}

// act is how many cycles after it was chosen an access acts.
func act(c *config.CSIG) int64 {
	if c.Deep {
		return 4
	}
	return 2
}

func portIndexBits(c *config.CSIG) int {
	n := 1
	for c.Ports > 1<<n {
		n++
	}
	return n
}

// join puts modules into one: ports of the same name, or renamed to it, are connected; the others are its own,
// outputs always.
func join(name string, rename map[string]string, modules ...*vgen.Module) *vgen.Module {
	top := vgen.NewModule(name, "Modules under test, connected by name")
	signals := map[string]vgen.Signal{}
	var open []func()
	for i, m := range modules {
		inst := top.Instance(fmt.Sprintf("u%d", i), m)
		for _, p := range m.Ports() {
			pin, to := inst.Port(p.Name), p.Name
			if other, ok := rename[to]; ok {
				to = other
			}
			if p.Dir == "out" {
				signals[to] = top.Output(to, p.Width, p.Doc)
				top.Assign(signals[to], pin)
				continue
			}
			open = append(open, func() {
				if _, ok := signals[to]; !ok {
					signals[to] = top.Input(to, p.Width, p.Doc)
				}
				top.Assign(pin, signals[to])
			})
		}
	}
	for _, connect := range open {
		connect()
	}
	return top
}

// indexes maps the names of ports to their places.
func indexes(list []vgen.PortInfo) map[string]int {
	at := map[string]int{}
	for i, p := range list {
		at[p.Name] = i
	}
	return at
}

// registerUnit plays software and packets, and computes the expected outputs.
type registerUnit struct {
	c       *config.CSIG
	in, out map[string]int
	tally   map[string]int
	sweep   int64

	started    bool  // there has been a reset
	sweepUntil int64 // last cycle of the initialisation
	bus        busMaster
	file       *registerFile
	access     *access
	wrote      bool        // the access before was a write
	swaps      []tableSwap // of which the last may be to come

	source  pattern
	streak  int
	counted struct{ port, status uint64 }

	rules  *axiLiteRules
	tables *tableRules
}

// access is the current access.
type access struct {
	write         bool
	taken         int64 // in which cycle its address is
	addr, data    uint32
	strobes       uint32
	acts, answers int64
	failed        bool
	read          uint32
}

// tableSwap is a change of a bucket table: from a cycle on it holds these bounds.
type tableSwap struct {
	cycle  int64
	kind   int
	bounds []uint32
}

func (u *registerUnit) set(c *Cycle, name string, v uint64) {
	if i, ok := u.in[name]; ok {
		c.In[i] = wide.From(v)
	}
}

// want sets the expected value of an output, if the configuration has it.
func (u *registerUnit) want(c *Cycle, name string, v uint64) {
	if i, ok := u.out[name]; ok {
		c.Want[i], c.Care[i] = wide.From(v), u.started
	}
}

func (u *registerUnit) play(c *Cycle) {
	now := c.Number
	if c.Reset && u.c.AsyncReset && u.started {
		u.reset(now) // seen in the same cycle
	}
	sweeping := now <= u.sweepUntil
	u.want(c, "sweeping", bit(sweeping).Lo)
	a := u.access
	handshake := a != nil && now == a.taken
	takesWrite, takesRead := handshake && a.write, handshake && !a.write
	answering := a != nil && now >= a.answers
	u.want(c, "s_axil_awready", bit(takesWrite).Lo)
	u.want(c, "s_axil_wready", bit(takesWrite).Lo)
	u.want(c, "s_axil_arready", bit(takesRead).Lo)
	u.want(c, "s_axil_bvalid", bit(answering && a.write).Lo)
	u.want(c, "s_axil_rvalid", bit(answering && !a.write).Lo)
	if answering {
		resp := 2 * bit(a.failed).Lo
		if a.write {
			u.want(c, "s_axil_bresp", resp)
		} else {
			u.want(c, "s_axil_rresp", resp)
			u.want(c, "s_axil_rdata", uint64(a.read))
		}
	}
	u.committed(c)

	b := u.bus.drive(c.Random)
	u.set(c, "s_axil_awvalid", bit(b.awValid).Lo)
	u.set(c, "s_axil_awaddr", uint64(b.write.addr))
	u.set(c, "s_axil_wvalid", bit(b.wValid).Lo)
	u.set(c, "s_axil_wdata", uint64(b.write.data))
	u.set(c, "s_axil_wstrb", uint64(b.write.strobes))
	u.set(c, "s_axil_arvalid", bit(b.arValid).Lo)
	u.set(c, "s_axil_araddr", uint64(b.readAddr))
	u.set(c, "s_axil_awprot", uint64(c.Random.IntN(8)))
	u.set(c, "s_axil_arprot", uint64(c.Random.IntN(8)))
	u.set(c, "s_axil_bready", bit(b.bReady).Lo)
	u.set(c, "s_axil_rready", bit(b.rReady).Lo)

	// The access acts on the state before this cycle.
	portWritten, estimated := false, false
	if a != nil && now == a.acts && !c.Reset {
		before := *u.file
		u.act(a)
		portWritten = u.file.ports > before.ports
		estimated = u.file.estimates > before.estimates
		if u.file.swap != nil {
			n := int64(len(u.file.swap.bounds))
			u.file.swap.cycle = now + 33 - n
			a.answers = now + 68 - n
			u.swaps = append(u.swaps, *u.file.swap)
			u.file.swap = nil
		}
	}
	if !c.Reset {
		u.want(c, "port_write", bit(portWritten).Lo)
		u.want(c, "estimate_commit", bit(estimated).Lo)
		if portWritten {
			u.portFields(c, a.data)
		}
	}
	u.packets(c, sweeping)

	// The cycle ends.
	if takesWrite {
		u.bus.awValid, u.bus.wValid = false, false
	}
	if takesRead {
		u.bus.arValid = false
	}
	write := b.awValid && b.wValid && !(b.arValid && u.wrote)
	switch {
	case c.Reset:
		u.reset(now)
	case a == nil && !sweeping && write:
		u.wrote = true
		u.access = &access{write: true, addr: b.write.addr, data: b.write.data, strobes: b.write.strobes, taken: now +
			1, acts: now + act(u.c), answers: now + act(u.c) + answer(u.c)}
	case a == nil && !sweeping && b.arValid:
		u.wrote = false
		u.access = &access{addr: b.readAddr, taken: now + 1, acts: now + act(u.c), answers: now + act(u.c) + answer(u.c)}
	case answering && (a.write && b.bReady || !a.write && b.rReady):
		u.access = nil
	}
}

func (u *registerUnit) reset(now int64) {
	u.started, u.sweepUntil = true, now+u.sweep
	u.access, u.wrote = nil, false
	u.file = newRegisterFile(u.c)
	u.swaps = slices.DeleteFunc(u.swaps, func(s tableSwap) bool { return s.cycle > now })
}

// act applies the effect of an access, and tallies it.
func (u *registerUnit) act(a *access) {
	rule := ""
	if a.write {
		rule = u.file.write(a.addr, a.data, a.strobes)
	} else {
		a.read, rule = u.file.read(a.addr)
	}
	a.failed = rule != ""
	if !a.failed {
		rule = "in order"
	}
	kind := "read"
	if a.write {
		kind = "write"
	}
	u.tally[fmt.Sprintf("%s %#05x: %s", kind, min(a.addr, registers.Count), rule)]++
	u.tally[rule]++
}

// committed sets the expected effect of earlier commits.
func (u *registerUnit) committed(c *Cycle) {
	f := u.file
	u.want(c, "estimate_ok", bit(f.estimates > 0).Lo)
	if f.estimates > 0 {
		u.want(c, "estimate_window", uint64(f.estimate[registers.EstimateWindow]))
		u.want(c, "estimate_mantissa", uint64(f.estimate[registers.EstimateFactor]))
		u.want(c, "estimate_shift", uint64(f.estimate[registers.EstimateShift]))
		u.want(c, "estimate_overhead", uint64(f.estimate[registers.EstimateOverhead]))
	}
	quantizers := uint64(0)
	for t, q := range f.quantizers {
		if q.step != 0 {
			quantizers |= 1 << t
			u.want(c, fmt.Sprintf("quantizer%d_base", t), uint64(q.base))
			u.want(c, fmt.Sprintf("quantizer%d_step", t), uint64(q.step))
		}
	}
	u.want(c, "quantizer_ok", quantizers)
	for len(u.swaps) > 0 && u.swaps[0].cycle == c.Number {
		s := u.swaps[0]
		u.swaps = u.swaps[1:]
		f.banks ^= 1 << s.kind
		f.tables |= 1 << s.kind
		u.tables.expected = append(u.tables.expected, s)
		u.tally[fmt.Sprintf("table of %d bounds", len(s.bounds))]++
	}
	u.want(c, "bucket_bank", f.banks)
	u.want(c, "bucket_ok", f.tables)
}

// portFields sets the expected fields of a write to the port table.
func (u *registerUnit) portFields(c *Cycle, port uint32) {
	s := u.file.staged
	u.want(c, "port_index", uint64(port))
	u.want(c, "port_trust", uint64(s[registers.PortTrust]))
	u.want(c, "port_capacity", uint64(s[registers.PortCapacity]))
	u.want(c, "port_ratio", uint64(s[registers.PortRatio]))
	u.want(c, "port_ratio_shift", uint64(s[registers.PortRatioShift]))
	u.want(c, "port_depth", uint64(s[registers.PortDepth]))
	u.want(c, "port_depth_shift", uint64(s[registers.PortDepthShift]))
	u.want(c, "port_actions", uint64(s[registers.PortActions]))
	for t := range config.CSIGTypes {
		v := s[registers.PortLocator(t)]
		u.want(c, fmt.Sprintf("port_locator%d_compact", t), uint64(v&0xffff))
		u.want(c, fmt.Sprintf("port_locator%d_expanded", t), uint64(v>>16))
	}
}

// packets count, often the same counter for a while.
func (u *registerUnit) packets(c *Cycle, sweeping bool) {
	valid := u.source.next(c.Random) && !sweeping && !c.Reset && u.started
	if u.streak == 0 {
		u.streak = c.Random.IntN(6)
		u.counted.port, u.counted.status = uint64(c.Random.IntN(u.c.Ports)), []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
			11}[c.Random.IntN(11)]
		if c.Random.IntN(3) == 0 { // few counters, so that those of different packets collide
			u.counted.port, u.counted.status = u.counted.port%2%uint64(u.c.Ports), u.counted.status%2
		}
	} else {
		u.streak--
	}
	none, stacked := c.Random.IntN(8) == 0 && valid, c.Random.IntN(2) == 0
	valid = valid && !none
	u.set(c, "no_port_count", bit(none).Lo)
	u.set(c, "c_valid", bit(valid).Lo)
	u.set(c, "c_port", u.counted.port)
	u.set(c, "c_status", u.counted.status)
	u.set(c, "c_stacked", bit(stacked).Lo)
	if none {
		u.file.noPort++
	}
	if valid {
		u.file.counters[[2]uint32{uint32(u.counted.port), uint32(u.counted.status)}]++
		if stacked {
			u.file.counters[[2]uint32{uint32(u.counted.port), 15}]++
		}
	}
}

func (u *registerUnit) watch(o *Observed) error {
	if err := u.rules.see(o); err != nil {
		return err
	}
	return u.tables.see(o)
}
