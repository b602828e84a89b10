package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type recordPorts struct {
	Node        vgen.Signal `port:"node" dir:"in" width:"recnode" doc:"number of the switch"`
	Space       vgen.Signal `port:"space" dir:"in" width:"recspace" doc:"LNS"`
	Rate        vgen.Signal `port:"s_rate" dir:"in" width:"recrate" doc:"rate code of the egress port"`
	Ingress     vgen.Signal `port:"s_ingress" dir:"in" width:"recin" doc:"ingress port"`
	Egress      vgen.Signal `port:"s_egress" dir:"in" width:"recout" doc:"egress port"`
	IngressTime vgen.Signal `port:"s_ingress_time" dir:"in" width:"rectime" doc:"ingress time, ns"`
	EgressTime  vgen.Signal `port:"s_egress_time" dir:"in" width:"time" doc:"egress time, ns"`
	Sent        vgen.Signal `port:"s_sent" dir:"in" width:"sum" doc:"bytes that left the port before"`
	Qlen        vgen.Signal `port:"s_qlen" dir:"in" width:"qlen" doc:"queue depth, bytes"`
	Other       vgen.Signal `port:"s_other" dir:"in" width:"other" doc:"the record is all ones"`
	HopLimit    vgen.Signal `port:"s_hop_limit" dir:"in" width:"hoplimit" doc:"Hop Limit of the packet"`
	Record      vgen.Signal `port:"m_record" dir:"out" width:"record" doc:"the record, first byte in the top bits"`
}

// recordWidths are the width keys of int_record.
func (s *shape) recordWidths() vgen.Widths {
	w := s.parseWidths()
	w["qlen"], w["recnode"], w["recspace"], w["recrate"], w["recin"], w["recout"], w["rectime"] = s.QlenBits, s.nodeBits,
		0, 0, 0, s.IndexBits(), 0
	switch s.Format {
	case config.INTIFA:
		w["recspace"], w["recrate"], w["recin"], w["rectime"] = s.spaceBits, rateBits, s.IndexBits(), s.TimeBits
	case config.INTIOAM:
		w["recin"] = s.IndexBits()
	case config.INTHPCC:
		w["recnode"], w["recrate"], w["recout"] = 0, rateBits, 0
	}
	return w
}

// recordStages are the stages of int_record at which some inputs come; the others come at stage 0.
type recordStages struct {
	written int // what software has written
	parsed  int // what parsing knows: Hop Limit, other instructions
	sent    int
}

// recordBlock builds int_record: the record of a packet out of the snapshot (docs/int.md, Records).
func recordBlock(s *shape, stages recordStages) *vgen.Module {
	m := vgen.NewModule("int_record", "Builds the record of a packet")
	m.Doc("Queue depth in units saturates; times and bytes wrap with their fields.",
		fmt.Sprintf(
			"Node, rate code and LNS come at stage %d, s_sent at stage %d, all others at stage 0 (results of parsing: %d).", stages.written, stages.sent, stages.parsed))
	ports := vgen.Ports[recordPorts](m, s.recordWidths())
	p := lib.NewPipe(m)

	divide := divideBlock("int_qlen", "Queue depth in units of the record", s.QlenBits, uint64(s.QlenUnit), s.qlenBits,
		false)
	q := vgen.Instantiate[dividePorts](m, "u_qlen", divide)
	m.Assign(q.Value, ports.Qlen)
	qlen := p.Value("qlen", divide.Latency(), q.Quotient)
	at := max(qlen.Stage, stages.sent)

	written := func(name string, v vgen.Signal) lib.Value { return p.Value(name, stages.written, v) }
	in := func(name string, v vgen.Signal) lib.Value { return p.Value(name, 0, v) }
	unit := s.sumBits() - s.txBits
	if unit > 0 {
		m.Ignore(ports.Sent.Trunc(unit), "less than a unit")
	}
	sent := p.Value("sent", stages.sent, ports.Sent.Slice(s.sumBits()-1, unit))
	out := in("egress_time", ports.EgressTime.Fit(min(s.TimeBits, 64)))
	var sec, ns, residence lib.Value
	if s.Format == config.INTIFA {
		sec, ns, residence = arrival(s, m, p, ports)
		at = max(at, sec.Stage, residence.Stage)
	}

	// Everything waits for the slowest.
	now := func(v lib.Value, width int) vgen.Signal { return p.At(v, at).Fit(width) }
	zero := func(width int) vgen.Signal { return vgen.Const(width, 0) }
	var parts []vgen.Signal
	var stamp lib.Value // the time of which HPCC takes differences
	switch s.Format {
	case config.INTIFA:
		rate, node, space := written("rate", ports.Rate), written("node", ports.Node), written("space", ports.Space)
		egress, ingress := in("egress", ports.Egress), in("ingress", ports.Ingress)
		p.Hold("waiting", at, rate, node, space, egress, ingress, residence)
		p.Hold("counted", at, sent)
		p.Hold("depth", at, qlen)
		stamp = residence
		parts = []vgen.Signal{
			now(space, 4), now(node, 20), zero(8), now(rate, 4), zero(8), now(sec, 20), now(egress, 16), now(ingress, 16),
			now(ns, 32), now(residence, 32),
			now(sent, 32), zero(16), now(qlen, 16), zero(32),
		}
		m.Ignore(ports.EgressTime.Top(), "the residence time has what counts")
	case config.INTMD:
		node, egress := written("node", ports.Node), in("egress", ports.Egress)
		p.Hold("waiting", at, node, egress, out)
		stamp = out
		parts = []vgen.Signal{now(node, 32), zero(16), now(egress, 16), zero(8), now(qlen, 24), now(out, 64), now(sent, 32)}
		other := p.At(p.Value("other", stages.parsed, ports.Other), at)
		for i, part := range parts {
			parts[i] = part.Or(other.Repeat(part.Width()))
		}
	case config.INTIOAM:
		node, egress, ingress := written("node", ports.Node), in("egress", ports.Egress), in("ingress", ports.Ingress)
		limit := p.Value("hop_limit", stages.parsed, ports.HopLimit)
		ts := in("timestamp", ports.EgressTime.Fit(32))
		p.Hold("waiting", at, node, egress, ingress, ts)
		stamp = ts
		second, third := now(ts, 32), now(qlen, 32)
		if s.Order == config.IOAMFigure {
			second, third = third, second
		}
		parts = []vgen.Signal{now(limit, 8), now(node, 24), now(ingress, 16), now(egress, 16), second, third, now(sent, 32)}
	default:
		rate, ts := written("rate", ports.Rate), in("timestamp", ports.EgressTime.Trunc(24))
		p.Hold("waiting", at, rate, ts)
		stamp = ts
		parts = []vgen.Signal{now(rate, 4), now(ts, 24), now(sent, 20), now(qlen, 16)}
	}
	low := map[config.INTFormat]int{config.INTHPCC: 24, config.INTIOAM: 32}[s.Format]
	if low > 0 && low < s.TimeBits {
		m.Ignore(ports.EgressTime.Slice(s.TimeBits-1, low), "the record has the low bits")
	}
	record := p.Reg("record", at, vgen.Cat(parts...))
	m.StageDoc(record.Stage, "the fields of the record, side by side")
	m.Assign(ports.Record, record.Signal)
	m.Tap("qlen", p.At(qlen, at), at, "depth of the queue in units")
	m.Tap("tx", p.At(sent, at), at, "bytes that left the port before, in units")
	m.Tap("timestamp", p.At(stamp, at), at, "egress time; ifa: residence time")
	for i, top := 0, record.Width()-1; top >= 0; i, top = i+1, top-64 {
		m.Tap(fmt.Sprintf("record%d", i), record.Slice(top, max(top-63, 0)), record.Stage,
			"64 bits of the record, those of record0 first")
	}
	m.SetTiming(at+1, 1)
	return m
}

// arrival makes the three times of IFA: seconds and nanoseconds of arrival, and the residence time.
func arrival(s *shape, m *vgen.Module, p *lib.Pipe, ports *recordPorts) (sec, ns, residence lib.Value) {
	const second, shown = 1_000_000_000, 20
	quotient := max(s.TimeBits-29, shown)
	divide := divideBlock("int_seconds", "Seconds and nanoseconds of a time", s.TimeBits, second, quotient, true)
	d := vgen.Instantiate[dividePorts](m, "u_seconds", divide)
	m.Assign(d.Value, ports.IngressTime)
	if quotient > shown {
		m.Ignore(d.Quotient.Slice(quotient-1, shown), "seconds wrap")
	}
	sec = p.Value("seconds", divide.Latency(), d.Quotient.Trunc(shown))
	ns = p.Value("nanoseconds", divide.Latency(), d.Remainder)

	since := p.Reg("since", 0, ports.EgressTime.Sub(ports.IngressTime))
	earlier := since.Top()
	value := lib.Saturate("since_saturated", since.Trunc(s.TimeBits-1), 32)
	residence = p.Reg("residence", 1, value.Where(earlier.Not()))
	return sec, ns, residence
}

// sumTree adds 16-bit words, two at a time, with a register behind each addition.
func sumTree(p *lib.Pipe, name string, list []lib.Value) lib.Value {
	for level := 0; len(list) > 1; level++ {
		var next []lib.Value
		for i := 0; i+1 < len(list); i += 2 {
			a, b := list[i], list[i+1]
			stage, w := max(a.Stage, b.Stage), max(a.Width(), b.Width())+1
			sum := p.At(a, stage).Zext(w).Add(p.At(b, stage).Zext(w))
			next = append(next, p.Reg(fmt.Sprintf("%s_l%d_%d", name, level, i/2), stage, sum))
			p.Hint(stage+1, fmt.Sprintf("%s: ones' complement sum, level %d", name, level))
		}
		if len(list)%2 == 1 {
			next = append(next, list[len(list)-1])
		}
		list = next
	}
	return list[0]
}

// folded is a ones' complement sum as a checksum: folded to 16 bits, and inverted.
func folded(p *lib.Pipe, name string, sum lib.Value) lib.Value {
	w := sum.Width()
	p.Hint(sum.Stage+1, name+": the carries of the sum, added at its low end")
	p.Hint(sum.Stage+2, name+": and that carry")
	once := p.Reg(name+"_once", sum.Stage, sum.Trunc(16).Zext(17).Add(sum.Slice(w-1, 16).Zext(17)))
	twice := once.Trunc(16).Add(once.Top().Zext(16)).Named(name + "_twice")
	return p.Reg(name, once.Stage, twice.Not())
}
