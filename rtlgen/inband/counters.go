package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// tally is a memory of sums. In each cycle an operation can enter, of any address; two cycles later it has the sum as operations before it left
// it, and adds to it.
type tally struct {
	m               *vgen.Module
	name, doc       string
	depth, width    int
	clearing, clear vgen.Signal // the sum at clear becomes 0; nothing is added
	mem             *vgen.Memory
	sum3            vgen.Signal
}

// build makes the memory. The address enters as addr0 and is addr1 and addr2 in the cycles after; adds2 says that the operation adds amount2, then.
// The result is the sum before that, at the time of addr2.
func (t *tally) build(addr0, addr1, addr2, adds2, amount2 vgen.Signal) vgen.Signal {
	m := t.m
	t.mem = m.Memory(t.name+"_memory", t.depth, t.width, t.doc).NoCollision()
	t.sum3 = m.Reg(t.name+"_sum_s3", t.width)
	// What the operation two before has just added is not in the memory yet when this one reads; nor is what the one before adds.
	second := m.RegNext(t.name+"_second_s1", adds2.And(addr2.Eq(addr0)))
	first := m.RegNext(t.name+"_first_s2", adds2.And(addr2.Eq(addr1)))
	word1 := t.mem.Read(t.name+"_word_s1", addr0)
	word2 := m.RegNext(t.name+"_word_s2", vgen.Mux(second, t.sum3, word1))
	before := vgen.Mux(first, t.sum3, word2).Named(t.name + "_before")
	sum := before.Add(amount2).Named(t.name + "_sum")
	m.Next(t.sum3, sum)
	t.mem.Write(t.clearing.Or(adds2), vgen.Mux(t.clearing, t.clear, addr2), gate(sum, t.clearing.Not()))
	return before
}

// read is the sum at an address one cycle later, with what is added in the cycle of the read.
func (t *tally) read(addr, addr2, adds2 vgen.Signal) vgen.Signal {
	hit := t.m.RegNext(t.name+"_read_hit", adds2.And(addr2.Eq(addr)))
	return vgen.Mux(hit, t.sum3, t.mem.Read(t.name+"_read_q", addr)).Named(t.name + "_read")
}

type countersPorts struct {
	Valid    vgen.Signal `port:"c_valid" dir:"in" width:"1" role:"valid" doc:"a packet counts"`
	Port     vgen.Signal `port:"c_port" dir:"in" width:"index" doc:"its egress port"`
	Status   vgen.Signal `port:"c_status" dir:"in" width:"status" doc:"its status, not no_port"`
	Addr     vgen.Signal `port:"count_addr" dir:"in" width:"count" doc:"port and status to read; the same in two cycles"`
	Data     vgen.Signal `port:"count_data" dir:"out" width:"counter" doc:"packets that counted more than two cycles ago"`
	Sweeping vgen.Signal `port:"sweeping" dir:"out" width:"1" doc:"the counters are being cleared; nothing may count"`
	Sweep    vgen.Signal `port:"sweep_addr" dir:"out" width:"count" doc:"number of the counter that is being cleared"`
}

// sweepCycles is how long the counters take to clear after reset.
func (s *shape) sweepCycles() int { return 1 << s.countBits() }

// countersBlock builds int_counters. A read is exact: count_data in cycle x + 2, with count_addr as it has been since x + 1, has the packets that
// counted before cycle x, and no others.
func countersBlock(s *shape) *vgen.Module {
	m := vgen.NewModule("int_counters", "Counts packets by egress port and status, one a cycle")
	m.Doc(fmt.Sprintf("After reset the counters are cleared, which takes %d cycles. A packet that counts in cycle t is in count_data from t + 3 on.", s.sweepCycles()))
	m.SetTiming(1, 1)
	p := vgen.Ports[countersPorts](m, s.widths())
	n := s.countBits()
	at := m.Reg("sweep_addr_q", n, vgen.Reset(0), vgen.Control())
	sweeping := m.Reg("sweeping_q", 1, vgen.Reset(1), vgen.Control())
	m.Next(at, vgen.Mux(sweeping, plus(at, 1), at))
	m.Next(sweeping, sweeping.And(at.AllBits().Not()))
	m.Assign(p.Sweeping, sweeping)
	m.Assign(p.Sweep, at)

	addr0 := vgen.Cat(p.Port, p.Status).Named("counter")
	addr1 := m.RegNext("counter_s1", addr0)
	addr2 := m.RegNext("counter_s2", addr1)
	valid2 := later(m, "valid_s2", later(m, "valid_s1", p.Valid))
	t := &tally{m: m, name: "packets", doc: "packets by port and status", depth: 1 << n, width: counterBits, clearing: sweeping, clear: at}
	t.build(addr0, addr1, addr2, valid2, vgen.Const(counterBits, 1))
	m.Assign(p.Data, t.read(p.Addr, addr2, valid2))
	return m
}
