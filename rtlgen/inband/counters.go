package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type countersPorts struct {
	Valid    vgen.Signal `port:"c_valid" dir:"in" width:"1" role:"valid" doc:"a packet counts"`
	Port     vgen.Signal `port:"c_port" dir:"in" width:"index" doc:"its egress port"`
	Status   vgen.Signal `port:"c_status" dir:"in" width:"status" doc:"its status, not no_port"`
	Addr     vgen.Signal `port:"count_addr" dir:"in" width:"count" doc:"port and status to read; the same in two cycles"`
	Data     vgen.Signal `port:"count_data" dir:"out" width:"counter" doc:"packets that counted more than two cycles ago"`
	Sweeping vgen.Signal `port:"sweeping" dir:"out" width:"1" doc:"the counters are being initialised; nothing may count"`
	Sweep    vgen.Signal `port:"sweep_addr" dir:"out" width:"count" doc:"number of the counter that is being cleared"`
}

// countersBlock builds int_counters. A read is exact: count_data in cycle x + 2, with count_addr as it has been since x
// + 1, has the packets that counted before cycle x, and no others.
func countersBlock(s *shape) *vgen.Module {
	m := vgen.NewModule("int_counters", "Counts packets by egress port and status, one a cycle")
	m.Doc(
		fmt.Sprintf(
			"Initialisation of the counters after reset takes %d cycles. A packet that counts in cycle t is in count_data from t + 3 on.", s.SweepCycles()))
	m.SetTiming(1, 1)
	p := vgen.Ports[countersPorts](m, s.widths())
	n := s.CountBits()
	sweep := transit.NewSweep(m, "sweep_addr_q", n)
	m.Assign(p.Sweeping, sweep.On)
	m.Assign(p.Sweep, sweep.At)

	addr0 := vgen.Cat(p.Port, p.Status).Named("counter")
	addr1 := m.RegNext("counter_s1", addr0)
	addr2 := m.RegNext("counter_s2", addr1)
	valid2 := m.StateNext("valid_s2", m.StateNext("valid_s1", p.Valid))
	t := transit.Tally{
		Module: m, Name: "packets", Memory: "packets_memory", Doc: "packets by port and status", Bits: transit.CounterBits,
		Clearing: sweep.On, Clear: sweep.At,
	}
	t.Build(addr0, addr1, addr2, valid2, vgen.Const(transit.CounterBits, 1))
	m.Assign(p.Data, t.Read(p.Addr, addr2, valid2))
	return m
}
