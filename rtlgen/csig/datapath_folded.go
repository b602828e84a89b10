package csig

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// decideFolded builds the pipeline from the start of a packet to its decision for packets that are foldedCycles apart: a value stays in its
// register for as long, words of what has been committed are read in turn, and what is wanted later waits in memories. Stage 0 is the cycle in which
// a packet starts, or, for what counts its bytes, in which it has both started and ended.
func (d *datapath) decideFolded(regs *foldedRegistersPorts, t *Timing) {
	c, m, p := d.c, d.m, d.p
	started := p.Value("start", 1, d.header.Header)
	start := func(stage int) vgen.Signal { return p.At(started, stage, vgen.Reset(0), vgen.Control()) }
	p.Spaced(foldedCycles, start)
	meta := metaOf(c, d.header.OutUse)
	ingress, egress := p.Value("ingress", 1, meta.ingress), p.Value("egress", 1, meta.egress)
	egressTime, qlen := p.Value("egress_time", 1, meta.egressTime), p.Value("qlen", 1, meta.qlen)
	// Delay: 0 when the packet left before it came.
	spent := p.Reg("spent", 1, meta.egressTime.Sub(meta.ingressTime))
	delay := p.Reg("delay", 2, lib.Saturate("spent_saturated", spent.Trunc(c.TimeBits-1), valueBits).And(spent.Top().Not().Repeat(valueBits)))

	walk := d.walk(&t.Lookup)
	look, looked := d.lookupFolded(regs, start(t.Lookup), p.At(ingress, t.Lookup), p.At(egress, t.Lookup), &walk.Tag)
	t.Meter = t.Lookup + looked
	enter := t.Meter + 1
	measured := d.measureFolded(regs, look, start, p.At(egress, enter), p.At(egressTime, enter))
	t.Scale = enter + measured.Stage

	// What waits for the comparison: what is known of the tag, and what has been looked up, with the base of the signal.
	isQueue, isDelay := p.Reg("is_queue", t.Meter, equals(look.Type, typeNQD)), p.Reg("is_delay", t.Meter, equals(look.Type, typePD))
	based := t.Lookup + capacityWord
	locator := p.At(p.Reg("locator", t.Lookup+locatorWord, regs.TableData.Trunc(compactLocatorBits(c))), based)
	if c.UEC {
		locator = vgen.Cat(locator, look.Hold)
	}
	bases := []vgen.Signal{regs.TableData, vgen.Const(valueBits, 1<<c.RatioBits), p.At(delay, based), vgen.Const(valueBits, 1<<valueBits-1)}
	signalModule := foldedSignalBlock(c)
	t.Code = t.Scale + signalModule.Latency()
	back := t.Code - 2 // a cycle before the base is wanted; the comparison ends before the next packet's are
	shelf := d.shelf(start(based), start(back), (back-t.Lookup)/foldedCycles+2)
	tagged := waiting{low: walk.Tag.Low, place: walk.Place, stacked: walk.Stacked, egress: p.At(egress, t.Lookup)}
	shelf("tags_waiting", start(t.Lookup), []*vgen.Signal{&tagged.low, &tagged.place, &tagged.stacked, &tagged.egress})
	w := waiting{
		base: vgen.Select(look.Type, bases, bases[0]), kind: look.Type, status: look.Status, compare: look.Compare, remove: look.Remove, noPort: look.NoPort, locator: locator,
	}
	shelf("bases_waiting", start(based), []*vgen.Signal{&w.base, &w.kind, &w.status, &w.compare, &w.remove, &w.noPort, &w.locator})

	// The signal of the tag's type.
	signal := vgen.Instantiate[foldedSignalPorts](m, "u_signal", signalModule)
	mantissa := p.Value("mantissa", t.Lookup+mantissaWord, regs.TableData.Trunc(c.RecipBits))
	shift := p.Value("shift", t.Lookup+shiftWord, regs.TableData.Trunc(shiftBits))
	xBits := signal.X.Width()
	m.Assign(signal.Start, start(t.Scale))
	m.Assign(signal.X, vgen.Mux(p.At(isQueue, t.Scale), p.At(qlen, t.Scale).Zext(xBits), measured.Zext(xBits)))
	m.Assign(signal.Mantissa, p.At(mantissa, t.Scale).And(p.At(isDelay, t.Scale).Not().Repeat(c.RecipBits)))
	m.Assign(signal.Shift, p.Reg("signal_shift", t.Scale-1, p.At(shift, t.Scale-1)).Signal)
	m.Assign(signal.Base, w.base)
	m.Assign(signal.Queue, equals(w.kind, typeNQD))
	m.Tap("value", signal.Value, t.Code, "value of the signal of the tag's type; stage after the start")

	// Its code, and whether it replaces that of the packet.
	bucketModule := foldedBucketBlock(c)
	at := t.Code + bucketModule.Latency()
	compareModule := compareBlock(c)
	cmp := vgen.Instantiate[comparePorts](m, "u_compare", compareModule)
	m.Assign(cmp.Compare, w.compare)
	m.Assign(cmp.Status, w.status)
	m.Assign(cmp.Low, tagged.low)
	m.Assign(cmp.Locator, w.locator.Zext(cmp.Locator.Width()))
	m.Assign(cmp.Bucket, d.codeFolded(regs, bucketModule, start(t.Code), w.kind, signal.Value))

	// The decision.
	rest := []*vgen.Signal{&tagged.place, &tagged.stacked, &tagged.egress, &w.remove, &w.noPort}
	known := p.Value("decided_with", at, vgen.Join(rest))
	at += compareModule.Latency()
	vgen.Split(rest, p.At(known, at))
	d.decided = start(at)
	d.counted = d.decided
	d.noPort, d.port, d.status, d.stacked = w.noPort, tagged.egress.Trunc(portIndexBits(c)), cmp.OutStatus, tagged.stacked
	d.decision = decision{Strip: w.remove, Update: cmp.Update, Place: tagged.place, Low: cmp.OutLow, User: vgen.Cat(cmp.OutStatus, tagged.egress)}
	t.Count, t.Decision = at, at+2
}

// waiting is what waits for a packet's comparison.
type waiting struct {
	low, place, stacked, egress                          vgen.Signal
	base, kind, status, compare, remove, noPort, locator vgen.Signal
}

// lookupFolded adds csig_lookup, and gives its latency.
func (d *datapath) lookupFolded(regs *foldedRegistersPorts, start, ingress, egress vgen.Signal, t *tag) (*foldedLookupPorts, int) {
	m, module := d.m, foldedLookupBlock(d.c)
	look := vgen.Instantiate[foldedLookupPorts](m, "u_lookup", module)
	m.Assign(look.Port, regs.Port)
	m.Assign(look.Index, regs.Index)
	m.Assign(look.Trust, regs.Trust)
	m.Assign(regs.PortBank, look.PortBank)
	m.Assign(look.Estimate, regs.OK)
	m.Assign(look.Bank, regs.Bank)
	m.Assign(look.Buckets, regs.BucketOK)
	m.Assign(regs.Table, look.Table)
	m.Assign(look.TableData, regs.TableData)
	m.Assign(look.Valid, start)
	m.Assign(look.Ingress, ingress)
	m.Assign(look.Egress, egress)
	vgen.Connect(m, &look.Tag, t)
	return look, module.Latency()
}

// measureFolded adds csig_meter, and gives what it has measured, with its stage after that in which an operation enters.
func (d *datapath) measureFolded(regs *foldedRegistersPorts, look *foldedLookupPorts, start func(int) vgen.Signal, egress, now vgen.Signal) lib.Value {
	c, m := d.c, d.m
	enter := lookedUp + 2 + 1
	ended := lib.NewPipe(m)
	end := ended.Value("end", 1, d.header.End)
	ends := func(stage int) vgen.Signal { return ended.At(end, stage, vgen.Reset(0), vgen.Control()) }
	ended.Spaced(foldedCycles, ends)
	length := ended.At(ended.Value("length", lengthStage(c), d.header.Length), enter-1)
	gone := vgen.Cat(look.Remove, vgen.Const(2, 0)).Zext(lengthBits)
	bytes := ended.Reg("bytes", enter-1, length.Zext(lengthBits).Sub(gone).Add(regs.Overhead.Zext(lengthBits)))
	exists := look.NoPort.Not()
	clears := m.Delay("forget", regs.Commit, 2, vgen.Reset(0))
	advances, counts := start(enter).And(exists), ends(enter).And(exists)
	port := egress.Trunc(portIndexBits(c))
	if c.Method == config.CSIGRaw {
		meter := vgen.Instantiate[foldedMeterPorts](m, "u_meter", foldedMeterBlock("csig_meter", c))
		m.Assign(meter.Advance, advances)
		m.Assign(meter.Count, counts)
		m.Assign(meter.Port, port)
		m.Assign(meter.Now, now)
		m.Assign(meter.Bytes, bytes.Signal)
		m.Assign(meter.Window, regs.TableData.Trunc(windowBits))
		m.Assign(meter.Clear, clears)
		return lib.Value{Signal: meter.Value, Stage: foldedMeterLatency}
	}
	module := meterBlock(c)
	meter := m.Instance("u_meter", module)
	for name, s := range map[string]vgen.Signal{
		"s_valid": advances.Or(counts), "s_advance": advances, "s_count": counts, "s_port": port, "s_now": now, "s_bytes": bytes.Signal, "clear": clears,
	} {
		m.Assign(meter.Port(name), s)
	}
	return lib.Value{Signal: meter.Port("m_value"), Stage: module.Latency()}
}

// shelf makes memories for what is known of so many packets at most: each is written in its cycle, none later than in that of written, and all are
// read in that of read. What was put in is replaced by what is read, from the next cycle on.
func (d *datapath) shelf(written, read vgen.Signal, packets int) func(name string, write vgen.Signal, list []*vgen.Signal) {
	m, n := d.m, bits.Len(uint(packets-1))
	count := func(name string, up vgen.Signal) vgen.Signal {
		q := m.Reg(name, n, vgen.Reset(0), vgen.Control())
		m.Next(q, q.Add(up.Zext(n)))
		return q
	}
	put, get := count("shelf_written", written), count("shelf_read", read)
	return func(name string, write vgen.Signal, list []*vgen.Signal) {
		word := vgen.Join(list)
		mem := m.Memory(name, 1<<n, word.Width(), "what is known of packets under way").NoCollision()
		mem.Write(write, put, word)
		vgen.Split(list, mem.ReadEn(name+"_q", get, read))
	}
}

// codeFolded adds csig_bucketizer, and gives the code.
func (d *datapath) codeFolded(regs *foldedRegistersPorts, module *vgen.Module, start, kind, value vgen.Signal) vgen.Signal {
	m := d.m
	b := vgen.Instantiate[bucketPorts](m, "u_bucketizer", module)
	m.Assign(b.Valid, start)
	m.Assign(b.Type, kind)
	m.Assign(b.Bank, pickBit(regs.InUse, kind))
	m.Assign(b.Value, value)
	w := regs.Bucket
	m.Assign(b.Write, w.Valid)
	m.Assign(b.WType, w.Type)
	m.Assign(b.WBank, w.Bank)
	m.Assign(b.WIndex, w.Index)
	m.Assign(b.WBound, w.Bound)
	m.Assign(b.Present, w.Present)
	return b.Code
}
