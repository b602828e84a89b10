package wide

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/meter"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Microarchitecture takes a packet a cycle.
var Microarchitecture = block.Microarchitecture{Name: "wide",
	New: func(d *block.Datapath) block.Deciding { return &pipeline{Datapath: d} }}

// pipeline is its pipeline.
type pipeline struct {
	*block.Datapath
	regs *registersPorts
}

// Registers puts csig_registers into the module.
func (d *pipeline) Registers() transit.Bus {
	file := Registers("csig_registers", d.Shape)
	d.regs = vgen.Instantiate[registersPorts](d.Module, "u_registers", file)
	vgen.Settled(d.Module, d.regs)
	d.Answers(file, 1, file.Latency())
	return d.regs.bus()
}

// Counters is csig_counters.
func (d *pipeline) Counters() *vgen.Module { return Counters("csig_counters", d.Shape) }

// Count connects what counts.
func (d *pipeline) Count(counts *block.CountersPorts) {
	m, after, control := d.Module, d.Shape.CountedAfter(), []vgen.RegOption{vgen.Reset(0), vgen.Control()}
	none, some := d.Decided.And(d.NoPort), d.Decided.And(d.NoPort.Not())
	none, some = m.Delay("no_port_counts", none, after, control...), m.Delay("counts", some, after, control...)
	port := m.Delay("counted_port", d.Port, after)
	d.Status = m.Delay("counted_status", d.Status, after)
	stacked := m.Delay("counted_stacked", d.Stacked, after)
	m.Assign(d.regs.NoPort, none)
	m.Assign(counts.Valid, some)
	m.Assign(counts.Port, port)
	m.Assign(counts.Stacked, stacked)
}

// Decide builds the pipeline from the header to the decision.
func (d *pipeline) Decide() {
	c, m, p, regs, t := d.Shape, d.Module, d.Pipe, d.regs, d.Timing
	k := d.Known()

	// Find the tag.
	walk := d.Walk(&t.Lookup)
	p.Hold("known", t.Lookup-bit(c.At.Blocks), k.Ingress, k.Egress, k.EgressTime, k.Delay, k.Qlen)
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
	m.Begin(look.Ingress, t.Lookup)
	m.Assign(look.Ingress, p.At(k.Ingress, t.Lookup))
	m.Assign(look.Egress, p.At(k.Egress, t.Lookup))
	vgen.Connect(m, &look.Tag, &walk.Tag)
	t.Meter = t.Lookup + lookupModule.Latency()
	status, compare := p.Value("status", t.Meter, look.Status), p.Value("compare", t.Meter, look.Compare)
	remove, noPort := p.Value("remove", t.Meter, look.Remove), p.Value("no_port", t.Meter, look.NoPort)
	drop := p.Value("drop", t.Meter, look.Drop)
	kind, locator := p.Value("signal_type", t.Meter, look.Type), p.Value("locator", t.Meter, look.Locator)

	// Measure.
	m.StageDoc(t.Meter+1, "bytes that the packet adds; operands of its signal")
	if c.At.Bytes {
		m.StageDoc(t.Meter+2, "the remaining bytes of the packet")
		m.StageDoc(t.Meter+3, "its bytes on the wire: padded, with the overhead")
	}
	meterModule := meter.New("csig_meter", c)
	meter := m.Instance("u_meter", meterModule)
	header := p.Value("header", t.Meter, m.Delay(fmt.Sprintf("header_s%d", t.Meter), d.Header.Header, t.Meter-1,
		vgen.Reset(0)))
	end := p.Value("end", t.Meter, m.Delay(fmt.Sprintf("end_s%d", t.Meter), d.Header.End, t.Meter-1, vgen.Reset(0)))
	length := p.Value("length", c.LengthStage(), d.Header.Length)
	wide := flag(c.Expanded())
	if size.Exists() {
		wide = p.At(size, t.Meter)
	}
	words := d.wordsRemoved(header.Signal, remove.Signal, wide)
	var bytes lib.Value
	enter := t.Meter + 1
	if c.At.Bytes { // the overhead is that of cycle e + Meter, and is added two cycles later
		enter += 2
		chosen, runt := d.chosenLeft(length, words, t.Meter+1)
		left, short := p.Reg("left", t.Meter+1, chosen), p.Reg("runt", t.Meter+1, runt)
		overhead := p.Reg("overhead", t.Meter, regs.Estimate.Overhead)
		bytes = p.Reg("bytes", enter-1, block.OnWire(left.Signal, short.Signal, p.At(overhead, enter-1)))
	} else {
		whole := p.At(length, t.Meter)
		left := whole.Zext(block.LengthBits).Sub(vgen.Cat(words, vgen.Const(2, 0)).Zext(block.LengthBits))
		short := vgen.Select(words, []vgen.Signal{block.Shorter(whole, 0), block.Shorter(whole, 1), block.Shorter(whole, 2)},
			flag(false))
		bytes = p.Reg("bytes", t.Meter, block.OnWire(left, short.Named("runt"), regs.Estimate.Overhead))
	}
	exists := noPort.Not()
	// What is dropped was decided when the header passed, which may be earlier.
	dropped := vgen.Mux(header.Signal, drop.Signal,
		m.RegNext("drop_q", drop.Signal, vgen.Enable(header.Signal))).Named("dropped")
	counts := p.Value("counts_bytes", t.Meter, end.And(dropped.Not()).Named("end_counts"))
	m.Assign(meter.Port("s_valid"), p.At(p.Reg("op", t.Meter, header.Or(counts.Signal).And(exists), vgen.Reset(0)), enter,
		vgen.Reset(0)))
	m.Assign(meter.Port("s_advance"), p.At(header, enter, vgen.Reset(0)))
	m.Assign(meter.Port("s_count"), p.At(counts, enter, vgen.Reset(0)))
	m.Assign(meter.Port("s_port"), p.At(k.Egress, enter).Trunc(c.IndexBits()))
	m.Assign(meter.Port("s_now"), p.At(k.EgressTime, enter))
	m.Assign(meter.Port("s_bytes"), bytes.Signal)
	if regs.Estimate.Window.Exists() {
		m.Assign(meter.Port("window"), p.At(p.Reg("window", t.Meter, regs.Estimate.Window), enter))
	}
	m.Assign(meter.Port("clear"), m.Delay("forget", regs.Estimate.Commit, 1+enter-t.Meter, vgen.Reset(0)))
	t.Scale = enter + meterModule.Latency()

	// The signal of the tag's type: what is left of a base, or the queue. The factor is that of the estimate in force when
	// the meter advances, or that of the port.
	list := block.Bases(map[block.Base]vgen.Signal{
		block.Capacity: look.Capacity, block.One: vgen.Const(block.ValueBits, 1<<c.RatioBits),
		block.Delay: p.At(k.Delay, t.Meter),
	})
	from := p.Reg("base", t.Meter, vgen.Select(kind.Signal, list, list[len(list)-1]))
	ofPort := look.Factor.And(block.HasFactor(kind.Signal, block.NoFactor).Not().Repeat(c.RecipBits))
	ofEstimate := func() vgen.Signal { return block.HasFactor(kind.Signal, block.EstimateFactor) }
	chosen := p.Reg("factor", t.Meter, vgen.Mux(ofEstimate(), regs.Estimate.Mantissa, ofPort))
	by := p.Reg("factor_shift", t.Meter, vgen.Mux(ofEstimate(), regs.Estimate.Shift, look.Shift))
	queue := p.Reg("is_queue", t.Meter, block.HasSource(kind.Signal, block.Queued))
	noBase := p.Reg("no_base", t.Meter, block.HasBase(kind.Signal, block.NoBase))
	p.Hold("for_signal", t.Scale, queue, noBase, k.Qlen, from, chosen, by)
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
	m.Begin(signal.X, t.Scale)
	xBits := signal.X.Width()
	m.Assign(signal.X, vgen.Mux(p.At(queue, t.Scale), p.At(k.Qlen, t.Scale).Zext(xBits),
		meter.Port("m_value").Zext(xBits)))
	m.Assign(signal.Mantissa, p.At(chosen, t.Scale))
	m.Assign(signal.Shift, p.At(by, t.Scale))
	m.Assign(signal.Base, p.At(from, t.Scale))
	m.Assign(signal.NoBase, p.At(noBase, t.Scale))
	t.Code = t.Scale + signalModule.Latency()
	m.Tap("value", signal.Value, t.Code+c.SeenAfter(),
		"value of the signal of the tag's type; stage after the header cycle")

	// Its code, and whether it replaces that of the packet.
	bucket, quantum, at := d.code(p.At(kind, t.Code), signal.Value, t.Code, wanted, size)
	p.Hold("undecided", at, status, compare, noPort, low, high, size, place, stacked, locator, k.Egress, remove, drop)
	compareModule := block.Compare(c)
	cmp := vgen.Instantiate[block.ComparePorts](m, "u_compare", compareModule)
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
	d.Decided = m.Delay("decided", header.Signal, at-t.Meter, vgen.Reset(0))
	d.NoPort, d.Port, d.Status = p.At(noPort, at), p.At(k.Egress, at).Trunc(c.IndexBits()), cmp.OutStatus
	d.Stacked = p.At(stacked, at)
	d.Decision = block.Decision{
		Drop: p.At(drop, at), Strip: p.At(remove, at), Update: cmp.Update, Place: p.At(place, at), Low: cmp.OutLow,
		High: cmp.OutHigh,
		User: vgen.Cat(cmp.OutStatus, p.At(k.Egress, at)),
	}
	if size.Exists() {
		d.Decision.Size = p.At(size, at)
	}
	t.Count, t.Stacked, t.Decision = at+c.CountedAfter(), at+c.CountedAfter(), at
}

// wordsRemoved is how many words of 4 bytes a packet loses. That was decided when its header passed, which may be
// earlier. With Places.Bytes it is known a cycle later, in a register.
func (d *pipeline) wordsRemoved(header, remove, wide vgen.Signal) vgen.Signal {
	m := d.Module
	now := vgen.Mux(remove, vgen.Mux(wide, vgen.Const(2, 2), vgen.Const(2, 1)), vgen.Const(2, 0)).Named("words_removed")
	held := m.RegNext("words_removed_q", now, vgen.Enable(header))
	if d.Shape.At.Bytes {
		return held
	}
	return vgen.Mux(header, now, held).Named("words_removed_then")
}

// chosenLeft is the bytes of a packet without the words removed, at a stage, and whether they are less than a frame
// has: all that it may be is there when the words are.
func (d *pipeline) chosenLeft(length lib.Value, words vgen.Signal, stage int) (left, short vgen.Signal) {
	before := d.Pipe.At(length, stage-1)
	runt := func(n uint64) vgen.Signal {
		return d.Pipe.Reg(fmt.Sprintf("runt_less_%d", n), stage-1, block.Shorter(before, n)).Signal
	}
	less := func(n uint64) vgen.Signal {
		left := before.Zext(block.LengthBits).Sub(vgen.Const(block.LengthBits, block.WordBytes*n))
		return d.Pipe.Reg(fmt.Sprintf("length_less_%d", n), stage-1, left).Signal
	}
	left, short = d.Pipe.Reg("length_whole", stage-1, before).Zext(block.LengthBits), runt(0)
	if d.Shape.Compact() {
		left, short = vgen.Mux(words.Bit(0), less(1), left), vgen.Mux(words.Bit(0), runt(1), short)
	}
	if d.Shape.Expanded() {
		left, short = vgen.Mux(words.Bit(1), less(2), left), vgen.Mux(words.Bit(1), runt(2), short)
	}
	return left, short
}

// code codes a value in both sizes, where it is wanted for a tag of the size. It gives the stage at which the codes are
// there.
func (d *pipeline) code(kind, value vgen.Signal, stage int, wanted func(stage int) vgen.Signal, size lib.Value) (bucket,
	quantum lib.Value, at int) {
	c, m, p := d.Shape, d.Module, d.Pipe
	looked := stage // at which tables are looked up
	kept := func(name string, s vgen.Signal) vgen.Signal { return s }
	if c.At.Tables {
		m.StageDoc(stage+1, "the tables of the signal's type: bank of buckets, base and step of the quantizer")
		// What is looked up goes through registers, and so do bounds that are written.
		kept = func(name string, s vgen.Signal) vgen.Signal { return p.Reg(name, looked, s).Signal }
		stage++
	}
	value = kept("value", value)
	if c.Compact() {
		module := bucketBlock(c)
		b := vgen.Instantiate[block.BucketPorts](m, "u_bucketizer", module)
		if b.Valid.Exists() {
			m.Assign(b.Valid, wanted(stage))
		}
		m.Assign(b.Type, kept("table_type", kind))
		m.Assign(b.Bank, kept("table_bank", block.PickBit("bank_of_type", d.regs.Bank, kind)))
		m.Assign(b.Value, value)
		w := d.regs.Bucket
		if c.At.Tables {
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
	if c.Expanded() {
		module := quantizerBlock(c)
		q := vgen.Instantiate[quantizerPorts](m, "u_quantizer", module)
		var base, step []vgen.Signal
		for _, s := range d.regs.Quantizer {
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
