package engine

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type slotResultsPorts struct {
	Take      vgen.Signal `port:"credit_take" dir:"in" width:"1" role:"valid" doc:"a credit is taken for a result to come"`
	Credit    vgen.Signal `port:"credit" dir:"out" width:"1" role:"ready" doc:"a credit is left"`
	VerdictIn vgen.Signal `port:"verdict_valid" dir:"in" width:"1" role:"valid" doc:"the first part of a result"`
	Verdict   verdict     `port:"verdict_" dir:"in"`
	Parts     any         `dir:"in"`
	OutValid  vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"a result is offered"`
	OutReady  vgen.Signal `port:"m_ready" dir:"in" width:"1" role:"ready" doc:"the result offered is taken"`
	Out       result      `port:"m_" dir:"out"`
}

// ordinals say which part of a result comes with its valid bit.
var ordinals = []string{"the first part of a result", "the second", "the third", "a later one"}

// results builds m_fifo: the results, stored part by part as they leave, so that none of them has to be
// carried along until the last is there. The first parts of up to depth results can be in it, one for each
// credit.
func (b Slotted) results(f Frame, l *Law, depth int) *vgen.Module {
	m := vgen.NewModule("m_fifo", "FIFO of results, stored part by part, with its credits")
	m.Doc("A result reserves its slot with its first part, and is stored with the last.")
	m.SetTiming(2, 1)
	like := slotResultsPorts{Parts: b.Parts}
	like.Out.Law = l.Decision
	p := vgen.PortsLike(m, &like, b.widths(f, l))
	parts := append([]Part{{"verdict", "flow, kind and status", p.VerdictIn, &p.Verdict}}, b.List(p.Parts)...)
	last := len(parts) - 1
	for i, part := range parts[:last] {
		m.Describe(part.Valid, ordinals[min(i, len(ordinals)-1)])
	}
	m.Describe(parts[last].Valid, "the last: the result is complete")
	m.Describe(p.Verdict.Kind, l.kinds())
	m.Describe(p.Out.Kind, l.kinds())
	addr := max(1, bits.Len(uint(depth-1)))
	one := vgen.Const(addr+1, 1)

	head := m.State("write_ptr", addr+1)
	tail := m.State("read_ptr", addr+1)
	valid := m.State("valid_q", 1)
	some := head.Ne(tail).Named("not_empty")
	load := some.And(valid.Not().Or(p.OutReady)).Named("load")
	m.Next(head, vgen.Mux(parts[last].Valid, head.Add(one), head))
	m.Next(tail, vgen.Mux(load, tail.Add(one), tail))
	m.Next(valid, load.Or(valid.And(p.OutReady.Not())))
	m.Assign(p.OutValid, valid)

	// Each part has a memory; the parts of the oldest result are read together.
	stored := vgen.Clone(p)
	out := append([]Part{{Fields: &stored.Verdict}}, b.List(stored.Parts)...)
	for i, part := range parts {
		place := head.Trunc(addr)
		if i < last {
			place = Counter(m, part.Name+"_ptr", addr, 0, part.Valid)
		}
		word := vgen.Pack(part.Fields)
		mem := m.Memory(part.Name+"s", 1<<addr, word.Width(), part.Doc).NoCollision()
		mem.Write(part.Valid, place, word)
		vgen.Split(vgen.Leaves(out[i].Fields), mem.ReadEn(part.Name+"s_q", tail.Trunc(addr), load))
	}
	v := &stored.Verdict
	m.Assign(p.Out.Flow, v.Flow)
	m.AssignIf(p.Out.Generation, v.Generation)
	m.AssignIf(p.Out.Tag, v.Tag)
	m.Assign(p.Out.Kind, v.Kind)
	m.Assign(p.Out.Status, vgen.FirstOf(v.Status, b.Choices(stored.Parts)...))
	b.Decide(m, stored.Parts, p.Out.Law)

	// credits_taken counts up to depth, at which its top bit is set.
	taken := m.State("credits_taken", addr+1)
	back := valid.And(p.OutReady).Named("credit_back")
	changed := vgen.Mux(p.Take, taken.Add(one), taken.Sub(one)).Named("credits_changed")
	m.Next(taken, vgen.Mux(p.Take.Eq(back), taken, changed))
	m.Assign(p.Credit, taken.Top().Not())
	return m
}
