package folded

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/meter"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Microarchitecture takes a packet every FoldedCycles, and a bit or a word of it a cycle.
var Microarchitecture = block.Microarchitecture{Name: "folded",
	New: func(d *block.Datapath) block.Deciding { return &pipeline{Datapath: d} }}

// pipeline is its pipeline.
type pipeline struct {
	*block.Datapath
	regs *registersPorts
}

// Registers puts csig_registers into the module.
func (d *pipeline) Registers() transit.Bus {
	file := registersBlock(d.Shape)
	d.regs = vgen.Instantiate[registersPorts](d.Module, "u_registers", file)
	vgen.Settled(d.Module, d.regs)
	d.Answers(file, commitCycles, commitAnswer)
	return d.regs.bus()
}

// Counters is csig_counters.
func (d *pipeline) Counters() *vgen.Module { return Counters("csig_counters", d.Shape) }

// Count connects what counts. NO_PORT is a counter of port 0.
func (d *pipeline) Count(counts *block.CountersPorts) {
	d.Module.Assign(counts.Valid, d.Decided)
	d.Module.Assign(counts.Port, d.Port.And(d.NoPort.Not().Repeat(d.Shape.IndexBits())))
	d.Module.Assign(counts.Stacked, d.Stacked.And(d.NoPort.Not()))
}

// Decide builds the pipeline from the start of a packet to its decision for packets that are FoldedCycles apart: a
// value stays in its register for as long, words of what has been committed are read in turn, and what is wanted later
// waits in memories. Stage 0 is the cycle in which a packet starts, or, for what counts its bytes, in which it has both
// started and ended.
func (d *pipeline) Decide() {
	c, m, p, regs, t := d.Shape, d.Module, d.Pipe, d.regs, d.Timing
	started := p.Value("start", 1, d.Header.Header)
	start := func(stage int) vgen.Signal { return p.At(started, stage, vgen.Reset(0), vgen.Control()) }
	p.Spaced(block.FoldedCycles, start)
	k := d.Known()

	walk := d.Walk(&t.Lookup)
	look, looked := d.lookup(start(t.Lookup), p.At(k.Ingress, t.Lookup), p.At(k.Egress, t.Lookup), &walk.Tag)
	t.Meter = t.Lookup + looked
	enter := t.Meter + 1
	measured := d.measure(look, start, p.At(k.Egress, enter), p.At(k.EgressTime, enter))
	t.Scale = enter + measured.Stage
	m.StageDoc(enter, "bytes of the packet on the wire: padded, less a tag that is removed, with the overhead")

	// What waits for the comparison: what is known of the tag, and what has been looked up, with the base of the signal.
	isQueue, isDelay := p.Reg("is_queue", t.Meter, block.HasSource(look.Type, block.Queued)),
		p.Reg("is_delay", t.Meter, block.HasFactor(look.Type, block.NoFactor))
	based := t.Lookup + capacityWord
	locator := p.At(p.Reg("locator", t.Lookup+locatorWord, regs.TableData.Trunc(c.CompactLocatorBits())), based)
	if c.UEC {
		locator = vgen.Cat(locator, look.Hold)
	}
	list := block.Bases(map[block.Base]vgen.Signal{
		block.Capacity: regs.TableData, block.One: vgen.Const(block.ValueBits, 1<<c.RatioBits),
		block.Delay:  p.At(k.Delay, based),
		block.NoBase: vgen.Const(block.ValueBits, 1<<block.ValueBits-1),
	})
	signalModule := signalBlock(c)
	t.Code = t.Scale + signalModule.Latency()
	m.StageHint(based+1, "metadata of the packet waits in memories; the base of the signal, by its type")
	back := t.Code - 2 // a cycle before the base is wanted; the comparison ends before the next packet's are
	m.StageHint(back+1, "the waiting memory is read")
	shelf := d.shelf(start(based), start(back), (back-t.Lookup)/block.FoldedCycles+2)
	tagged := waiting{low: walk.Tag.Low, place: walk.Place, stacked: walk.Stacked, egress: p.At(k.Egress, t.Lookup)}
	shelf("tags_waiting", start(t.Lookup), []*vgen.Signal{&tagged.low, &tagged.place, &tagged.stacked, &tagged.egress})
	w := waiting{
		base: vgen.Select(look.Type, list, list[0]).Named("base_of_type"), kind: look.Type, status: look.Status,
		compare: look.Compare,
		remove:  look.Remove, drop: look.Drop, noPort: look.NoPort, locator: locator,
	}
	shelf("bases_waiting", start(based), []*vgen.Signal{&w.base, &w.kind, &w.status, &w.compare, &w.remove, &w.drop,
		&w.noPort, &w.locator})

	// The signal of the tag's type.
	signal := vgen.Instantiate[signalPorts](m, "u_signal", signalModule)
	m.Begin(signal.Start, t.Scale)
	mantissa := p.Value("mantissa", t.Lookup+mantissaWord, regs.TableData.Trunc(c.RecipBits))
	shift := p.Value("shift", t.Lookup+shiftWord, regs.TableData.Trunc(block.ShiftBits))
	xBits := signal.X.Width()
	m.Assign(signal.Start, start(t.Scale))
	m.Assign(signal.X, vgen.Mux(p.At(isQueue, t.Scale), p.At(k.Qlen, t.Scale).Zext(xBits), measured.Zext(xBits)))
	m.Assign(signal.Mantissa, p.At(mantissa, t.Scale).And(p.At(isDelay, t.Scale).Not().Repeat(c.RecipBits)))
	m.Assign(signal.Shift, p.Reg("signal_shift", t.Scale-1, p.At(shift, t.Scale-1)).Signal)
	m.Assign(signal.Base, w.base)
	m.Assign(signal.NoBase, block.HasBase(w.kind, block.NoBase))
	m.Tap("value", signal.Value, t.Code, "value of the signal of the tag's type; stage after the start")

	// Its code, and whether it replaces that of the packet.
	bucketModule := Bucketizer(c)
	at := t.Code + bucketModule.Latency()
	compareModule := block.Compare(c)
	cmp := vgen.Instantiate[block.ComparePorts](m, "u_compare", compareModule)
	m.Begin(cmp.Compare, at)
	m.Assign(cmp.Compare, w.compare)
	m.Assign(cmp.Status, w.status)
	m.Assign(cmp.Low, tagged.low)
	m.Assign(cmp.Locator, w.locator.Zext(cmp.Locator.Width()))
	m.Assign(cmp.Bucket, d.code(bucketModule, start(t.Code), w.kind, signal.Value))

	// The decision.
	rest := []*vgen.Signal{&tagged.place, &tagged.stacked, &tagged.egress, &w.remove, &w.drop, &w.noPort}
	known := p.Value("decided_with", at, vgen.Join(rest))
	at += compareModule.Latency()
	m.StageHint(at, "inputs of the decision, out of the waiting memory")
	vgen.Split(rest, p.At(known, at))
	d.Decided = start(at)
	d.NoPort, d.Port, d.Status, d.Stacked = w.noPort, tagged.egress.Trunc(c.IndexBits()), cmp.OutStatus, tagged.stacked
	d.Decision = block.Decision{Drop: w.drop, Strip: w.remove, Update: cmp.Update, Place: tagged.place, Low: cmp.OutLow,
		User: vgen.Cat(cmp.OutStatus, tagged.egress)}
	t.Count, t.Stacked, t.Decision = at, at+stackedAfter, at
}

// waiting is what waits for a packet's comparison.
type waiting struct {
	low, place, stacked, egress                                vgen.Signal
	base, kind, status, compare, remove, drop, noPort, locator vgen.Signal
}

// Lookup adds csig_lookup, and gives its latency.
func (d *pipeline) lookup(start, ingress, egress vgen.Signal, t *block.Tag) (*lookupPorts, int) {
	m, module := d.Module, lookupBlock(d.Shape)
	look := vgen.Instantiate[lookupPorts](m, "u_lookup", module)
	m.Assign(look.Port, d.regs.Port)
	m.Assign(look.Index, d.regs.Index)
	m.Assign(look.Trust, d.regs.Trust)
	m.Assign(d.regs.PortBank, look.PortBank)
	m.Assign(look.Estimate, d.regs.OK)
	m.Assign(look.Bank, d.regs.Bank)
	m.Assign(look.Buckets, d.regs.BucketOK)
	m.Assign(d.regs.Table, look.Table)
	m.Assign(look.TableData, d.regs.TableData)
	m.Begin(look.Valid, d.Timing.Lookup)
	m.Assign(look.Valid, start)
	m.Assign(look.Ingress, ingress)
	m.Assign(look.Egress, egress)
	vgen.Connect(m, &look.Tag, t)
	return look, module.Latency()
}

// measure adds csig_meter, and gives what it has measured, with its stage after that in which an operation enters.
func (d *pipeline) measure(look *lookupPorts, start func(int) vgen.Signal, egress, now vgen.Signal) lib.Value {
	c, m := d.Shape, d.Module
	enter := lookedUp + 2 + 1
	ended := lib.NewPipe(m)
	end := ended.Value("end", 1, d.Header.End)
	ends := func(stage int) vgen.Signal { return ended.At(end, stage, vgen.Reset(0), vgen.Control()) }
	ended.Spaced(block.FoldedCycles, ends)
	length := ended.At(ended.Value("length", c.LengthStage(), d.Header.Length), enter-1)
	left := length.Zext(block.LengthBits).Sub(vgen.Cat(look.Remove, vgen.Const(2, 0)).Zext(block.LengthBits))
	short := vgen.Mux(look.Remove, block.Shorter(length, 1), block.Shorter(length, 0)).Named("runt")
	bytes := ended.Reg("bytes", enter-1, block.OnWire(left, short, d.regs.Overhead))
	exists := look.NoPort.Not()
	clears := m.Delay("forget", d.regs.Commit, 2, vgen.Reset(0))
	advances, counts := start(enter).And(exists), and(ends(enter), exists, look.Drop.Not())
	port := egress.Trunc(c.IndexBits())
	if c.Method == config.CSIGRaw {
		module := meter.Folded("csig_meter", c)
		raw := vgen.Instantiate[meter.FoldedPorts](m, "u_meter", module)
		m.Assign(raw.Advance, advances)
		m.Assign(raw.Count, counts)
		m.Assign(raw.Port, port)
		m.Assign(raw.Now, now)
		m.Assign(raw.Bytes, bytes.Signal)
		m.Assign(raw.Window, d.regs.TableData.Trunc(block.WindowBits))
		m.Assign(raw.Clear, clears)
		return lib.Value{Signal: raw.Value, Stage: module.Latency()}
	}
	module := meter.New("csig_meter", c)
	meter := m.Instance("u_meter", module)
	for name, s := range map[string]vgen.Signal{
		"s_valid": advances.Or(counts), "s_advance": advances, "s_count": counts, "s_port": port, "s_now": now,
		"s_bytes": bytes.Signal, "clear": clears,
	} {
		m.Assign(meter.Port(name), s)
	}
	return lib.Value{Signal: meter.Port("m_value"), Stage: module.Latency()}
}

// shelf makes memories for what is known of so many packets at most: each is written in its cycle, none later than in
// that of written, and all are read in that of read. What was put in is replaced by what is read, from the next cycle
// on.
func (d *pipeline) shelf(written, read vgen.Signal, packets int) func(name string, write vgen.Signal,
	list []*vgen.Signal) {
	m, n := d.Module, bits.Len(uint(packets-1))
	count := func(name string, up vgen.Signal) vgen.Signal {
		q := m.State(name, n)
		m.Next(q, q.Add(up.Zext(n)))
		return q
	}
	put, get := count("shelf_written", written), count("shelf_read", read)
	return func(name string, write vgen.Signal, list []*vgen.Signal) {
		word := vgen.Join(list)
		mem := m.Memory(name, 1<<n, word.Width(), "metadata of the packets in the pipeline").NoCollision()
		mem.Write(write, put, word)
		vgen.Split(list, mem.ReadEn(name+"_q", get, read))
	}
}

// code adds csig_bucketizer, and gives the code.
func (d *pipeline) code(module *vgen.Module, start, kind, value vgen.Signal) vgen.Signal {
	m := d.Module
	b := vgen.Instantiate[block.BucketPorts](m, "u_bucketizer", module)
	m.Assign(b.Valid, start)
	m.Assign(b.Type, kind)
	m.Assign(b.Bank, block.PickBit("bank_of_type", d.regs.BucketTables.Bank, kind))
	m.Assign(b.Value, value)
	w := d.regs.Bucket
	m.Assign(b.Write, w.Valid)
	m.Assign(b.WType, w.Type)
	m.Assign(b.WBank, w.Bank)
	m.Assign(b.WIndex, w.Index)
	m.Assign(b.WBound, w.Bound)
	m.Assign(b.Present, w.Present)
	return b.Code
}
