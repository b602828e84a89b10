package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// averageContext is the part of a flow's context that moves with U.
type averageContext struct {
	U vgen.Signal `port:"u" width:"u" doc:"U stored"`
}

// toStore is the comment of the port that writes it.
const toStore = "U to store"

type averageMemory = engine.GroupPorts[averageContext]

type averagePorts struct {
	Op       engine.OpPorts
	TWRTT    rttWrite      `port:"tw_rtt_" dir:"in"`
	TWInvRTT invRTTWrite   `port:"tw_inv_rtt_" dir:"in"`
	CWSelect vgen.Signal   `port:"cw_select" dir:"in" width:"1" doc:"a context write sets U, held"`
	CWU      vgen.Signal   `port:"cw_u" dir:"in" width:"u" doc:"U, held"`
	React    vgen.Signal   `port:"react" dir:"in" width:"1" doc:"U reacts to this ACK"`
	Unknown  vgen.Signal   `port:"unknown" dir:"in" width:"1" doc:"no such flow: report zero"`
	Profile  vgen.Signal   `port:"profile" dir:"in" width:"profile" doc:"profile of the flow"`
	UMax     vgen.Signal   `port:"u_max" dir:"in" width:"u" doc:"largest u' of the path"`
	Tau      vgen.Signal   `port:"tau" dir:"in" width:"dts" doc:"time difference of that hop, ticks"`
	Mem      averageMemory `port:"uc_"`
	U        vgen.Signal   `port:"m_u" dir:"out" width:"u" doc:"U of the flow after this ACK"`
}

// averageBlock builds hpcc_average: U = (1 - tau/T) U + tau/T u (draft Figure 4, lines 8 and 9).
// Operations are interval cycles apart.
func averageBlock(c *config.NIC, interval int) (*vgen.Module, engine.Loop) {
	f := c.Formats
	limbs := limbsOf(c)
	m := vgen.NewModule("hpcc_average", "Moving average of the normalised inflight")
	m.Doc("alpha = min(tau, T) * InvT in " + f.Alpha.String() + "; U = U + alpha * (u - U), rounded half up.")
	w := widths(c)
	w["index"] = max(c.FlowBits(), c.ProfileBits())
	ports := vgen.Ports[averagePorts](m, w)
	m.Describe(ports.Mem.Write.U, toStore)
	p := lib.NewPipe(m)
	o := engine.NewOp(p, ports.Op, interval, c.Flows)
	t := engine.NewTables(m, p, o)

	profile := p.Value("profile", 0, ports.Profile)
	tau, uMax := p.Value("tau", 0, ports.Tau), p.Value("u_max", 0, ports.UMax)
	react := p.Value("react", 0, ports.React)
	unknown := p.Value("unknown", 0, ports.Unknown)
	const lookup, operands = 1, 2
	rtt := t.Entry("rtt", "T of each profile", c.Profiles, lookup, &ports.TWRTT, p.At(profile, lookup))
	inv := t.Entry("inv_rtt", "1/T of each profile", c.Profiles, lookup, &ports.TWInvRTT, p.At(profile, lookup))

	// alpha: the part of the average that tau is worth.
	tauIn, rttIn := p.At(tau, operands), p.At(rtt, operands)
	whole := p.Reg("whole", operands, lib.Less("tau_short", tauIn, rttIn).Not())
	m.StageDoc(rtt.Stage, "T and 1/T of the flow's profile")
	m.StageDoc(whole.Stage, "tau is limited to T")
	short := min(c.RTTBits, tau.Width())
	weight := p.Mul("weight", p.Operand(p.Value("tau_in", operands, tauIn.Trunc(short))),
		p.Operand(p.Value("inv_rtt_in", operands, p.At(inv, operands))), limbs)
	// The weight is 1 at most, and 0 where U does not react, whatever tau may be there. All but the carry of the
	// rounding is known with the product.
	drop, frac := f.InvT.Frac-f.Alpha.Frac, f.Alpha.Frac
	m.StageDoc(weight.Stage, "weight = tau * 1/T")
	full, fits := p.At(whole, weight.Stage), weight.Signal
	if drop >= 0 && weight.Width() > drop+frac {
		full = full.Or(weight.Slice(weight.Width()-1, drop+frac).AnyBit())
		fits = weight.Trunc(drop + frac)
	}
	atLeast := p.Step("weight_full", weight.Stage, full)
	weighs := p.Step("weighs", weight.Stage, p.At(react, weight.Stage))
	rounded := p.Step("weight_rounded", weight.Stage, lib.RoundHalfUp("weight_rounding", fits, drop))
	one := atLeast.Signal
	if rounded.Width() > frac {
		one = one.Or(rounded.Slice(rounded.Width()-1, frac).AnyBit())
	}
	one = one.Named("weight_one")
	part := vgen.Cat(one, rounded.Signal.Fit(frac).And(one.Not().Repeat(frac)))
	alpha := p.Reg("alpha", rounded.Stage, part.And(weighs.Repeat(f.Alpha.Width())))
	m.StageDoc(alpha.Stage, "alpha = the weight, rounded half up, at most 1; 0 where U does not react")

	// Step towards u. The stored U is read so late that its distance to u meets alpha.
	read := alpha.Stage - 3
	o.To(read)
	m.Assign(ports.Mem.ReadAddr, o.Flow(read))
	u := p.Reg("u_old", read+1, ports.Mem.Read.U)
	next := p.MovingAverage("u_next", react, alpha, u, uMax, f.Alpha.Frac, limbs)
	m.StageDoc(u.Stage, "the flow's U, out of its memory")
	m.StageDoc(next.Stage, "U + alpha * (u - U), rounded half up")

	// Write back.
	last := next.Stage
	o.To(last)
	sweep := o.Is(engine.Clear, last)
	set := o.Is(engine.Write, last).And(ports.CWSelect).Named("sets_u")
	p.Hint(last+1, "U, written back")
	written := o.Put(m, last, o.Flow(last), p.At(react, last).And(o.Is(engine.Ack, last)).Or(set).Or(sweep),
		ports.Mem.WriteEn, ports.Mem.WriteAddr)
	m.Assign(ports.Mem.Write.U, p.Step("write_u", last, vgen.Mux(set, ports.CWU, next.Signal).Where(sweep.Not())).Signal)
	m.Assign(ports.U, next.Where(p.At(unknown, last).Not()))
	m.SetTiming(last, 1)
	m.Tap("alpha", alpha.Signal, alpha.Stage, "tau/T, "+f.Alpha.String())
	m.Tap("u_new", next.Signal, next.Stage, "U after the ACK, "+f.U.String())
	return m, engine.Loop{Read: read, Write: written}
}
