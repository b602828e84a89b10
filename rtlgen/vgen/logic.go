package vgen

import "fmt"

// What designs ask for again and again, made of the operators.

// Fit extends with zeros or cuts to width w; only for values known to fit.
func (s Signal) Fit(w int) Signal {
	if s.Width() < w {
		return s.Zext(w)
	}
	return s.Trunc(w)
}

// Like is the constant v, as wide as the signal.
func (s Signal) Like(v uint64) Signal {
	c := Const(s.Width(), v)
	if s.Exists() {
		c.n.size = s.n.size
	}
	return c
}

// Is is 1 when the signal equals the constant v.
func (s Signal) Is(v uint64) Signal { return s.Eq(s.Like(v)) }

// Hex is a constant that is printed in hexadecimal digits: an EtherType, a mask.
func (s Signal) Hex() Signal {
	if s.n == nil || s.n.op != opConst {
		return s
	}
	c := *s.n
	c.text = fmt.Sprintf("%d'h%0*x", c.width, (c.width+3)/4, c.val)
	return Signal{&c}
}

// IsHex is Is for a constant that is printed in hexadecimal digits.
func (s Signal) IsHex(v uint64) Signal { return s.Eq(s.Like(v).Hex()) }

// Plus is the sum with the constant v, modulo 2^w.
func (s Signal) Plus(v uint64) Signal { return s.Add(s.Like(v)) }

// Where is the signal where on, a single bit, is 1, and 0 elsewhere.
func (s Signal) Where(on Signal) Signal { return s.And(on.Repeat(s.Width())) }

// AnyOf is the bitwise or of signals of equal width, without those that do not exist.
func AnyOf(list ...Signal) Signal { return joined(list, Signal.Or) }

// AllOf is the bitwise and of signals of equal width, without those that do not exist.
func AllOf(list ...Signal) Signal { return joined(list, Signal.And) }

func joined(list []Signal, with func(a, b Signal) Signal) Signal {
	var out Signal
	for _, s := range list {
		switch {
		case !out.Exists():
			out = s
		case s.Exists():
			out = with(out, s)
		}
	}
	return out
}

// Choice is a row of a priority table, made by [When].
type Choice struct{ when, then Signal }

// When is the row of a priority table that gives the value then where the bit when is 1.
func When(when, then Signal) Choice { return Choice{when, then} }

// FirstOf is the value of the first row whose condition holds, or else of the first argument.
func FirstOf(otherwise Signal, rows ...Choice) Signal {
	out := otherwise
	for i := len(rows) - 1; i >= 0; i-- {
		out = Mux(rows[i].when, rows[i].then, out)
	}
	return out
}

// State declares a register of control state that is 0 after reset; Next gives it its input.
func (m *Module) State(name string, width int, opts ...RegOption) Signal {
	return m.Reg(name, width, append(opts, Reset(0), Control())...)
}

// StateNext declares a register of control state that is 0 after reset and takes d.
func (m *Module) StateNext(name string, d Signal) Signal {
	return m.RegNext(name, d, Reset(0), Control())
}

// Fail records a mistake that a generator finds in its parameters, at the place of the call; Check
// reports it with all others. The hint names what is legal.
func (m *Module) Fail(message, hint string) { m.fail(here(), message, hint) }

// AssignIf assigns a port that a design may not have, one of width 0: then it does nothing.
func (m *Module) AssignIf(target, value Signal) {
	if target.Exists() {
		m.Assign(target, value)
	}
}

// Describe gives a port another comment than its declaration: one that depends on the design.
func (m *Module) Describe(s Signal, doc string) {
	if s.n == nil || s.n.port == nil || s.n.mod != m {
		m.Fail("Describe: "+s.Name()+" is no port of the module", "a port that Ports declared")
		return
	}
	s.n.port.doc = doc
}
