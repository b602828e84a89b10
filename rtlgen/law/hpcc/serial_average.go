package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type serialAveragePorts struct {
	Phase    vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear    engine.Clearing
	Ack      vgen.Signal      `port:"op_ack" dir:"in" width:"1" doc:"an ACK passes"`
	Write    vgen.Signal      `port:"op_write" dir:"in" width:"1" doc:"a context write passes"`
	Table    vgen.Signal      `port:"op_table" dir:"in" width:"1" doc:"a table write passes"`
	Index    vgen.Signal      `port:"op_index" dir:"in" width:"flow" doc:"flow of the operation"`
	Profile  vgen.Signal      `port:"profile" dir:"in" width:"profile" doc:"profile of the flow"`
	React    vgen.Signal      `port:"react" dir:"in" width:"1" doc:"U reacts to this ACK"`
	TW       engine.HeldTable `port:"tw_" dir:"in"`
	CWSelect vgen.Signal      `port:"cw_select" dir:"in" width:"1" doc:"a context write sets U, held"`
	CWU      vgen.Signal      `port:"cw_u" dir:"in" width:"u" doc:"U, held"`
	UMax     vgen.Signal      `port:"u_max" dir:"in" width:"u" doc:"largest u' of the path"`
	Tau      vgen.Signal      `port:"tau" dir:"in" width:"dts" doc:"time difference of that hop, ticks"`
	U        vgen.Signal      `port:"m_u" dir:"out" width:"u" doc:"U of the flow after this ACK"`
}

// serialAverage builds hpcc_average: U = (1 - tau/T) U + tau/T u (draft Figure 4, lines 8 and 9). Flows and
// tables share a memory.
func serialAverage(pl *serialPlan) *vgen.Module {
	c, f := pl.c, pl.c.Formats
	m := vgen.NewModule("hpcc_average", "Moving average of the normalised inflight")
	m.Doc("alpha = min(tau, T) * InvT in "+f.Alpha.String()+"; U = U + alpha * (u - U), rounded half up.",
		"One memory holds U of the flows and T and 1/T of the profiles.")
	ports := vgen.Ports[serialAveragePorts](m, pl.widths())
	ops := engine.NewSlots(m, ports.Phase)
	s := pl.average
	m.SetTiming(pl.window-s, pl.interval)
	given := func(name string, sig vgen.Signal, from int) *engine.Held {
		return ops.Value(name, sig, s, pl.until(from, s))
	}
	ack, write, table := given("ack", ports.Ack, 1), given("write", ports.Write, 1), given("table", ports.Table, 1)
	index, profile := given("index", ports.Index, 1), given("profile", ports.Profile, 2)
	react := given("react", ports.React, pl.verdict)
	stay := pl.interval - pl.gap*(c.MaxHops-1) - 1 // until the next path's first hop
	uMax := ops.Value("u_max", ports.UMax, s, s+stay)

	m.Section("alpha = min(tau, T) * 1/T, a bit of tau a cycle")
	ab := averageAddrBits(c)
	uw := f.U.Width()
	width := max(uw, c.RTTBits, f.InvT.Width())
	mem := engine.NewSlotMemory(m, "average_context", ab, width, "U of the flows; T and 1/T of the profiles")
	entry := func(stage int, item vgen.Signal) vgen.Signal {
		low := item
		if profile != nil {
			low = vgen.Cat(ops.Get(profile, stage), item)
		}
		return vgen.Cat(vgen.Const(1, 1), low.Zext(ab-1))
	}
	readU := pl.weight - 1
	word := mem.Read("average_q",
		engine.ReadAt(ops.At(s), entry(s, vgen.Const(1, 0))),
		engine.ReadAt(ops.At(s+1), entry(s+1, vgen.Const(1, 1))),
		engine.ReadAt(ops.At(readU), ops.Get(index, readU).Zext(ab)))
	rtt := word.Trunc(c.RTTBits)
	wide := max(c.RTTBits, ports.Tau.Width())
	tau := ops.Get(ops.Value("tau", ports.Tau, s, s+stay), s+1)
	whole := ops.Reg("whole", s+1, tau.Zext(wide).Ge(rtt.Zext(wide)))
	// What a sum adds comes from registers: a memory's output is late in its cycle.
	inv := ops.Reg("inv_rtt", s+2, word.Trunc(f.InvT.Width()))
	tauIn := ops.Get(ops.Value("tau", ports.Tau, s, s+stay), s+2).Trunc(tauBits(c))
	rounded := lib.SerialProduct{Name: "weight", Load: ops.At(s + 2), Multiplier: tauIn, Multiplicand: inv.Sig,
		Steps: tauBits(c), Shift: f.InvT.Frac - f.Alpha.Frac}.Build(m)
	w, aw := pl.weight, f.Alpha.Width()
	one := vgen.Cat(vgen.Const(1, 1), vgen.Const(f.Alpha.Frac, 0))
	full := ops.Get(whole, w)
	if rounded.Width() > f.Alpha.Frac {
		full = full.Or(rounded.Slice(rounded.Width()-1, f.Alpha.Frac).AnyBit())
	}
	// The weight is 0 where U does not react, whatever tau may be there.
	alpha := vgen.Mux(full, one, rounded.Fit(aw)).And(ops.Get(react, w).Repeat(aw)).Named("alpha")

	m.Section("U = U + alpha * (u - U), a bit of alpha a cycle")
	// The product is signed: half up is towards the larger value.
	old := ops.Reg("u_old", w, word.Trunc(uw))
	distance := ops.Reg("distance", w, ops.Get(uMax, w).Zext(uw+1).Sub(word.Trunc(uw).Zext(uw+1)))
	product := lib.SerialProduct{Name: "step", Load: ops.At(w), Multiplier: alpha, Multiplicand: distance.Sig,
		Signed: true,
		Steps:  aw, Shift: f.Alpha.Frac}
	step, ready := product.Build(m), w+product.Latency()
	next := ops.Reg("u_new", ready, ops.Get(old, ready).Add(step.Trunc(uw)))
	m.Assign(ports.U, ops.From(next, pl.window))

	m.Section("U is written back, and table writes")
	// A table is written where the operation reads it, or a cycle later where U is written then.
	last := pl.window
	tableAt := s
	if (last-tableAt)%pl.interval == 0 {
		tableAt++
	}
	set := ops.Get(write, last).And(ports.CWSelect).Named("set_u")
	en := engine.InRange(ops.Get(react, last).And(ops.Get(ack, last)).Or(set), ops.Get(index, last), c.Flows)
	item := ports.TW.Table.Bit(0) // T has an even code, 1/T the next
	twProfile := vgen.Signal{}
	low := item
	if profile != nil {
		twProfile = ports.TW.Index.Trunc(c.ProfileBits())
		low = vgen.Cat(twProfile, item)
	}
	is := func(t config.Table) vgen.Signal { return ports.TW.Table.Eq(vgen.Const(engine.TableBits, uint64(t))) }
	mem.Write(ports.Clear,
		engine.WriteAt(ops.At(last).And(en).Named("write_u"), ops.Get(index, last).Zext(ab),
			vgen.Mux(set, ports.CWU, next.Sig).Zext(width)),
		engine.WriteAt(ops.At(tableAt).And(ops.Get(table, tableAt)).And(is(config.TableRTT).Or(is(config.TableInvRTT))),
			vgen.Cat(vgen.Const(1, 1), low.Zext(ab-1)), ports.TW.Data.Fit(width)))
	ignoreRest(m, ports.TW, c.ProfileBits(), width)
	m.Tap("alpha", alpha, w, "tau/T, "+f.Alpha.String())
	m.Tap("u_new", next.Sig, last, "U after the ACK, "+f.U.String())
	return m
}

// ignoreRest declares that a block does not use the upper bits of a table write.
func ignoreRest(m *vgen.Module, tw engine.HeldTable, indexBits, dataBits int) {
	if tw.Index.Width() > indexBits {
		m.Ignore(tw.Index.Slice(tw.Index.Width()-1, indexBits), "the tables here have an entry for each profile")
	}
	if tw.Data.Width() > dataBits {
		m.Ignore(tw.Data.Slice(tw.Data.Width()-1, dataBits), "the entries here are narrower")
	}
}
