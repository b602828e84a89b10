package engine

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type issuePorts struct {
	AckValid vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"an ACK waits"`
	AckFlow  vgen.Signal `port:"s_flow" dir:"in" width:"flow" doc:"its flow"`
	AckTake  vgen.Signal `port:"s_take" dir:"out" width:"1" doc:"the ACK is taken from its slice"`
	AckIssue vgen.Signal `port:"s_issue" dir:"out" width:"front" doc:"an ACK enters the pipeline"`
	CWValid  vgen.Signal `port:"cw_valid" dir:"in" width:"direct" role:"valid" doc:"a context write waits or passes"`
	CWCame   vgen.Signal `port:"cw_came" dir:"in" width:"front" doc:"a context write has entered its slice (registered)"`
	CWFlow   vgen.Signal `port:"cw_flow" dir:"in" width:"flow" doc:"its flow"`
	CWDone   vgen.Signal `port:"cw_done" dir:"in" width:"direct" doc:"it takes effect"`
	CRValid  vgen.Signal `port:"cr_valid" dir:"in" width:"1" role:"valid" doc:"a context read waits"`
	CRFlow   vgen.Signal `port:"cr_flow" dir:"in" width:"flow" doc:"its flow"`
	CRTake   vgen.Signal `port:"cr_take" dir:"out" width:"1" doc:"the context read is taken from its slice"`
	CDTaken  vgen.Signal `port:"cd_taken" dir:"in" width:"1" doc:"the answer to a context read is taken"`
	TWValid  vgen.Signal `port:"tw_valid" dir:"in" width:"direct" role:"valid" doc:"a table write waits or passes"`
	TWCame   vgen.Signal `port:"tw_came" dir:"in" width:"front" doc:"a table write has entered its slice (registered)"`
	TWDone   vgen.Signal `port:"tw_done" dir:"in" width:"direct" doc:"it takes effect"`
	Credit   vgen.Signal `port:"credit" dir:"in" width:"1" role:"ready" doc:"the output FIFO has room for one more result"`
	Valid    vgen.Signal `port:"op_valid" dir:"out" width:"1" role:"valid" doc:"an operation is issued"`
	Code     vgen.Signal `port:"op_code" dir:"out" width:"op" doc:"0 ACK, 1 context read, 2 context write, 3 table write, 4 clear"`
	Index    vgen.Signal `port:"op_index" dir:"out" width:"index" doc:"flow, or index to clear"`
	InitDone vgen.Signal `port:"init_done" dir:"out" width:"1" doc:"initialisation after reset is done"`
}

// issueBlock builds NAME_issue where operations are spaced: which operation enters the pipeline, and when.
func issueBlock(f Frame, l *Law, t Timing) *vgen.Module {
	m := vgen.NewModule(l.Name+"_issue", "Chooses the operation that enters the pipeline")
	m.Doc(
		"After reset all contexts and table entries are cleared. Then the priority is table writes, context writes, context reads, ACKs;",
		fmt.Sprintf("operations are %s apart, those of one flow %s.", atLeast(t.Interval), atLeast(t.Hazard+1)))
	w := l.widths(f)
	w["front"], w["direct"] = 0, 1
	ports := vgen.Ports[issuePorts](m, w)
	// Clearing after reset.
	sweepBits := max(bits.Len(uint(t.Sweep-1)), 1)
	swept := m.State("sweep_count", sweepBits)
	done := m.State("init_done_q", 1)
	clearing := done.Not().Named("clearing")

	// Distance between issues.
	issue := m.Wire("issue", 1)
	var spaced vgen.Signal
	if t.Interval > 1 {
		gb := bits.Len(uint(t.Interval - 1))
		gap := m.State("gap", gb)
		spaced = gap.Eq(vgen.Const(gb, 0)).Named("spaced")
		less := vgen.Mux(spaced, gap, gap.Sub(vgen.Const(gb, 1)))
		m.Next(gap, vgen.Mux(issue, vgen.Const(gb, uint64(t.Interval-1)), less))
	}

	// Choice by priority.
	twBusy := m.State("tw_busy", 1)
	cwBusy := m.State("cw_busy", 1)
	crBusy := m.State("cr_busy", 1)
	tw := ports.TWValid.And(twBusy.Not()).Named("pick_tw")
	cw := ports.CWValid.And(cwBusy.Not()).And(tw.Not()).Named("pick_cw")
	commands := tw.Or(cw).Named("pick_write")
	cr := ports.CRValid.And(crBusy.Not()).And(commands.Not()).Named("pick_cr")
	ack := ports.AckValid.And(ports.Credit).And(commands.Or(cr).Not()).Named("pick_s")
	flow := vgen.FirstOf(ports.AckFlow, vgen.When(cw, ports.CWFlow), vgen.When(cr, ports.CRFlow)).Named("flow")

	// What the sweep clears counts as an operation of the flow: its clearing must have landed before the flow is read.
	entering := vgen.Mux(clearing, swept.Fit(flow.Width()), flow)
	recent := recentFlows(m, t, issue.And(clearing.Or(tw.Not())), entering, flow)
	waiting := commands.Or(cr).Or(ack).Named("waiting")
	ready := waiting
	if recent.Exists() {
		ready = waiting.And(tw.Or(recent.Not()))
	}
	now := clearing.Or(ready)
	if spaced.Exists() {
		now = spaced.And(now)
	}
	m.Assign(issue, now)
	take := issue.And(clearing.Not()).Named("take")

	sweeps := issue.And(clearing).Named("sweeps")
	m.Next(swept, vgen.Mux(sweeps, swept.Add(vgen.Const(sweepBits, 1)), swept))
	m.Next(done, done.Or(sweeps.And(swept.Eq(vgen.Const(sweepBits, uint64(t.Sweep-1))))))
	m.Assign(ports.InitDone, done)
	hold := func(busy, set, clear vgen.Signal) { m.Next(busy, take.And(set).Or(busy.And(clear.Not()))) }
	hold(twBusy, tw, ports.TWDone)
	hold(cwBusy, cw, ports.CWDone)
	hold(crBusy, cr, ports.CDTaken)

	m.Assign(ports.AckTake, take.And(ack))
	m.Assign(ports.CRTake, take.And(cr))
	m.Assign(ports.Valid, issue)
	code := func(v uint64) vgen.Signal { return vgen.Const(opBits, v) }
	m.Assign(ports.Code, vgen.FirstOf(code(Ack), vgen.When(clearing, code(Clear)), vgen.When(tw, code(Table)),
		vgen.When(cw, code(Write)), vgen.When(cr, code(Read))))
	ib := ports.Index.Width()
	m.Assign(ports.Index, vgen.Mux(clearing, swept.Fit(ib), flow.Zext(ib)))
	return m
}

// recentFlows is 1 when an operation of flow was issued in the last Hazard cycles; the signal does
// not exist where none can have been. With an
// operation a cycle the flows issued pass a shift register; where issues are further apart, each of the
// few that can matter has a counter of the cycles it still counts.
func recentFlows(m *vgen.Module, t Timing, issued, entering, flow vgen.Signal) vgen.Signal {
	var hit vgen.Signal
	n := t.Hazard
	if t.Interval > 1 {
		n = t.Hazard / t.Interval
		if n == 0 {
			return hit
		}
	}
	prevFlow, prevLeft := entering, vgen.Signal{}
	cb := bits.Len(uint(t.Hazard))
	shifting := issued
	prevValid := issued
	for k := 1; k <= n; k++ {
		name := fmt.Sprintf("recent%d", k)
		if t.Interval == 1 {
			v := m.StateNext(name+"_valid", prevValid)
			f := m.RegNext(name+"_flow", prevFlow)
			hit = vgen.AnyOf(hit, v.And(f.Eq(flow)).Named(name+"_hit"))
			prevValid, prevFlow = v, f
			continue
		}
		left := m.State(name+"_left", cb)
		f := m.RegNext(name+"_flow", prevFlow, vgen.Enable(shifting))
		active := left.AnyBit()
		from := vgen.Const(cb, uint64(t.Hazard))
		if prevLeft.Exists() {
			from = prevLeft
		}
		count := func(s vgen.Signal) vgen.Signal {
			return vgen.Mux(s.AnyBit(), s.Sub(vgen.Const(cb, 1)), s)
		}
		into := from
		if prevLeft.Exists() {
			into = count(from)
		}
		m.Next(left, vgen.Mux(shifting, into, count(left)))
		hit = vgen.AnyOf(hit, active.And(f.Eq(flow)).Named(name+"_hit"))
		prevFlow, prevLeft = f, left
	}
	return hit
}
