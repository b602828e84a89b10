package block

import (
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/folded"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/meter"
)

// Blocks of a folded pipeline, which have eight cycles for a packet. Each is driven as by that pipeline: inputs that
// last longer than a cycle are held, and nothing comes closer than allowed.

// foldedPause is how long to wait before the next packet: mostly as short as may be.
func foldedPause(r *rand.Rand) int64 {
	if rarely(r, 3) {
		return block.FoldedCycles + int64(r.IntN(20))
	}
	return block.FoldedCycles
}

// FoldedMeter is the raw meter of a folded pipeline against the contract read plainly.
func FoldedMeter(name string, c config.CSIG) *Unit {
	m := meter.Folded(name, block.NewShape(&c))
	f := &foldedMeter{
		draw: meterDriver{ref: newPlainMeter(&c, 1000)}, in: indexes(inputs(m)), latency: int64(m.Latency()), counts: -1,
	}
	f.window = f.draw.ref.window
	return &Unit{Name: name, Module: m, Play: f.play}
}

type foldedMeter struct {
	draw    meterDriver
	in      map[string]int
	latency int64

	next   int64 // cycle from which on a packet may come
	op     meterOp
	counts int64  // cycle in which it counts; negative: it has
	window uint64 // of the current packet
	bytes  uint64 // on the port

	valid int64 // cycle from which on the value is out
	until int64 // and to which
	value uint64
}

func (f *foldedMeter) play(c *Cycle) {
	r, now, cfg := c.Random, c.Number, f.draw.ref.c
	set := func(name string, v uint64) { c.In[f.in[name]] = wide.From(v) }
	clears := rarely(r, 1500)
	if clears {
		f.draw.ref.window = []uint64{1000, 1001, 1e9, 1 << 20, 1000 + r.Uint64N(1e6), 1000 + r.Uint64N(1e9-1000)}[r.IntN(6)]
	}
	if f.valid <= now && now < f.until {
		c.Want[0], c.Care[0] = wide.From(f.value), true
	}
	set("s_port", r.Uint64()&wide.Mask(portIndexBits(cfg)))
	set("s_now", r.Uint64()&wide.Mask(cfg.TimeBits))
	set("clear", bit(clears).Lo)
	set("s_advance", 0)
	set("s_count", 0)
	if c.Reset {
		f.draw.ref = newPlainMeter(cfg, f.draw.ref.window)
		f.next, f.counts, f.until = now+1, -1, 0
		return
	}
	if clears {
		f.draw.ref = newPlainMeter(cfg, f.draw.ref.window)
	}
	if f.counts < 0 && now >= f.next && !rarely(r, 10) {
		f.op = f.draw.draw(r)
		f.window = f.draw.ref.window
		f.value = f.draw.ref.do(meterOp{advance: true, port: f.op.port, now: f.op.now})
		f.draw.now = f.op.now
		f.valid, f.until = now+f.latency, now+f.latency+block.FoldedCycles // the next comes as long after the next advance
		set("s_advance", 1)
		set("s_port", uint64(f.op.port))
		set("s_now", f.op.now)
		f.counts = now
		if rarely(r, 2) {
			f.counts += int64(r.IntN(16))
		}
	}
	if f.counts == now {
		f.draw.ref.do(meterOp{count: true, port: f.op.port, bytes: f.op.bytes})
		f.bytes = f.op.bytes
		f.next, f.counts = now+foldedPause(r), -1
		set("s_count", 1)
	}
	set("s_bytes", f.bytes)
	set("window", f.window)
}

// FoldedCounters is the counters of a folded pipeline, read in every cycle: reads see a packet from the second cycle
// after it on, its stacked tag from the fourth on.
func FoldedCounters(name string, c *config.CSIG) *Unit {
	m := folded.Counters(name, block.NewShape(c))
	u := &counterUnit{c: c, in: indexes(inputs(m)), out: indexes(outputs(m)), sweep: 16 << portIndexBits(c), folded: true}
	u.clear()
	return &Unit{Name: name, Module: m, Play: u.play}
}

// FoldedBucketizer is the bucketizer of a folded pipeline against a count of bounds. Bounds come in every other cycle
// at most, bound 0 among them, and their table is named for a cycle longer; the value stays until its code is out.
func FoldedBucketizer(name string, c *config.CSIG) *Unit {
	m := folded.Bucketizer(block.NewShape(c))
	some := &someTables{valueBits: 32, size: 32, first: 0, latency: m.Latency(), interval: m.Interval() / 2, victim: -1}
	odd, value, written := false, uint64(0), uint64(0)
	return bucketUnit(name, m, func(r *rand.Rand) bucketCycle {
		var b bucketCycle
		if odd = !odd; odd {
			b = some.next(r)
			written = b.wtable
		} else {
			b = bucketCycle{table: r.Uint64N(8), wtable: written, windex: r.Uint64N(32),
				wbound: r.Uint64() & wide.Mask(32), present: r.Uint64N(2)}
		}
		if b.start {
			value = b.value
		}
		b.value = value
		return b
	})
}
