package vgen

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

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
		return nil, errors.New("faults: the module is nil")
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
				pin := *s.n
				pin.op, pin.name, pin.mod, pin.inst, pin.args = opWire, "", m, i, []*node{e.selected(m).n}
				m.claim(i.wireName(pin.port), "instance port", pin.site)
				m.add(&pin)
				i.pins = append(i.pins, &pin)
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
	if f.Change == nil {
		return errors.New("no change is told")
	}
	at := m.exact(f.At)
	s := e.spots[m][at]
	if s == nil {
		var err error
		if s, err = m.spot(at); err != nil {
			return err
		}
		if e.spots[m] == nil {
			e.spots[m] = map[string]*spot{}
		}
		e.spots[m][at] = s
	}
	n := &Nets{m: m}
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
		return fmt.Errorf("%s of %s: %w", at, m.name, n.err)
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
		absorb(s.was) // a signal that has lost its readers is not a mistake
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

// exact is the place of a name that may be that of the first stage.
func (m *Module) exact(at string) string {
	base, part, ok := strings.Cut(at, ".")
	if n := m.called(base); n != nil {
		base = n.called()
	}
	if ok {
		return base + "." + part
	}
	return base
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

// part is a place after a point.
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
