package engine

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// frontRegisters is the number of registers that an operation passes between its stream's slice and its
// issue, where an operation can issue in every cycle: in the first it has been chosen, from the second on it is
// known which of the operations issued last are of its flow, and in the third whether it must wait for them.
const frontRegisters = 3

// cameRegisters is how many cycles later than a slice the front learns of a write that has entered it.
const cameRegisters = 1

// frontOp is an operation in a register of the front.
type frontOp struct {
	takes, valid, code, index vgen.Signal
	waits                     vgen.Signal // it must not follow an operation of its flow too closely
	ofFlow                    vgen.Signal // others must not follow it too closely
}

// frontBlock builds NAME_issue for an operation a cycle: it chooses the operation that enters the pipeline in
// one cycle, compares its flow with those issued in the next, decides in the third, and issues it in the fourth.
func frontBlock(f Frame, l *Law, t Timing) *vgen.Module {
	m := vgen.NewModule(l.Name+"_issue", "Chooses the operation that enters the pipeline")
	m.Doc(
		"After reset all contexts and table entries are cleared. Then the priority is table writes, context writes, context reads, ACKs.",
		fmt.Sprintf(
			"An operation passes a register slice of two words and two registers; it leaves the last one %s after one of its flow.", atLeast(t.Hazard+1)))
	w := l.widths(f)
	w["front"], w["direct"] = 1, 0
	ports := vgen.Ports[issuePorts](m, w)
	ib, fb := ports.Index.Width(), f.FlowBits()

	// A slice, so that the choice depends on nothing downstream, and two registers in series; each takes an operation
	// when it is empty or gives its own away. goes is a register that is 1 when the operation in the third is issued.
	goes := m.State("goes", 1)
	width := 2 + opBits + ib
	slice := vgen.Instantiate[lib.SlicePorts](m, "u_op_slice", lib.SkidBuffer(width))
	q := frontChoice(m, t, ports, slice.InReady, ib)
	m.Section("Slice and two registers in series")
	m.Assign(slice.InValid, q.valid)
	m.Assign(slice.InData, vgen.Cat(q.waits, q.ofFlow, q.code, q.index))
	secondTakes, thirdTakes := m.Wire("second_takes", 1), m.Wire("third_takes", 1)
	m.Assign(slice.OutReady, secondTakes)
	out := slice.OutData
	first := frontOp{
		valid: slice.OutValid,
		waits: out.Top(), ofFlow: out.Bit(ib + opBits), code: out.Slice(ib+opBits-1, ib).Named("first_code"),
		index: out.Trunc(ib).Named("first_index"),
	}
	second := frontRegister(m, "second", first, secondTakes)
	decided := second
	decided.waits = vgen.Signal{}
	third := frontRegister(m, "third", decided, thirdTakes)
	m.Assign(thirdTakes, third.valid.Not().Or(goes))
	// Whether both are taken is a register of its own, so that who asks about the second needs not ask about the third.
	both := m.State("both_valid", 1)
	secondNext := vgen.Mux(secondTakes, first.valid, second.valid)
	thirdNext := vgen.Mux(thirdTakes, second.valid, third.valid)
	m.Next(both, secondNext.And(thirdNext))
	m.Assign(secondTakes, both.Not().Or(goes))
	m.Next(goes, goesNext(m, t, first, second, third, goes, fb))

	m.Assign(ports.AckIssue, goes.And(third.code.Eq(vgen.Const(opBits, Ack))))
	m.Assign(ports.Valid, goes)
	m.Assign(ports.Code, third.code)
	m.Assign(ports.Index, third.index)
	return m
}

// frontChoice chooses the operation that enters the front, by priority; after reset, clearing. What decides are
// registers that say in a cycle who waits in it: so a choice is a lookup table or two, though it moves the slices of
// all streams. takes is 1 when the front takes an operation.
func frontChoice(m *vgen.Module, t Timing, ports *issuePorts, takes vgen.Signal, indexBits int) frontOp {
	flag := func(name string, reset uint64) vgen.Signal {
		return m.Reg(name, 1, vgen.Reset(reset), vgen.Control())
	}
	m.Section("Choice")
	sweepBits := bits.Len(uint(t.Sweep))
	swept := m.State("sweep_count", sweepBits)
	lastSweep := flag("sweep_last", 0)
	clearing := flag("clearing", 1)
	tw, cw, cr := flag("tw_waits", 0), flag("cw_waits", 0), flag("cr_waits", 0)
	writes := flag("writes", 1)  // one of clearing, tw, cw
	acks := flag("acks_only", 0) // none of them, nor cr

	commands := takes.And(clearing.Not()).Named("takes_command")
	takeTW := commands.And(tw).Named("take_tw")
	takeCW := commands.And(cw).And(tw.Not()).Named("take_cw")
	takeCR := takes.And(cr).And(writes.Not()).Named("take_cr")
	ack := ports.AckValid.And(ports.Credit).Named("ack_may_go")

	sweeps := clearing.And(takes).Named("sweeps")
	m.Next(swept, vgen.Mux(sweeps, swept.Add(vgen.Const(sweepBits, 1)), swept))
	m.Next(lastSweep, vgen.Mux(sweeps, swept.Eq(vgen.Const(sweepBits, uint64(t.Sweep-2))), lastSweep))
	clears := clearing.And(takes.And(lastSweep).Not()).Named("clears")
	m.Next(clearing, clears)
	done := flag("init_done_q", 0)
	m.Next(done, clears.Not())
	m.Assign(ports.InitDone, done)

	// A write that has been taken stays in its slice until it has passed, and no other comes before.
	next := func(q, came, take vgen.Signal) vgen.Signal {
		n := came.Or(q.And(take.Not()))
		m.Next(q, n)
		return n
	}
	twNext, cwNext := next(tw, ports.TWCame, takeTW), next(cw, ports.CWCame, takeCW)
	m.Next(writes, clears.Or(twNext).Or(cwNext))
	// A read is taken out of its slice, but the next one waits until its answer is taken.
	asked := flag("cr_busy", 0)
	still := takeCR.Or(asked.And(ports.CDTaken.Not()))
	m.Next(asked, still)
	crNext := ports.CRValid.And(still.Not())
	m.Next(cr, crNext)
	m.Next(acks, clears.Or(twNext).Or(cwNext).Or(crNext).Not())

	m.Assign(ports.AckTake, takes.And(acks).And(ack))
	m.Assign(ports.CRTake, takeCR)

	code := func(v uint64) vgen.Signal { return vgen.Const(opBits, v) }
	flow := vgen.FirstOf(ports.AckFlow, vgen.When(cw, ports.CWFlow), vgen.When(cr, ports.CRFlow)).Named("pick_flow")
	return frontOp{
		valid: acks.Not().Or(ack),
		code: vgen.FirstOf(code(Ack), vgen.When(clearing, code(Clear)), vgen.When(tw, code(Table)),
			vgen.When(cw, code(Write)), vgen.When(cr, code(Read))),
		index: vgen.Mux(clearing, swept.Fit(indexBits), flow.Zext(indexBits)),
		waits: clearing.Or(tw).Not(), ofFlow: clearing.Or(tw.Not()),
	}
}

// frontRegister loads from when takes is high.
func frontRegister(m *vgen.Module, name string, from frontOp, takes vgen.Signal) frontOp {
	reg := func(field string, s vgen.Signal) vgen.Signal {
		if !s.Exists() {
			return s
		}
		return m.RegNext(name+"_"+field, s, vgen.Enable(takes))
	}
	return frontOp{
		takes: takes,
		valid: m.RegNext(name+"_valid", from.valid, vgen.Reset(0), vgen.Control(), vgen.Enable(takes)),
		code:  reg("code", from.code), index: reg("index", from.index), waits: reg("waits", from.waits),
		ofFlow: reg("of_flow", from.ofFlow),
	}
}

// goesNext is 1 when the operation that will be in the third register in the next cycle will be issued in it.
//
// For the operations in the second and the third register a vector of bits marks which of the operations issued
// in the last Hazard cycles were of its flow, the one of k cycles ago in bit k-1. So flows are compared once,
// on the way to the second register, and all later steps are shifts.
func goesNext(m *vgen.Module, t Timing, first, second, third frontOp, goes vgen.Signal, flowBits int) vgen.Signal {
	m.Section("Which of the operations issued last are of the same flow")
	thirdTakes := third.takes
	if t.Hazard == 0 {
		return vgen.Mux(thirdTakes, second.valid, third.valid)
	}
	flow := func(o frontOp) vgen.Signal { return o.index.Trunc(flowBits) }
	same := func(name string, o frontOp) vgen.Signal {
		return o.valid.And(o.ofFlow).And(flow(first).Eq(flow(o))).Named(name)
	}
	likeSecond, likeThird := same("first_like_second", second), same("first_like_third", third)

	// What the first register's operation will see when it is in the second, in the next cycle: the newest last. The
	// upper bits of flows are compared apart from the lower ones, and the answers meet in that cycle.
	sees, upper := make([]vgen.Signal, t.Hazard), make([]vgen.Signal, t.Hazard)
	half := (flowBits + 1) / 2
	see := func(k int, name string, issued, issuedFlow vgen.Signal) {
		sees[t.Hazard-1-k] = issued.And(issuedFlow.Trunc(half).Eq(flow(first).Trunc(half))).Named("first_like_" + name)
		if flowBits > half {
			same := issuedFlow.Slice(flowBits-1, half).Eq(flow(first).Slice(flowBits-1, half))
			upper[t.Hazard-1-k] = same.Named("first_like_upper_" + name)
		}
	}
	issued, issuedFlow := goes.And(third.ofFlow), flow(third)
	see(0, "issued", issued, issuedFlow)
	for k := 1; k < t.Hazard; k++ {
		name := fmt.Sprintf("issued%d", k)
		issued = m.StateNext(name+"_valid", issued)
		issuedFlow = m.RegNext(name+"_flow", issuedFlow)
		see(k, name, issued, issuedFlow)
	}
	// Is the operation ahead of it, then in the third register, of its flow? There is one then if there is one in
	// the second now, or one in the third that is not issued at once.
	follows := m.Reg("second_follows", 1)
	stays := third.valid.And(goes.Not()).Named("third_stays")
	m.Next(follows, vgen.Mux(second.takes, vgen.Mux(second.valid, likeSecond, likeThird.And(stays)), follows.And(stays)))

	// A cycle later each has been issued a cycle longer ago.
	shift := func(seen, newest vgen.Signal) vgen.Signal {
		if t.Hazard == 1 {
			return newest
		}
		return vgen.Cat(seen.Slice(t.Hazard-2, 0), newest)
	}
	// The comparisons of the second register's operation were made in the cycle before, or are those of then, shifted;
	// which of the two is chosen here.
	compared := m.RegNext("second_compared", vgen.Cat(sees...))
	if flowBits > half {
		compared = compared.And(m.RegNext("second_compared_upper", vgen.Cat(upper...)))
	}
	shifted := m.Reg("second_shifted", t.Hazard)
	entered := m.RegNext("second_new", second.takes)
	seenSecond, seenThird := vgen.Mux(entered, compared, shifted).Named("second_seen"), m.Reg("third_seen", t.Hazard)
	later := shift(seenSecond, goes.And(follows)).Named("second_sees")
	m.Next(shifted, later)
	still := shift(seenThird, vgen.Const(1, 0)).Named("third_sees")
	m.Next(seenThird, vgen.Mux(thirdTakes, later, still))

	enters := second.valid.And(second.waits.And(later.AnyBit()).Not()).Named("second_goes")
	return vgen.Mux(thirdTakes, enters, still.AnyBit().Not())
}

// payloadMemory is where the payload of ACKs waits while their flows pass the front: the words in the order in
// which they came. pop takes the oldest, which is out one cycle later.
func payloadMemory(width int) *vgen.Module {
	const words = 16 // of a distributed memory; no more than those in slice and front are used
	m := vgen.NewModule("payload_memory", "Payload of the ACKs that wait for their issue")
	wide := m.Parameter("WIDTH", width, 1, "bits of a payload")
	m.SetTiming(1, 1)
	p := vgen.Ports[payloadPorts](m, vgen.Widths{"w": width})
	p.Data.Sized(wide)
	p.Out.Sized(wide)
	mem := m.Memory("words", words, width, "payload").Sized(vgen.Size{}, wide).NoCollision()
	write := m.State("write_ptr", mem.AddrWidth())
	read := m.State("read_ptr", mem.AddrWidth())
	m.Next(write, vgen.Mux(p.Push, write.Plus(1), write))
	m.Next(read, vgen.Mux(p.Pop, read.Plus(1), read))
	// What is there is written in every cycle, and stays where it was taken: the memory has no enable to fan out.
	mem.Write(vgen.Const(1, 1), write, p.Data)
	m.Assign(p.Out, mem.Read("word", read))
	return m
}

type payloadPorts struct {
	Push vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"an ACK is taken from the stream"`
	Data vgen.Signal `port:"s_data" dir:"in" width:"w" doc:"its payload"`
	Pop  vgen.Signal `port:"pop" dir:"in" width:"1" doc:"the oldest is issued"`
	Out  vgen.Signal `port:"m_data" dir:"out" width:"w" doc:"payload of the ACK issued in the cycle before"`
}

// ackInput is stream s up to its issue where an operation can issue in every cycle: a register slice for
// the flow, and beside it the payload.
func ackInput(m *vgen.Module, ports *Ports) (slice *lib.SlicePorts, payload *payloadPorts) {
	s := vgen.Instantiate[lib.SlicePorts](m, "u_s_slice", lib.SkidBuffer(ports.Ack.Payload.Flow.Width()))
	m.Assign(s.InValid, ports.Ack.Valid)
	m.Assign(s.InData, ports.Ack.Payload.Flow)
	m.Assign(ports.Ack.Ready, s.InReady)
	rest := vgen.Join(vgen.Leaves(&ports.Ack.Payload)[1:])
	store := vgen.Instantiate[payloadPorts](m, "u_s_payload", payloadMemory(rest.Width()))
	m.Assign(store.Push, ports.Ack.Valid.And(s.InReady))
	m.Assign(store.Data, rest)
	return s, store
}
