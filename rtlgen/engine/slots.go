package engine

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Held is a signal that speaks of an operation from one stage to another, both included. Later registers
// carry it on.
type Held struct {
	Sig      vgen.Signal
	name     string
	from, to int
	reset    bool
	later    *Held
}

// Slots makes registers that keep a value for a period: that of the operations of a slotted engine, or one of its
// own. What happens in a stage happens in the cycles in which At is high for it.
type Slots struct {
	At func(stage int) vgen.Signal

	m      *vgen.Module
	period int
}

// NewSlots are the slots of operations, from the one-hot counter of cycles since the last cycle of issue.
func NewSlots(m *vgen.Module, phase vgen.Signal) *Slots {
	m.Ignore(phase, "a block acts in some stages only")
	n := phase.Width()
	return &Slots{func(stage int) vgen.Signal { return phase.Bit(stage % n) }, m, n}
}

// Every are slots of the same module with a period and cycles of their own.
func (h *Slots) Every(period int, at func(stage int) vgen.Signal) *Slots {
	return &Slots{at, h.m, period}
}

// Value declares a signal that speaks of an operation from one stage to another; nil for one that does not exist.
func (h *Slots) Value(name string, s vgen.Signal, from, to int) *Held {
	if !s.Exists() {
		return nil
	}
	return &Held{name: name, Sig: s, from: from, to: to}
}

// Control is Value for control state: the registers that carry it on have a reset.
func (h *Slots) Control(name string, s vgen.Signal, from, to int) *Held {
	return &Held{name: name, Sig: s, from: from, to: to, reset: true}
}

// Reg takes d at stage; the register holds it from the next stage on.
func (h *Slots) Reg(name string, stage int, d vgen.Signal) *Held {
	q := h.m.RegNext(fmt.Sprintf("%s_s%d", name, stage+1), d, vgen.Enable(h.At(stage)))
	return &Held{name: name, Sig: q, from: stage + 1, to: stage + h.period}
}

// Flag is Reg for control state.
func (h *Slots) Flag(name string, stage int, d vgen.Signal) *Held {
	q := h.m.RegNext(fmt.Sprintf("%s_s%d", name, stage+1), d, vgen.Enable(h.At(stage)), vgen.Reset(0))
	return &Held{name: name, Sig: q, from: stage + 1, to: stage + h.period, reset: true}
}

// From is a value that is there from stage on, not from an earlier or a later one: so a law's plan and its blocks
// agree, or it is a mistake.
func (h *Slots) From(v *Held, stage int) vgen.Signal {
	if v.from != stage {
		h.m.Fail(fmt.Sprintf("%s comes at stage %d, the plan says %d", v.name, v.from, stage), "correct the plan")
	}
	return v.Sig
}

// Get is the value at stage; of an absent value, the absent signal.
func (h *Slots) Get(v *Held, stage int) vgen.Signal {
	if v == nil {
		return vgen.Signal{}
	}
	for stage > v.to {
		if v.later == nil {
			if v.reset {
				v.later = h.Flag(v.name, v.to, v.Sig)
			} else {
				v.later = h.Reg(v.name, v.to, v.Sig)
			}
		}
		v = v.later
	}
	if stage < v.from {
		h.m.Fail(fmt.Sprintf("%s is asked for at stage %d, and comes at %d", v.name, stage, v.from), "ask later")
	}
	return v.Sig
}
