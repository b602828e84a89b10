package block

import (
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Datapath is the part of csig_switch that decides. Stage 0 is the cycle in which a packet's header is complete or, for
// the logic that counts its bytes, in which its last beat is accepted.
type Datapath struct {
	Shape  *Shape
	Module *vgen.Module
	Pipe   *lib.Pipe
	Header *HeaderPorts
	Timing *timing.CSIG

	Decided  vgen.Signal // a decision is made
	Decision Decision
	NoPort   vgen.Signal
	Port     vgen.Signal
	Status   vgen.Signal
	Stacked  vgen.Signal
}

// Known holds what s_axis_tuser gives for a packet, and the packet's delay in the switch.
type Known struct{ Ingress, Egress, EgressTime, Qlen, Delay lib.Value }

// Known unpacks the sideband that arrived with the header. The delay is 0 if the packet left before it arrived.
func (d *Datapath) Known() Known {
	c, p, user := d.Shape, d.Pipe, d.Shape.Meta(d.Header.OutUse)
	spent := p.Reg("spent", 1, user.EgressTime.Sub(user.IngressTime))
	d.Module.StageHint(2, "time that the packet has spent in the switch")
	d.Module.StageHint(3, "its delay: that time, saturated; 0 if egress precedes ingress")
	delay := lib.Saturate("spent_saturated", spent.Trunc(c.TimeBits-1), ValueBits)
	return Known{
		Ingress: p.Value("ingress", 1, user.Ingress), Egress: p.Value("egress", 1, user.Egress),
		EgressTime: p.Value("egress_time", 1, user.EgressTime), Qlen: p.Value("qlen", 1, user.Qlen),
		Delay: p.Reg("delay", 2, delay.And(spent.Top().Not().Repeat(ValueBits))),
	}
}

// Walk finds the tag; stage is set to the pipeline stage of the result.
func (d *Datapath) Walk(stage *int) found {
	if d.Shape.alongBeats() {
		module := walkSerialBlock(d.Shape)
		w := vgen.Instantiate[walkSerialPorts](d.Module, "u_walk", module)
		d.Module.Assign(w.Valid, d.Header.Valid)
		d.Module.Assign(w.Data, d.Header.Data)
		d.Module.Assign(w.Keep, d.Header.Keep)
		d.Module.Assign(w.Last, d.Header.Last)
		d.Module.Begin(w.Valid, 0)
		*stage = module.Latency()
		return w.Out
	}
	module := walkBlock(d.Shape)
	w := vgen.Instantiate[walkPorts](d.Module, "u_walk", module)
	for i := range w.Word {
		vgen.Connect(d.Module, &w.Word[i], &d.Header.Word[i])
	}
	d.Module.Begin(w.Word[0].Data, 1)
	*stage = 1 + module.Latency()
	return w.Out
}

// Answers records when an access to csig_registers takes effect, and when it is answered. A commit is in force so many
// cycles after the access; it is answered, from so many cycles on, once no packet uses the former settings.
func (d *Datapath) Answers(file *vgen.Module, commit, answer int) {
	t := d.Timing
	t.Act, t.Answer = axil.ChosenToBus+d.Shape.BusToAct(), file.Latency()
	t.Commit, t.CommitAnswer = commit, answer
	if d.Shape.Compact() {
		t.Buckets, t.BucketsAnswer, t.Absent = tableCycles, tableCycles+drainCycles, absentCycles
	}
}

// Shorter has a 1 if a packet of so many bytes is shorter than a minimum frame without some words.
func Shorter(length vgen.Signal, words uint64) vgen.Signal {
	return length.Lt(vgen.Const(length.Width(), shortestFrame+WordBytes*words))
}

// OnWire is the bytes of a packet on the wire: of a short one those to which the MAC pads it.
func OnWire(left, short, overhead vgen.Signal) vgen.Signal {
	padded := vgen.Mux(short, vgen.Const(LengthBits, shortestFrame), left)
	return padded.Add(overhead.Zext(LengthBits)).Named("bytes_on_wire")
}
