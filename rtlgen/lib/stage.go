package lib

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// StageStep is one step of the additive-increase counter incStage (draft Figure 5): multiply tells
// that the window is scaled, because U is at its target or the stages are used up; next is the
// counter after a commit, which stays at its largest value.
func StageStep(stage, limit, atTarget vgen.Signal) (multiply, next vgen.Signal) {
	multiply = atTarget.Or(stage.Ge(limit)).Named("multiplies")
	return multiply, StageUp(stage).And(multiply.Not().Repeat(stage.Width()))
}

// StageUp is the counter after a commit that does not scale the window.
func StageUp(stage vgen.Signal) vgen.Signal {
	return vgen.Mux(stage.AllBits(), stage, stage.Plus(1))
}

// StagePorts are the ports of a stand-alone stage counter.
type StagePorts struct {
	Stage    vgen.Signal `port:"s_stage" dir:"in" width:"stage" doc:"incStage"`
	Limit    vgen.Signal `port:"s_max_stage" dir:"in" width:"stage" doc:"maxStage"`
	AtTarget vgen.Signal `port:"s_at_target" dir:"in" width:"1" doc:"U >= eta"`
	Multiply vgen.Signal `port:"m_multiply" dir:"out" width:"1" doc:"the window is scaled"`
	Next     vgen.Signal `port:"m_stage" dir:"out" width:"stage" doc:"incStage after a commit"`
}

// StageCounter is the step of incStage as a combinational module of its own.
func StageCounter(name string, stageBits int) *vgen.Module {
	m := vgen.NewModule(name, "Step of the additive-increase counter incStage")
	ports := vgen.Ports[StagePorts](m, vgen.Widths{"stage": stageBits})
	multiply, next := StageStep(ports.Stage, ports.Limit, ports.AtTarget)
	m.Assign(ports.Multiply, multiply)
	m.Assign(ports.Next, next)
	return m
}
