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
// speaks of that item. Copies of a Value are the same value: its delays are shared.
type Value struct {
	vgen.Signal
	Stage int
	Name  string // of its registers, apart from their stages
	built *[]span
}

// span is a signal that speaks of an item from one stage to another, both included.
type span struct {
	from, to int
	sig      vgen.Signal
}

// Exists reports whether the value is a signal; values of ports of width 0 do not.
func (v Value) Exists() bool { return v.built != nil && v.Signal.Exists() }

// Pipe builds one feed-forward pipeline inside a module. Values are delayed on demand so that they
// meet at the stage at which they are used; a delayed value is built once, however often it is used.
// Register names end in the stage of their value: busy_s6 is valid six cycles after the item entered.
type Pipe struct {
	m        *vgen.Module
	interval int
	valid    func(stage int) vgen.Signal
	fast     bool
}

// NewPipe starts a pipeline in m that takes an item a cycle.
func NewPipe(m *vgen.Module) *Pipe {
	return &Pipe{m: m, interval: 1}
}

// Spaced declares that items are at least interval cycles apart, and how to detect one at a stage.
// A register then takes a value when its item passes and keeps it until the next item comes, so that a
// delay costs a register for each interval instead of each cycle.
func (p *Pipe) Spaced(interval int, valid func(stage int) vgen.Signal) {
	p.interval, p.valid = interval, valid
}

// Fast declares that the clock is near the limit of block memories: delay lines get a register after them, multipliers
// registers before them, and compared values are selected a cycle later.
func (p *Pipe) Fast() { p.fast = true }

// Hint heads the part of the text whose registers hold the values of a stage, where nothing else does.
func (p *Pipe) Hint(stage int, text string) { p.m.StageHint(stage, text) }

// Value declares that s speaks of the item that entered stage cycles ago. Of a port of width 0 it is a value
// that does not exist, and so are all its delays.
func (p *Pipe) Value(name string, stage int, s vgen.Signal) Value {
	if !s.Exists() {
		return Value{}
	}
	return p.lasting(name, span{stage, stage, s})
}

// lasting is Value for a signal that speaks of an item for more than a stage.
func (p *Pipe) lasting(name string, s span) Value {
	v := Value{s.sig, s.from, name, new([]span)}
	p.remember(v, s)
	return v
}

// remember notes that v is there in the stages of a span.
func (p *Pipe) remember(v Value, s span) {
	p.m.Stage(s.from, s.sig)
	*v.built = append(*v.built, s)
}

// Reg registers d, a signal computed at stage from values of that stage; the result is valid one
// stage later. Options are those of a register; control bits take vgen.Reset(0) and are never kept
// beyond their stage.
func (p *Pipe) Reg(name string, stage int, d vgen.Signal, opts ...vgen.RegOption) Value {
	if p.interval > 1 && len(opts) == 0 {
		return p.lasting(name, p.keep(name, stage, d))
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
	part := Value{v.Slice(high, low), v.Stage, name, new([]span)}
	for _, s := range *v.built {
		p.remember(part, span{s.from, s.to, s.sig.Slice(high, low)})
	}
	return part
}

// keep takes d when its item is at stage, and keeps it for an interval.
func (p *Pipe) keep(name string, stage int, d vgen.Signal) span {
	q := p.m.RegNext(fmt.Sprintf("%s_s%d", name, stage+1), d, vgen.Enable(p.valid(stage)))
	return span{stage + 1, stage + p.interval, q}
}

// At is the value delayed until stage.
func (p *Pipe) At(v Value, stage int, opts ...vgen.RegOption) vgen.Signal {
	if !v.Exists() {
		return vgen.Signal{}
	}
	last := span{to: -1}
	for _, s := range *v.built {
		if s.from <= stage && stage <= s.to {
			return s.sig
		}
		if s.to < stage && s.to > last.to {
			last = s
		}
	}
	for p.interval > 1 && len(opts) == 0 {
		last = p.keep(v.Name, last.to, last.sig)
		p.remember(v, last)
		if stage <= last.to {
			return last.sig
		}
	}
	s := last.sig
	if stage-last.to >= LongDelay && len(opts) == 0 {
		d := p.delayed(fmt.Sprintf("%s_s%d", v.Name, stage), s, stage-last.to)
		p.remember(v, span{stage, stage, d})
		return d
	}
	for st := last.to + 1; st <= stage; st++ {
		s = p.m.RegNext(fmt.Sprintf("%s_s%d", v.Name, st), s, opts...)
		p.remember(v, span{st, st, s})
	}
	return s
}

// Later is the same value, valid at a later stage.
func (p *Pipe) Later(v Value, stage int) Value { return Value{p.At(v, stage), stage, v.Name, v.built} }

// Operand is v for a multiplier. Where the clock is near the limit of blocks, that is v a stage later: in a register
// that has no other reader, and that a multiplier block can absorb.
func (p *Pipe) Operand(v Value) Value {
	if !p.fast {
		return v
	}
	return p.Later(v, v.Stage+1)
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
		p.remember(v, span{stage, stage, cut})
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
