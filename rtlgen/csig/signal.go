package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type signalPorts struct {
	Start    vgen.Signal `port:"s_start" dir:"in" width:"start" role:"valid" doc:"a signal is wanted"`
	Queue    vgen.Signal `port:"s_is_queue" dir:"in" width:"1" doc:"the signal is the queue's depth; else it is the base less what is measured, scaled"`
	Measured vgen.Signal `port:"s_measured" dir:"in" width:"measured" doc:"what the egress port's meter has measured"`
	Qlen     vgen.Signal `port:"s_qlen" dir:"in" width:"qlen" doc:"depth of the egress queue, bytes"`
	Base     vgen.Signal `port:"s_base" dir:"in" width:"value" doc:"capacity, one, or the delay"`
	Factor   vgen.Signal `port:"s_factor" dir:"in" width:"recip" doc:"mantissa of the factor; 0: none"`
	Shift    vgen.Signal `port:"s_shift" dir:"in" width:"shift" doc:"its shift"`
	Value    vgen.Signal `port:"m_value" dir:"out" width:"value" doc:"the signal's value: kbit/s, 2^-n of the capacity, or ns"`
}

// signalBlock builds csig_signal: the signal of the tag's type (docs/csig.md, Signals). A packet a cycle, or every other cycle where
// packets with a tag are never closer. One multiplier serves all types: a packet needs one product.
func signalBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_signal", "Computes the signal of the tag's type for the egress port")
	m.Doc("Type 0: capacity less what is in use. Type 1: one less its share. Type 2: the delay, less nothing. Type 3: the time that the queue",
		"takes to leave.")
	ports := vgen.Ports[signalPorts](m, widths(c))
	p := lib.NewPipe(m)
	if deep(c) {
		p.Fast()
	}

	queue, base := p.Value("is_queue", 0, ports.Queue), p.Value("base", 0, ports.Base)
	xBits := max(measuredBits(c), c.QlenBits)
	block := scaleBlock("csig_scale", xBits, c.RecipBits, valueBits, tagsApart(c), deep(c))
	scale := vgen.Instantiate[scalePorts](m, "u_scale", block)
	if scale.Start.Exists() {
		m.Assign(scale.Start, ports.Start)
	}
	m.Assign(scale.X, vgen.Mux(ports.Queue, ports.Qlen.Zext(xBits), ports.Measured.Zext(xBits)))
	m.Assign(scale.Mantissa, ports.Factor)
	m.Assign(scale.Shift, ports.Shift)

	at := block.Latency()
	p.Hold("waiting", at, queue, base)
	left := p.At(base, at).Zext(valueBits + 1).Sub(scale.Out.Zext(valueBits + 1)).Named("left")
	scaled := p.Value("scaled", at, scale.Out)
	if deep(c) {
		left = p.Reg("left", at, left).Signal
		at++
	}
	rest := left.Trunc(valueBits).And(left.Top().Not().Repeat(valueBits))
	out := p.Reg("value", at, vgen.Mux(p.At(queue, at), p.At(scaled, at), rest))
	m.Assign(ports.Value, out.Signal)
	m.SetTiming(out.Stage, block.Interval())
	return m
}
