package block

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
)

// CSIGCounters is the counters of a CSIG switch on their own, read in every cycle: reads that take effect in a later
// cycle see a count, and no others do, however closely packets of one counter follow each other.
func CSIGCounters(name string, c *config.CSIG) *Unit {
	m := rtl.Counters(name, block.NewShape(c))
	u := &counterUnit{c: c, in: indexes(inputs(m)), out: indexes(outputs(m)), sweep: 16 << portIndexBits(c)}
	u.clear()
	return &Unit{Name: name, Module: m, Play: u.play}
}

// countEvent is a packet that counts.
type countEvent struct {
	cycle   int64
	addr    uint64 // port, then status
	stacked bool
	again   bool // only its stacked tag counts now
}

type counterUnit struct {
	c       *config.CSIG
	in, out map[string]int
	sweep   int64
	folded  bool // packets are eight cycles apart, and stacked tags count two cycles later
	next    int64

	started    bool
	sweepUntil int64
	counters   map[uint64]uint32
	recent     []countEvent // not counted yet, oldest first

	source, reader pattern
	addr, readAddr uint64
	held           int64 // cycles for which the address to read has been the same
}

func (u *counterUnit) clear() { u.counters, u.recent = map[uint64]uint32{}, nil }

// some draws a counter, from few, so that accesses collide.
func (u *counterUnit) some(c *Cycle, statuses []uint64) uint64 {
	port := uint64(c.Random.IntN(u.c.Ports))
	if !rarely(c.Random, 3) {
		port %= 2
	}
	return port<<4 | statuses[c.Random.IntN(len(statuses))]
}

func (u *counterUnit) play(c *Cycle) {
	now := c.Number
	sweeping := now <= u.sweepUntil
	c.Want[u.out["sweeping"]], c.Care[u.out["sweeping"]] = bit(sweeping), u.started

	// count_data belongs to the address of the cycle before, and to the count before the cycle before that; on wide
	// streams to the address of the cycle before the last, and to the count before the third cycle before that.
	read, counted := int64(1), int64(2)
	if u.c.Deep {
		read, counted = 2, 5
	}
	for len(u.recent) > 0 && u.recent[0].cycle < now-counted {
		e := u.recent[0]
		u.recent = u.recent[1:]
		switch {
		case e.again:
			u.counters[e.addr|15]++
			continue
		case e.stacked && u.folded:
			u.recent = append(u.recent, countEvent{e.cycle + 2, e.addr, false, true})
		case e.stacked:
			u.counters[e.addr|15]++
		}
		u.counters[e.addr]++
	}
	if u.held == 0 || !u.reader.next(c.Random) && rarely(c.Random, 3) {
		u.readAddr, u.held = u.some(c, []uint64{0, 1, 1, 9, 15, 15}), 0
	}
	at := u.out["count_data"]
	c.Want[at], c.Care[at] = wide.From(uint64(u.counters[u.readAddr])), u.started && !sweeping && u.held >= read
	if u.folded && now == u.sweepUntil+1 { // read while the last counter was cleared, which the bus waits for
		c.Care[at] = false
	}
	u.held++

	valid := u.source.next(c.Random) && u.started && !sweeping && !c.Reset && now >= u.next
	if !rarely(c.Random, 3) || u.addr&15 == 15 {
		u.addr = u.some(c, []uint64{0, 1, 1, 9})
	}
	stacked := rarely(c.Random, 2)
	set := func(name string, v uint64) { c.In[u.in[name]] = wide.From(v) }
	set("c_valid", bit(valid).Lo)
	set("c_port", u.addr>>4)
	set("c_status", u.addr&15)
	set("c_stacked", bit(stacked).Lo)
	set("count_addr", u.readAddr)
	if valid {
		u.recent = append(u.recent, countEvent{now, u.addr, stacked, false})
		if u.folded {
			u.next = now + foldedPause(c.Random)
		}
	}
	if c.Reset {
		u.started, u.sweepUntil, u.held = true, now+u.sweep, 0
		u.clear()
	}
}
