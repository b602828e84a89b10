package wide

import (
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type signalPorts struct {
	Start    vgen.Signal `port:"s_start" dir:"in" width:"start" role:"valid" doc:"a signal is wanted"`
	X        vgen.Signal `port:"s_x" dir:"in" width:"x" doc:"operand: estimate of the meter, or the queue depth"`
	Mantissa vgen.Signal `port:"s_mantissa" dir:"in" width:"recip" doc:"mantissa of the factor; 0: nothing is subtracted from the base"`
	Shift    vgen.Signal `port:"s_shift" dir:"in" width:"shift" doc:"its shift"`
	Base     vgen.Signal `port:"s_base" dir:"in" width:"value" doc:"capacity, one, or the delay"`
	NoBase   vgen.Signal `port:"s_no_base" dir:"in" width:"1" doc:"the signal is the product itself"`
	Value    vgen.Signal `port:"m_value" dir:"out" width:"value" doc:"the signal's value: kbit/s, 2^-n of the capacity, or ns"`
}

// signalBlock builds csig_signal: the signal of the tag's type (docs/csig.md, Signals). A packet a cycle, or every
// other cycle where packets with a tag are never closer. One multiplier serves all types: a packet needs one product.
func signalBlock(c *block.Shape) *vgen.Module {
	m := vgen.NewModule("csig_signal", "Computes the signal of the tag's type for the egress port")
	m.Doc(block.TypesDoc(".")...)
	w := c.PortWidths()
	xBits := max(c.MeasuredBits(), c.QlenBits)
	w["x"] = xBits
	ports := vgen.Ports[signalPorts](m, w)
	p := c.Pipe(m)

	noBase, base := p.Value("no_base", 0, ports.NoBase), p.Value("base", 0, ports.Base)
	scaler := scaleBlock(c, "csig_scale", xBits, block.ValueBits)
	scale := vgen.Instantiate[scalePorts](m, "u_scale", scaler)
	if scale.Start.Exists() {
		m.Assign(scale.Start, ports.Start)
	}
	m.Assign(scale.X, ports.X)
	m.Assign(scale.Mantissa, ports.Mantissa)
	m.Assign(scale.Shift, ports.Shift)

	at := scaler.Latency()
	p.Hold("waiting", at, noBase, base)
	left := p.At(base, at).Zext(block.ValueBits + 1).Sub(scale.Out.Zext(block.ValueBits + 1)).Named("left")
	scaled := p.Value("scaled", at, scale.Out)
	if c.At.Left {
		m.StageDoc(at+1, "signal = base - x * factor")
	}
	at = transit.Stage(p, c.At.Left, at, "left", &left)
	m.StageDoc(at+1, "the signal: the difference, 0 where negative; for a queue its scaled depth")
	rest := left.Trunc(block.ValueBits).And(left.Top().Not().Repeat(block.ValueBits))
	out := p.Reg("value", at, vgen.Mux(p.At(noBase, at), p.At(scaled, at), rest))
	m.Assign(ports.Value, out.Signal)
	m.SetTiming(out.Stage, scaler.Interval())
	return m
}
