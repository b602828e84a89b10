package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// datapath is the part of csig_switch that decides. Stage 0 is the cycle in which a packet's header is complete, or, for what counts its
// bytes, in which its last beat is accepted.
type datapath struct {
	c      *config.CSIG
	m      *vgen.Module
	p      *lib.Pipe
	header *headerPorts

	decided  vgen.Signal // a decision is made
	decision decision
	counted  vgen.Signal // in the same cycle
	noPort   vgen.Signal
	port     vgen.Signal
	status   vgen.Signal
	stacked  vgen.Signal
}

// decide builds the pipeline from the header to the decision.
func (d *datapath) decide(regs *registersPorts, t *Timing) {
	c, m, p := d.c, d.m, d.p
	if deep(c) {
		p.Fast()
	}
	known := metaOf(c, d.header.OutUse)
	ingress, egress := p.Value("ingress", 1, known.ingress), p.Value("egress", 1, known.egress)
	egressTime, qlen := p.Value("egress_time", 1, known.egressTime), p.Value("qlen", 1, known.qlen)
	// Delay: 0 when the packet left before it came.
	spent := p.Reg("spent", 1, known.egressTime.Sub(known.ingressTime))
	delay := p.Reg("delay", 2, lib.Saturate("spent_saturated", spent.Trunc(c.TimeBits-1), valueBits).And(spent.Top().Not().Repeat(valueBits)))

	// Find the tag.
	walk := d.walk(&t.Lookup)
	p.Hold("known", t.Lookup-bit(deep(c)), ingress, egress, egressTime, delay, qlen) // of a deep one there is a register between line and tables
	low := p.Value("tag_low", t.Lookup, walk.Tag.Low)
	place := p.Value("place", t.Lookup, walk.Place)
	stacked := p.Value("stacked", t.Lookup, walk.Stacked)
	var high, size lib.Value
	if walk.Tag.High.Exists() {
		high = p.Value("tag_high", t.Lookup, walk.Tag.High)
	}
	if walk.Tag.Size.Exists() {
		size = p.Value("expanded", t.Lookup, walk.Tag.Size)
	}

	// What software has written.
	lookupModule := lookupBlock(c)
	look := vgen.Instantiate[lookupPorts](m, "u_lookup", lookupModule)
	vgen.Connect(m, &look.Port, &regs.Port)
	m.Assign(look.Estimate, regs.Estimate.OK)
	if look.Buckets.Exists() {
		m.Assign(look.Buckets, regs.BucketOK)
	}
	if look.Quantizer.Exists() {
		m.Assign(look.Quantizer, regs.QuantOK)
	}
	m.Assign(look.Ingress, p.At(ingress, t.Lookup))
	m.Assign(look.Egress, p.At(egress, t.Lookup))
	vgen.Connect(m, &look.Tag, &walk.Tag)
	t.Meter = t.Lookup + lookupModule.Latency()
	status, compare := p.Value("status", t.Meter, look.Status), p.Value("compare", t.Meter, look.Compare)
	remove, noPort := p.Value("remove", t.Meter, look.Remove), p.Value("no_port", t.Meter, look.NoPort)
	kind, locator := p.Value("signal_type", t.Meter, look.Type), p.Value("locator", t.Meter, look.Locator)
	capacity, factor, shift := p.Value("capacity", t.Meter, look.Capacity), p.Value("port_factor", t.Meter, look.Factor), p.Value("port_shift", t.Meter, look.Shift)

	// Measure.
	meterModule := meterBlock(c)
	meter := m.Instance("u_meter", meterModule)
	header := p.Value("header", t.Meter, m.Delay(fmt.Sprintf("header_s%d", t.Meter), d.header.Header, t.Meter-1, vgen.Reset(0)))
	end := p.Value("end", t.Meter, m.Delay(fmt.Sprintf("end_s%d", t.Meter), d.header.End, t.Meter-1, vgen.Reset(0)))
	length := p.Value("length", lengthStage(c), d.header.Length)
	wide := flag(expanded(c))
	if size.Exists() {
		wide = p.At(size, t.Meter)
	}
	words := d.wordsRemoved(header.Signal, remove.Signal, wide)
	var bytes lib.Value
	enter := t.Meter + 1
	if deep(c) { // the overhead is that of cycle e + Meter, and is added two cycles later
		enter += 2
		left := p.Reg("left", t.Meter+1, d.chosenLeft(length, words, t.Meter+1))
		overhead := p.Reg("overhead", t.Meter, regs.Estimate.Overhead)
		bytes = p.Reg("bytes", enter-1, onWire(left.Signal, p.At(overhead, enter-1)))
	} else {
		left := p.At(length, t.Meter).Zext(lengthBits).Sub(vgen.Cat(words, vgen.Const(2, 0)).Zext(lengthBits))
		bytes = p.Reg("bytes", t.Meter, onWire(left, regs.Estimate.Overhead))
	}
	exists := noPort.Not()
	m.Assign(meter.Port("s_valid"), p.At(p.Reg("op", t.Meter, header.Or(end.Signal).And(exists), vgen.Reset(0)), enter, vgen.Reset(0)))
	m.Assign(meter.Port("s_advance"), p.At(header, enter, vgen.Reset(0)))
	m.Assign(meter.Port("s_count"), p.At(end, enter, vgen.Reset(0)))
	m.Assign(meter.Port("s_port"), p.At(egress, enter).Trunc(portIndexBits(c)))
	m.Assign(meter.Port("s_now"), p.At(egressTime, enter))
	m.Assign(meter.Port("s_bytes"), bytes.Signal)
	if regs.Estimate.Window.Exists() {
		m.Assign(meter.Port("window"), p.At(p.Reg("window", t.Meter, regs.Estimate.Window), enter))
	}
	m.Assign(meter.Port("clear"), m.Delay("forget", regs.Estimate.Commit, 1+enter-t.Meter, vgen.Reset(0)))
	t.Scale = enter + meterModule.Latency()

	// The signal of the tag's type: what is left of a base, or the queue. The factor is that of the estimate in force when the meter advances,
	// or that of the port.
	is := func(t uint64) vgen.Signal { return equals(kind.Signal, t) }
	bases := []vgen.Signal{capacity.Signal, vgen.Const(valueBits, 1<<c.RatioBits), p.At(delay, t.Meter)}
	base := p.Reg("base", t.Meter, vgen.Select(kind.Signal, bases, bases[2]))
	mantissa := vgen.Mux(is(typeABW), regs.Estimate.Mantissa, factor.Signal.And(is(typePD).Not().Repeat(c.RecipBits)))
	chosen := p.Reg("factor", t.Meter, mantissa)
	by := p.Reg("factor_shift", t.Meter, vgen.Mux(is(typeABW), regs.Estimate.Shift, shift.Signal))
	queue := p.Reg("is_queue", t.Meter, is(typeNQD))
	p.Hold("for_signal", t.Scale, queue, qlen, base, chosen, by)
	signalModule := signalBlock(c)
	signal := vgen.Instantiate[signalPorts](m, "u_signal", signalModule)
	var compares lib.Value
	wanted := func(stage int) vgen.Signal { // the packet's code is wanted
		if !compares.Exists() {
			compares = p.Reg("compares", t.Meter, header.And(compare.Signal), vgen.Reset(0), vgen.Control())
		}
		return p.At(compares, stage, vgen.Reset(0))
	}
	if signal.Start.Exists() {
		m.Assign(signal.Start, wanted(t.Scale))
	}
	m.Assign(signal.Queue, p.At(queue, t.Scale))
	m.Assign(signal.Measured, meter.Port("m_value"))
	m.Assign(signal.Qlen, p.At(qlen, t.Scale))
	m.Assign(signal.Base, p.At(base, t.Scale))
	m.Assign(signal.Factor, p.At(chosen, t.Scale))
	m.Assign(signal.Shift, p.At(by, t.Scale))
	t.Code = t.Scale + signalModule.Latency()
	m.Tap("value", signal.Value, t.Code+seenAfter(c), "value of the signal of the tag's type; stage after the header cycle")

	// Its code, and whether it replaces that of the packet.
	bucket, quantum, at := d.code(regs, p.At(kind, t.Code), signal.Value, t.Code, wanted, size)
	p.Hold("undecided", at, status, compare, noPort, low, high, size, place, stacked, locator, egress, remove)
	compareModule := compareBlock(c)
	cmp := vgen.Instantiate[comparePorts](m, "u_compare", compareModule)
	m.Assign(cmp.Compare, p.At(compare, at))
	m.Assign(cmp.Status, p.At(status, at))
	m.Assign(cmp.Low, p.At(low, at))
	m.Assign(cmp.Locator, p.At(locator, at))
	if size.Exists() {
		m.Assign(cmp.Size, p.At(size, at))
	}
	if cmp.High.Exists() {
		m.Assign(cmp.High, p.At(high, at))
		m.Assign(cmp.Quantum, p.At(quantum, at))
	}
	if cmp.Bucket.Exists() {
		m.Assign(cmp.Bucket, p.At(bucket, at))
	}

	// The decision.
	at += compareModule.Latency()
	d.decided = m.Delay("decided", header.Signal, at-t.Meter, vgen.Reset(0))
	d.counted = d.decided
	d.noPort, d.port, d.status = p.At(noPort, at), p.At(egress, at).Trunc(portIndexBits(c)), cmp.OutStatus
	d.stacked = p.At(stacked, at)
	d.decision = decision{
		Strip: p.At(remove, at), Update: cmp.Update, Place: p.At(place, at), Low: cmp.OutLow, High: cmp.OutHigh,
		User: vgen.Cat(cmp.OutStatus, p.At(egress, at)),
	}
	if size.Exists() {
		d.decision.Size = p.At(size, at)
	}
	t.Count, t.Decision = at+countedAfter*bit(deep(c)), at+2-bit(deep(c))
}

// wordsRemoved is how many words of 4 bytes a packet loses, which was decided when its header passed, which may be earlier; in a deep
// pipeline a cycle later, as a register has it.
func (d *datapath) wordsRemoved(header, remove, wide vgen.Signal) vgen.Signal {
	m := d.m
	now := vgen.Mux(remove, vgen.Mux(wide, vgen.Const(2, 2), vgen.Const(2, 1)), vgen.Const(2, 0)).Named("words_removed")
	held := m.RegNext("words_removed_q", now, vgen.Enable(header))
	if deep(d.c) {
		return held
	}
	return vgen.Mux(header, now, held)
}

// chosenLeft is the bytes of a packet without the words removed, at a stage: all that it may be is there when the words are.
func (d *datapath) chosenLeft(length lib.Value, words vgen.Signal, stage int) vgen.Signal {
	before := d.p.At(length, stage-1)
	less := func(n uint64) vgen.Signal {
		left := before.Zext(lengthBits).Sub(vgen.Const(lengthBits, wordBytes*n))
		return d.p.Reg(fmt.Sprintf("length_less_%d", n), stage-1, left).Signal
	}
	left := d.p.Reg("length_whole", stage-1, before).Zext(lengthBits)
	if compact(d.c) {
		left = vgen.Mux(words.Bit(0), less(1), left)
	}
	if expanded(d.c) {
		left = vgen.Mux(words.Bit(1), less(2), left)
	}
	return left
}

// onWire is the bytes of a packet on the wire.
func onWire(left, overhead vgen.Signal) vgen.Signal {
	return left.Add(overhead.Zext(lengthBits)).Named("bytes_on_wire")
}

// code codes a value in both sizes, where it is wanted for a tag of the size. It gives the stage at which the codes are there.
func (d *datapath) code(regs *registersPorts, kind, value vgen.Signal, stage int, wanted func(stage int) vgen.Signal, size lib.Value) (bucket, quantum lib.Value, at int) {
	c, m, p := d.c, d.m, d.p
	looked := stage // at which tables are looked up
	kept := func(name string, s vgen.Signal) vgen.Signal { return s }
	if deep(c) {
		// What is looked up goes through registers, and so do bounds that are written.
		kept = func(name string, s vgen.Signal) vgen.Signal { return p.Reg(name, looked, s).Signal }
		stage++
	}
	value = kept("value", value)
	if compact(c) {
		module := bucketBlock(c)
		b := vgen.Instantiate[bucketPorts](m, "u_bucketizer", module)
		if b.Valid.Exists() {
			m.Assign(b.Valid, wanted(stage))
		}
		m.Assign(b.Type, kept("table_type", kind))
		m.Assign(b.Bank, kept("table_bank", pickBit(regs.Bank, kind)))
		m.Assign(b.Value, value)
		w := regs.Bucket
		if deep(c) {
			opts := map[string][]vgen.RegOption{"valid": {vgen.Reset(0), vgen.Control()}}
			names := []string{"valid", "type", "bank", "index", "bound", "present"}
			for i, s := range vgen.Leaves(&w) {
				*s = m.RegNext("bucket_write_"+names[i], *s, opts[names[i]]...)
			}
		}
		m.Assign(b.Write, w.Valid)
		m.Assign(b.WType, w.Type)
		m.Assign(b.WBank, w.Bank)
		m.Assign(b.WIndex, w.Index)
		m.Assign(b.WBound, w.Bound)
		m.Assign(b.Present, w.Present)
		bucket = p.Value("bucket", stage+module.Latency(), b.Code)
	}
	if expanded(c) {
		module := quantizerBlock(c)
		q := vgen.Instantiate[quantizerPorts](m, "u_quantizer", module)
		var base, step []vgen.Signal
		for _, s := range regs.Quantizer {
			base, step = append(base, s.Base), append(step, s.Step)
		}
		if q.Valid.Exists() {
			start := wanted(stage)
			if size.Exists() {
				start = start.And(p.At(size, stage))
			}
			m.Assign(q.Valid, start)
		}
		m.Assign(q.Value, value)
		m.Assign(q.Base, kept("quantizer_base", vgen.Select(kind, base, base[0])))
		m.Assign(q.Step, kept("quantizer_step", vgen.Select(kind, step, step[0])))
		quantum = p.Value("quantum", stage+module.Latency(), q.Code)
	}
	return bucket, quantum, max(bucket.Stage, quantum.Stage)
}

// walk finds the tag, and says in which stage.
func (d *datapath) walk(stage *int) found {
	if alongBeats(d.c) {
		module := walkSerialBlock(d.c)
		w := vgen.Instantiate[walkSerialPorts](d.m, "u_walk", module)
		d.m.Assign(w.Valid, d.header.Valid)
		d.m.Assign(w.Data, d.header.Data)
		d.m.Assign(w.Keep, d.header.Keep)
		d.m.Assign(w.Last, d.header.Last)
		*stage = module.Latency()
		return w.Out
	}
	module := walkBlock(d.c)
	w := vgen.Instantiate[walkPorts](d.m, "u_walk", module)
	for i := range w.Word {
		vgen.Connect(d.m, &w.Word[i], &d.header.Word[i])
	}
	*stage = 1 + module.Latency()
	return w.Out
}
