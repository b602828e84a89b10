package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type signalPorts struct {
	Type     vgen.Signal `port:"s_type" dir:"in" width:"2" doc:"signal type: 0 ABW, 1 ABW/C, 2 per-hop delay, 3 normalised queue depth"`
	Measured vgen.Signal `port:"s_measured" dir:"in" width:"measured" doc:"what the egress port's meter has measured"`
	Ingress  vgen.Signal `port:"s_ingress_time" dir:"in" width:"time" doc:"time of arrival, ns"`
	Egress   vgen.Signal `port:"s_egress_time" dir:"in" width:"time" doc:"time of leaving, ns"`
	Qlen     vgen.Signal `port:"s_qlen" dir:"in" width:"qlen" doc:"depth of the egress queue, bytes"`
	Factors  factors     `port:"s_" dir:"in"`
	Estimate vgen.Signal `port:"s_estimate" dir:"in" width:"recip" doc:"mantissa of the factor from what is measured to kbit/s"`
	Shift    vgen.Signal `port:"s_estimate_shift" dir:"in" width:"shift" doc:"its shift"`
	Value    vgen.Signal `port:"m_value" dir:"out" width:"value" doc:"the signal's value: kbit/s, 2^-n of the capacity, or ns"`
}

// signalBlock builds csig_signal: the signal of the tag's type (docs/csig.md, Signals). A packet a cycle. One multiplier serves
// bandwidth and queue depth, of which a packet needs one; a second one ABW/C.
func signalBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_signal", "Computes the signal of the tag's type for the egress port")
	ports := vgen.Ports[signalPorts](m, widths(c))
	p := lib.NewPipe(m)
	f := ports.Factors

	kind := p.Value("type", 0, ports.Type)
	isQueue := equals(ports.Type, typeNQD).Named("is_queue")
	xBits := max(measuredBits(c), c.QlenBits)
	first := scaleBlock("csig_scale", xBits, c.RecipBits, valueBits)
	scale := vgen.Instantiate[scalePorts](m, "u_scale", first)
	m.Assign(scale.X, vgen.Mux(isQueue, ports.Qlen.Zext(xBits), ports.Measured.Zext(xBits)))
	m.Assign(scale.Mantissa, vgen.Mux(isQueue, f.Depth, ports.Estimate))
	m.Assign(scale.Shift, vgen.Mux(isQueue, f.DepthShift, ports.Shift))
	scaled := p.Value("scaled", first.Latency(), scale.Out)

	// Delay: 0 when the packet left before it came.
	spent := p.Reg("spent", 0, ports.Egress.Sub(ports.Ingress))
	forward := spent.Trunc(c.TimeBits - 1)
	delay := p.Reg("delay", 1, lib.Saturate("spent_saturated", forward, valueBits).And(spent.Top().Not().Repeat(valueBits)))

	at := scaled.Stage
	capacity, ratio, shift := p.Value("capacity", 0, f.Capacity), p.Value("ratio", 0, f.Ratio), p.Value("ratio_shift", 0, f.RatioShift)
	p.Hold("port", at, kind, delay, capacity, ratio, shift)
	left := p.At(capacity, at).Zext(valueBits + 1).Sub(scaled.Zext(valueBits + 1)).Named("left")
	abw := p.Reg("abw", at, left.Trunc(valueBits).And(left.Top().Not().Repeat(valueBits)))
	at++
	second := scaleBlock("csig_scale_ratio", valueBits, c.RecipBits, c.RatioBits+1)
	part := vgen.Instantiate[scalePorts](m, "u_scale_ratio", second)
	m.Assign(part.X, abw.Signal)
	m.Assign(part.Mantissa, p.At(ratio, at))
	m.Assign(part.Shift, p.At(shift, at))
	end := at + second.Latency()
	p.Hold("signal", end, kind, delay, abw, scaled)
	// At most one: 2^Ratio.
	one := vgen.Const(c.RatioBits+1, 1<<c.RatioBits)
	share := vgen.Mux(part.Out.Top(), one, part.Out).Named("abw_share")
	value := vgen.Select(p.At(kind, end), []vgen.Signal{p.At(abw, end), share.Zext(valueBits), p.At(delay, end)}, p.At(scaled, end))
	out := p.Reg("value", end, value)
	m.Assign(ports.Value, out.Signal)
	m.SetTiming(out.Stage, 1)
	return m
}
