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
	m     *vgen.Module
	built map[string]map[int]vgen.Signal
}

// NewPipe starts a pipeline in m.
func NewPipe(m *vgen.Module) *Pipe {
	return &Pipe{m: m, built: map[string]map[int]vgen.Signal{}}
}

// Value declares that s speaks of the item that entered stage cycles ago.
func (p *Pipe) Value(name string, stage int, s vgen.Signal) Value {
	v := Value{Signal: s, Stage: stage, Name: name}
	p.remember(v)
	return v
}

func (p *Pipe) remember(v Value) {
	if p.built[v.Name] == nil {
		p.built[v.Name] = map[int]vgen.Signal{}
	}
	p.built[v.Name][v.Stage] = v.Signal
}

// Reg registers d, a signal computed at stage from values of that stage; the result is valid one
// stage later. Options are those of a register; control bits take vgen.Reset(0).
func (p *Pipe) Reg(name string, stage int, d vgen.Signal, opts ...vgen.RegOption) Value {
	q := p.m.RegNext(fmt.Sprintf("%s_s%d", name, stage+1), d, opts...)
	return p.Value(name, stage+1, q)
}

// At is the value delayed until stage.
func (p *Pipe) At(v Value, stage int, opts ...vgen.RegOption) vgen.Signal {
	have := p.built[v.Name]
	if s, ok := have[stage]; ok {
		return s
	}
	from := v.Stage
	for st := range have {
		if st <= stage && st > from {
			from = st
		}
	}
	s := have[from]
	if stage-from >= LongDelay && len(opts) == 0 {
		d := delayed(p.m, fmt.Sprintf("%s_s%d", v.Name, stage), s, stage-from)
		have[stage] = d
		return d
	}
	for st := from + 1; st <= stage; st++ {
		s = p.m.RegNext(fmt.Sprintf("%s_s%d", v.Name, st), s, opts...)
		have[st] = s
	}
	return s
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
	if len(live) == 0 || stage-from < LongDelay {
		return
	}
	parts := make([]vgen.Signal, len(live))
	for i, v := range live {
		parts[i] = p.At(v, from)
	}
	out := delayed(p.m, fmt.Sprintf("%s_s%d", name, stage), vgen.Cat(parts...), stage-from)
	low := out.Width()
	for _, v := range live {
		low -= v.Width()
		p.built[v.Name][stage] = out.Slice(low+v.Width()-1, low).Named(fmt.Sprintf("%s_s%d", v.Name, stage))
	}
}

// delayed is s, n cycles later.
func delayed(m *vgen.Module, name string, s vgen.Signal, n int) vgen.Signal {
	if n*s.Width() <= ShiftBits {
		return m.Delay(name, s, n)
	}
	line := vgen.Instantiate[delayPorts](m, "u_"+name, DelayLine(n, s.Width()))
	m.Assign(line.In, s)
	return line.Out
}
