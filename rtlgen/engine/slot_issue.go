package engine

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type slotIssuePorts struct {
	AckValid  vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"an ACK is offered"`
	AckFlow   vgen.Signal `port:"s_flow" dir:"in" width:"flow" doc:"its flow"`
	AckReady  vgen.Signal `port:"s_ready" dir:"out" width:"1" role:"ready" doc:"the ACK is read"`
	AckTake   vgen.Signal `port:"s_take" dir:"out" width:"1" doc:"the ACK is transferred"`
	CWValid   vgen.Signal `port:"cw_valid" dir:"in" width:"1" role:"valid" doc:"a context write is offered or passes"`
	CWFlow    vgen.Signal `port:"cw_flow" dir:"in" width:"flow" doc:"its flow"`
	CWReady   vgen.Signal `port:"cw_ready" dir:"out" width:"1" role:"ready" doc:"it takes effect"`
	CRValid   vgen.Signal `port:"cr_valid" dir:"in" width:"1" role:"valid" doc:"a context read is offered"`
	CRFlow    vgen.Signal `port:"cr_flow" dir:"in" width:"flow" doc:"its flow"`
	CRReady   vgen.Signal `port:"cr_ready" dir:"out" width:"1" role:"ready" doc:"the context read is issued"`
	CDTaken   vgen.Signal `port:"cd_taken" dir:"in" width:"1" doc:"the answer to a context read is taken"`
	TWValid   vgen.Signal `port:"tw_valid" dir:"in" width:"1" role:"valid" doc:"a table write is offered or passes"`
	TWReady   vgen.Signal `port:"tw_ready" dir:"out" width:"1" role:"ready" doc:"it takes effect"`
	Credit    vgen.Signal `port:"credit" dir:"in" width:"1" role:"ready" doc:"there is room for another result"`
	WroteCW   vgen.Signal `port:"cw_done" dir:"in" width:"1" doc:"a context write passes its last stage but one"`
	WroteTW   vgen.Signal `port:"tw_done" dir:"in" width:"1" doc:"a table write passes its last stage but one"`
	Phase     vgen.Signal `port:"phase" dir:"out" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear     vgen.Signal `port:"clear" dir:"out" width:"1" doc:"memories are being initialised"`
	ClearAddr vgen.Signal `port:"clear_addr" dir:"out" width:"clear" doc:"address cleared"`
	InitDone  vgen.Signal `port:"init_done" dir:"out" width:"1" doc:"initialisation after reset is done"`
	Op        SlotOp      `port:"" dir:"out"`
}

// readHold is from the issue of a context read to its transfer.
const readHold = 1

// issue builds NAME_issue: which operation enters, and when.
func (b Slotted) issue(f Frame, l *Law) *vgen.Module {
	n := b.Interval
	m := vgen.NewModule(l.Name+"_issue", "Chooses the operation that enters")
	m.Doc(
		"After reset all contexts and tables are cleared, one address a cycle. Then, in the cycles with phase[0], an operation is issued:",
		fmt.Sprintf("table writes go first, context writes, context reads, ACKs. phase counts the %d cycles of an interval.",
			n))
	ports := vgen.Ports[slotIssuePorts](m, b.widths(f, l))

	m.Section("Interval, and initialisation after reset")
	phase := m.Reg("phase_q", n, vgen.Reset(1), vgen.Control())
	m.Next(phase, vgen.Cat(phase.Slice(n-2, 0), phase.Top()))
	m.Assign(ports.Phase, phase)

	cb := b.ClearBits
	cleared := m.State("cleared_q", cb+1)
	clear := cleared.Top().Not().Named("clearing")
	m.Next(cleared, vgen.Mux(clear, cleared.Add(vgen.Const(cb+1, 1)), cleared))
	m.Assign(ports.Clear, clear)
	m.Assign(ports.InitDone, cleared.Top())
	m.Assign(ports.ClearAddr, cleared.Trunc(cb))

	m.Section("Choice by priority")
	slot := phase.Bit(0).And(clear.Not()).Named("slot")
	twBusy := m.State("tw_busy", 1)
	cwBusy := m.State("cw_busy", 1)
	crBusy := m.State("cr_busy", 1)
	tw := ports.TWValid.And(twBusy.Not()).Named("pick_tw")
	cw := ports.CWValid.And(cwBusy.Not()).And(tw.Not()).Named("pick_cw")
	cr := ports.CRValid.And(crBusy.Not()).And(tw.Or(cw).Not()).Named("pick_cr")
	ack := ports.AckValid.And(ports.Credit).And(tw.Or(cw).Or(cr).Not()).Named("pick_s")

	is := func(name string, s vgen.Signal) vgen.Signal {
		return m.RegNext(name, s.And(clear.Not()), vgen.Enable(phase.Bit(0)), vgen.Reset(0), vgen.Control())
	}
	flag := func(name string) vgen.Signal { return m.State(name, 1) }
	isAck, isRead := flag("op_ack_q"), flag("op_read_q")
	m.Assign(ports.Op.Ack, isAck)
	m.Assign(ports.Op.Read, isRead)
	m.Assign(ports.Op.Write, is("op_write_q", cw))
	m.Assign(ports.Op.Table, is("op_table_q", tw))
	flow := vgen.FirstOf(ports.AckFlow, vgen.When(cw, ports.CWFlow), vgen.When(cr, ports.CRFlow)).Named("flow")
	m.Assign(ports.Op.Index, m.RegNext("op_index_q", flow, vgen.Enable(phase.Bit(0))))

	m.Section("Transfers")
	// What is read at the ports stays there until it is read for the last time.
	ready := func(name string, s vgen.Signal) vgen.Signal {
		return m.StateNext(name, s)
	}
	twReady, cwReady := ready("tw_ready_q", ports.WroteTW), ready("cw_ready_q", ports.WroteCW)

	// An ACK, or a read, that is withdrawn before its transfer is none.
	ackReady, crReady := flag("s_ready_q"), m.Delay("cr_ready_q", slot.And(cr), readHold, vgen.Reset(0), vgen.Control())
	waits := flag("s_waits")
	stays := isAck.And(waits.And(ports.AckValid.Not()).Not()).Named("s_stays")
	taken := ackReady.And(ports.AckValid).Named("s_taken")
	first := phase.Bit(0).Named("first")
	m.Next(waits, vgen.Mux(first, slot.And(ack), waits.And(ackReady.Not())))
	m.Next(isAck, vgen.Mux(first, slot.And(ack), stays))
	m.Next(ackReady, phase.Bit(b.Verdict-1).And(stays))
	withdrawn := crReady.And(ports.CRValid.Not()).Named("cr_withdrawn")
	m.Next(isRead, vgen.Mux(first, slot.And(cr), isRead.And(withdrawn.Not())))
	m.Assign(ports.AckReady, ackReady)
	m.Assign(ports.AckTake, taken)
	m.Assign(ports.Op.Taken, taken)
	m.Assign(ports.CWReady, cwReady)
	m.Assign(ports.TWReady, twReady)
	m.Assign(ports.CRReady, crReady)
	hold := func(busy, set, done vgen.Signal) { m.Next(busy, slot.And(set).Or(busy.And(done.Not()))) }
	hold(twBusy, tw, twReady)
	hold(cwBusy, cw, cwReady)
	hold(crBusy, cr, ports.CDTaken.Or(withdrawn))
	return m
}
