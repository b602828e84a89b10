package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// serialPlan is the schedule of an engine with one lane for all hops. Operations are issued in
// cycles that are multiples of the interval apart, so one counter, one-hot, is all the control there is:
// stage s of an operation happens when the counter is s modulo the interval.
// Stages count from the issue.
type serialPlan struct {
	c        *config.NIC
	interval int
	gap      int // from one hop to the next

	delta   int // differences of the first hop are in registers
	verdict int // the ACK leaves its port: the cycle of its transfer
	ratio   int // busy time and time difference of the first hop enter the divider
	hopOut  int // quotient of the first hop
	average int // largest u' of the path
	weight  int // alpha
	window  int // new U
	scale   int // eta/U meets Wc
	product int // Wc q
	decide  int // new W
	end     int // R: the decision is complete

	divider, quotient *vgen.Module
}

// planSerial derives the plan from the widths of a configuration. The interval is the longest time that a
// block needs for one operation; the hops share it.
func planSerial(c *config.NIC) *serialPlan {
	f, h := c.Formats, c.MaxHops
	pl := &serialPlan{c: c, quotient: quotientDivider(c)}
	least := 3 // cycles a hop: the multipliers load, multiply and give
	if c.HopDivider.Kind == config.RestoringSerial {
		least = serialHopDivider(c, 0).Interval()
	}
	tail := max(h, len(timesOf(c).writes)) // after the verdict the records are written, and the words of the times
	tau := tauBits(c)
	pl.interval = max(
		max(5+least*(h-1), leastVerdict)+tail,
		least*h,
		tau+4,             // alpha, until its table is read again
		f.Alpha.Width()+5, // U, from reading to writing
		pl.quotient.Interval(),
		scaleBits(c)+9,   // Wc, from reading to writing
		f.InvT.Width()+4, // R, until W changes
	)
	pl.gap = pl.interval
	if h > 1 {
		pl.gap = min((pl.interval-tail-5)/(h-1), pl.interval/h)
	}
	pl.divider = serialHopDivider(c, pl.gap)

	pl.delta = 3
	pl.verdict = max(5+pl.gap*(h-1), leastVerdict)
	pl.ratio = pl.delta + 1 + lib.SerialLatency(c.Telemetry.TxBits, pl.gap-1)
	// The queue's part is read a cycle before the quotient is there, and must have been written by then.
	pl.hopOut = max(pl.ratio+pl.divider.Latency(), pl.queueStage()+2)
	pl.average = pl.hopOut + 3 + pl.gap*(h-1)
	pl.weight = pl.average + 2 + lib.SerialLatency(tau, tau)
	pl.window = pl.weight + lib.SerialLatency(f.Alpha.Width(), f.Alpha.Width()) + 1
	pl.scale = pl.window + pl.quotient.Latency()
	for !pl.readsApart() {
		pl.scale++
	}
	pl.product = pl.scaled()
	pl.decide = pl.product + 6
	pl.end = pl.decide + lib.SerialLatency(f.InvT.Width(), f.InvT.Width())
	return pl
}

// leastVerdict is the stage of the verdict where the hops do not decide it: both words of both times have then been
// read and compared.
const leastVerdict = 8

// flowTimes is the layout of the memory of times: lastUpdateSeq, or lastUpdateTime in two words, and the time of the
// stored records in two. The word after those is not the flow's: there, in those of flows 0 and 1, the time of an ACK
// waits for its verdict.
type flowTimes struct {
	width int // of a word
	bits  int // of the address of a word among those of its flow
	marks int // words of lastUpdateSeq, or of lastUpdateTime
	held  int // the word after those of the flow
	// Words that an ACK sets after the verdict, in this order; the lower half of the time first, then the upper.
	writes []int
}

func timesOf(c *config.NIC) flowTimes {
	width := max(c.SeqBits, (c.ClockBits+1)/2)
	if c.CommitByTime {
		return flowTimes{width: width, bits: 3, marks: 2, held: 4, writes: []int{2, 3, 0, 1}}
	}
	return flowTimes{width: width, bits: 2, marks: 1, held: 3, writes: []int{1, 2}}
}

// queueStage is the stage in which the queue's part of the first hop's u' is there.
func (pl *serialPlan) queueStage() int {
	return pl.delta + 1 + lib.SerialLatency(pl.c.Telemetry.QlenBits, pl.gap-1)
}

// scaled is the stage in which Wc q is there, from that in which the factors meet.
func (pl *serialPlan) scaled() int {
	return pl.scale + lib.SerialLatency(scaleBits(pl.c), scaleBits(pl.c))
}

// readsApart reports whether eta can be read from the window's memory while the words that an operation
// reads from scale on come out of it, one interval or more later.
func (pl *serialPlan) readsApart() bool {
	product := pl.scaled()
	eta := pl.window - 1
	for _, busy := range []int{pl.scale - 2, pl.scale - 1, product - 1, product, product + 1, product + 2, product + 3,
		product + 4, product + 5} {
		if (busy-eta)%pl.interval == 0 {
			return false
		}
	}
	return true
}

// tauBits is the width of tau where it is below T.
func tauBits(c *config.NIC) int { return min(c.RTTBits, c.Telemetry.TSBits-1) }

// scaleBits is the width of the factor of Wc: eta/U, or one.
func scaleBits(c *config.NIC) int { return max(c.Formats.Quot.Width(), c.Formats.Quot.Frac+1) }

// serialHopDivider is the divider of busy time by elapsed time, for hops that are gap cycles apart.
func serialHopDivider(c *config.NIC, gap int) *vgen.Module {
	f := c.Formats
	return lib.Divider("hop_divider", c.HopDivider, lib.DividerShape{
		NumBits:  c.Telemetry.TxBits + f.InvB.Width(),
		DenBits:  c.Telemetry.TSBits - 1,
		QuotBits: f.U.Width(),
		Shift:    f.U.Frac - f.InvB.Frac,
		Bare:     true,
		Gap:      gap,
	}, limbsOf(c))
}

// phantoms returns how often the schedule visits the stages of the hops after stage before the first operation arrives.
// A counter of hops at that stage starts that much too low.
func (pl *serialPlan) phantoms(stage int) int {
	n := 0
	for i := range pl.c.MaxHops {
		n += (stage + i*pl.gap) / pl.interval
	}
	return n
}

// until is the last stage in which a value that is renewed each interval, in stage from at first, is that
// of the operation at stage.
func (pl *serialPlan) until(from, stage int) int {
	return from + ((stage-from)/pl.interval+1)*pl.interval - 1
}

// Address widths of the memories that blocks share among several words.
func averageAddrBits(c *config.NIC) int { return 1 + max(c.FlowBits(), c.ProfileBits()+1) }
func windowAddrBits(c *config.NIC) int  { return 1 + max(c.FlowBits()+1, c.ProfileBits()+3) }

// clearBits is the width of the addresses that are cleared after reset: the contexts and tables. The
// records need not be, as a context without telemetry does not look at them.
func clearBits(c *config.NIC) int {
	return max(windowAddrBits(c), c.FlowBits()+timesOf(c).bits, c.TableIndexBits())
}

// hops are slots of hops; their stages are those of the first hop.
func (pl *serialPlan) hops(ops *engine.Slots) *engine.Slots {
	seen := map[int]vgen.Signal{}
	return ops.Every(pl.gap, func(stage int) vgen.Signal {
		key := stage % pl.interval
		if s, ok := seen[key]; ok {
			return s
		}
		var any vgen.Signal
		for i := range pl.c.MaxHops {
			any = vgen.AnyOf(any, ops.At(stage+i*pl.gap))
		}
		seen[key] = any.Named(fmt.Sprintf("hop_s%d", stage))
		return seen[key]
	})
}

// widths are the width keys of the blocks of the serial order.
func (pl *serialPlan) widths() vgen.Widths {
	w := widths(pl.c)
	w["phase"], w["clear"], w["record"] = pl.interval, clearBits(pl.c), 0
	w["timeword"] = timesOf(pl.c).width
	w["profileset"] = min(pl.c.ProfileBits(), 1)
	w["table"], w["tdata"] = engine.TableBits, pl.c.TableDataBits()
	return w
}

// hopsMeet reports whether some hop is at one stage, of the first hop, in a cycle in which another hop, of the
// same or another operation, is at the other.
func (pl *serialPlan) hopsMeet(a, b int) bool {
	for i := range pl.c.MaxHops {
		for j := range pl.c.MaxHops {
			if (a+i*pl.gap-b-j*pl.gap)%pl.interval == 0 {
				return true
			}
		}
	}
	return false
}
