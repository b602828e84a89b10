package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type signalPorts struct {
	Type     vgen.Signal `port:"s_type" dir:"in" width:"2" doc:"signal type: 0 ABW, 1 ABW/C, 2 per-hop delay, 3 normalised queue depth"`
	Measured vgen.Signal `port:"s_measured" dir:"in" width:"measured" doc:"what the egress port's meter has measured"`
	Delay    vgen.Signal `port:"s_delay" dir:"in" width:"value" doc:"per-hop delay, ns"`
	Qlen     vgen.Signal `port:"s_qlen" dir:"in" width:"qlen" doc:"depth of the egress queue, bytes"`
	Capacity vgen.Signal `port:"s_capacity" dir:"in" width:"value" doc:"capacity of the egress port, kbit/s"`
	Factor   vgen.Signal `port:"s_factor" dir:"in" width:"recip" doc:"mantissa of the factor of the signal"`
	Shift    vgen.Signal `port:"s_shift" dir:"in" width:"shift" doc:"its shift"`
	Value    vgen.Signal `port:"m_value" dir:"out" width:"value" doc:"the signal's value: kbit/s, 2^-n of the capacity, or ns"`
}

// signalBlock builds csig_signal: the signal of the tag's type (docs/csig.md, Signals). A packet a cycle, and one multiplier for all
// types: a packet needs one product.
func signalBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_signal", "Computes the signal of the tag's type for the egress port")
	m.Doc("Type 0: capacity less what is in use. Type 1: one less its share. Type 2: the delay. Type 3: the time that the queue takes to leave.")
	ports := vgen.Ports[signalPorts](m, widths(c))
	p := lib.NewPipe(m)

	kind, delay, capacity := p.Value("type", 0, ports.Type), p.Value("delay", 0, ports.Delay), p.Value("capacity", 0, ports.Capacity)
	isQueue := equals(ports.Type, typeNQD).Named("is_queue")
	xBits := max(measuredBits(c), c.QlenBits)
	block := scaleBlock("csig_scale", xBits, c.RecipBits, valueBits)
	scale := vgen.Instantiate[scalePorts](m, "u_scale", block)
	m.Assign(scale.X, vgen.Mux(isQueue, ports.Qlen.Zext(xBits), ports.Measured.Zext(xBits)))
	m.Assign(scale.Mantissa, ports.Factor)
	m.Assign(scale.Shift, ports.Shift)
	scaled := p.Value("scaled", block.Latency(), scale.Out)

	// Bandwidth is what is left of all there is.
	all := vgen.Mux(equals(ports.Type, typeABWC), vgen.Const(valueBits, 1<<c.RatioBits), capacity.Signal)
	whole := p.Reg("whole", 0, all)
	at := scaled.Stage
	p.Hold("waiting", at, kind, delay, whole)
	left := p.At(whole, at).Zext(valueBits + 1).Sub(scaled.Zext(valueBits + 1)).Named("left")
	rest := p.Reg("rest", at, left.Trunc(valueBits).And(left.Top().Not().Repeat(valueBits)))
	at++
	value := vgen.Select(p.At(kind, at), []vgen.Signal{rest.Signal, rest.Signal, p.At(delay, at)}, p.At(scaled, at))
	out := p.Reg("value", at, value)
	m.Assign(ports.Value, out.Signal)
	m.SetTiming(out.Stage, 1)
	return m
}
