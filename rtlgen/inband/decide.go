package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// decide builds the pipeline from the header to the decision. decided tells that one is made.
func (b *builder) decide() (decided vgen.Signal, dec *decision) {
	m, s, p, k := b.m, b.s, b.p, &b.known
	valid := func(v lib.Value, stage int) vgen.Signal { return p.At(v, stage, vgen.Reset(0), vgen.Control()) }

	// What software has written.
	b.timing.Lookup = 1 + lookupStage
	m.Section("Lookup")
	look := b.lookup()

	// Whether the packet gets a record.
	m.Section("Header")
	parseModule := parseBlock(s)
	parse := vgen.Instantiate[parsePorts](m, "u_parse", parseModule)
	for i := range parse.Half {
		m.Assign(parse.Half[i], b.header.Half[i])
	}
	m.Assign(parse.Length, b.header.Length)
	m.Assign(parse.Whole, b.header.Whole)
	if parse.Match.Exists() {
		m.Assign(parse.Match, b.regs.Node.Match)
	}
	if parse.Space.Exists() {
		m.Assign(parse.Space, b.regs.Node.Space)
	}
	if parse.Node.Exists() {
		m.Assign(parse.Node, b.regs.Node.ID)
	}
	m.Assign(parse.Off, look.off.Signal)
	m.Assign(parse.NoPort, look.noPort.Signal)
	if parse.MTU.Exists() {
		m.Assign(parse.MTU, look.mtu)
	}
	at := 1 + parseModule.Latency()
	b.timing.Tx, b.timing.Count = at, at
	status, insert := p.Value("status", at, parse.Status), p.Value("insert", at, parse.Insert)
	m.Tap("status", parse.Status, at, "status of the packet")
	noPort := p.At(look.noPort, at)
	headerNow := valid(b.valid, at)
	b.count(headerNow, noPort, parse.Status, at)

	// The words that change, but for the UDP checksum.
	place := p.Value("place", at, parse.Place)
	words, early := b.words(parse, insert, at)

	// The snapshot.
	m.Section("Snapshot")
	txModule := txBlock(s)
	tx := vgen.Instantiate[txPorts](m, "u_tx", txModule)
	end := p.Value("end", 1, b.header.End)
	length := p.Value("length", lengthStage, b.header.Length)
	m.Begin(tx.Header, at)
	m.Assign(tx.Header, headerNow)
	m.Assign(tx.End, valid(end, at))
	m.Assign(tx.Port, p.At(k.egress, at).Trunc(s.IndexBits()))
	m.Assign(tx.Exists, noPort.Not())
	m.Assign(tx.Grows, insert.Signal)
	m.Assign(tx.Overhead, p.At(look.overhead, at))
	m.Assign(tx.Length, p.At(length, at))
	m.Assign(tx.Sweeping, b.counts.Sweeping)
	m.Assign(tx.Sweep, b.counts.Sweep.Slice(s.CountBits()-1, transit.StatusBits))
	sent := p.Value("sent", at+txModule.Latency(), tx.Before)

	// The record.
	known := k.qlen.Stage
	var limit, other lib.Value
	stages := recordStages{written: b.timing.Lookup + 1 - known, parsed: at - known,
		sent: sent.Stage - known}
	recordModule := recordBlock(s, stages)
	rec := vgen.Instantiate[recordPorts](m, "u_record", recordModule)
	m.Begin(rec.Qlen, known)
	if rec.HopLimit.Exists() {
		limit = p.Value("hop_limit", at, parse.HopLim)
	}
	if rec.Other.Exists() {
		other = p.Value("other", at, parse.Other)
	}
	index := func(name string, v lib.Value) lib.Value { return p.Value(name, v.Stage, v.Trunc(s.IndexBits())) }
	for _, in := range []struct {
		port vgen.Signal
		v    lib.Value
	}{
		{rec.Node, look.node}, {rec.Space, look.space}, {rec.Rate, look.rate},
		{rec.Ingress, index("ingress_index", k.ingress)},
		{rec.Egress, index("egress_index", k.egress)},
		{rec.IngressTime, k.ingressTime}, {rec.EgressTime, k.egressTime}, {rec.Sent, sent}, {rec.Qlen, k.qlen},
		{rec.HopLimit, limit}, {rec.Other, other},
	} {
		if in.port.Exists() {
			m.Assign(in.port, in.v.Signal)
		}
	}
	record := p.Value("record", known+recordModule.Latency(), rec.Record)

	last := record.Stage
	if s.udp {
		last = b.udpChecksum(words, early, record, insert)
	}

	// The decision.
	m.Section("Decision")
	hold := []lib.Value{status, insert, place, k.egress}
	for _, w := range words {
		hold = append(hold, w.enable, w.at)
		if w.value.Stage <= at+1 { // the UDP checksum comes later
			hold = append(hold, w.value)
		}
	}
	p.Hold("decided", last, hold...)
	p.Hold("record_held", last, record)
	dec = &decision{
		Insert: p.At(insert, last), Place: p.At(place, last), Record: p.At(record, last),
		User: vgen.Cat(p.At(status, last), p.At(k.egress, last)),
	}
	for _, w := range words {
		dec.Word = append(dec.Word, replacement{Enable: p.At(w.enable, last), At: p.At(w.at, last),
			Value: p.At(w.value, last)})
	}
	b.timing.Decision = last
	return valid(b.valid, last), dec
}

// looked is what has been committed, as of the lookup.
type looked struct {
	off, noPort, overhead, node, space, rate lib.Value
	mtu                                      vgen.Signal // one stage later
}

// lookup reads it.
func (b *builder) lookup() looked {
	m, s, p := b.m, b.s, b.p
	at, write, node := b.timing.Lookup, &b.regs.Port, &b.regs.Node
	beyond := func(v lib.Value) vgen.Signal { return p.At(v, at).Ge(vgen.Const(s.PortBits(), uint64(s.Ports))) }
	egress := p.At(b.known.egress, at).Trunc(s.IndexBits())
	enabled := m.State("enabled", s.Ports)
	commit := lib.OneHot(s.Ports, write.Index).And(write.Write.Repeat(s.Ports)).Named("commit")
	m.Next(enabled, lib.SetFlags(enabled, commit, write.Enable))
	m.StageHint(at+1, "is the egress port enabled, and do both ports exist?")
	l := looked{
		off:      p.Reg("off", at, lib.Flag(enabled, egress, flag(false)).Named("egress_enabled").And(node.OK).Not()),
		noPort:   p.Reg("no_port", at, beyond(b.known.ingress).Or(beyond(b.known.egress))),
		overhead: p.Reg("overhead", at, node.Overhead),
	}
	fields := []vgen.Signal{}
	needMTU, needRate := s.grows, s.Format == config.INTHPCC || s.Format == config.INTIFA
	if needMTU {
		fields = append(fields, write.MTU)
	} else {
		m.Ignore(write.MTU, "records do not make packets longer")
	}
	if needRate {
		fields = append(fields, write.Rate)
	} else {
		m.Ignore(write.Rate, "records have no rate")
	}
	if len(fields) > 0 {
		table := m.Memory("port_table", s.Ports, vgen.Cat(fields...).Width(), "MTU and rate code of each egress port")
		table.Write(write.Write, write.Index, vgen.Cat(fields...))
		q := table.Read("port_q", egress)
		if needRate {
			l.rate = p.Value("rate", at+1, q.Trunc(rateBits))
		}
		if needMTU {
			l.mtu = q.Slice(q.Width()-1, q.Width()-mtuBits)
		}
	}
	// The path's number is XORed with that of the node early; records have it late.
	if s.Format != config.INTHPCC {
		l.node = p.Reg("node", at, node.ID)
	}
	if s.Format == config.INTIFA {
		l.space = p.Reg("space", at, node.Space)
	}
	return l
}

// count counts the packet.
func (b *builder) count(header, noPort, status vgen.Signal, at int) {
	m := b.m
	m.Assign(b.regs.NoPort, header.And(noPort))
	m.Assign(b.counts.Valid, header.And(noPort.Not()))
	m.Assign(b.counts.Port, b.p.At(b.known.egress, at).Trunc(b.s.IndexBits()))
	m.Assign(b.counts.Status, status)
}

// changed is a word that changes, on its way.
type changed struct{ enable, at, value lib.Value }

// words makes the words that change, in the order of shape.words; the value of the UDP checksum is still to come. early
// is what of its sum is known.
func (b *builder) words(parse *parsePorts, insert lib.Value, at int) (list []changed, early []lib.Value) {
	s, p := b.s, b.p
	l := &parse.Lengths
	grown := uint64(s.recBytes)
	offset := func(name string, from vgen.Signal, by uint64) lib.Value { return p.Reg(name+"_at", at, from.Plus(by)) }
	on := func(name string, v vgen.Signal) lib.Value { return p.Reg(name+"_on", at, v, vgen.Reset(0)) }
	add := func(name string, enable vgen.Signal, from vgen.Signal, by uint64, value vgen.Signal) {
		v := lib.Value{}
		if value.Exists() {
			v = p.Reg(name, at, value)
		}
		list = append(list, changed{on(name, enable), offset(name, from, by), v})
	}
	isInserted := insert.Signal
	if s.grows {
		length := l.IPLen.Plus(grown).Named("longer")
		if s.ipv4 {
			isV4 := isInserted.And(l.V6.Not()).Named("inserted_v4")
			add("total_length", isV4, l.L3, 1, length)
			add("ip_checksum", isV4, l.L3, 5, b.lengthened(l.IPCheck, grown))
		}
		isV6 := isInserted.And(l.V6).Named("inserted_v6")
		add("payload_length", isV6, l.L3, 2, length)
		if s.udp {
			add("udp_length", isInserted, l.L4, 2, l.UDPLen.Plus(grown))
			early = append(early, p.Value("longer_twice", at, vgen.Const(halfBits, 2*grown).Where(isInserted)))
		}
	} else {
		if s.Format == config.INTHPCC {
			b.m.Ignore(l.V6, "lengths stay")
		} else {
			b.m.Ignore(l.V6, "there is no IPv4")
			b.m.Ignore(l.L4, "words are where parsing has put them")
		}
		b.m.Ignore(l.L3, "lengths stay")
	}
	var some []vgen.Signal
	for _, c := range parse.Change {
		some = append(some, c.Enable)
	}
	if s.udp {
		add("udp_checksum", vgen.AnyOf(some...).And(l.UDPCheck.AnyBit()), l.L4, 3, vgen.Signal{})
		early = append(early, p.Value("checksum_not", at, l.UDPCheck.Not()))
	}
	for i, c := range parse.Change {
		name := s.changes()[i].name
		list = append(list, changed{p.Value(name+"_on", at, c.Enable), p.Value(name+"_at", at, c.At),
			p.Value(name, at, c.New)})
		if s.udp {
			early = append(early, p.Value(name+"_out", at, c.Old.Not().Where(c.Enable)),
				p.Value(name+"_in", at, c.New.Where(c.Enable)))
		} else {
			b.m.Ignore(c.Old, "no checksum has it")
		}
	}
	return list, early
}

// lengthened is a checksum of IPv4 whose length goes up by a constant: the complement goes up by as much, its carry
// around the end.
func (b *builder) lengthened(checksum vgen.Signal, by uint64) vgen.Signal {
	sum := checksum.Not().Zext(17).Add(vgen.Const(17, by)).Named("ip_sum")
	return sum.Trunc(16).Add(sum.Top().Zext(16)).Not().Named("ip_checksum_next")
}

// udpChecksum completes the word of the UDP checksum. It gives the stage at which all is there.
func (b *builder) udpChecksum(words []changed, early []lib.Value, record, insert lib.Value) int {
	s, p := b.s, b.p
	before := sumTree(p, "headers_sum", early)
	inserted := p.At(insert, record.Stage)
	var parts []lib.Value
	for i := range s.recBytes / 2 {
		parts = append(parts, p.Value(fmt.Sprintf("record_half%d", i), record.Stage,
			halfOf(record.Signal, i).Where(inserted)))
	}
	p.Hold("headers_held", record.Stage, before)
	sum := sumTree(p, "record_sum", append(parts, p.Value("headers", record.Stage, p.At(before, record.Stage))))
	check := folded(p, "udp_folded", sum)
	// A checksum of 0 would say that there is none.
	value := check.Or(check.Signal.Is(0).Repeat(halfBits))
	out := p.Reg("udp_checksum", check.Stage, value)
	b.m.StageHint(out.Stage, "UDP checksum: 0 is sent as all ones, since 0 means no checksum")
	for i, w := range s.words() {
		if w.name == "udp_checksum" {
			words[i].value = out
		}
	}
	return out.Stage
}
