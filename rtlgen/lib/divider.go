package lib

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// DividerShape gives the widths of a divider: the quotient, in QuotBits bits, is num * 2^Shift / den,
// rounded and saturated; a denominator of 0 saturates too.
type DividerShape struct {
	NumBits, DenBits, QuotBits int
	Shift                      int

	// Gap is the least distance, in cycles, between two pairs. From 2 on, the restoring pipelined
	// divider folds its stages; 0 and 1 mean a pair a cycle.
	Gap int

	// Signed lets the remainders of the restoring pipelined divider be negative, so that no step waits for its borrow:
	// a higher clock, in as many LUTs where carry cells have a table before their sum (ECP5), in twice as many where
	// they have not (iCE40). The quotient, latency and interval are the same.
	Signed bool

	// Bare leaves out the valid bits of those who keep track of time by the latency: m_valid always,
	// s_valid where the divider does not need it to start.
	Bare bool
}

// DividerPorts are the ports of every divider. A pair is taken in any cycle with s_valid high; two
// pairs must be at least the module's initiation interval apart. The quotient appears with m_valid
// after the module's latency.
type DividerPorts struct {
	Valid    vgen.Signal `port:"s_valid" dir:"in" width:"start" role:"valid" doc:"operands are valid"`
	Num      vgen.Signal `port:"s_num" dir:"in" width:"num" doc:"numerator"`
	Den      vgen.Signal `port:"s_den" dir:"in" width:"den" doc:"denominator"`
	OutValid vgen.Signal `port:"m_valid" dir:"out" width:"done" role:"valid" doc:"quotient is valid"`
	Quot     vgen.Signal `port:"m_quot" dir:"out" width:"quot" doc:"quotient, saturated"`
}

func (s DividerShape) ports(m *vgen.Module, needsStart bool) *DividerPorts {
	w := vgen.Widths{"num": s.NumBits, "den": s.DenBits, "quot": s.QuotBits, "start": 1, "done": 1}
	if s.Bare {
		w["done"] = 0
		if !needsStart {
			w["start"] = 0
		}
	}
	return vgen.Ports[DividerPorts](m, w)
}

// Divider builds the divider that cfg asks for. limbs are those of multiplier blocks. A kind that
// does not exist is a mistake that [vgen.Check] reports.
func Divider(name string, cfg config.Divider, s DividerShape, limbs Limbs) *vgen.Module {
	switch cfg.Kind {
	case config.RestoringSerial:
		return restoringSerial(name, s)
	case config.RestoringPipelined:
		switch {
		case s.Gap > 1:
			return restoringFolded(name, s)
		case s.Signed:
			return signedPipelined(name, s)
		}
		return restoringPipelined(name, s)
	case config.ReciprocalTable:
		return tableDivider(name, cfg, s, limbs)
	case config.NewtonRaphson:
		return newtonDivider(name, cfg, s, limbs)
	}
	m := vgen.NewModule(name, "Divider of a kind that does not exist")
	s.ports(m, true)
	m.Fail(fmt.Sprintf("divider of kind %q", cfg.Kind), "one of the kinds of config")
	return m
}

// close drives the outputs of a pipelined divider and records its timing.
func (s DividerShape) close(m *vgen.Module, ports *DividerPorts, quot Value) *vgen.Module {
	m.SetTiming(quot.Stage, 1)
	m.Assign(ports.Quot, quot.Signal)
	if ports.OutValid.Exists() {
		m.Assign(ports.OutValid, m.Delay("valid", ports.Valid, quot.Stage, vgen.Reset(0)))
	}
	return m
}

func (s DividerShape) doc(m *vgen.Module, rounding string) {
	m.Doc(fmt.Sprintf("m_quot = s_num * 2^%d / s_den, %s, saturated at %d bits; s_den = 0 saturates.", s.Shift, rounding,
		s.QuotBits))
}
