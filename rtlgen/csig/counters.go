package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

const (
	counterBits = 32
	stackedSlot = 15 // of a port's 16 counters as the bus numbers them
)

// countersPorts are the ports of csig_counters.
type countersPorts struct {
	Valid    vgen.Signal `port:"c_valid" dir:"in" width:"1" role:"valid" doc:"a packet counts"`
	Port     vgen.Signal `port:"c_port" dir:"in" width:"index" doc:"its egress port"`
	Status   vgen.Signal `port:"c_status" dir:"in" width:"status" doc:"its status, not no_port"`
	Stacked  vgen.Signal `port:"c_stacked" dir:"in" width:"1" doc:"it counts as stacked, too"`
	Addr     vgen.Signal `port:"count_addr" dir:"in" width:"count" doc:"port and status (15: stacked) to read; the same until the answer"`
	Data     vgen.Signal `port:"count_data" dir:"out" width:"counter" doc:"packets that have counted"`
	Sweeping vgen.Signal `port:"sweeping" dir:"out" width:"1" doc:"the counters are being cleared; nothing may count"`
}

// countAddrBits is the width of the number of a counter: port, then status.
func countAddrBits(c *config.CSIG) int { return portIndexBits(c) + statusBits }

// sweepCycles is how long the counters take to clear after reset.
func sweepCycles(c *config.CSIG) int { return 1 << countAddrBits(c) }

// countersBlock builds csig_counters.
func countersBlock(c *config.CSIG) *vgen.Module {
	if c.Folded {
		return foldedCounters("csig_counters", c)
	}
	return Counters("csig_counters", c)
}

// Counters is the packet counters as a module. A packet that counts in cycle t is read in t, its counter goes through a register in t + 1 and is
// written one higher in t + 2; packets of the same counter in between get it from the adder's register.
//
// A read is exact: count_data in cycle x + 2, with count_addr as it has been since x + 1, has the packets that counted before cycle x, and no
// others.
//
// In a deep pipeline there is a register right behind each memory, one behind the choice between its word and what the packets before made of it,
// and one behind the sum: a counter is written in t + 4. Then it is count_data in cycle x + 5, with count_addr as it has been since x + 3.
func Counters(name string, c *config.CSIG) *vgen.Module {
	m := vgen.NewModule(name, "Counts packets by egress port and status, one a cycle")
	m.Doc(fmt.Sprintf("After reset the counters are cleared, which takes %d cycles. A packet that counts in cycle t is in count_data from t + %d on.", sweepCycles(c), answerCycles(c)))
	m.SetTiming(1, 1)
	w := widths(c)
	w["count"], w["counter"] = countAddrBits(c), counterBits
	p := vgen.Ports[countersPorts](m, w)

	bits := countAddrBits(c)
	at := m.Reg("sweep_addr", bits, vgen.Reset(0), vgen.Control())
	sweeping := m.Reg("sweeping_q", 1, vgen.Reset(1), vgen.Control())
	m.Next(at, vgen.Mux(sweeping, at.Add(vgen.Const(bits, 1)), at))
	goesOn := sweeping.And(at.AllBits().Not())
	m.Next(sweeping, goesOn)
	if deep(c) { // who asks from afar has a register that the memories do not share
		m.Assign(p.Sweeping, later(m, "swept_q", goesOn.Not()).Not())
	} else {
		m.Assign(p.Sweeping, sweeping)
	}

	addr := vgen.Cat(p.Port, p.Status).Named("addr_s0")
	p1 := counted{valid: later(m, "valid_s1", p.Valid), stacked: m.RegNext("stacked_s1", p.Stacked), addr: m.RegNext("addr_s1", addr)}
	p2 := counted{valid: later(m, "valid_s2", p1.valid), stacked: m.RegNext("stacked_s2", p1.stacked), addr: m.RegNext("addr_s2", p1.addr)}
	port := p.Addr.Slice(bits-1, statusBits)
	ofStacked := equals(p.Addr.Trunc(statusBits), stackedSlot)
	all := counterMemory{m: m, name: "status", doc: "counters by port and status", clearing: sweeping, clear: at}
	some := counterMemory{m: m, name: "stacked", doc: "counters of stacked tags by port", clearing: sweeping, clear: at.Trunc(port.Width())}
	also := p2.valid.And(p2.stacked).Named("stacked_counts")
	var status, stacked vgen.Signal
	if deep(c) {
		status = all.buildDeep(addr, p.Addr, p2.addr, p2.valid)
		if c.Ports <= maxCounterRegisters {
			counts := m.Delay("stacked_counts_s4", also, 2, vgen.Reset(0), vgen.Control())
			stacked = m.RegNext("stacked_read_q", counterRegisters(m, c.Ports, counts, m.Delay("port_s4", p2.port(), 2), port))
		} else {
			stacked = some.buildDeep(p.Port, port, p2.port(), also)
		}
		m.Assign(p.Data, vgen.Mux(m.RegNext("reads_stacked", ofStacked), stacked, status))
		return m
	}
	status = all.build(addr, p1.addr, p2.addr, p2.valid, p.Addr)
	if c.Ports <= maxCounterRegisters {
		stacked = counterRegisters(m, c.Ports, also, p2.port(), port)
	} else {
		stacked = some.build(p.Port, p1.port(), p2.port(), also, port)
	}
	m.Assign(p.Data, vgen.Mux(ofStacked, stacked, status))
	return m
}

// counted is a packet that counts, on its way.
type counted struct{ valid, stacked, addr vgen.Signal }

func (c counted) port() vgen.Signal { return c.addr.Slice(c.addr.Width()-1, statusBits) }

// later is a control bit, one cycle later.
func later(m *vgen.Module, name string, s vgen.Signal) vgen.Signal {
	return m.RegNext(name, s, vgen.Reset(0), vgen.Control())
}

// counterMemory is a memory of counters: in each cycle one of them can go up, and one can be read.
type counterMemory struct {
	m               *vgen.Module
	name, doc       string
	clearing, clear vgen.Signal // the counter at clear becomes 0; nothing counts
}

// build makes the memory. The counter at addr0 is read; one and two cycles later, when its address is addr1 and addr2, valid2 says that it
// goes up.
func (b counterMemory) build(addr0, addr1, addr2, valid2, readAddr vgen.Signal) vgen.Signal {
	m := b.m
	m.Section("Counters: " + b.name)
	name := func(what string) string { return b.name + "_" + what }
	mem := m.Memory(name("counters"), 1<<addr0.Width(), counterBits, b.doc).NoCollision()
	sum3 := m.Reg(name("sum_s3"), counterBits)

	// What the packet before the last wrote while this one read, and what the last one is about to write. Both are 0 from the first
	// cycle of clearing on, so that the sum is the 0 that is written then.
	second := m.RegNext(name("second_s1"), valid2.And(addr2.Eq(addr0)))
	first := m.RegNext(name("first_s2"), valid2.And(addr2.Eq(addr1)), vgen.Reset(0))
	word1 := mem.Read(name("word_s1"), addr0)
	zero := vgen.Const(counterBits, 0)
	word2 := m.RegNext(name("word_s2"), vgen.Mux(b.clearing, zero, vgen.Mux(second, sum3, word1)), vgen.Reset(0))
	sum := vgen.Mux(first, sum3, word2).Named(name("before")).Add(valid2.Zext(counterBits)).Named(name("sum"))
	m.Next(sum3, sum)
	mem.Write(b.clearing.Or(valid2), vgen.Mux(b.clearing, b.clear, addr2), sum)

	// Likewise for a read during the write of the packet before it.
	hit := m.RegNext(name("read_hit"), valid2.And(addr2.Eq(readAddr)))
	return vgen.Mux(hit, sum3, mem.Read(name("read_q"), readAddr)).Named(name("read"))
}

// buildDeep is build of a deep pipeline, where the memory is written four cycles after it is read. addr2 is the counter of a packet two cycles after
// it has come, valid2 says that it counts.
//
// What is chosen leaves out the packet just before, whose sum is not there yet: if it has the same counter, it adds one more.
func (b counterMemory) buildDeep(addr0, readAddr, addr2, valid2 vgen.Signal) vgen.Signal {
	m := b.m
	m.Section("Counters: " + b.name)
	name := func(what string) string { return b.name + "_" + what }
	mem := m.Memory(name("counters"), 1<<addr0.Width(), counterBits, b.doc).NoCollision()
	sum4 := m.Reg(name("sum_s4"), counterBits)
	sum5 := m.RegNext(name("sum_s5"), sum4)
	sum6 := m.RegNext(name("sum_s6"), sum5)
	valid3, addr3 := later(m, name("counts_s3"), valid2), m.RegNext(name("addr_s3"), addr2)
	valid4, addr4 := later(m, name("counts_s4"), valid3), m.RegNext(name("addr_s4"), addr3)

	// Which of the four packets before has the same counter.
	addr1 := m.RegNext(name("addr_s1"), addr0)
	same := func(valid, earlier, addr vgen.Signal) vgen.Signal { return valid.And(earlier.Eq(addr)) }
	last := m.RegNext(name("last_s3"), same(valid3, addr3, addr2))
	second := m.RegNext(name("second_s2"), same(valid3, addr3, addr1))
	third := m.RegNext(name("third_s1"), same(valid3, addr3, addr0))
	fourth := m.RegNext(name("fourth_s1"), same(valid4, addr4, addr0))
	other := m.RegNext(name("other_s2"), vgen.Mux(third, sum4, sum5))
	others := m.RegNext(name("others_s2"), third.Or(fourth))
	word := m.RegNext(name("word_s2"), mem.Read(name("word_s1"), addr0))
	before := m.RegNext(name("before_s3"), vgen.Mux(second, sum4, vgen.Mux(others, other, word)))
	m.Next(sum4, before.Add(vgen.Cat(last, last.Not()).Zext(counterBits)))
	written := sum4.And(b.clearing.Not().Repeat(counterBits)).Named(name("written"))
	mem.Write(b.clearing.Or(valid4), vgen.Mux(b.clearing, b.clear, addr4), written)

	hit := m.RegNext(name("read_hit_s1"), same(valid4, addr4, readAddr))
	read := m.RegNext(name("read_s2"), mem.Read(name("read_s1"), readAddr))
	return vgen.Mux(m.RegNext(name("read_hit"), hit), sum6, read).Named(name("read"))
}

// maxCounterRegisters is the number of counters up to which registers take less than a memory.
const maxCounterRegisters = 4

// counterRegisters are counters of stacked tags in registers. They go up when the counters in memory do.
func counterRegisters(m *vgen.Module, n int, valid, addr, readAddr vgen.Signal) vgen.Signal {
	m.Section("Counters: stacked")
	var list []vgen.Signal
	for i := range n {
		q := m.Reg(fmt.Sprintf("stacked%d_q", i), counterBits, vgen.Reset(0))
		this := valid.And(equals(addr, uint64(i))).Named(fmt.Sprintf("stacked%d_counts", i))
		m.Next(q, q.Add(this.Zext(counterBits)))
		list = append(list, q)
	}
	return vgen.Select(readAddr, list, vgen.Const(counterBits, 0)).Named("stacked_read")
}
