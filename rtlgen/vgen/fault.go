package vgen

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Fault is a deliberate mistake in a design, for showing that a check notices it. It names a place as the module's
// author did, and so outlives changes of how the design is printed.
//
// A place is a signal with a name: an output, a wire, a named value, a register, which stands for the value that it
// takes next. What else drives something is named behind a point:
//
//	fifo_q.enable  fifo_q.reset             of a register
//	words.enable   words.address  words.data   of a memory's write port
//	word_q.address word_q.enable            of a registered read port
//	u_core.s_valid                          the input of an instance
//
// A name that ends with "_s*" is that of the first stage which has such a name: where it is depends on a
// configuration.
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
	return func(_ *Nets, was Signal) Signal {
		mask := ones(was.Width())
		return was.And(ConstBig(was.Width(), mask.SetBit(mask, bit, 0)))
	}
}

// Only has all bits 0 but those from hi down to lo.
func Only(hi, lo int) Change {
	return func(_ *Nets, was Signal) Signal {
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
			return n.inside(was, args[i], change)
		}
		n.fail("%s has no operand %d", was.n.describe(), i)
		return was
	}
}

// Inside changes, in what the value is computed from up to signals with names, the one result of an operator, which has
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
			n.fail("there is %s %s in it, not one", counted(len(found), "operator"), method)
			return was
		}
		return n.inside(was, found[0], change)
	}
}

// With has, where the value is computed from the signal of that name, what a change makes of that signal. How a signal
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
		return n.inside(was, old, change)
	}
}

// inside is a value in which a part is changed.
func (n *Nets) inside(was Signal, part *node, change Change) Signal {
	is := n.changed(change, Signal{part})
	if n.err != nil {
		return was
	}
	return Signal{replaced(was.n, part, is.n)}
}

// changed is what a change makes of a signal, whose width it has.
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

// inside reports whether a value is a part of what it is used for: an operator without a name.
func (n *node) inside() bool { return n.comb() && n.op != opWire && n.op != opBuf && n.name == "" }

// called is the name by which a signal is found, "" of one without.
func (n *node) called() string {
	if n.inst != nil {
		return n.inst.name + "." + n.port.name
	}
	return n.name
}

// visit goes through a value and what it is computed from, as far as down says so.
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
		to := build(n.op, n.width, n.p0, n.p1, args...).n
		if to.op == n.op {
			to.read, to.size = n.read, n.size
		}
		memo[n] = to
		return to
	}
	return walk(n)
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

// signals are the names of a module's signals.
func (m *Module) signals() (names []string) {
	for _, n := range m.nodes {
		if called := n.called(); called != "" {
			names = append(names, called)
		}
	}
	return names
}

// called is the signal of a name, nil if there is none.
func (m *Module) called(name string) *node {
	name = match(name, m.signals())
	for _, n := range m.nodes {
		if name != "" && n.called() == name {
			return n
		}
	}
	return nil
}

// match is the one of some names that a name means: itself, or that of the first stage.
func match(name string, names []string) string {
	base, staged := strings.CutSuffix(name, "*")
	if !staged {
		if slices.Contains(names, name) {
			return name
		}
		return ""
	}
	first, at := "", 0
	for _, other := range names {
		digits, ok := strings.CutPrefix(other, base)
		if k, err := strconv.Atoi(digits); ok && err == nil && (first == "" || k < at) {
			first, at = other, k
		}
	}
	return first
}

// nearest is the end of a message about a name that is not there: those that are most like it.
func nearest(name string, names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	slices.SortStableFunc(names, func(a, b string) int { return distanceOf(name, a) - distanceOf(name, b) })
	if len(names) == 0 {
		return ""
	}
	return "; there is " + strings.Join(names[:min(3, len(names))], ", ")
}

// distanceOf is how many letters must be put in, taken out or replaced to make one name of another.
func distanceOf(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		left := row[0]
		row[0]++
		for j := range len(b) {
			above := row[j+1]
			same := left
			if a[i] != b[j] {
				same++
			}
			row[j+1] = min(same, above+1, row[j]+1)
			left = above
		}
	}
	return row[len(b)]
}

// MutationSelect is the input that selects a fault of [Mutants].
const MutationSelect = "mutation_select"

// Mutants is a copy of a design that has all of the faults, and an input, its last one, that selects one of them by its
// number, from 1; 0 is the design as it is. The design given stays as it is.
func Mutants(top *Module, faults []Fault) (*Module, error) {
	return withFaults(top, faults, bits.Len(uint(len(faults))))
}

// Broken is a copy of a design that has the fault.
func Broken(top *Module, f Fault) (*Module, error) { return withFaults(top, []Fault{f}, 0) }

// inserter puts faults into a design.
type inserter struct {
	width   int // of the selecting input, 0 without
	selects map[*Module]Signal
	spots   map[*Module]map[string]*spot
}

func withFaults(top *Module, faults []Fault, width int) (*Module, error) {
	if top == nil {
		return nil, fmt.Errorf("faults: the module is nil")
	}
	top = newCopier().module(top)
	e := inserter{width, map[*Module]Signal{}, map[*Module]map[string]*spot{}}
	modules := hierarchy(top)
	for _, resets := range []bool{false, true} { // a register whose reset is wrong is two, alike in all else
		for i, f := range faults {
			if strings.HasSuffix(f.At, ".reset") != resets {
				continue
			}
			if err := e.insert(modules, f, uint64(i+1)); err != nil {
				return nil, fmt.Errorf("fault %q: %w", f.Name, err)
			}
		}
	}
	for _, m := range modules { // those below first
		for _, i := range m.instances {
			if s, ok := e.selects[i.sub]; ok {
				p := s.n.port
				pin := &node{op: opWire, width: p.width, mod: m, inst: i, port: p, args: []*node{e.selected(m).n}, site: s.n.site}
				m.claim(i.wireName(p), "instance port", pin.site)
				m.add(pin)
				i.pins = append(i.pins, pin)
			}
		}
	}
	return top, nil
}

// selected is the input of a module that selects a fault.
func (e *inserter) selected(m *Module) Signal {
	s, ok := e.selects[m]
	if !ok {
		s = m.Input(MutationSelect, e.width, "number of the fault, 0 for none")
		e.selects[m] = s
	}
	return s
}

func (e *inserter) insert(modules []*Module, f Fault, number uint64) error {
	var names []string
	found := false
	for _, m := range modules {
		plain := strings.TrimPrefix(m.name, m.prefix)
		names = append(names, plain)
		if plain != f.Module && m.name != f.Module {
			continue
		}
		found = true
		if err := e.into(m, f, number); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("the design has no module %q%s", f.Module, nearest(f.Module, names))
	}
	return nil
}

// into puts a fault into one module.
func (e *inserter) into(m *Module, f Fault, number uint64) error {
	s := e.spots[m][f.At]
	if s == nil {
		var err error
		if s, err = m.spot(f.At); err != nil {
			return err
		}
		if e.spots[m] == nil {
			e.spots[m] = map[string]*spot{}
		}
		e.spots[m][f.At] = s
	}
	n := &Nets{m: m}
	if f.Change == nil {
		return fmt.Errorf("no change is told")
	}
	change := f.Change
	none := false
	if s.reset != nil {
		change = func(n *Nets, was Signal) Signal {
			is := f.Change(n, was)
			switch none = !is.Exists(); {
			case none:
				return was.Not() // any other
			case is.n.fixed() == nil:
				n.fail("a reset value is a constant")
			}
			return is
		}
	}
	is := n.changed(change, Signal{s.was})
	if n.err != nil {
		return fmt.Errorf("%s of %s: %w", f.At, m.name, n.err)
	}
	if s.reset != nil {
		v := is.n.fixed()
		if none {
			v = nil
		}
		e.reset(m, s.reset, v, number)
		return nil
	}
	if e.width == 0 {
		absorb(s.was) // a signal that is now read by nobody is not a mistake
		s.set(is.n)
		return nil
	}
	s.now = Mux(e.selected(m).Is(number), is, Signal{s.now}).n
	s.set(s.now)
	return nil
}

// reset gives a register another reset value, nil for none. Where a fault is selected, that is another register, and
// the name that of the choice among them.
func (e *inserter) reset(m *Module, n *node, value *big.Int, number uint64) {
	if e.width == 0 {
		n.reg.reset, n.reg.control = value, false
		return
	}
	another := func(r register, name string) *node {
		q := *n
		q.op, q.name, q.reg, q.args = opReg, m.free(name), &r, nil
		r.node = &q
		q.reg.node = &q
		m.claim(q.name, "register", q.site)
		m.add(&q)
		return &q
	}
	if n.op == opReg {
		at := slices.Index(m.regs, n.reg)
		own := another(*n.reg, n.name+"_right")
		m.regs[at] = own.reg
		n.op, n.reg, n.args = opBuf, nil, []*node{own}
	}
	own := n.args[0]
	for own.op == opMux {
		own = own.args[2]
	}
	wrong := another(*own.reg, n.name+"_wrong")
	wrong.reg.reset, wrong.reg.control = value, false
	m.regs = append(m.regs, wrong.reg)
	n.args = []*node{Mux(e.selected(m).Is(number), Signal{wrong}, Signal{n.args[0]}).n}
}

// free is a name that nothing has in the module.
func (m *Module) free(name string) string {
	out := name
	for i := 2; m.names[out].kind != ""; i++ {
		out = fmt.Sprintf("%s%d", name, i)
	}
	return out
}

// spot is a place in a module.
type spot struct {
	was, now *node       // what drives it in the design, and with the faults so far
	set      func(*node) // lets something else drive it
	reset    *node       // the register whose reset it is, or else nil
}

func (m *Module) spot(at string) (*spot, error) {
	if base, part, ok := strings.Cut(at, "."); ok {
		return m.part(at, base, part)
	}
	n := m.called(at)
	switch {
	case n == nil:
		return nil, fmt.Errorf("module %s has no place %q%s", m.name, at, nearest(at, m.signals()))
	case n.op == opReg:
		return drives(&n.reg.next), nil
	case n.op == opMemRead || n.op == opRomRead:
		return nil, fmt.Errorf("%s of %s is what a memory gives; its places are %[1]s.address and %[1]s.enable", at, m.name)
	case n.op == opInput:
		return nil, fmt.Errorf("%s of %s is an input; where it is connected is a place, or what reads it", at, m.name)
	case n.op == opWire || n.op == opBuf:
		return drives(&n.args[0]), nil
	}
	own := *n
	own.name, own.staged = "", false
	m.add(&own)
	if n.read != nil && n.read.mem != nil {
		reads := n.read.mem.reads
		reads[slices.Index(reads, n)] = &own
	} else if n.read != nil {
		reads := n.read.rom.reads
		reads[slices.Index(reads, n)] = &own
	}
	n.op, n.p0, n.p1, n.read, n.args = opBuf, 0, 0, nil, []*node{&own}
	return drives(&n.args[0]), nil
}

func drives(at **node) *spot { return &spot{was: *at, now: *at, set: func(n *node) { *at = n }} }

// part is a place behind a point.
func (m *Module) part(at, base, part string) (*spot, error) {
	parts := map[string]*spot{}
	enable := func(at **node) {
		s := drives(at)
		if s.was == nil {
			s.was = Const(1, 1).n
			s.now = s.was
		}
		parts["enable"] = s
	}
	for _, i := range m.instances {
		for _, pin := range i.pins {
			if i.name == base && pin.op == opWire {
				parts[pin.port.name] = drives(&pin.args[0])
			}
		}
	}
	for _, mem := range m.mems {
		if w := mem.write; mem.name == base && w != nil {
			enable(&w.en)
			parts["address"], parts["data"] = drives(&w.addr), drives(&w.data)
		}
	}
	if n := m.called(base); n != nil && n.op == opReg {
		enable(&n.reg.enable)
		if v := n.reg.reset; v != nil {
			parts["reset"] = &spot{was: ConstBig(n.width, v).n, reset: n}
		}
	} else if n != nil && (n.op == opMemRead || n.op == opRomRead) {
		enable(&n.read.enable)
		parts["address"] = drives(&n.read.addr)
	}
	if s := parts[part]; s != nil {
		return s, nil
	}
	if len(parts) == 0 {
		names := m.signals()
		for _, mem := range m.mems {
			names = append(names, mem.name)
		}
		return nil, fmt.Errorf("module %s has no place %q%s", m.name, at, nearest(base, names))
	}
	names := make([]string, 0, len(parts))
	for name := range parts {
		names = append(names, base+"."+name)
	}
	return nil, fmt.Errorf("module %s has no place %q%s", m.name, at, nearest(at, names))
}
