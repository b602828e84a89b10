package nic

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// averageMemory is the port to the memory of U: the word read answers an address one cycle later.
type averageMemory struct {
	ReadAddr  vgen.Signal `port:"rd_addr" dir:"out" width:"flow" doc:"flow read"`
	Read      vgen.Signal `port:"rd_u" dir:"in" width:"u" doc:"U stored"`
	WriteEn   vgen.Signal `port:"wr_en" dir:"out" width:"1" doc:"write"`
	WriteAddr vgen.Signal `port:"wr_addr" dir:"out" width:"flow" doc:"flow written"`
	Write     vgen.Signal `port:"wr_u" dir:"out" width:"u" doc:"U to store"`
}

type averagePorts struct {
	Op       OpPorts
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

// averageTiming says where the U memory is read and written, in stages.
type averageTiming struct{ read, write int }

// averageBlock builds hpcc_average: U = (1 - tau/T) U + tau/T u (draft Figure 4, lines 8 and 9).
// Operations are interval cycles apart.
func averageBlock(c *config.NIC, interval int) (*vgen.Module, averageTiming) {
	f := c.Formats
	limb := limbBits(c)
	m := vgen.NewModule("hpcc_average", "Moving average of the normalised inflight")
	m.Doc("alpha = min(tau, T) * InvT in " + f.Alpha.String() + "; U = U + alpha * (u - U), rounded half up.")
	w := widths(c)
	w["index"] = max(c.FlowBits(), c.ProfileBits())
	ports := vgen.Ports[averagePorts](m, w)
	p := lib.NewPipe(m)
	o := newOp(p, ports.Op, interval)
	t := tables{m: m, p: p, op: o}

	var profile lib.Value
	if ports.Profile.Exists() {
		profile = p.Value("profile", 0, ports.Profile)
	}
	tau, uMax := p.Value("tau", 0, ports.Tau), p.Value("u_max", 0, ports.UMax)
	react := p.Value("react", 0, ports.React)
	unknown := p.Value("unknown", 0, ports.Unknown)
	tr, ti := ports.TWRTT, ports.TWInvRTT
	const lookup, operands = 1, 2
	rtt := t.perProfile(c, "rtt", "T of each profile", lookup, tr.Select, tr.Index, tr.Data, profile)
	inv := t.perProfile(c, "inv_rtt", "1/T of each profile", lookup, ti.Select, ti.Index, ti.Data, profile)

	// alpha: the part of the average that tau is worth.
	tauIn, rttIn := p.At(tau, operands), p.At(rtt, operands)
	whole := p.Reg("whole", operands, lib.Less("tau_short", tauIn, rttIn).Not())
	none := p.Value("none", 0, ports.UMax.AnyBit().Not())
	short := min(c.RTTBits, tau.Width())
	weight := p.Mul("weight", p.Operand(p.Value("tau_in", operands, tauIn.Trunc(short))), p.Operand(p.Value("inv_rtt_in", operands, p.At(inv, operands))), limb)
	// The weight is 1 at most, and 0 where no hop was chosen and where U does not react, whatever tau may be there. All but the carry of the
	// rounding is known with the product.
	drop, frac := f.InvT.Frac-f.Alpha.Frac, f.Alpha.Frac
	full, fits := p.At(whole, weight.Stage), weight.Signal
	if drop >= 0 && weight.Width() > drop+frac {
		full = full.Or(weight.Slice(weight.Width()-1, drop+frac).AnyBit())
		fits = weight.Trunc(drop + frac)
	}
	atLeast := p.Step("weight_full", weight.Stage, full)
	weighs := p.Step("weighs", weight.Stage, p.At(react, weight.Stage).And(p.At(none, weight.Stage).Not()))
	rounded := p.Step("weight_rounded", weight.Stage, lib.RoundHalfUp("weight_rounding", fits, drop))
	one := atLeast.Signal
	if rounded.Width() > frac {
		one = one.Or(rounded.Slice(rounded.Width()-1, frac).AnyBit())
	}
	one = one.Named("weight_one")
	part := vgen.Cat(one, trunc(rounded.Signal, frac).And(one.Not().Repeat(frac)))
	alpha := p.Reg("alpha", rounded.Stage, part.And(weighs.Repeat(f.Alpha.Width())))

	// Step towards u. The stored U is read so late that its distance to u meets alpha.
	read := alpha.Stage - 3
	o.to(read)
	m.Assign(ports.Mem.ReadAddr, p.At(o.index, read).Trunc(c.FlowBits()))
	u := p.Reg("u_old", read+1, ports.Mem.Read)
	next := p.MovingAverage("u_next", react, alpha, u, uMax, f.Alpha.Frac, limb)
	uw := f.U.Width()

	// Write back.
	last := next.Stage
	o.to(last)
	sweep := o.is(opSweep, last)
	set := o.is(opWrite, last).And(ports.CWSelect)
	index := p.At(o.index, last)
	put := p.Value("write_en", last, ifInRange(p.At(react, last).And(o.is(opAck, last)).Or(set).Or(sweep), index, c.Flows))
	if o.dense {
		put = p.Reg("write_en", last, put.Signal, vgen.Reset(0))
	}
	m.Assign(ports.Mem.WriteEn, put.Signal)
	m.Assign(ports.Mem.WriteAddr, p.Step("write_addr", last, index.Trunc(c.FlowBits())).Signal)
	m.Assign(ports.Mem.Write, p.Step("write_u", last, vgen.Mux(set, ports.CWU, next.Signal).And(sweep.Not().Repeat(uw))).Signal)
	m.Assign(ports.U, next.And(p.At(unknown, last).Not().Repeat(uw)))
	m.SetTiming(last, 1)
	m.Tap("alpha", alpha.Signal, alpha.Stage, "tau/T, "+f.Alpha.String())
	m.Tap("u_new", next.Signal, next.Stage, "U after the ACK, "+f.U.String())
	return m, averageTiming{read: read, write: put.Stage}
}

// trunc narrows a value that is known to fit.
func trunc(s vgen.Signal, width int) vgen.Signal {
	if s.Width() < width {
		return s.Zext(width)
	}
	return s.Trunc(width)
}
