package board

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// machine is a state machine with a flip-flop for each state: on an FPGA cheaper than states that are encoded.
type machine struct {
	m      *vgen.Module
	states []*state
}

// state is one state of the machine; is has a 1 while the machine is in it.
type state struct {
	is   vgen.Signal
	arcs []arc
}

// arc leaves a state. If the conditions of several arcs hold, the first one is taken.
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
		f.m.Next(s.is, vgen.AnyOf(into[s]...))
	}
}

// inAny is 1 in each of the states.
func inAny(states ...*state) vgen.Signal {
	or := states[0].is
	for _, s := range states[1:] {
		or = or.Or(s.is)
	}
	return or
}

// minusOne counts down.
func minusOne(s vgen.Signal) vgen.Signal { return s.Sub(vgen.Const(s.Width(), 1)) }
