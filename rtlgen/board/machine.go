package board

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// machine is a state machine with a flip-flop for each state: on an FPGA cheaper than states that are encoded.
type machine struct {
	m      *vgen.Module
	states []*state
}

// state is one state; is says that the machine is in it.
type state struct {
	is   vgen.Signal
	arcs []arc
}

// arc leaves a state. Of several arcs whose conditions hold, the first counts.
type arc struct {
	when vgen.Signal // absent: always
	to   *state
}

// state adds a state; the machine starts in the first.
func (f *machine) state(name string) *state {
	reset := uint64(0)
	if len(f.states) == 0 {
		reset = 1
	}
	s := &state{is: f.m.Reg("in_"+name, 1, vgen.Reset(reset), vgen.Control())}
	f.states = append(f.states, s)
	return s
}

// on adds an arc, taken when the condition holds.
func (s *state) on(when vgen.Signal, to *state) { s.arcs = append(s.arcs, arc{when, to}) }

// then adds the last arc of a state, taken when no other is.
func (s *state) then(to *state) { s.arcs = append(s.arcs, arc{to: to}) }

// close makes the transitions.
func (f *machine) close() {
	into := map[*state][]vgen.Signal{}
	for _, s := range f.states {
		left := s.is
		always := false
		for _, a := range s.arcs {
			if !a.when.Exists() {
				into[a.to] = append(into[a.to], left)
				always = true
				break
			}
			into[a.to] = append(into[a.to], left.And(a.when))
			left = left.And(a.when.Not())
		}
		if !always {
			into[s] = append(into[s], left)
		}
	}
	for _, s := range f.states {
		f.m.Next(s.is, anyOf(into[s]...))
	}
}

// anyOf is the or of signals of one bit.
func anyOf(list ...vgen.Signal) vgen.Signal {
	or := list[0]
	for _, s := range list[1:] {
		or = or.Or(s)
	}
	return or
}

// inAny is 1 in each of the states.
func inAny(states ...*state) vgen.Signal {
	or := states[0].is
	for _, s := range states[1:] {
		or = or.Or(s.is)
	}
	return or
}

// choice is a value and when it is taken.
type choice struct{ when, value vgen.Signal }

// choose is the value of the first choice whose condition holds, or deflt.
func choose(deflt vgen.Signal, list ...choice) vgen.Signal {
	v := deflt
	for i := len(list) - 1; i >= 0; i-- {
		v = vgen.Mux(list[i].when, list[i].value, v)
	}
	return v
}

// constant is short for vgen.Const.
func constant(width int, v uint64) vgen.Signal { return vgen.Const(width, v) }

// equals compares with a constant.
func equals(s vgen.Signal, v uint64) vgen.Signal { return s.Eq(constant(s.Width(), v)) }

// plus adds a constant.
func plus(s vgen.Signal, v uint64) vgen.Signal { return s.Add(constant(s.Width(), v)) }

// minusOne counts down.
func minusOne(s vgen.Signal) vgen.Signal { return s.Sub(constant(s.Width(), 1)) }
