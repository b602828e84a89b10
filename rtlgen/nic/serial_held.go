package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// held is a signal that speaks of an operation from one stage to another, both included. Later registers
// carry it on.
type held struct {
	name     string
	sig      vgen.Signal
	from, to int
	reset    bool
	later    *held
}

// holder makes registers that keep a value for a period: that of the operations, or of the hops.
type holder struct {
	m      *vgen.Module
	period int
	at     func(stage int) vgen.Signal // high in a stage
}

// operations is the holder of values of operations, from the one-hot counter.
func (pl *serialPlan) operations(m *vgen.Module, phase vgen.Signal) *holder {
	m.Ignore(phase, "a block acts in some stages only")
	return &holder{m, pl.interval, func(stage int) vgen.Signal { return phase.Bit(stage % pl.interval) }}
}

// hops is the holder of values of hops; its stages are those of the first hop.
func (pl *serialPlan) hops(ops *holder) *holder {
	seen := map[int]vgen.Signal{}
	return &holder{ops.m, pl.gap, func(stage int) vgen.Signal {
		key := stage % pl.interval
		if s, ok := seen[key]; ok {
			return s
		}
		var any vgen.Signal
		for i := range pl.c.MaxHops {
			any = orNext(any, ops.at(stage+i*pl.gap))
		}
		seen[key] = any.Named(fmt.Sprintf("hop_s%d", stage))
		return seen[key]
	}}
}

// value declares a signal that speaks of an operation from one stage to another.
func (h *holder) value(name string, s vgen.Signal, from, to int) *held {
	if !s.Exists() {
		return nil
	}
	return &held{name: name, sig: s, from: from, to: to}
}

// reg takes d at stage; the register holds it from the next stage on.
func (h *holder) reg(name string, stage int, d vgen.Signal) *held {
	q := h.m.RegNext(fmt.Sprintf("%s_s%d", name, stage+1), d, vgen.Enable(h.at(stage)))
	return &held{name: name, sig: q, from: stage + 1, to: stage + h.period}
}

// flag is reg for control state.
func (h *holder) flag(name string, stage int, d vgen.Signal) *held {
	q := h.m.RegNext(fmt.Sprintf("%s_s%d", name, stage+1), d, vgen.Enable(h.at(stage)), vgen.Reset(0))
	return &held{name: name, sig: q, from: stage + 1, to: stage + h.period, reset: true}
}

// get is the value at stage; of an absent value, the absent signal.
func (h *holder) get(v *held, stage int) vgen.Signal {
	if v == nil {
		return vgen.Signal{}
	}
	for stage > v.to {
		if v.later == nil {
			if v.reset {
				v.later = h.flag(v.name, v.to, v.sig)
			} else {
				v.later = h.reg(v.name, v.to, v.sig)
			}
		}
		v = v.later
	}
	if stage < v.from {
		return h.m.Wire(fmt.Sprintf("%s_before_s%d", v.name, v.from), v.sig.Width()) // not driven: a mistake that the check reports
	}
	return v.sig
}
