package block

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Slice is a register slice of the given capacity as a unit: a FIFO that is ready when, at the start of a
// cycle, it holds fewer words than its capacity, and low in the cycle after a reset.
func Slice(name string, m *vgen.Module, capacity int) *Unit {
	s := &slice{capacity: capacity, width: inputs(m)[port(inputs(m), "s_data")].Width}
	return &Unit{Name: name, Module: m, Play: s.play, Watch: newStreamRules(m).see}
}

type slice struct {
	capacity, width int
	source, sink    pattern
	held            []wide.Uint128
	ready           bool
	offering        bool
	word            wide.Uint128
	count           uint64
}

func (s *slice) play(c *Cycle) {
	if !s.offering && s.source.next(c.Random) {
		s.count++
		s.offering, s.word = true, cut(wide.Uint128{Hi: c.Random.Uint64(), Lo: s.count}, s.width)
	}
	take := s.sink.next(c.Random)
	valid, data, mReady := 0, 1, 2 // s_valid, s_data, m_ready
	c.In[valid], c.In[mReady] = bit(s.offering), bit(take)
	c.In[data] = s.word
	if !s.offering {
		c.In[data] = cut(wide.Uint128{Hi: c.Random.Uint64(), Lo: c.Random.Uint64()}, s.width)
	}
	sReady, mValid, mData := 0, 1, 2
	c.Want[sReady], c.Care[sReady] = bit(s.ready), true
	c.Want[mValid], c.Care[mValid] = bit(len(s.held) > 0), true
	if len(s.held) > 0 {
		c.Want[mData], c.Care[mData] = s.held[0], true
	}
	if c.Reset {
		s.held, s.ready = s.held[:0], false
		if s.offering && c.Want[sReady].Lo == 1 {
			s.offering = false // taken, and lost in the reset
		}
		return
	}
	if len(s.held) > 0 && take {
		s.held = append(s.held[:0], s.held[1:]...)
	}
	if s.offering && s.ready {
		s.held = append(s.held, s.word)
		s.offering = false
	}
	s.ready = len(s.held) < s.capacity
}

// CreditFIFO is a FIFO after a pipeline that cannot stall, as a unit: docs/architecture.md, Results.
func CreditFIFO(name string, m *vgen.Module, depth int) *Unit {
	f := &creditFIFO{depth: depth, width: inputs(m)[port(inputs(m), "s_data")].Width}
	return &Unit{Name: name, Module: m, Play: f.play, Watch: newStreamRules(m).see}
}

type creditFIFO struct {
	depth, width int
	source, sink pattern
	latency      int64
	flying       []due // words in the pipeline
	memory       []wide.Uint128
	out          wide.Uint128
	full         bool
	taken        int
	count        uint64
}

func (f *creditFIFO) play(c *Cycle) {
	push, data, credit, mReady := 0, 1, 2, 3 // s_valid, s_data, credit_take, m_ready
	if len(f.flying) == 0 && c.Random.IntN(20) == 0 {
		f.latency = int64(c.Random.IntN(2 * f.depth))
	}
	take := f.source.next(c.Random) && f.taken < f.depth && !c.Reset
	ready := f.sink.next(c.Random)
	c.In[credit], c.In[mReady] = bit(take), bit(ready)
	if take {
		f.count++
		f.flying = append(f.flying,
			due{c.Number + f.latency, []wide.Uint128{cut(wide.Uint128{Hi: c.Random.Uint64(), Lo: f.count}, f.width)}})
	}
	arrives := len(f.flying) > 0 && f.flying[0].cycle == c.Number && !c.Reset
	c.In[push] = bit(arrives)
	c.In[data] = cut(wide.Uint128{Hi: c.Random.Uint64(), Lo: c.Random.Uint64()}, f.width)
	if arrives {
		c.In[data] = f.flying[0].results[0]
		f.flying = append(f.flying[:0], f.flying[1:]...)
	}
	left, mValid, mData := 0, 1, 2 // credit, m_valid, m_data
	c.Want[left], c.Care[left] = bit(f.taken < f.depth), true
	c.Want[mValid], c.Care[mValid] = bit(f.full), true
	c.Want[mData], c.Care[mData] = f.out, f.full

	if c.Reset {
		*f = creditFIFO{depth: f.depth, width: f.width, source: f.source, sink: f.sink, latency: f.latency, count: f.count}
		return
	}
	if take {
		f.taken++
	}
	if f.full && ready {
		f.taken--
		f.full = false
	}
	if len(f.memory) > 0 && !f.full {
		f.out, f.full = f.memory[0], true
		f.memory = append(f.memory[:0], f.memory[1:]...)
	}
	if arrives {
		f.memory = append(f.memory, c.In[data])
	}
}

// streamRules are the rules of any block between two streams, whatever its timing: an offered word stays until it is
// accepted, and the words that leave are those that arrived, all of them, in order.
type streamRules struct {
	sValid, sData, mReady int
	sReady, mValid, mData int
	waiting               []wide.Uint128 // came and has not left
	offered               bool
	word                  wide.Uint128
}

func newStreamRules(m *vgen.Module) *streamRules {
	ins, outs := inputs(m), outputs(m)
	return &streamRules{
		sValid: port(ins, "s_valid"), sData: port(ins, "s_data"), mReady: port(ins, "m_ready"),
		sReady: port(outs, "s_ready"), mValid: port(outs, "m_valid"), mData: port(outs, "m_data"),
	}
}

func (s *streamRules) see(o *Observed) error {
	if o.Reset {
		s.waiting, s.offered = s.waiting[:0], false
		return nil
	}
	valid, word := o.Out[s.mValid].Lo == 1, o.Out[s.mData]
	switch {
	case s.offered && !valid:
		return fmt.Errorf("m_valid falls before the word is taken")
	case s.offered && word != s.word:
		return fmt.Errorf("m_data changes before it is taken")
	case valid && len(s.waiting) == 0:
		return fmt.Errorf("a word leaves that never came, or a second time")
	case valid && word != s.waiting[0]:
		return fmt.Errorf("the word that leaves is not the oldest: one was lost or overtaken")
	}
	s.offered, s.word = valid && o.In[s.mReady].Lo == 0, word
	if valid && !s.offered {
		s.waiting = append(s.waiting[:0], s.waiting[1:]...)
	}
	if o.In[s.sValid].Lo == 1 && (s.sReady < 0 || o.Out[s.sReady].Lo == 1) {
		s.waiting = append(s.waiting, o.In[s.sData])
	}
	return nil
}
