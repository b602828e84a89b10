package wide

import (
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
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

// signalBlock builds csig_signal: the signal of the tag's type (docs/csig.md, Signals). A packet a cycle, or every
// other cycle where packets with a tag are never closer. One multiplier serves all types: a packet needs one product.
func signalBlock(c *block.Shape) *vgen.Module {
	m := vgen.NewModule("csig_signal", "Computes the signal of the tag's type for the egress port")
	m.Doc(block.TypesDoc(".")...)
	ports := vgen.Ports[signalPorts](m, c.PortWidths())
	p := c.Pipe(m)

	queue, base := p.Value("is_queue", 0, ports.Queue), p.Value("base", 0, ports.Base)
	xBits := max(c.MeasuredBits(), c.QlenBits)
	scaler := scaleBlock(c, "csig_scale", xBits, block.ValueBits)
	scale := vgen.Instantiate[scalePorts](m, "u_scale", scaler)
	if scale.Start.Exists() {
		m.Assign(scale.Start, ports.Start)
	}
	m.Assign(scale.X, vgen.Mux(ports.Queue, ports.Qlen.Zext(xBits), ports.Measured.Zext(xBits)))
	m.Assign(scale.Mantissa, ports.Factor)
	m.Assign(scale.Shift, ports.Shift)

	at := scaler.Latency()
	p.Hold("waiting", at, queue, base)
	left := p.At(base, at).Zext(block.ValueBits + 1).Sub(scale.Out.Zext(block.ValueBits + 1)).Named("left")
	scaled := p.Value("scaled", at, scale.Out)
	if c.At.Left {
		m.StageDoc(at+1, "what is left of the base: signal = base - x * factor")
	}
	at = transit.Stage(p, c.At.Left, at, "left", &left)
	m.StageDoc(at+1, "the signal: what is left, 0 where that is negative; of a queue its scaled depth")
	rest := left.Trunc(block.ValueBits).And(left.Top().Not().Repeat(block.ValueBits))
	out := p.Reg("value", at, vgen.Mux(p.At(queue, at), p.At(scaled, at), rest))
	m.Assign(ports.Value, out.Signal)
	m.SetTiming(out.Stage, scaler.Interval())
	return m
}
