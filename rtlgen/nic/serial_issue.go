package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// serialOp is the operation issued last, from the cycle after its issue until the next cycle of issue.
type serialOp struct {
	Ack   vgen.Signal `port:"op_ack" width:"1" doc:"an ACK was issued"`
	Read  vgen.Signal `port:"op_read" width:"1" doc:"a context read was issued"`
	Write vgen.Signal `port:"op_write" width:"1" doc:"a context write was issued"`
	Table vgen.Signal `port:"op_table" width:"1" doc:"a table write was issued"`
	Index vgen.Signal `port:"op_index" width:"flow" doc:"its flow"`
}

type serialIssuePorts struct {
	AckValid  vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"an ACK is offered"`
	AckFlow   vgen.Signal `port:"s_flow" dir:"in" width:"flow" doc:"its flow"`
	AckReady  vgen.Signal `port:"s_ready" dir:"out" width:"1" role:"ready" doc:"the ACK is read"`
	AckTake   vgen.Signal `port:"s_take" dir:"out" width:"1" doc:"the ACK is issued"`
	CWValid   vgen.Signal `port:"cw_valid" dir:"in" width:"1" role:"valid" doc:"a context write is offered or passes"`
	CWFlow    vgen.Signal `port:"cw_flow" dir:"in" width:"flow" doc:"its flow"`
	CWReady   vgen.Signal `port:"cw_ready" dir:"out" width:"1" role:"ready" doc:"it has passed"`
	CRValid   vgen.Signal `port:"cr_valid" dir:"in" width:"1" role:"valid" doc:"a context read is offered"`
	CRFlow    vgen.Signal `port:"cr_flow" dir:"in" width:"flow" doc:"its flow"`
	CRReady   vgen.Signal `port:"cr_ready" dir:"out" width:"1" role:"ready" doc:"the context read is issued"`
	CDTaken   vgen.Signal `port:"cd_taken" dir:"in" width:"1" doc:"the answer to a context read is taken"`
	TWValid   vgen.Signal `port:"tw_valid" dir:"in" width:"1" role:"valid" doc:"a table write is offered or passes"`
	TWReady   vgen.Signal `port:"tw_ready" dir:"out" width:"1" role:"ready" doc:"it has passed"`
	Credit    vgen.Signal `port:"credit" dir:"in" width:"1" role:"ready" doc:"there is room for one more result"`
	WroteCW   vgen.Signal `port:"cw_done" dir:"in" width:"1" doc:"a context write passes its last stage but one"`
	WroteTW   vgen.Signal `port:"tw_done" dir:"in" width:"1" doc:"a table write passes its last stage but one"`
	Phase     vgen.Signal `port:"phase" dir:"out" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear     vgen.Signal `port:"clear" dir:"out" width:"1" doc:"memories are being cleared"`
	ClearAddr vgen.Signal `port:"clear_addr" dir:"out" width:"clear" doc:"address cleared"`
	Op        serialOp    `port:"" dir:"out"`
}

// serialWidths are the width keys of the blocks of the serial order.
func (pl *serialPlan) widths() vgen.Widths {
	w := widths(pl.c)
	w["phase"], w["clear"], w["record"] = pl.interval, clearBits(pl.c), 0
	w["profileset"] = min(pl.c.ProfileBits(), 1)
	return w
}

// serialIssue builds hpcc_issue: which operation enters, and when.
func serialIssue(pl *serialPlan) *vgen.Module {
	c, n := pl.c, pl.interval
	m := vgen.NewModule("hpcc_issue", "Chooses the operation that enters")
	m.Doc("After reset all contexts and tables are cleared, an address a cycle. Then, in the cycles with phase[0], an operation is issued:",
		fmt.Sprintf("table writes go first, context writes, context reads, ACKs. phase counts the %d cycles of an interval.", n))
	ports := vgen.Ports[serialIssuePorts](m, pl.widths())

	phase := m.Reg("phase_q", n, vgen.Reset(1), vgen.Control())
	m.Next(phase, vgen.Cat(phase.Slice(n-2, 0), phase.Top()))
	m.Assign(ports.Phase, phase)

	cb := clearBits(c)
	cleared := m.Reg("cleared_q", cb+1, vgen.Reset(0), vgen.Control())
	clear := cleared.Top().Not().Named("clearing")
	m.Next(cleared, vgen.Mux(clear, cleared.Add(vgen.Const(cb+1, 1)), cleared))
	m.Assign(ports.Clear, clear)
	m.Assign(ports.ClearAddr, cleared.Trunc(cb))

	// Choice by priority.
	slot := phase.Bit(0).And(clear.Not()).Named("slot")
	twBusy := m.Reg("tw_busy", 1, vgen.Reset(0), vgen.Control())
	cwBusy := m.Reg("cw_busy", 1, vgen.Reset(0), vgen.Control())
	crBusy := m.Reg("cr_busy", 1, vgen.Reset(0), vgen.Control())
	tw := ports.TWValid.And(twBusy.Not()).Named("pick_tw")
	cw := ports.CWValid.And(cwBusy.Not()).And(tw.Not()).Named("pick_cw")
	cr := ports.CRValid.And(crBusy.Not()).And(tw.Or(cw).Not()).Named("pick_cr")
	ack := ports.AckValid.And(ports.Credit).And(tw.Or(cw).Or(cr).Not()).Named("pick_s")

	is := func(name string, s vgen.Signal) vgen.Signal {
		return m.RegNext(name, s.And(clear.Not()), vgen.Enable(phase.Bit(0)), vgen.Reset(0), vgen.Control())
	}
	isAck, isWrite := is("op_ack_q", ack), is("op_write_q", cw)
	m.Assign(ports.Op.Ack, isAck)
	m.Assign(ports.Op.Read, is("op_read_q", cr))
	m.Assign(ports.Op.Write, isWrite)
	m.Assign(ports.Op.Table, is("op_table_q", tw))
	flow := firstOf(ports.AckFlow, choice{cw, ports.CWFlow}, choice{cr, ports.CRFlow}).Named("flow")
	m.Assign(ports.Op.Index, m.RegNext("op_index_q", flow, vgen.Enable(phase.Bit(0))))
	m.Assign(ports.AckTake, slot.And(ack))

	// What is read at the ports stays there until the last look at it.
	ready := func(name string, s vgen.Signal) vgen.Signal {
		return m.RegNext(name, s, vgen.Reset(0), vgen.Control())
	}
	twReady, cwReady := ready("tw_ready_q", ports.WroteTW), ready("cw_ready_q", ports.WroteCW)
	m.Assign(ports.AckReady, ready("s_ready_q", phase.Bit(pl.hold-1).And(isAck)))
	m.Assign(ports.CWReady, cwReady)
	m.Assign(ports.TWReady, twReady)
	m.Assign(ports.CRReady, ready("cr_ready_q", slot.And(cr)))
	hold := func(busy, set, done vgen.Signal) { m.Next(busy, slot.And(set).Or(busy.And(done.Not()))) }
	hold(twBusy, tw, twReady)
	hold(cwBusy, cw, cwReady)
	hold(crBusy, cr, ports.CDTaken)
	return m
}
