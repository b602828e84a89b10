package vgen

import (
	"fmt"
	"math/big"
	"strings"
)

// Check looks at a whole design: the mistakes recorded while building it, and
//
//   - outputs, wires and instance inputs that are not driven;
//   - inputs, registers and memories that are never read, registers without Next,
//     memories without Write, control registers without Reset;
//   - combinational loops, also through instances;
//   - names: illegal, reserved, taken, and two different modules of one name.
//
// The error is nil or of type [Problems], complete and in a fixed order.
func Check(top *Module) error {
	_, err := check(top)
	return err
}

// design is a checked hierarchy.
type design struct {
	top     *Module
	modules []*Module // children first; of modules that print alike, one
	an      map[*Module]*analysis
	same    map[*Module]*Module // every module to its representative
}

func check(top *Module) (*design, error) {
	if top == nil {
		return nil, Problems{{Message: "the module is nil"}}
	}
	d := &design{top: top, an: map[*Module]*analysis{}, same: map[*Module]*Module{}}
	var all Problems
	paths := combPaths{}
	modules := hierarchy(top)
	for _, m := range modules {
		a := analyze(m)
		d.an[m] = a
		all = append(all, m.check(a)...)
		all = append(all, paths.add(m)...)
	}
	if len(all) > 0 {
		return nil, all.sorted()
	}
	byName := map[string]*Module{}
	text := map[*Module]string{}
	for _, m := range modules {
		d.same[m] = m
		other, taken := byName[m.name]
		if !taken {
			byName[m.name] = m
			d.modules = append(d.modules, m)
			continue
		}
		for _, x := range []*Module{m, other} {
			if _, ok := text[x]; !ok {
				text[x] = string(printModule(x, d.an[x], EmitOptions{}, false).Text)
			}
		}
		if text[m] != text[other] {
			all = append(all, Problem{
				Pos: m.site.pos(), Module: m.name,
				Message: fmt.Sprintf("another, different module of this name is made at %s", other.site.pos()),
				Hint:    "put the parameters that differ into the name",
			})
			continue
		}
		d.same[m] = other
	}
	if len(all) > 0 {
		return nil, all.sorted()
	}
	return d, nil
}

// check looks at one module, apart from loops.
func (m *Module) check(a *analysis) Problems {
	ps := Problems(append([]Problem(nil), m.problems...))
	add := func(site callSite, hint, format string, args ...any) {
		ps = append(ps, Problem{Pos: site.pos(), Module: m.name, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	for _, n := range m.nodes {
		if n.op != opWire || len(n.args) != 0 {
			continue
		}
		switch {
		case n.inst != nil:
			add(n.site, "use Assign", "input %q of instance %q is not driven", n.port.name, n.inst.name)
		case n.port != nil:
			add(n.site, "use Assign", "output %q is not driven", n.name)
		default:
			add(n.site, "use Assign", "wire %q is not driven", n.name)
		}
	}
	for _, r := range m.regs {
		name := strings.TrimSuffix(r.node.name, "_sr")
		if r.stages == 0 {
			name = r.node.name
		}
		if !a.live[r.node] {
			add(r.node.site, "remove it, or say Ignore", "register %q is never read", name)
		}
		if r.next == nil {
			add(r.node.site, "use Next", "register %q has no Next", name)
		}
		if r.control && r.reset == nil {
			add(r.node.site, "add the option Reset", "register %q is control state and has no Reset", name)
		}
	}
	for _, mem := range m.mems {
		if !a.mems[mem] {
			add(mem.site, "remove it", "memory %q is never read", mem.name)
		}
		if mem.write == nil {
			add(mem.site, "use Write, or a ROM", "memory %q is never written", mem.name)
		}
		for _, n := range mem.reads {
			if n.op == opMemRead && a.mems[mem] && !a.live[n] {
				add(n.site, "remove it", "memory output %q is never read", n.name)
			}
		}
	}
	for _, r := range m.roms {
		used := false
		for _, n := range r.reads {
			used = used || n == nil || a.live[n]
			if n != nil && n.op == opRomRead && !a.live[n] {
				add(n.site, "remove it", "ROM output %q is never read", n.name)
			}
		}
		if len(r.reads) == 0 || !used {
			add(r.site, "remove it", "ROM %q is never read", r.name)
		}
	}
	m.markDead(a)
	for _, p := range m.ports {
		if p.dir != "in" {
			continue
		}
		rest := a.unread(p.node)
		if s, ok := a.sunk[p.node]; ok {
			rest.AndNot(rest, s)
		}
		if rest.Sign() == 0 {
			continue
		}
		hint := "give it width 0 where it is not needed, or say Ignore"
		if rest.Cmp(ones(p.width)) == 0 {
			add(p.node.site, hint, "input %q is never read", p.name)
			continue
		}
		add(p.node.site, "make it narrower, or say Ignore", "input %q: bits %s are never read", p.name, bitList(rest))
	}
	values := map[string]*big.Int{}
	for _, n := range a.consts {
		if v, ok := values[n.name]; ok {
			if v.Cmp(n.fixed()) != 0 {
				add(n.site, "choose another", "constant %q: the name is taken by a constant of another value", n.name)
			}
			continue
		}
		values[n.name] = n.fixed()
		scratch := &Module{name: m.name, names: map[string]claim{}}
		if c, ok := m.names[n.name]; ok {
			scratch.names[n.name] = c
		}
		scratch.claim(n.name, "constant", n.site)
		ps = append(ps, scratch.problems...)
	}
	seen := map[string]bool{}
	for _, t := range m.taps {
		if seen[t.name] {
			add(t.node.site, "choose another", "tap %q: the name is taken by another tap", t.name)
		}
		seen[t.name] = true
	}
	return ps
}

// markDead counts the inputs of state without readers as read, so that the
// report names the cause only.
func (m *Module) markDead(a *analysis) {
	for _, r := range m.regs {
		a.mark(r.node)
	}
	for _, mem := range m.mems {
		if w := mem.write; w != nil && !a.mems[mem] {
			a.use(w.en)
			a.use(w.addr)
			a.use(w.data)
		}
		for _, n := range mem.reads {
			if n.op == opMemRead {
				a.mark(n)
			}
		}
	}
	for _, r := range m.roms {
		for _, n := range r.reads {
			if n != nil && n.op == opRomRead {
				a.mark(n)
			}
		}
	}
}

func bitList(bits *big.Int) string {
	var parts []string
	for _, r := range ranges(bits) {
		if r[0] == r[1] {
			parts = append(parts, fmt.Sprint(r[0]))
		} else {
			parts = append(parts, fmt.Sprintf("%d:%d", r[0], r[1]))
		}
	}
	return strings.Join(parts, ", ")
}
