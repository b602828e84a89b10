package csig

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// registersBlock builds csig_registers.
func registersBlock(c *config.CSIG) *vgen.Module { return Registers("csig_registers", c) }

// Registers is what software reads and writes, with the checks of what it commits, as a module (docs/csig.md, Registers). The map is
// that of package registers; what a register does is here.
func Registers(name string, c *config.CSIG) *vgen.Module {
	m := vgen.NewModule(name, "Registers: staged values, their checks, and what has been committed")
	if deep(c) {
		m.Doc(fmt.Sprintf("An access acts %d cycles after its strobe: what it changes is seen in the next cycle, what it reads is as of that one.", busToAct(c)))
	} else {
		m.Doc("An access acts in the cycle of its strobe: what it changes is seen in the next cycle, what it reads is as of this one.")
	}
	m.SetTiming(answerCycles(c), answerCycles(c)+1)
	f := &registerFile{
		m: m, c: c, p: vgen.Ports[registersPorts](m, registersWidths(c)), words: registers.New(c),
		hits: map[uint32]vgen.Signal{}, staged: map[uint32]vgen.Signal{}, read: map[uint32]vgen.Signal{},
	}
	f.decode()
	f.constants()
	f.stage()
	f.noPort()
	f.port()
	f.estimate()
	slow := bucketCommit{flag(false), flag(false)}
	if compact(c) {
		slow = f.buckets()
	}
	if expanded(c) {
		f.quantizers()
	}
	f.answer(slow)
	return m
}

// Limits of what can be committed.
const (
	minCapacity = 1000 // kbit/s
	minWindow   = 1000 // ns
	maxWindow   = 1_000_000_000
)

// pageBits is the width of addresses below the counters; every register but those lies in the first page.
const pageBits = 8

// registerFile is csig_registers under construction. Registers go by their offsets.
type registerFile struct {
	m     *vgen.Module
	c     *config.CSIG
	p     *registersPorts
	words *registers.Map

	write  vgen.Signal            // a write acts, with all strobes; in a deep pipeline in the cycle to come
	counts vgen.Signal            // the address is that of a counter
	isWord vgen.Signal            // the address is that of a register that can be read
	hits   map[uint32]vgen.Signal // the address is that of the register
	typed  vgen.Signal            // the word written names a signal type
	staged map[uint32]vgen.Signal // content of a register that software reads and writes
	read   map[uint32]vgen.Signal // what a read gives
	done   []vgen.Signal          // writes in order
}

// answerCycles is from the cycle in which an access acts to its answer: reading a counter takes as long.
func answerCycles(c *config.CSIG) int {
	if deep(c) {
		return 6
	}
	return 3
}

// busToAct is from the strobe of an access to the cycle in which it acts. A deep pipeline has a register for the strobe, and one for what follows
// from it.
func busToAct(c *config.CSIG) int { return 2 * bit(deep(c)) }

// act is what a write that is in order does in the cycle in which it acts. s is made of f.write.
func (f *registerFile) act(name string, s vgen.Signal) vgen.Signal {
	if deep(f.c) {
		return f.m.RegNext(name+"_q", s, vgen.Reset(0), vgen.Control())
	}
	return s.Named(name)
}

// decode compares the address with those that the map has.
func (f *registerFile) decode() {
	f.m.Section("Addresses")
	addr := f.p.Addr
	f.write = f.p.Write.And(f.p.Full).Named("write")
	first := equals(addr.Slice(addressBits-1, pageBits), 0).And(equals(addr.Trunc(2), 0)).Named("first_page")
	if deep(f.c) {
		f.write, first = f.act("write", f.p.Write.And(f.p.Full)), f.early("first_page", first)
	}
	word := addr.Slice(pageBits-1, 2)
	var slots, readable []vgen.Signal
	for _, r := range f.words.Registers {
		if r.Offset >= registers.Count {
			slots = append(slots, equals(addr.Trunc(6), uint64(r.Offset-registers.Count)))
			continue
		}
		hit := first.And(equals(word, uint64(r.Offset>>2)))
		f.hits[r.Offset] = f.early("at_"+strings.ToLower(r.Name), hit)
		if r.Access != registers.WriteOnly {
			readable = append(readable, hit)
		}
	}
	f.isWord = f.early("at_word", or(readable...))

	// Number of the port, modulo the address space: below the counters it is beyond all ports.
	stride := addr.Slice(addressBits-1, 6)
	number := stride.Sub(vgen.Const(stride.Width(), registers.Count/registers.CountStride)).Named("count_port")
	inside := number.Lt(vgen.Const(number.Width(), uint64(f.c.Ports)))
	if deep(f.c) {
		f.counts = f.early("at_count", f.early("count_of_port", inside).And(f.early("count_of_slot", or(slots...))))
	} else {
		f.counts = f.early("at_count", inside.And(or(slots...)))
	}
	count := vgen.Cat(number.Trunc(portIndexBits(f.c)), addr.Slice(5, 2))
	if deep(f.c) {
		count = f.m.RegNext("count_addr_q", count)
	}
	if f.p.CountAddr.Exists() {
		f.m.Assign(f.p.CountAddr, count)
	}
}

// early is what follows from address and word of an access, which are there a cycle before its strobe: in a deep pipeline a register. There is
// time for two of them before f.write.
func (f *registerFile) early(name string, s vgen.Signal) vgen.Signal {
	if deep(f.c) {
		return f.m.RegNext(name+"_q", s)
	}
	return s.Named(name)
}

// constants are the registers that never change.
func (f *registerFile) constants() {
	for _, r := range f.words.Registers {
		if r.Access == registers.ReadOnly && !r.Volatile {
			f.read[r.Offset] = vgen.Const(busBits, uint64(r.Reset())).Named(strings.ToLower(r.Name))
		}
	}
}

// stage makes the registers that keep what is written to them until a commit takes it.
func (f *registerFile) stage() {
	f.m.Section("Staged registers")
	for _, r := range f.words.Registers {
		if r.Access != registers.ReadWrite {
			continue
		}
		load := f.act("write_"+strings.ToLower(r.Name), f.write.And(f.hits[r.Offset]))
		f.done = append(f.done, load)
		f.staged[r.Offset] = f.kept(&r, load)
		f.read[r.Offset] = f.staged[r.Offset]
	}
}

// kept is the content of a register: flip-flops for each run of bits that fields have, zeros between them.
func (f *registerFile) kept(r *registers.Register, load vgen.Signal) vgen.Signal {
	var parts []vgen.Signal // lowest first
	mask, reset := r.Mask(), r.Reset()
	for low := 0; low < busBits; {
		high := low
		for high+1 < busBits && mask>>(high+1)&1 == mask>>low&1 {
			high++
		}
		width := high - low + 1
		part := vgen.Const(width, 0)
		if mask>>low&1 == 1 {
			name := strings.ToLower(r.Name)
			if mask != ^uint32(0) && mask&(mask+1) != 0 {
				name = fmt.Sprintf("%s_from%d", name, low)
			}
			part = f.m.RegNext(name+"_q", f.p.WData.Slice(high, low), vgen.Enable(load), vgen.Reset(uint64(reset>>low)&(1<<width-1)))
		}
		parts = append([]vgen.Signal{part}, parts...)
		low = high + 1
	}
	return vgen.Cat(parts...)
}

// noPort counts packets without a port.
func (f *registerFile) noPort() {
	count := f.m.Reg("no_port_q", counterBits, vgen.Reset(0))
	f.m.Next(count, count.Add(f.p.NoPort.Zext(counterBits)))
	f.read[registers.NoPort] = count
}

// commit is a write to a register that takes what is staged; ok says that it is in order.
func (f *registerFile) commit(offset uint32, name string, ok vgen.Signal) vgen.Signal {
	s := f.act(name, f.write.And(f.hits[offset]).And(ok))
	f.done = append(f.done, s)
	return s
}

// checked is a check of what is staged. A register gives it a cycle of its own; the next access is further away.
func (f *registerFile) checked(name string, checks ...vgen.Signal) vgen.Signal {
	if deep(f.c) { // there are two, and a third in front of long ones
		for i, s := range checks {
			checks[i] = f.m.RegNext(fmt.Sprintf("%s_check%d", strings.TrimSuffix(name, "_q"), i), s, vgen.Reset(0))
		}
	}
	all := checks[0]
	for _, s := range checks[1:] {
		all = all.And(s)
	}
	return f.m.RegNext(name, all, vgen.Reset(0))
}

// reaches tells that what is staged is at least a constant.
func (f *registerFile) reaches(name string, offset uint32, v uint64) vgen.Signal {
	if deep(f.c) {
		return f.reachesInBytes(name, f.staged[offset], v)
	}
	return atLeast(f.staged[offset], v)
}

// exact tells that a mantissa has all its bits and no more.
func (f *registerFile) exact(offset uint32) vgen.Signal {
	v, n := f.staged[offset], f.c.RecipBits
	if n == busBits {
		return v.Top()
	}
	return v.Bit(n - 1).And(equals(v.Slice(busBits-1, n), 0))
}

// isType tells that the word written names a signal type with a table.
func (f *registerFile) isType() vgen.Signal {
	if !f.typed.Exists() {
		f.typed = f.early("names_type", f.isZero("high", 2))
	}
	return f.typed
}

// isZero tells that the word written is 0 from a bit on; in a deep pipeline a register later.
func (f *registerFile) isZero(name string, from int) vgen.Signal {
	if deep(f.c) {
		return f.isZeroInBytes(name, from)
	}
	return equals(f.p.WData.Slice(busBits-1, from), 0)
}

// isBelow tells that the word written is below a number.
func (f *registerFile) isBelow(name string, v uint64) vgen.Signal {
	if deep(f.c) {
		return f.isBelowInBytes(name, v)
	}
	return atLeast(f.p.WData, v).Not().Named(name)
}

// port is the commit of a port.
func (f *registerFile) port() {
	f.m.Section("Ports")
	actions := f.staged[registers.PortActions]
	var wrong []vgen.Signal
	for t := range config.CSIGTagTypes {
		high := actions.Bit(2*t + 1)
		if t < config.CSIGTypes {
			high = high.And(actions.Bit(2 * t))
		}
		wrong = append(wrong, high)
	}
	fits := f.checked("port_fits_q", f.reaches("capacity_enough", registers.PortCapacity, minCapacity),
		f.exact(registers.PortRatio), f.exact(registers.PortDepth), or(wrong...).Not())
	exists := f.isBelow("port_exists", uint64(f.c.Ports))

	out, assign := &f.p.Port, f.m.Assign
	low := func(offset uint32, width int) vgen.Signal { return f.staged[offset].Trunc(width) }
	assign(out.Write, f.commit(registers.PortCommit, "commit_port", fits.And(exists)))
	index := f.p.WData.Trunc(out.Index.Width())
	if deep(f.c) {
		index = f.early("port_index", index)
	}
	assign(out.Index, index)
	assign(out.Trust, low(registers.PortTrust, 1))
	assign(out.Capacity, f.staged[registers.PortCapacity])
	assign(out.Ratio, low(registers.PortRatio, f.c.RecipBits))
	assign(out.RatioShift, low(registers.PortRatioShift, shiftBits))
	assign(out.Depth, low(registers.PortDepth, f.c.RecipBits))
	assign(out.DepthShift, low(registers.PortDepthShift, shiftBits))
	assign(out.Actions, actions)
	for t, l := range out.Locator {
		v := f.staged[registers.PortLocator0+4*uint32(t)]
		if l.Compact.Exists() {
			assign(l.Compact, v.Trunc(l.Compact.Width()))
		}
		if l.Expanded.Exists() {
			assign(l.Expanded, v.Slice(16+l.Expanded.Width()-1, 16))
		}
	}
}

// estimate is the commit of the estimate's parameters.
func (f *registerFile) estimate() {
	f.m.Section("Estimate")
	checks := []vgen.Signal{f.exact(registers.EstimateFactor)}
	out := &f.p.Estimate
	if out.Window.Exists() {
		checks = append(checks, f.reaches("window_enough", registers.EstimateWindow, minWindow), f.reaches("window_too_long", registers.EstimateWindow, maxWindow+1).Not())
	}
	commit := f.commit(registers.EstimateCommit, "commit_estimate", f.checked("estimate_fits_q", checks...))
	take := func(port vgen.Signal, name string, offset uint32) {
		if port.Exists() {
			f.m.Assign(port, f.m.RegNext(name, f.staged[offset].Trunc(port.Width()), vgen.Enable(commit)))
		}
	}
	f.m.Assign(out.Commit, commit)
	f.m.Assign(out.OK, f.m.RegNext("estimate_ok_q", flag(true), vgen.Enable(commit), vgen.Reset(0), vgen.Control()))
	take(out.Window, "window_q", registers.EstimateWindow)
	take(out.Mantissa, "mantissa_q", registers.EstimateFactor)
	take(out.Shift, "shift_q", registers.EstimateShift)
	take(out.Overhead, "overhead_q", registers.EstimateOverhead)
}

// quantizers is the commit of base and step of a type.
func (f *registerFile) quantizers() {
	f.m.Section("Quantizers")
	base, step := f.staged[registers.QuantizerBase], f.staged[registers.QuantizerStep]
	some := step.AnyBit()
	if deep(f.c) {
		some = or(f.some("step", step, 0)...)
	}
	fits := f.checked("quantizer_fits_q", some)
	commit := f.commit(registers.QuantizerCommit, "commit_quantizer", fits.And(f.isType()))
	ok := make([]vgen.Signal, config.CSIGTypes) // type 0 last
	for t := range f.p.Quantizer {
		ofType := equals(f.p.WData.Trunc(2), uint64(t))
		if deep(f.c) {
			ofType = f.early(fmt.Sprintf("names_type%d", t), ofType)
		}
		this := commit.And(ofType).Named(fmt.Sprintf("commit_quantizer%d", t))
		name := func(what string) string { return fmt.Sprintf("quantizer%d_%s_q", t, what) }
		f.m.Assign(f.p.Quantizer[t].Base, f.m.RegNext(name("base"), base, vgen.Enable(this)))
		f.m.Assign(f.p.Quantizer[t].Step, f.m.RegNext(name("step"), step, vgen.Enable(this)))
		ok[config.CSIGTypes-1-t] = f.m.RegNext(name("ok"), flag(true), vgen.Enable(this), vgen.Reset(0), vgen.Control())
	}
	f.m.Assign(f.p.QuantOK, vgen.Cat(ok...))
}

// answer makes the answer of each access. A commit of a bucket table answers when it has ended.
func (f *registerFile) answer(slow bucketCommit) {
	f.m.Section("Answers")
	acts, read := f.p.Write.Or(f.p.Read), f.p.Read
	begins := acts // of the answer
	if deep(f.c) {
		acts = f.m.Delay("acts", acts, busToAct(f.c), vgen.Reset(0), vgen.Control())
		begins, read = later(f.m, "acted", acts), f.m.Delay("reads", read, busToAct(f.c)+1)
	} else {
		acts = acts.Named("acts")
		begins = acts
	}
	wordQ := f.m.RegNext("word_q", f.word(), vgen.Enable(begins))
	countQ := f.m.RegNext("count_q", f.counts, vgen.Enable(acts))
	wrong := vgen.Mux(read, f.isWord.Or(f.counts).Not(), f.inOrder().Not())
	f.m.Assign(f.p.Error, f.m.RegNext("error_q", wrong, vgen.Enable(begins)))

	soon := acts.And(slow.begins.Not())
	for i := 1; i < answerCycles(f.c)-1; i++ {
		soon = f.m.RegNext(fmt.Sprintf("acted_s%d", i), soon, vgen.Reset(0), vgen.Control())
	}
	done := f.m.RegNext("done_q", soon.Or(slow.ends), vgen.Reset(0), vgen.Control())
	f.m.Assign(f.p.Done, done)
	data := wordQ.Or(f.p.CountData.And(countQ.Repeat(busBits))).Named("read_data")
	f.m.Assign(f.p.RData, f.m.RegNext("rdata_q", data, vgen.Enable(done)))
}

// inOrder tells that a write was; in a deep pipeline a cycle after it has acted.
func (f *registerFile) inOrder() vgen.Signal {
	all := or(f.done...)
	if deep(f.c) {
		return f.m.RegNext("in_order_q", all)
	}
	return all
}

// word is the content of the register that the address names, 0 where it names none; in a deep pipeline as of the cycle before.
func (f *registerFile) word() vgen.Signal {
	if deep(f.c) {
		return f.wordInSteps()
	}
	zero := vgen.Const(busBits, 0)
	var words []vgen.Signal
	for i := range uint32(1 << (pageBits - 2)) {
		v, ok := f.read[4*i]
		if !ok {
			continue
		}
		for uint32(len(words)) < i {
			words = append(words, zero)
		}
		words = append(words, v)
	}
	word := vgen.Select(f.p.Addr.Slice(pageBits-1, 2), words, zero).Named("word")
	return vgen.Mux(f.isWord, word, zero)
}

// atLeast compares with a constant, the bits above it apart.
func atLeast(s vgen.Signal, v uint64) vgen.Signal {
	n := bits.Len64(v - 1)
	high := s.Slice(s.Width()-1, n).AnyBit()
	if v == 1<<n {
		return high
	}
	return high.Or(s.Trunc(n).Ge(vgen.Const(n, v)))
}
