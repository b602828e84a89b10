package folded

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// stackedAfter is how much later than its status a packet's stacked tag counts.
const stackedAfter = 2

// Counters are the packet counters of a folded pipeline, all in one memory. A packet that counts in cycle t has its
// counter read in t and written one higher in t + 1; that of stacked tags, in the slot of its own, is read in t + 2 and
// written in t + 3. The next packet is further away.
//
// A read is exact as that of Counters: the word that a write replaces in the cycle of the read is still at hand.
func Counters(name string, c *block.Shape) *vgen.Module {
	m := vgen.NewModule(name, fmt.Sprintf("Counts packets by egress port and status, one in %d cycles",
		block.FoldedCycles))
	m.Doc(
		fmt.Sprintf(
			"Initialisation of the counters after reset takes %d cycles. A packet that counts in cycle t is in count_data from t + 3 on, its stacked", c.SweepCycles()),
		fmt.Sprintf("tag from t + %d on.", 3+stackedAfter))
	m.SetTiming(1, block.FoldedCycles)
	p := vgen.Ports[block.CountersPorts](m, c.PortWidths())

	bits := c.CountBits()
	sweep := transit.NewSweep(m, "sweep_addr", bits)
	m.Assign(p.Sweeping, sweep.On)

	valid1 := m.StateNext("valid_s1", p.Valid)
	valid2 := m.StateNext("valid_s2", valid1.And(m.RegNext("stacked_s1", p.Stacked)))
	valid3 := m.StateNext("valid_s3", valid2)
	port := m.RegNext("port_q", p.Port, vgen.Enable(p.Valid))
	status := m.RegNext("status_q", p.Status, vgen.Enable(p.Valid))
	second := valid2.Or(valid3).Named("second") // the slot of stacked tags
	reads := vgen.Mux(p.Valid, vgen.Cat(p.Port, p.Status),
		vgen.Cat(port, vgen.Const(transit.StatusBits, block.StackedSlot))).Named("read_at")
	writes := vgen.Cat(port, status.Or(second.Repeat(transit.StatusBits))).Named("write_at")

	mem := m.Memory("counters", 1<<bits, transit.CounterBits,
		fmt.Sprintf("counters by port and status; %d: stacked tags", block.StackedSlot)).NoCollision()
	word := mem.ReadEn("word", reads, p.Valid.Or(valid2))
	higher := word.Add(vgen.Const(transit.CounterBits, 1)).Named("higher")
	counts := valid1.Or(valid3).Named("counts")
	mem.Write(sweep.On.Or(counts), vgen.Mux(sweep.On, sweep.At, writes),
		higher.And(sweep.On.Not().Repeat(transit.CounterBits)))
	hit := m.RegNext("read_hit", counts.And(writes.Eq(p.Addr)))
	m.Assign(p.Data, vgen.Mux(hit, word, mem.Read("read_q", p.Addr)))
	return m
}
