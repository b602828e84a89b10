package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// foldedCounters are the packet counters of a folded pipeline, all in one memory. A packet that counts in cycle t has its counter read in t and
// written one higher in t + 1; that of stacked tags, in the slot of its own, is read in t + 2 and written in t + 3. The next packet is further away.
//
// A read is exact as that of Counters: the word that a write replaces in the cycle of the read is still at hand.
func foldedCounters(name string, c *config.CSIG) *vgen.Module {
	m := vgen.NewModule(name, fmt.Sprintf("Counts packets by egress port and status, one in %d cycles", foldedCycles))
	m.Doc(fmt.Sprintf("After reset the counters are cleared, which takes %d cycles. A packet that counts in cycle t is in count_data from t + 3 on, its stacked", sweepCycles(c)),
		"tag from t + 5 on.")
	m.SetTiming(1, foldedCycles)
	w := widths(c)
	w["count"], w["counter"] = countAddrBits(c), counterBits
	p := vgen.Ports[countersPorts](m, w)

	bits := countAddrBits(c)
	at := m.Reg("sweep_addr", bits, vgen.Reset(0), vgen.Control())
	sweeping := m.Reg("sweeping_q", 1, vgen.Reset(1), vgen.Control())
	m.Next(at, vgen.Mux(sweeping, at.Add(vgen.Const(bits, 1)), at))
	m.Next(sweeping, sweeping.And(at.AllBits().Not()))
	m.Assign(p.Sweeping, sweeping)

	valid1 := later(m, "valid_s1", p.Valid)
	valid2 := later(m, "valid_s2", valid1.And(m.RegNext("stacked_s1", p.Stacked)))
	valid3 := later(m, "valid_s3", valid2)
	port := m.RegNext("port_q", p.Port, vgen.Enable(p.Valid))
	status := m.RegNext("status_q", p.Status, vgen.Enable(p.Valid))
	second := valid2.Or(valid3).Named("second") // the slot of stacked tags
	reads := vgen.Mux(p.Valid, vgen.Cat(p.Port, p.Status), vgen.Cat(port, vgen.Const(statusBits, stackedSlot))).Named("read_at")
	writes := vgen.Cat(port, status.Or(second.Repeat(statusBits))).Named("write_at")

	mem := m.Memory("counters", 1<<bits, counterBits, fmt.Sprintf("counters by port and status; %d: stacked tags", stackedSlot)).NoCollision()
	word := mem.ReadEn("word", reads, p.Valid.Or(valid2))
	higher := word.Add(vgen.Const(counterBits, 1)).Named("higher")
	counts := valid1.Or(valid3).Named("counts")
	mem.Write(sweeping.Or(counts), vgen.Mux(sweeping, at, writes), higher.And(sweeping.Not().Repeat(counterBits)))
	hit := m.RegNext("read_hit", counts.And(writes.Eq(p.Addr)))
	m.Assign(p.Data, vgen.Mux(hit, word, mem.Read("read_q", p.Addr)))
	return m
}
