package wide

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Counters is the packet counters as a module. A packet that counts in cycle t is read in t, its counter goes through a
// register in t + 1 and is written one higher in t + 2; packets of the same counter in between get it from the adder's
// register.
//
// A read is exact: count_data in cycle x + 2, with count_addr as it has been since x + 1, has the packets that counted
// before cycle x, and no others.
//
// If registers stand there, one is right behind each memory, one behind the choice between its word and what the
// packets before made of it, and one behind the sum: a counter is written in t + 4. Then it is count_data in cycle x +
// 5, with count_addr as it has been since x + 3.
func Counters(name string, c *block.Shape) *vgen.Module {
	m := vgen.NewModule(name, "Counts packets by egress port and status, one a cycle")
	m.Doc(
		fmt.Sprintf(
			"Initialisation of the counters after reset takes %d cycles. A packet that counts in cycle t is in count_data from t + %d on.", c.SweepCycles(), c.AnswerCycles()))
	m.SetTiming(1, 1)
	p := vgen.Ports[block.CountersPorts](m, c.PortWidths())

	bits := c.CountBits()
	sweep := transit.NewSweep(m, "sweep_addr", bits)
	if c.At.Registers { // who asks from afar has a register that the memories do not share
		m.Assign(p.Sweeping, m.StateNext("swept_q", sweep.GoesOn.Not()).Not())
	} else {
		m.Assign(p.Sweeping, sweep.On)
	}

	addr := vgen.Cat(p.Port, p.Status).Named("addr_s0")
	p1 := counted{valid: m.StateNext("valid_s1", p.Valid), stacked: m.RegNext("stacked_s1", p.Stacked),
		addr: m.RegNext("addr_s1", addr)}
	p2 := counted{valid: m.StateNext("valid_s2", p1.valid), stacked: m.RegNext("stacked_s2", p1.stacked),
		addr: m.RegNext("addr_s2", p1.addr)}
	port := p.Addr.Slice(bits-1, transit.StatusBits)
	ofStacked := p.Addr.Trunc(transit.StatusBits).Is(block.StackedSlot)
	all := counterMemory{m: m, name: "status", doc: "counters by port and status", clearing: sweep.On, clear: sweep.At}
	some := counterMemory{m: m, name: "stacked", doc: "counters of stacked tags by port", clearing: sweep.On,
		clear: sweep.At.Trunc(port.Width())}
	also := p2.valid.And(p2.stacked).Named("stacked_counts")
	var status, stacked vgen.Signal
	if c.At.Registers {
		status = all.buildLate(addr, p.Addr, p2.addr, p2.valid)
		if c.Ports <= maxCounterRegisters {
			counts := m.Delay("stacked_counts_s4", also, 2, vgen.Reset(0), vgen.Control())
			stacked = m.RegNext("stacked_read_q", counterRegisters(m, c.Ports, counts, m.Delay("port_s4", p2.port(), 2), port))
		} else {
			stacked = some.buildLate(p.Port, port, p2.port(), also)
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

func (c counted) port() vgen.Signal { return c.addr.Slice(c.addr.Width()-1, transit.StatusBits) }

// counterMemory is a memory of counters: in each cycle one of them can go up, and one can be read.
type counterMemory struct {
	m               *vgen.Module
	name, doc       string
	clearing, clear vgen.Signal // the counter at clear becomes 0; nothing counts
}

// build makes the memory. The counter at addr0 is read; one and two cycles later, when its address is addr1 and addr2,
// valid2 says that it goes up. The result is the counter at readAddr, one cycle later.
func (b counterMemory) build(addr0, addr1, addr2, valid2, readAddr vgen.Signal) vgen.Signal {
	b.m.Section("Counters: " + b.name)
	t := transit.Tally{
		Module: b.m, Name: b.name, Memory: b.name + "_counters", Doc: b.doc, Bits: transit.CounterBits,
		Clearing: b.clearing, Clear: b.clear, ZeroEarly: true,
	}
	t.Build(addr0, addr1, addr2, valid2, valid2.Zext(transit.CounterBits))
	return t.Read(readAddr, addr2, valid2)
}

// buildLate is build with Places.Registers, where the memory is written four cycles after it is read. addr2 is the
// counter of a packet two cycles after it has come; valid2 tells that it counts.
//
// What is chosen leaves out the packet just before, whose sum is not there yet. If that has the same counter, one more
// is added.
func (b counterMemory) buildLate(addr0, readAddr, addr2, valid2 vgen.Signal) vgen.Signal {
	m := b.m
	m.Section("Counters: " + b.name)
	name := func(what string) string { return b.name + "_" + what }
	mem := m.Memory(name("counters"), 1<<addr0.Width(), transit.CounterBits, b.doc).NoCollision()
	sum4 := m.Reg(name("sum_s4"), transit.CounterBits)
	sum5 := m.RegNext(name("sum_s5"), sum4)
	sum6 := m.RegNext(name("sum_s6"), sum5)
	valid3, addr3 := m.StateNext(name("counts_s3"), valid2), m.RegNext(name("addr_s3"), addr2)
	valid4, addr4 := m.StateNext(name("counts_s4"), valid3), m.RegNext(name("addr_s4"), addr3)

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
	m.Next(sum4, before.Add(vgen.Cat(last, last.Not()).Zext(transit.CounterBits)))
	written := sum4.And(b.clearing.Not().Repeat(transit.CounterBits)).Named(name("written"))
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
		q := m.Reg(fmt.Sprintf("stacked%d_q", i), transit.CounterBits, vgen.Reset(0))
		this := valid.And(addr.Is(uint64(i))).Named(fmt.Sprintf("stacked%d_counts", i))
		m.Next(q, q.Add(this.Zext(transit.CounterBits)))
		list = append(list, q)
	}
	return vgen.Select(readAddr, list, vgen.Const(transit.CounterBits, 0)).Named("stacked_read")
}
