package nic

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// The parts of a result, by the time at which each is known.
type (
	verdictPart struct {
		Flow   vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
		Kind   vgen.Signal `port:"kind" width:"kind" doc:"0 none, 1 first, 2 update, 3 fast"`
		Status vgen.Signal `port:"status" width:"status" doc:"status of the result before clamping"`
	}
	averagePart struct {
		U vgen.Signal `port:"u" width:"u" doc:"U"`
	}
	windowPart struct {
		W     vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
		Wc    vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
		Stage vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
		Below vgen.Signal `port:"clamped_min" width:"1" doc:"W was raised to W_min"`
		Above vgen.Signal `port:"clamped_max" width:"1" doc:"W was lowered to W_max"`
	}
	ratePart struct {
		Rate vgen.Signal `port:"rate" width:"rate" doc:"pacing rate, bytes a tick"`
	}
)

type serialResultsPorts struct {
	Take      vgen.Signal `port:"credit_take" dir:"in" width:"1" role:"valid" doc:"a credit is taken for a result to come"`
	Credit    vgen.Signal `port:"credit" dir:"out" width:"1" role:"ready" doc:"a credit is left"`
	VerdictIn vgen.Signal `port:"verdict_valid" dir:"in" width:"1" role:"valid" doc:"the first part of a result"`
	Verdict   verdictPart `port:"verdict_" dir:"in"`
	AverageIn vgen.Signal `port:"average_valid" dir:"in" width:"1" role:"valid" doc:"the second"`
	Average   averagePart `port:"average_" dir:"in"`
	WindowIn  vgen.Signal `port:"window_valid" dir:"in" width:"1" role:"valid" doc:"the third"`
	Window    windowPart  `port:"window_" dir:"in"`
	RateIn    vgen.Signal `port:"rate_valid" dir:"in" width:"1" role:"valid" doc:"the last: the result is complete"`
	Rate      ratePart    `port:"rate_" dir:"in"`
	OutValid  vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"a result is offered"`
	OutReady  vgen.Signal `port:"m_ready" dir:"in" width:"1" role:"ready" doc:"the result offered is taken"`
	Out       Result      `port:"m_" dir:"out"`
}

// serialResults builds m_fifo: the results, part by part as they come out, so that none of them has to be
// carried along until the last is there. The first parts of up to depth results can be in it, one for each
// credit.
func serialResults(pl *serialPlan, depth int) *vgen.Module {
	m := vgen.NewModule("m_fifo", "FIFO of results, stored part by part, with its credits")
	m.Doc("A result has a place from its first part on; it counts as stored with the last.")
	m.SetTiming(2, 1)
	p := vgen.Ports[serialResultsPorts](m, pl.widths())
	addr := max(1, bits.Len(uint(depth-1)))
	one := vgen.Const(addr+1, 1)

	head := m.Reg("write_ptr", addr+1, vgen.Reset(0), vgen.Control())
	tail := m.Reg("read_ptr", addr+1, vgen.Reset(0), vgen.Control())
	valid := m.Reg("valid_q", 1, vgen.Reset(0), vgen.Control())
	some := head.Ne(tail).Named("not_empty")
	load := some.And(valid.Not().Or(p.OutReady)).Named("load")
	m.Next(head, vgen.Mux(p.RateIn, head.Add(one), head))
	m.Next(tail, vgen.Mux(load, tail.Add(one), tail))
	m.Next(valid, load.Or(valid.And(p.OutReady.Not())))
	m.Assign(p.OutValid, valid)

	part := func(name, doc string, push, place, word vgen.Signal) vgen.Signal {
		mem := m.Memory(name, 1<<addr, word.Width(), doc).NoCollision()
		mem.Write(push, place, word)
		return mem.ReadEn(name+"_q", tail.Trunc(addr), load)
	}
	place := func(name string, push vgen.Signal) vgen.Signal { return counter(m, name, addr, 0, push) }
	verdict := vgen.Unpack(&p.Verdict, part("verdicts", "flow, kind and status", p.VerdictIn, place("verdict_ptr", p.VerdictIn), vgen.Pack(&p.Verdict)))
	average := vgen.Unpack(&p.Average, part("averages", "U", p.AverageIn, place("average_ptr", p.AverageIn), vgen.Pack(&p.Average)))
	window := vgen.Unpack(&p.Window, part("windows", "W, Wc, incStage and what clamped W", p.WindowIn, place("window_ptr", p.WindowIn), vgen.Pack(&p.Window)))
	rate := vgen.Unpack(&p.Rate, part("rates", "R", p.RateIn, head.Trunc(addr), vgen.Pack(&p.Rate)))

	code := func(v uint64) vgen.Signal { return vgen.Const(statusBits, v) }
	m.Assign(p.Out.Flow, verdict.Flow)
	m.Assign(p.Out.Kind, verdict.Kind)
	m.Assign(p.Out.Status, firstOf(verdict.Status, choice{window.Below, code(statusClampedMin)}, choice{window.Above, code(statusClampedMax)}))
	m.Assign(p.Out.U, average.U)
	m.Assign(p.Out.W, window.W)
	m.Assign(p.Out.Wc, window.Wc)
	m.Assign(p.Out.Rate, rate.Rate)
	m.Assign(p.Out.Stage, window.Stage)

	// credits_taken counts up to depth, at which its top bit is set.
	taken := m.Reg("credits_taken", addr+1, vgen.Reset(0), vgen.Control())
	back := valid.And(p.OutReady).Named("credit_back")
	m.Next(taken, vgen.Mux(p.Take.Eq(back), taken, vgen.Mux(p.Take, taken.Add(one), taken.Sub(one))))
	m.Assign(p.Credit, taken.Top().Not())
	return m
}
