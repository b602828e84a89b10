package csig

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Registers of a folded pipeline. What is staged, and what has been committed, are pages of one memory, with the registers at the places that the
// map gives them; a commit copies a page. Estimate and ports have two pages each, so that a packet under way keeps its own.
const (
	pageIndexBits = 4 // 16 registers a page
	estimatePage  = 2 // and the one behind
	portPage      = 4 // and the one behind, of port 0

	stepBits   = pageIndexBits + 1
	copied     = 1<<pageIndexBits - 1 // step in which the last word of a copy is read
	answerStep = 25                   // of a commit: its answer is there two cycles later
)

// pageBits is the width of a page's number.
func pageNumberBits(c *config.CSIG) int { return bits.Len(uint(portPage + 2*c.Ports - 1)) }

// tableAddrBits is the width of the address of a word of the memory.
func tableAddrBits(c *config.CSIG) int { return pageNumberBits(c) + pageIndexBits }

// pageIndex is the place of a register in its page.
func pageIndex(offset uint32) uint64 { return uint64(offset >> 2 & (1<<pageIndexBits - 1)) }

// pageOf is the number of the page of a port in a bank.
func pageOf(c *config.CSIG, port, bank vgen.Signal) vgen.Signal {
	n := pageNumberBits(c)
	return vgen.Cat(port, bank).Zext(n).Add(vgen.Const(n, portPage))
}

// foldedRegistersPorts are the ports of csig_registers of a folded pipeline. An access acts in the cycle of its strobe, called x.
type foldedRegistersPorts struct {
	Write vgen.Signal `port:"bus_write" dir:"in" width:"1" doc:"a write acts in this cycle"`
	Read  vgen.Signal `port:"bus_read" dir:"in" width:"1" doc:"a read acts in this cycle"`
	Addr  vgen.Signal `port:"bus_addr" dir:"in" width:"address" doc:"its address, held until bus_done"`
	WData vgen.Signal `port:"bus_wdata" dir:"in" width:"bus" doc:"word to write, held until bus_done"`
	Full  vgen.Signal `port:"bus_strobes_full" dir:"in" width:"1" doc:"all of its bytes are to be written"`
	Done  vgen.Signal `port:"bus_done" dir:"out" width:"1" doc:"the answer is there from the next cycle on; in x + 2, later for commits"`
	Error vgen.Signal `port:"bus_error" dir:"out" width:"1" doc:"the answer is an error, from the cycle after bus_done on until the next access acts"`
	RData vgen.Signal `port:"bus_rdata" dir:"out" width:"bus" doc:"word read, 0 with an error; valid as bus_error"`

	CountAddr vgen.Signal `port:"count_addr" dir:"out" width:"count" doc:"counter read: port and status, held"`
	CountData vgen.Signal `port:"count_data" dir:"in" width:"counter" doc:"in x + 2 the counter as it was in x"`

	Table     vgen.Signal `port:"t_addr" dir:"in" width:"taddr" doc:"word of the memory to read: page, register in it"`
	TableData vgen.Signal `port:"t_data" dir:"out" width:"bus" doc:"the word, one cycle later"`

	Port     vgen.Signal `port:"port_write" dir:"out" width:"1" doc:"from the next cycle on a port has its other page"`
	Index    vgen.Signal `port:"port_index" dir:"out" width:"index" doc:"number of the port, while a commit is under way"`
	Trust    vgen.Signal `port:"port_trust" dir:"out" width:"1" doc:"tags that arrive at the port are believed"`
	PortBank vgen.Signal `port:"port_bank" dir:"in" width:"1" doc:"page of the port that is in use"`
	Commit   vgen.Signal `port:"estimate_commit" dir:"out" width:"1" doc:"from the next cycle on the estimate has its other page"`
	OK       vgen.Signal `port:"estimate_ok" dir:"out" width:"1" doc:"the estimate has been committed since reset"`
	Bank     vgen.Signal `port:"estimate_bank" dir:"out" width:"1" doc:"page of the estimate that is in use"`
	Overhead vgen.Signal `port:"estimate_overhead" dir:"out" width:"overhead" doc:"bytes on the wire beyond those of the packet"`
	Bucket   bucketWrite `dir:"out"`
	InUse    vgen.Signal `port:"bucket_bank" dir:"out" width:"perbucket" doc:"bank of the bucket table that is in use, by type"`
	BucketOK vgen.Signal `port:"bucket_ok" dir:"out" width:"perbucket" doc:"there is a bucket table, by type"`
}

// bus are the ports on the side of software.
func (p *foldedRegistersPorts) bus() *registersPorts {
	return &registersPorts{
		Write: p.Write, Read: p.Read, Addr: p.Addr, WData: p.WData, Full: p.Full, Done: p.Done, Error: p.Error, RData: p.RData,
		CountAddr: p.CountAddr, CountData: p.CountData,
	}
}

// foldedRegistersBlock builds csig_registers of a folded pipeline (docs/csig.md, Registers, Folding).
func foldedRegistersBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_registers", "Registers: staged values, their checks, and what has been committed, in one memory")
	m.Doc("An access acts in the cycle of its strobe, x: what it changes is seen in the next cycle, what it reads is as of this one.",
		"A commit of port or estimate copies its page from x + 1 on, and is in force as of x + 18.",
		"Pages of 16 registers: 0 port, staged; 1 estimate, staged; 2, 3 estimate; then two for each port.")
	m.SetTiming(3, 4)
	w := registersWidths(c)
	w["taddr"] = tableAddrBits(c)
	ports := vgen.Ports[foldedRegistersPorts](m, w)
	f := &foldedRegisters{
		ports: ports,
		registerFile: registerFile{
			m: m, c: c, words: registers.New(c), hits: map[uint32]vgen.Signal{}, read: map[uint32]vgen.Signal{},
			p: &registersPorts{Write: ports.Write, Addr: ports.Addr, WData: ports.WData, Full: ports.Full, Bucket: ports.Bucket, Bank: ports.InUse, BucketOK: ports.BucketOK},
		},
	}
	f.decode()
	f.counter()
	f.constants()
	f.stage()
	f.commits()
	f.table()
	f.answer(f.buckets())
	return m
}

// foldedRegisters is csig_registers of a folded pipeline under construction.
type foldedRegisters struct {
	registerFile
	ports *foldedRegistersPorts

	staged vgen.Signal            // the address is that of a register that is staged
	mask   vgen.Signal            // bits of the register that the address names, where it is staged
	fits   map[uint32]vgen.Signal // what was written to the register last is in order

	clears  vgen.Signal // staged registers are being cleared, after reset
	step    vgen.Signal // cycles of that, and of a commit
	copies  vgen.Signal // a word of the page is read
	begins  vgen.Signal // a commit of port or estimate acts
	ends    vgen.Signal // its answer is there in three cycles
	toPort  vgen.Signal // the commit is that of a port
	target  vgen.Signal // page that a commit writes
	written vgen.Signal // a word of the copy is written: the one read in the cycle before
	inForce vgen.Signal // from the next cycle on the copy of the estimate is in force
	word    vgen.Signal // what the bus, or a copy, has read
}

// counter is the address of a counter. NO_PORT is the one that has the status of such packets; it is that of port 0.
func (f *foldedRegisters) counter() {
	noPort := f.hits[registers.NoPort]
	width := portIndexBits(f.c)
	port := f.p.Addr.Slice(6+width-1, 6).And(noPort.Not().Repeat(width))
	f.m.Assign(f.ports.CountAddr, vgen.Cat(port, vgen.Mux(noPort, vgen.Const(statusBits, statusNoPort), f.p.Addr.Slice(5, 2))))
}

// stage finds the register that a write stages, and checks what is written: a commit asks only whether it was in order.
func (f *foldedRegisters) stage() {
	f.m.Section("Staged registers")
	var list []vgen.Signal
	var masks []uint32
	of := map[uint32][]vgen.Signal{}
	for _, r := range f.words.Registers {
		if r.Access != registers.ReadWrite {
			continue
		}
		hit := f.hits[r.Offset]
		list = append(list, hit)
		if of[r.Mask()] == nil {
			masks = append(masks, r.Mask())
		}
		of[r.Mask()] = append(of[r.Mask()], hit)
	}
	f.staged = or(list...).Named("at_staged")
	f.done = append(f.done, f.write.And(f.staged))
	var bits []vgen.Signal
	for _, mask := range masks {
		bits = append(bits, and(or(of[mask]...).Named(fmt.Sprintf("at_mask_%x", mask)).Repeat(busBits), vgen.Const(busBits, uint64(mask))))
	}
	f.mask = or(bits...).Named("mask")

	data := f.p.WData
	exact := data.Top()
	if n := f.c.RecipBits; n < busBits {
		exact = data.Bit(n - 1).And(equals(data.Slice(busBits-1, n), 0)).Named("mantissa_exact")
	}
	var wrong []vgen.Signal
	for t := range config.CSIGTagTypes {
		high := data.Bit(2*t + 1)
		if t < config.CSIGTypes {
			high = high.And(data.Bit(2 * t))
		}
		wrong = append(wrong, high)
	}
	f.fits = map[uint32]vgen.Signal{}
	check := func(name string, offset uint32, reset uint64, ok vgen.Signal) {
		f.fits[offset] = f.m.RegNext(name+"_fits", ok, vgen.Enable(f.write.And(f.hits[offset])), vgen.Reset(reset))
	}
	check("capacity", registers.PortCapacity, 0, atLeast(data, minCapacity))
	check("ratio", registers.PortRatio, 0, exact)
	check("depth", registers.PortDepth, 0, exact)
	check("actions", registers.PortActions, 1, or(wrong...).Not()) // 0: all pass
	check("factor", registers.EstimateFactor, 0, exact)
	if _, ok := f.hits[registers.EstimateWindow]; ok {
		check("window", registers.EstimateWindow, 0, atLeast(data, minWindow).And(atLeast(data, maxWindow+1).Not()))
	}
}

// fit tells whether all of some registers are in order.
func (f *foldedRegisters) fit(offsets ...uint32) vgen.Signal {
	var list []vgen.Signal
	for _, offset := range offsets {
		if ok, there := f.fits[offset]; there {
			list = append(list, ok)
		}
	}
	return and(list...)
}

// commits are those of port and estimate. Both copy the page that is staged, and then put the copy in force.
func (f *foldedRegisters) commits() {
	f.m.Section("Commits of port and estimate")
	m, out := f.m, f.ports
	exists := atLeast(f.p.WData, uint64(f.c.Ports)).Not()
	ofPort := f.commit(registers.PortCommit, "commit_port", and(f.fit(registers.PortCapacity, registers.PortRatio, registers.PortDepth, registers.PortActions), exists))
	ofEstimate := f.commit(registers.EstimateCommit, "commit_estimate", f.fit(registers.EstimateFactor, registers.EstimateWindow))
	f.begins = ofPort.Or(ofEstimate).Named("begins")
	f.toPort = m.RegNext("of_port", ofPort, vgen.Enable(f.begins))

	// After reset the steps clear what is staged; with a commit they copy, and wait until no packet uses the page that was in force.
	f.step = m.Reg("step", stepBits, vgen.Reset(0), vgen.Control())
	f.clears = m.Reg("clears_q", 1, vgen.Reset(1), vgen.Control())
	busy := m.Reg("committing_page_q", 1, vgen.Reset(0), vgen.Control())
	runs := f.clears.Or(busy).Named("steps")
	f.ends = busy.And(equals(f.step, answerStep)).Named("commit_ends")
	m.Next(f.step, f.step.Add(vgen.Const(stepBits, 1)).And(runs.And(f.ends.Not()).Repeat(stepBits)))
	m.Next(f.clears, f.clears.And(f.step.AllBits().Not()))
	m.Next(busy, f.begins.Or(busy.And(f.ends.Not())))
	f.copies = busy.And(f.step.Top().Not()).Named("copies")
	written := m.RegNext("copied", f.copies, vgen.Reset(0), vgen.Control())
	last := written.And(f.step.Top()).Named("last_copied")

	bank := m.Reg("estimate_bank_q", 1, vgen.Reset(0), vgen.Control())
	now := last.And(f.toPort.Not()).Named("estimate_in_force")
	m.Next(bank, bank.Xor(now))
	m.Assign(out.Commit, now)
	m.Assign(out.Bank, bank)
	m.Assign(out.OK, m.RegNext("estimate_ok_q", flag(true), vgen.Enable(now), vgen.Reset(0), vgen.Control()))
	m.Assign(out.Port, last.And(f.toPort))
	index := f.p.WData.Trunc(portIndexBits(f.c))
	m.Assign(out.Index, index)
	page := pageNumberBits(f.c)
	f.target = vgen.Mux(f.toPort, pageOf(f.c, index, out.PortBank.Not()), vgen.Cat(vgen.Const(page-1, estimatePage/2), bank.Not())).Named("target_page")

	// Not in the memory alone: trust, which is of the port that a packet comes from, and the overhead, which counts when a packet ends. The
	// last word of a copy of the estimate's page is the overhead.
	trust := f.write.And(f.hits[registers.PortTrust])
	m.Assign(out.Trust, m.RegNext("trust_q", f.p.WData.Bit(0), vgen.Enable(trust), vgen.Reset(0)))
	f.inForce = now
	f.written = written
}

// table is the memory. Its words are cleared, written by a copy, or by the bus.
func (f *foldedRegisters) table() {
	f.m.Section("Memory")
	m, c, addr, page := f.m, f.c, f.p.Addr, pageNumberBits(f.c)
	mem := m.Memory("pages", (portPage+2*c.Ports)<<pageIndexBits, busBits, "pages of registers").NoCollision()
	place := f.step.Trunc(pageIndexBits).Xor(vgen.Const(pageIndexBits, copied^pageIndex(registers.EstimateOverhead))).Named("place")
	zeros := vgen.Const(page-1, 0)
	here := vgen.Cat(zeros, addr.Bit(7), addr.Slice(5, 2)).Named("at_bus") // 0x040 is in page 0, 0x080 in page 1
	source := vgen.Cat(zeros, f.toPort.Not(), place)
	f.word = mem.Read("word", vgen.Mux(f.copies, source, here).Named("read_at"))
	m.Assign(f.ports.TableData, mem.Read("t_word", f.ports.Table))
	m.Assign(f.ports.Overhead, m.RegNext("overhead_q", f.word.Trunc(overheadBits), vgen.Enable(f.inForce)))

	cleared := vgen.Cat(zeros, f.step.Top(), place).Named("cleared_at")
	to := vgen.Mux(f.written, vgen.Cat(f.target, m.RegNext("copied_place", place)), vgen.Mux(f.clears, cleared, here)).Named("write_at")
	first := f.resetWord(cleared).Named("first_word")
	kept := f.p.WData.And(f.mask).Named("kept_bits")
	mem.Write(or(f.clears, f.written, f.write.And(f.staged)), to, vgen.Mux(f.written, f.word, vgen.Mux(f.clears, first, kept)).Named("written_word"))
}

// resetWord is what the staged register at an address has after reset.
func (f *foldedRegisters) resetWord(at vgen.Signal) vgen.Signal {
	word := vgen.Const(busBits, 0)
	for _, r := range f.words.Registers {
		if r.Access == registers.ReadWrite && r.Reset() != 0 {
			here := equals(at, uint64(r.Offset>>6-1)<<pageIndexBits|pageIndex(r.Offset))
			word = vgen.Mux(here, vgen.Const(busBits, uint64(r.Reset())), word)
		}
	}
	return word
}

// answer makes the answer of each access. A commit answers when it has ended.
func (f *foldedRegisters) answer(buckets bucketCommit) {
	f.m.Section("Answers")
	m, p := f.m, f.ports
	var constants, at []vgen.Signal
	for i := range uint32(1 << 3) {
		v, ok := f.read[4*i]
		if !ok {
			v = vgen.Const(busBits, 0)
		} else {
			at = append(at, f.hits[4*i])
		}
		constants = append(constants, v)
	}
	fixed := or(at...).Named("at_constant")
	counts := f.counts.Or(f.hits[registers.NoPort]).Named("at_any_count")
	acts := p.Write.Or(p.Read).Named("acts")
	kept := func(name string, s vgen.Signal) vgen.Signal { return m.RegNext(name, s, vgen.Enable(acts)) }
	stagedQ, fixedQ, countQ := kept("staged_q", f.staged), kept("constant_q", fixed), kept("count_q", counts)
	m.Assign(p.Error, kept("error_q", vgen.Mux(p.Read, or(f.staged, fixed, counts).Not(), or(f.done...).Not())))

	soon := m.RegNext("acted_s1", acts.And(or(buckets.begins, f.begins).Not()), vgen.Reset(0), vgen.Control())
	done := m.RegNext("done_q", or(soon, buckets.ends, f.ends), vgen.Reset(0), vgen.Control())
	m.Assign(p.Done, done)
	constant := vgen.Select(p.Addr.Slice(4, 2), constants, constants[0]).Named("constant")
	only := func(s, when vgen.Signal) vgen.Signal { return s.And(when.Repeat(busBits)) }
	data := or(only(f.word, stagedQ), only(constant, fixedQ), only(p.CountData, countQ)).Named("read_data")
	m.Assign(p.RData, m.RegNext("rdata_q", data, vgen.Enable(done)))
}
