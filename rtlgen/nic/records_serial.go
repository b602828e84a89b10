package nic

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// hopIndexBits is the width of a hop's number.
func hopIndexBits(c *config.NIC) int { return max(1, bits.Len(uint(c.MaxHops-1))) }

// serialRecords builds hpcc_records with one lane that takes the hops one after the other, gap cycles
// apart. The records of a flow are kept twice: those of an ACK are written to the set that does not
// hold while its verdict is still open, and the verdict decides which set holds from then on.
func serialRecords(c *config.NIC, gap int) (*vgen.Module, recordsTiming) {
	m := vgen.NewModule("hpcc_records", "Differences of the telemetry records of the hops, one after the other")
	m.Doc("A flow has two sets of records. Those of an ACK go to the set that does not hold; the verdict, known after the last hop,",
		"says which set holds from then on. The record of a hop whose time has not moved is copied from the other set.")
	ports := vgen.Ports[recordsPorts](m, recordWidths(c))
	hopBits := hopIndexBits(c)
	outer := lib.NewPipe(m)
	valid := outer.Value("op_valid", 0, ports.Valid)
	ack := outer.At(valid, 1, vgen.Reset(0))
	isAck := m.RegNext("is_ack_s1", ports.Code.Eq(vgen.Const(opBits, opAck)))
	start := ack.And(isAck).Named("start")

	// The ACK stays in these registers while its hops are taken.
	hold := func(name string, s vgen.Signal) vgen.Signal {
		return m.RegNext(name+"_held", s, vgen.Enable(ports.Valid))
	}
	index, nhop := hold("op_index", ports.Index), hold("nhop", ports.Nhop)
	hops := make([]vgen.Signal, c.MaxHops)
	for i := range ports.Hop {
		hops[i] = hold("hop"+string(rune('0'+i)), pack(&ports.Hop[i]))
	}

	// Hop slots: hop i is taken in stage 1 + i*gap of the operation.
	hop, slot := slots(m, start, c.MaxHops, hopBits, gap)
	word := hops[0]
	if len(hops) > 1 {
		word = vgen.Select(hop, hops, hops[len(hops)-1])
	}

	// From here on stages count from a hop's slot.
	p := lib.NewPipe(m)
	const address, compare, out, flags = 2, 4, 5, 6
	slotV := p.Value("slot", 0, slot)
	hopV := p.Value("hop", 0, hop)
	used := p.Value("used", 0, nhop.Gt(hop.Zext(config.NhopBits)).And(slot).Named("hop_used"))
	first := p.Value("first", 0, start)
	wordV := p.Value("word", 0, word.Named("hop_word"))
	flow := p.Value("flow", 0, index)

	// The bank arrives with the stored context, in stage 3 of the operation: the first hop's address.
	bankNow := ports.Bank
	bank := vgen.Mux(p.At(first, address), bankNow, m.RegNext("bank_held", bankNow, vgen.Enable(p.At(first, address)))).Named("bank_now")
	bankV := p.Value("bank", address, bank)
	addr := func(stage int, b vgen.Signal) vgen.Signal {
		return vgen.Cat(p.At(flow, stage), b, p.At(hopV, stage))
	}
	m.Assign(ports.Mem.ReadAddr, addr(address, bank))
	mem := ports.Mem.Lane[0]
	old := StoredRecord{
		TS:   p.Reg("old_ts", compare-1, mem.Read.TS).Signal,
		Tx:   p.Reg("old_tx", compare-1, mem.Read.Tx).Signal,
		Qlen: p.Reg("old_qlen", compare-1, mem.Read.Qlen).Signal,
	}
	rec := *unpack(&ports.Hop[0], p.At(wordV, compare))
	d, stale, same := delta(c, p, "", compare, rec, old)
	d.Live = p.At(used, out).And(same.Not()).Named("live")
	m.Assign(ports.Start, p.At(slotV, out, vgen.Reset(0)))
	to := ports.Delta[0]
	assignAll(m, &to, &d)

	// Write to the set that does not hold. first_like is out in stage 5 of the operation, one stage
	// before the first hop's write, and stays for the hops that follow.
	likeFirst := p.At(first, compare)
	like := m.RegNext("like_held", ports.Like, vgen.Enable(likeFirst))
	keep := same.And(like.Not()).Named("keep")
	pick := func(name string, now, before vgen.Signal) vgen.Signal {
		n := p.Reg(name+"_new", compare, now)
		o := p.Reg(name+"_before", compare, before)
		return vgen.Mux(keep, o.Signal, n.Signal)
	}
	en := ifInRange(p.At(used, out), p.At(flow, out), c.Flows)
	m.Assign(ports.Mem.WriteAddr, addr(out, p.At(bankV, out).Not()))
	m.Assign(mem.WriteEn, en)
	m.Assign(mem.Write.TS, pick("ts", rec.TS, old.TS))
	m.Assign(mem.Write.Tx, pick("tx", rec.Tx, old.Tx))
	m.Assign(mem.Write.Qlen, pick("qlen", rec.Qlen, old.Qlen))

	// Flags over all hops of the ACK.
	staleHop := p.At(used, out).And(stale)
	anyStale := m.Reg("any_stale_q", 1)
	anyMoved := m.Reg("any_moved_q", 1)
	fresh := p.At(first, out)
	m.Next(anyStale, staleHop.Or(anyStale.And(fresh.Not())))
	m.Next(anyMoved, d.Live.Or(anyMoved.And(fresh.Not())))
	m.Assign(ports.Stale, anyStale)
	m.Assign(ports.NoTime, anyMoved.Not())

	lastSlot := 1 + (c.MaxHops-1)*gap
	m.SetTiming(lastSlot+flags, c.MaxHops*gap)
	return m, recordsTiming{delta: 1 + out, gap: gap, verdict: lastSlot + flags}
}

// slots counts the hops of an ACK: hop is the number of the hop whose slot it is when slot is high,
// the first in the cycle of start.
func slots(m *vgen.Module, start vgen.Signal, hops, hopBits, gap int) (hop, slot vgen.Signal) {
	if hops == 1 {
		return vgen.Const(hopBits, 0), start
	}
	next := m.Reg("next_hop", hopBits, vgen.Reset(0), vgen.Control())
	busy := m.Reg("busy", 1, vgen.Reset(0), vgen.Control())
	turn := busy
	if gap > 1 {
		w := bits.Len(uint(gap - 1))
		wait := m.Reg("gap_left", w, vgen.Reset(0), vgen.Control())
		zero := wait.Eq(vgen.Const(w, 0))
		turn = busy.And(zero)
		reload := vgen.Const(w, uint64(gap-1))
		m.Next(wait, vgen.Mux(start.Or(zero), reload, wait.Sub(vgen.Const(w, 1))))
	}
	slot = start.Or(turn).Named("slot")
	hop = vgen.Mux(start, vgen.Const(hopBits, 0), next).Named("hop")
	last := hop.Eq(vgen.Const(hopBits, uint64(hops-1)))
	m.Next(next, vgen.Mux(slot, hop.Add(vgen.Const(hopBits, 1)), next))
	m.Next(busy, start.Or(busy).And(slot.And(last).Not()))
	return hop, slot
}
