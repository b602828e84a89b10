package folded

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Registers of a folded pipeline. Staged and committed settings are pages of one memory, with the registers at the
// places that the map gives them; a commit copies a page. Estimate and ports have two pages each, so that a packet in
// the pipeline keeps its own.
const (
	pageIndexBits = 4 // 16 registers a page
	estimatePage  = 2 // and the next one
	portPage      = 4 // and the next one, of port 0

	stepBits   = pageIndexBits + 1
	copied     = 1<<pageIndexBits - 1 // step in which the last word of a copy is read
	answerStep = 25                   // in which a commit ends

	// A commit is in force once its page has been copied: the first word is read in the cycle after the access, and
	// each is written a cycle after it is read.
	commitCycles = 1 + 1<<pageIndexBits + 1
	commitAnswer = 1 + answerStep + block.EndsToAnswer
)

// pageBits is the width of a page's number.
func pageNumberBits(c *block.Shape) int { return bits.Len(uint(portPage + 2*c.Ports - 1)) }

// tableAddrBits is the width of the address of a word of the memory.
func tableAddrBits(c *block.Shape) int { return pageNumberBits(c) + pageIndexBits }

// pageIndex is the place of a register in its page.
func pageIndex(offset uint32) uint64 { return uint64(offset >> 2 & (1<<pageIndexBits - 1)) }

// pageOf is the number of the page of a port in a bank.
func pageOf(c *block.Shape, port, bank vgen.Signal) vgen.Signal {
	n := pageNumberBits(c)
	return vgen.Cat(port, bank).Zext(n).Add(vgen.Const(n, portPage))
}

// registersPorts are the ports of csig_registers of a folded pipeline. An access takes effect in the cycle of its
// strobe, called x.
type registersPorts struct {
	axil.Access

	Done vgen.Signal `port:"bus_done" dir:"out" width:"1" doc:"the response is valid from the next cycle on; in x + 2, later for commits"`

	axil.Answer

	CountAddr vgen.Signal `port:"count_addr" dir:"out" width:"count" doc:"counter read: port and status, held"`
	CountData vgen.Signal `port:"count_data" dir:"in" width:"counter" doc:"in x + 2 the counter as it was in x"`

	Table     vgen.Signal `port:"t_addr" dir:"in" width:"taddr" doc:"word of the memory to read: page, register in it"`
	TableData vgen.Signal `port:"t_data" dir:"out" width:"bus" doc:"the word, one cycle later"`

	Port     vgen.Signal `port:"port_write" dir:"out" width:"1" doc:"the port's pages are swapped from the next cycle on"`
	Index    vgen.Signal `port:"port_index" dir:"out" width:"index" doc:"number of the port, while a commit is under way"`
	Trust    vgen.Signal `port:"port_trust" dir:"out" width:"1" doc:"tags that arrive at the port are believed"`
	PortBank vgen.Signal `port:"port_bank" dir:"in" width:"1" doc:"page of the port that is in use"`
	Commit   vgen.Signal `port:"estimate_commit" dir:"out" width:"1" doc:"the estimate's pages are swapped from the next cycle on"`
	OK       vgen.Signal `port:"estimate_ok" dir:"out" width:"1" doc:"the estimate has been committed since reset"`
	Bank     vgen.Signal `port:"estimate_bank" dir:"out" width:"1" doc:"page of the estimate that is in use"`
	Overhead vgen.Signal `port:"estimate_overhead" dir:"out" width:"overhead" doc:"bytes on the wire beyond those of the packet"`

	block.BucketTables
}

// bus is the side of software.
func (p *registersPorts) bus() transit.Bus {
	return transit.Bus{Access: &p.Access, Answer: &p.Answer, Done: p.Done, CountAddr: p.CountAddr, CountData: p.CountData}
}

// registersBlock builds csig_registers of a folded pipeline (docs/csig.md, Registers, Folding).
func registersBlock(c *block.Shape) *vgen.Module {
	m := vgen.NewModule("csig_registers",
		"Register file: staged values, checks and committed values, in one memory")
	m.Doc(
		"An access acts in the cycle of its strobe, x: what it changes is seen in the next cycle, what it reads is as of this one.",
		fmt.Sprintf("A commit of port or estimate copies its page from x + 1 on, and is in force as of x + %d.",
			commitCycles),
		"Pages of 16 registers: 0 port, staged; 1 estimate, staged; 2, 3 estimate; then two for each port.")
	m.SetTiming(3, 4)
	w := c.RegistersWidths()
	w["taddr"] = tableAddrBits(c)
	ports := vgen.Ports[registersPorts](m, w)
	f := &registerFile{
		ports:        ports,
		RegisterFile: block.NewRegisterFile(m, c, &ports.Access, ports.BucketTables),
	}
	f.DecodeAll(vgen.Signal{})
	f.counter()
	f.Constants()
	f.stage()
	f.commits()
	f.table()
	f.answer(f.Buckets())
	return m
}

// registerFile is csig_registers of a folded pipeline under construction.
type registerFile struct {
	*block.RegisterFile
	ports *registersPorts

	atStaged vgen.Signal            // the address is that of a staged register
	mask     vgen.Signal            // bits of the register that the address names, where it is staged
	fits     map[uint32]vgen.Signal // the last value written to the register is legal

	clears  vgen.Signal // staged registers are being cleared, after reset
	step    vgen.Signal // cycles of that, and of a commit
	copies  vgen.Signal // a word of the page is read
	begins  vgen.Signal // a commit of port or estimate acts
	ends    vgen.Signal // its answer is there block.EndsToAnswer later
	toPort  vgen.Signal // the commit is that of a port
	target  vgen.Signal // page that a commit writes
	written vgen.Signal // the word read in the cycle before is written to the copy
	inForce vgen.Signal // from the next cycle on the copy of the estimate is in force
	word    vgen.Signal // the word read by the bus, or by a copy
}

// counter is the address of a counter. NO_PORT is the counter for packets of that status; it is that of port 0.
func (f *registerFile) counter() {
	noPort := f.Hits[registers.NoPort]
	port := f.PortNumber.And(noPort.Not().Repeat(f.Shape.IndexBits()))
	f.Module.Assign(f.ports.CountAddr, vgen.Cat(port,
		vgen.Mux(noPort, vgen.Const(transit.StatusBits, block.StatusNoPort), f.Addr.Slice(5, 2))))
}

// stage finds the register that a write stages and checks the value; a commit only checks whether the order was right.
func (f *registerFile) stage() {
	f.Module.Section("Staged registers")
	var list []vgen.Signal
	var masks []uint32
	of := map[uint32][]vgen.Signal{}
	for _, r := range f.Map.Registers {
		if r.Access != registers.ReadWrite {
			continue
		}
		hit := f.Hits[r.Offset]
		list = append(list, hit)
		if of[r.Mask()] == nil {
			masks = append(masks, r.Mask())
		}
		of[r.Mask()] = append(of[r.Mask()], hit)
	}
	f.atStaged = or(list...).Named("at_staged")
	f.Done = append(f.Done, f.Writes.And(f.atStaged))
	var bits []vgen.Signal
	for _, mask := range masks {
		bits = append(bits, and(or(of[mask]...).Named(fmt.Sprintf("at_mask_%x", mask)).Repeat(axil.BusBits),
			vgen.Const(axil.BusBits, uint64(mask))))
	}
	f.mask = or(bits...).Named("mask")

	data := f.WData
	exact := f.Exact(data)
	if f.Shape.RecipBits < axil.BusBits {
		exact = exact.Named("mantissa_exact")
	}
	f.fits = map[uint32]vgen.Signal{}
	check := func(name string, offset uint32, reset uint64, ok vgen.Signal) {
		f.fits[offset] = f.Module.RegNext(name+"_fits", ok, vgen.Enable(f.Writes.And(f.Hits[offset])), vgen.Reset(reset))
	}
	check("capacity", registers.PortCapacity, 0, atLeast(data, block.MinCapacity))
	check("ratio", registers.PortRatio, 0, exact)
	check("depth", registers.PortDepth, 0, exact)
	check("actions", registers.PortActions, 1, block.Allowed(data)) // 0: all pass
	check("factor", registers.EstimateFactor, 0, exact)
	if _, ok := f.Hits[registers.EstimateWindow]; ok {
		check("window", registers.EstimateWindow, 0,
			atLeast(data, block.MinWindow).And(atLeast(data, block.MaxWindow+1).Not()))
	}
}

// fit reports whether all of some registers are in order.
func (f *registerFile) fit(offsets ...uint32) vgen.Signal {
	var list []vgen.Signal
	for _, offset := range offsets {
		if ok, there := f.fits[offset]; there {
			list = append(list, ok)
		}
	}
	return and(list...)
}

// commits are the commits of port and estimate. Both copy the staged page, and then put the copy in force.
func (f *registerFile) commits() {
	f.Module.Section("Commits of port and estimate")
	m, out := f.Module, f.ports
	exists := atLeast(f.WData, uint64(f.Shape.Ports)).Not()
	ofPort := f.Commit(registers.PortCommit, "commit_port",
		and(f.fit(registers.PortCapacity, registers.PortRatio, registers.PortDepth, registers.PortActions), exists))
	ofEstimate := f.Commit(registers.EstimateCommit, "commit_estimate",
		f.fit(registers.EstimateFactor, registers.EstimateWindow))
	f.begins = ofPort.Or(ofEstimate).Named("begins")
	f.toPort = m.RegNext("of_port", ofPort, vgen.Enable(f.begins))

	// After reset the steps clear the staged page; with a commit they copy, and wait until no packet uses the former
	// page.
	f.step = m.State("step", stepBits)
	f.clears = m.Reg("clears_q", 1, vgen.Reset(1), vgen.Control())
	busy := m.State("committing_page_q", 1)
	runs := f.clears.Or(busy).Named("steps")
	f.ends = busy.And(f.step.Is(answerStep)).Named("commit_ends")
	m.Next(f.step, f.step.Add(vgen.Const(stepBits, 1)).And(runs.And(f.ends.Not()).Repeat(stepBits)))
	m.Next(f.clears, f.clears.And(f.step.AllBits().Not()))
	m.Next(busy, f.begins.Or(busy.And(f.ends.Not())))
	f.copies = busy.And(f.step.Top().Not()).Named("copies")
	written := m.StateNext("copied", f.copies)
	last := written.And(f.step.Top()).Named("last_copied")

	bank := m.State("estimate_bank_q", 1)
	now := last.And(f.toPort.Not()).Named("estimate_in_force")
	m.Next(bank, bank.Xor(now))
	m.Assign(out.Commit, now)
	m.Assign(out.Bank, bank)
	m.Assign(out.OK, m.RegNext("estimate_ok_q", flag(true), vgen.Enable(now), vgen.Reset(0), vgen.Control()))
	m.Assign(out.Port, last.And(f.toPort))
	index := f.WData.Trunc(f.Shape.IndexBits())
	m.Assign(out.Index, index)
	page := pageNumberBits(f.Shape)
	f.target = vgen.Mux(f.toPort, pageOf(f.Shape, index, out.PortBank.Not()),
		vgen.Cat(vgen.Const(page-1, estimatePage/2), bank.Not())).Named("target_page")

	// Registers outside the memory: trust, which belongs to a packet's ingress port, and the overhead, which counts
	// when a packet ends. The last word of a copy of the estimate's page is the overhead.
	trust := f.Writes.And(f.Hits[registers.PortTrust])
	m.Assign(out.Trust, m.RegNext("trust_q", f.WData.Bit(0), vgen.Enable(trust), vgen.Reset(0)))
	f.inForce = now
	f.written = written
}

// table is the memory. Its words are cleared, or written by a copy or by the bus.
func (f *registerFile) table() {
	f.Module.Section("Memory")
	m, c, addr, page := f.Module, f.Shape, f.Addr, pageNumberBits(f.Shape)
	mem := m.Memory("pages", (portPage+2*c.Ports)<<pageIndexBits, axil.BusBits, "pages of registers").NoCollision()
	place := f.step.Trunc(pageIndexBits).Xor(vgen.Const(pageIndexBits,
		copied^pageIndex(registers.EstimateOverhead))).Named("place")
	zeros := vgen.Const(page-1, 0)
	here := vgen.Cat(zeros, addr.Bit(7), addr.Slice(5, 2)).Named("at_bus") // 0x040 is in page 0, 0x080 in page 1
	source := vgen.Cat(zeros, f.toPort.Not(), place)
	f.word = mem.Read("word", vgen.Mux(f.copies, source, here).Named("read_at"))
	m.Assign(f.ports.TableData, mem.Read("t_word", f.ports.Table))
	m.Assign(f.ports.Overhead, m.RegNext("overhead_q", f.word.Trunc(block.OverheadBits), vgen.Enable(f.inForce)))

	cleared := vgen.Cat(zeros, f.step.Top(), place).Named("cleared_at")
	to := vgen.Mux(f.written, vgen.Cat(f.target, m.RegNext("copied_place", place)),
		vgen.Mux(f.clears, cleared, here)).Named("write_at")
	first := f.resetWord(cleared).Named("first_word")
	kept := f.WData.And(f.mask).Named("kept_bits")
	mem.Write(or(f.clears, f.written, f.Writes.And(f.atStaged)), to,
		vgen.Mux(f.written, f.word, vgen.Mux(f.clears, first, kept)).Named("written_word"))
}

// resetWord is the value after reset of the staged register at an address.
func (f *registerFile) resetWord(at vgen.Signal) vgen.Signal {
	word := vgen.Const(axil.BusBits, 0)
	for _, r := range f.Map.Registers {
		if r.Access == registers.ReadWrite && r.Reset() != 0 {
			here := at.Is(uint64(r.Offset>>6-1)<<pageIndexBits | pageIndex(r.Offset))
			word = vgen.Mux(here, vgen.Const(axil.BusBits, uint64(r.Reset())), word)
		}
	}
	return word
}

// answer makes the answer of each access. A commit answers when it has ended.
func (f *registerFile) answer(buckets block.BucketCommit) {
	f.Module.Section("Answers")
	m, p := f.Module, f.ports
	var constants, at []vgen.Signal
	for i := range uint32(1 << 3) {
		v, ok := f.Reads[4*i]
		if !ok {
			v = vgen.Const(axil.BusBits, 0)
		} else {
			at = append(at, f.Hits[4*i])
		}
		constants = append(constants, v)
	}
	fixed := or(at...).Named("at_constant")
	counts := f.Counts.Or(f.Hits[registers.NoPort]).Named("at_any_count")
	acts := p.Write.Or(p.Read).Named("acts")
	kept := func(name string, s vgen.Signal) vgen.Signal { return m.RegNext(name, s, vgen.Enable(acts)) }
	stagedQ, fixedQ, countQ := kept("staged_q", f.atStaged), kept("constant_q", fixed), kept("count_q", counts)
	m.Assign(p.Error, kept("error_q", vgen.Mux(p.Read, or(f.atStaged, fixed, counts).Not(), or(f.Done...).Not())))

	soon := m.StateNext("acted_s1", acts.And(or(buckets.Begins, f.begins).Not()))
	done := m.StateNext("done_q", or(soon, buckets.Ends, f.ends))
	m.Assign(p.Done, done)
	constant := vgen.Select(p.Addr.Slice(4, 2), constants, constants[0]).Named("constant")
	only := func(s, when vgen.Signal) vgen.Signal { return s.And(when.Repeat(axil.BusBits)) }
	data := or(only(f.word, stagedQ), only(constant, fixedQ), only(p.CountData, countQ)).Named("read_data")
	m.Assign(p.RData, m.RegNext("rdata_q", data, vgen.Enable(done)))
}
