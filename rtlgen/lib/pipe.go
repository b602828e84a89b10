package lib

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// LongDelay is the delay, in cycles, from which Pipe makes one delay line instead of a named register
// for each cycle. The line is a shift register up to ShiftBits bits and a memory beyond.
const (
	LongDelay = 5
	ShiftBits = 128
)

// Value is a signal of a pipeline together with the stage at which it is valid: the number of clock
// edges between the cycle in which an item enters the pipeline and the cycle in which the signal
// speaks of that item.
type Value struct {
	vgen.Signal
	Stage int
	Name  string
}

// Exists tells whether the value stands for a signal; values of ports of width 0 do not.
func (v Value) Exists() bool { return v.Name != "" && v.Signal.Exists() }

// Pipe builds one feed-forward pipeline inside a module. Values are delayed on demand so that they
// meet at the stage at which they are used; a delayed value is built once, however often it is used.
// Register names end in the stage of their value: busy_s6 is valid six cycles after the item entered.
type Pipe struct {
	m        *vgen.Module
	built    map[string][]span
	interval int
	valid    func(stage int) vgen.Signal
	fast     bool
}

// span is a signal that speaks of an item from one stage to another, both included.
type span struct {
	from, to int
	sig      vgen.Signal
}

// NewPipe starts a pipeline in m that takes an item a cycle.
func NewPipe(m *vgen.Module) *Pipe {
	return &Pipe{m: m, built: map[string][]span{}, interval: 1}
}

// Spaced says that items are at least interval cycles apart, and how to tell that one is at a stage.
// A register then takes a value when its item passes and keeps it until the next item comes, so that a
// delay costs a register for each interval instead of each cycle.
func (p *Pipe) Spaced(interval int, valid func(stage int) vgen.Signal) {
	p.interval, p.valid = interval, valid
}

// Fast says that the clock is near the limit of block memories: delay lines get a register behind, multipliers registers in front,
// and what is compared is selected a cycle later.
func (p *Pipe) Fast() { p.fast = true }

// Value declares that s speaks of the item that entered stage cycles ago.
func (p *Pipe) Value(name string, stage int, s vgen.Signal) Value {
	p.remember(name, span{stage, stage, s})
	return Value{Signal: s, Stage: stage, Name: name}
}

func (p *Pipe) remember(name string, s span) {
	p.built[name] = append(p.built[name], s)
}

// Reg registers d, a signal computed at stage from values of that stage; the result is valid one
// stage later. Options are those of a register; control bits take vgen.Reset(0) and are never kept
// beyond their stage.
func (p *Pipe) Reg(name string, stage int, d vgen.Signal, opts ...vgen.RegOption) Value {
	if p.interval > 1 && len(opts) == 0 {
		return Value{Signal: p.keep(name, stage, d), Stage: stage + 1, Name: name}
	}
	q := p.m.RegNext(fmt.Sprintf("%s_s%d", name, stage+1), d, opts...)
	return p.Value(name, stage+1, q)
}

// Step registers d where items come a cycle apart: there a register between two steps costs no more
// than latency. Where they are spaced the clock is not the limit, and the next step follows at once.
func (p *Pipe) Step(name string, stage int, d vgen.Signal) Value {
	if p.interval > 1 {
		return p.Value(name, stage, d)
	}
	return p.Reg(name, stage, d)
}

// Part is a range of the bits of v, at every stage at which v is there.
func (p *Pipe) Part(name string, v Value, high, low int) Value {
	for _, s := range p.built[v.Name] {
		p.remember(name, span{s.from, s.to, s.sig.Slice(high, low)})
	}
	return Value{Signal: v.Slice(high, low), Stage: v.Stage, Name: name}
}

// keep takes d when its item is at stage, and keeps it for an interval.
func (p *Pipe) keep(name string, stage int, d vgen.Signal) vgen.Signal {
	q := p.m.RegNext(fmt.Sprintf("%s_s%d", name, stage+1), d, vgen.Enable(p.valid(stage)))
	p.remember(name, span{stage + 1, stage + p.interval, q})
	return q
}

// At is the value delayed until stage.
func (p *Pipe) At(v Value, stage int, opts ...vgen.RegOption) vgen.Signal {
	last := span{to: -1}
	for _, s := range p.built[v.Name] {
		if s.from <= stage && stage <= s.to {
			return s.sig
		}
		if s.to < stage && s.to > last.to {
			last = s
		}
	}
	for p.interval > 1 && len(opts) == 0 {
		last = span{last.to + 1, last.to + p.interval, p.keep(v.Name, last.to, last.sig)}
		if stage <= last.to {
			return last.sig
		}
	}
	s := last.sig
	if stage-last.to >= LongDelay && len(opts) == 0 {
		d := p.delayed(fmt.Sprintf("%s_s%d", v.Name, stage), s, stage-last.to)
		p.remember(v.Name, span{stage, stage, d})
		return d
	}
	for st := last.to + 1; st <= stage; st++ {
		s = p.m.RegNext(fmt.Sprintf("%s_s%d", v.Name, st), s, opts...)
		p.remember(v.Name, span{st, st, s})
	}
	return s
}

// Operand is v for a multiplier. Where the clock is near the limit of blocks, that is v a stage later: in a register that nobody
// else reads, and that a multiplier block can take in.
func (p *Pipe) Operand(v Value) Value {
	if !p.fast {
		return v
	}
	return p.Value(v.Name, v.Stage+1, p.At(v, v.Stage+1))
}

// Hold delays several values to the same stage through one delay line, which takes less memory than
// a line for each. Values are delayed from the latest of their stages.
func (p *Pipe) Hold(name string, stage int, values ...Value) {
	var live []Value
	from := 0
	for _, v := range values {
		if v.Exists() {
			live = append(live, v)
			from = max(from, v.Stage)
		}
	}
	if len(live) == 0 || stage-from < LongDelay || p.interval > 1 {
		return
	}
	parts := make([]vgen.Signal, len(live))
	for i, v := range live {
		parts[i] = p.At(v, from)
	}
	out := p.delayed(fmt.Sprintf("%s_s%d", name, stage), vgen.Cat(parts...), stage-from)
	low := out.Width()
	for _, v := range live {
		low -= v.Width()
		cut := out.Slice(low+v.Width()-1, low).Named(fmt.Sprintf("%s_s%d", v.Name, stage))
		p.remember(v.Name, span{stage, stage, cut})
	}
}

// delayed is s, n cycles later.
func (p *Pipe) delayed(name string, s vgen.Signal, n int) vgen.Signal {
	if n*s.Width() <= ShiftBits {
		return p.m.Delay(name, s, n)
	}
	build := DelayLine
	if p.fast && n >= shortestFastLine {
		build = FastDelayLine
	}
	line := vgen.Instantiate[delayPorts](p.m, "u_"+name, build(n, s.Width()))
	p.m.Assign(line.In, s)
	return line.Out
}
