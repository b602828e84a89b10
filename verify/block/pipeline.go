package block

import (
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Reference computes the results of a block, in the order of its output ports without m_valid, from its
// operands, in the order of its input ports without s_valid.
type Reference func(operands, results []wide.Uint128)

// Operands sets the n-th operands; it returns false when there are no more.
type Operands func(r *rand.Rand, n int64, operands []wide.Uint128) bool

// Pipeline is a unit of fixed latency and initiation interval, both taken from the module. s_valid, where
// the block has it, follows patterns of idle cycles and bursts, as close as the interval allows; operands
// without it are random. m_valid, where the block has it, is compared in every cycle, the results when they are due.
func Pipeline(name string, m *vgen.Module, operands Operands, reference Reference) *Unit {
	p := &pipeline{
		ins: inputs(m), latency: int64(m.Latency()), interval: int64(max(1, m.Interval())),
		operands: operands, reference: reference, free: -1,
	}
	p.valid, p.done = port(p.ins, "s_valid"), port(outputs(m), "m_valid")
	p.op = make([]wide.Uint128, 0, len(p.ins))
	return &Unit{Name: name, Module: m, Play: p.play, Finished: func() bool { return p.finished && len(p.due) == 0 }}
}

type pipeline struct {
	ins               []vgen.PortInfo
	valid, done       int
	latency, interval int64
	operands          Operands
	reference         Reference

	pattern  pattern
	n        int64
	finished bool
	free     int64 // first cycle in which the block can start again
	op       []wide.Uint128
	due      []due // oldest first
	spare    [][]wide.Uint128
}

type due struct {
	cycle   int64
	results []wide.Uint128
}

func (p *pipeline) play(c *Cycle) {
	start := c.Number >= p.free && !p.finished && p.pattern.next(c.Random)
	for i := range p.ins {
		c.In[i] = cut(wide.Uint128{Hi: c.Random.Uint64(), Lo: c.Random.Uint64()}, p.ins[i].Width)
	}
	if p.valid >= 0 {
		c.In[p.valid] = wide.Uint128{}
	}
	if start && !c.Reset {
		p.start(c)
	}
	hit := len(p.due) > 0 && p.due[0].cycle == c.Number
	j := 0
	for i := range c.Want {
		if i == p.done {
			c.Want[i], c.Care[i] = bit(hit), true
			continue
		}
		if hit {
			c.Want[i], c.Care[i] = p.due[0].results[j], true
		}
		j++
	}
	if hit {
		p.spare = append(p.spare, p.due[0].results)
		p.due = append(p.due[:0], p.due[1:]...)
	}
	if c.Reset {
		p.due, p.free = p.due[:0], c.Number+1
		if c.Random.IntN(2) == 0 { // an idle period reveals what the reset did not clear
			p.pattern = pattern{kind: never, left: 1 + c.Random.IntN(2*int(p.latency)+2)}
		}
	}
}

// start sends the next operands.
func (p *pipeline) start(c *Cycle) {
	n := len(p.ins)
	if p.valid >= 0 {
		n--
	}
	p.op = p.op[:n]
	if !p.operands(c.Random, p.n, p.op) {
		p.finished = true
		return
	}
	p.n++
	p.free = c.Number + p.interval
	j := 0
	for i := range p.ins {
		if i == p.valid {
			c.In[i] = bit(true)
			continue
		}
		c.In[i] = p.op[j]
		j++
	}
	var results []wide.Uint128
	if len(p.spare) > 0 {
		results = p.spare[len(p.spare)-1]
		p.spare = p.spare[:len(p.spare)-1]
	} else {
		n := len(c.Want)
		if p.done >= 0 {
			n--
		}
		results = make([]wide.Uint128, n)
	}
	p.reference(p.op, results)
	p.due = append(p.due, due{c.Number + p.latency, results})
}

// Every returns all combinations of operands of the given widths, once.
func Every(widths ...int) Operands {
	return func(_ *rand.Rand, n int64, operands []wide.Uint128) bool {
		for i, w := range widths {
			operands[i] = wide.From(uint64(n) & (1<<w - 1))
			n >>= w
		}
		return n == 0
	}
}

func bit(b bool) wide.Uint128 {
	if b {
		return wide.From(1)
	}
	return wide.Uint128{}
}
