package vgen

import (
	"fmt"
	"slices"
	"strings"
)

// Fault is a deliberate mistake in a design, for showing that a check notices it. It names a place as the module's
// author did, and so outlives changes of how the design is printed.
//
// A place is a signal with a name: an output, a wire, a named value, a register, which means the value that it
// takes next. Other drivers are named after a point:
//
//	count_q.enable  count_q.reset               of a register
//	words.enable    words.address  words.data   of a memory's write port
//	word_q.address  word_q.enable               of a registered read port
//	u_core.s_valid                              the input of an instance
//
// A name that ends with "_s*", here and in what follows, is that of the first stage which has such a name: which one
// that is depends on a configuration.
type Fault struct {
	Name   string // what is wrong
	Module string // the module's name, without what Module.Prefix has put before it; all instances have the fault
	At     string // the place
	Change Change
}

// Change makes, of the value that drives a place, the wrong one: of the same width, with the operators, from it and
// from other signals of the module. That of a reset is a constant; the zero Signal is no reset.
type Change func(n *Nets, was Signal) Signal

// Nets are the signals of a module by their names.
type Nets struct {
	m   *Module
	err error // the first
}

// Net is the signal that has the name; that of an instance's output is "u_core.m_valid".
func (n *Nets) Net(name string) Signal {
	if found := n.m.called(name); found != nil {
		return Signal{found}
	}
	n.fail("module %s has no signal %q%s", n.m.name, name, nearest(name, n.m.signals()))
	return Signal{standIn(n.m, 1)}
}

func (n *Nets) fail(format string, args ...any) {
	if n.err == nil {
		n.err = fmt.Errorf(format, args...)
	}
}

// StuckAt is a constant instead of the value.
func StuckAt(v uint64) Change { return func(_ *Nets, was Signal) Signal { return was.Like(v) } }

// Inverted has every bit inverted.
func Inverted(_ *Nets, was Signal) Signal { return was.Not() }

// NoReset leaves a register alone in reset.
func NoReset(_ *Nets, _ Signal) Signal { return Signal{} }

// Off is the sum of the value and d, modulo 2^w.
func Off(d int) Change {
	return func(_ *Nets, was Signal) Signal {
		if d < 0 {
			return was.Sub(was.Like(uint64(-d)))
		}
		return was.Plus(uint64(d))
	}
}

// Without has one bit 0.
func Without(bit int) Change {
	return func(n *Nets, was Signal) Signal {
		if bit < 0 || bit >= was.Width() {
			n.fail("there is no bit %d of %s", bit, was.n.describe())
			return was
		}
		mask := ones(was.Width())
		return was.And(ConstBig(was.Width(), mask.SetBit(mask, bit, 0)))
	}
}

// Only has all bits 0 but those from hi down to lo.
func Only(hi, lo int) Change {
	return func(n *Nets, was Signal) Signal {
		if lo < 0 || hi < lo || hi >= was.Width() {
			n.fail("there are no bits %d:%d of %s", hi, lo, was.n.describe())
			return was
		}
		mask := ones(hi - lo + 1)
		return was.And(ConstBig(was.Width(), mask.Lsh(mask, uint(lo))))
	}
}

// Is is the signal of that name instead of the value.
func Is(name string) Change { return func(n *Nets, _ Signal) Signal { return n.Net(name) } }

// Made is a value made of others: by f, of the signals that have the names.
func Made(f func(of ...Signal) Signal, names ...string) Change {
	return func(n *Nets, _ Signal) Signal {
		of := make([]Signal, len(names))
		for i, name := range names {
			of[i] = n.Net(name)
		}
		if n.err != nil {
			return Signal{}
		}
		return f(of...)
	}
}

// All makes changes one after another.
func All(changes ...Change) Change {
	return func(n *Nets, was Signal) Signal {
		for _, change := range changes {
			if is := change(n, was); n.err == nil {
				was = is
			}
		}
		return was
	}
}

// Operator has another operator between the two operands of the value's own.
func Operator(f func(a, b Signal) Signal) Change {
	return func(n *Nets, was Signal) Signal {
		if len(was.n.args) != 2 {
			n.fail("%s has not two operands", was.n.describe())
			return was
		}
		return f(Signal{was.n.args[0]}, Signal{was.n.args[1]})
	}
}

// Left is the first of the two operands of the value's operator alone.
var Left = Operator(func(a, _ Signal) Signal { return a })

// Operand changes an operand of the value's operator, numbered from 0 as its method takes them; 0 is the value whose
// method it is.
func Operand(i int, change Change) Change {
	return func(n *Nets, was Signal) Signal {
		if args := was.n.args; i >= 0 && i < len(args) {
			return n.part(was, args[i], change)
		}
		n.fail("%s has no operand %d", was.n.describe(), i)
		return was
	}
}

// Inside changes, in the expression of the value up to named signals, the one result of an operator, which has
// the name of its method: "Lt".
func Inside(method string, change Change) Change {
	return func(n *Nets, was Signal) Signal {
		var found []*node
		visit(was.n, func(x *node) bool {
			if opTable[x.op].method == method {
				found = append(found, x)
			}
			return x.inside()
		})
		if len(found) != 1 {
			n.fail("it is computed with %d operators %s, not one", len(found), method)
			return was
		}
		return n.part(was, found[0], change)
	}
}

// With has, where the value is computed from the signal of that name, the changed signal. How a signal
// with a name is computed is a place of its own.
func With(name string, change Change) Change {
	return func(n *Nets, was Signal) Signal {
		leaves := map[string]*node{}
		visit(was.n, func(x *node) bool {
			if called := x.called(); called != "" {
				leaves[called] = x
			}
			return x.inside()
		})
		names := make([]string, 0, len(leaves))
		for called := range leaves {
			names = append(names, called)
		}
		slices.Sort(names)
		old := leaves[match(name, names)]
		if old == nil {
			n.fail("%q is not among what it is computed from: %s", name, strings.Join(names, ", "))
			return was
		}
		return n.part(was, old, change)
	}
}

// part is a value in which a part of it is changed.
func (n *Nets) part(was Signal, part *node, change Change) Signal {
	is := n.changed(change, Signal{part})
	if n.err != nil {
		return was
	}
	return Signal{replaced(was.n, part, is.n)}
}

// changed returns the changed signal, of the same width.
func (n *Nets) changed(change Change, was Signal) Signal {
	before := len(n.m.problems)
	is := change(n, was)
	for _, p := range n.m.problems[before:] {
		n.fail("%s", p.Message)
	}
	switch {
	case !is.Exists():
		n.fail("the change gives no signal")
	case is.n.mod == nil && len(is.n.floating) > 0:
		n.fail("%s", is.n.floating[0].Message)
	case is.n.mod != nil && is.n.mod != n.m:
		n.fail("the change gives a signal of module %s", is.n.mod.name)
	case is.Width() != was.Width():
		n.fail("the change gives %s, there are %d", counted(is.Width(), "bit"), was.Width())
	case equal(is.n, was.n):
		n.fail("the change is none")
	}
	return is
}

// inside reports whether a value is a part of its reader's expression: an operator without a name.
func (n *node) inside() bool { return n.comb() && n.op != opWire && n.op != opBuf && n.name == "" }

// called is the name by which a signal is found, "" of one without.
func (n *node) called() string {
	if n.inst != nil {
		return n.inst.name + "." + n.port.name
	}
	return n.name
}

// visit traverses a value and its operands, as far as down allows.
func visit(n *node, down func(*node) bool) {
	seen := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if !down(n) {
			return
		}
		for _, a := range n.args {
			walk(a)
		}
	}
	walk(n)
}

// replaced is a value computed with another operand instead of an old one.
func replaced(n, old, with *node) *node {
	memo := map[*node]*node{old: with}
	var walk func(n *node) *node
	walk = func(n *node) *node {
		if to, ok := memo[n]; ok {
			return to
		}
		memo[n] = n
		if !n.inside() {
			return n
		}
		args := each(n.args, walk)
		if slices.Equal(args, n.args) {
			return n
		}
		to := n.with(args)
		memo[n] = to
		return to
	}
	return walk(n)
}

// with returns the operation of a node on other operands.
func (n *node) with(args []*node) *node {
	of := each(args, func(a *node) Signal { return Signal{a} })
	switch n.op { // of a constant, these are no logic
	case opMux:
		return Mux(of[0], of[1], of[2]).n
	case opSelect:
		return Select(of[0], of[2:], of[1]).n
	case opMemAsync:
		return n.read.mem.ReadAsync(of[0]).n
	case opRomAsync:
		return n.read.rom.ReadAsync(of[0]).n
	}
	to := build(n.op, n.width, n.p0, n.p1, args...).n
	if to.op == n.op {
		to.size = n.size
	}
	return to
}

// equal reports whether two values are computed alike, of the same signals.
func equal(a, b *node) bool {
	if a == b {
		return true
	}
	if a.op != b.op || a.width != b.width || a.p0 != b.p0 || a.p1 != b.p1 {
		return false
	}
	if a.op == opConst {
		return a.val.Cmp(b.val) == 0
	}
	return a.inside() && b.inside() && a.read == nil && b.read == nil && slices.EqualFunc(a.args, b.args, equal)
}
