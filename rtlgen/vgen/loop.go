package vgen

import (
	"slices"
	"strings"
)

// combPaths holds, per module, which inputs each output depends on in the same
// cycle. With it a loop through instances shows in the module around them.
type combPaths map[*Module]map[*port][]*port

// add follows the combinational paths of a module whose children were added before,
// and reports the loops in it.
func (c combPaths) add(m *Module) Problems {
	var ps Problems
	state := map[*node]int{} // 1: on the path, 2: done
	var path []*node
	var visit func(n *node)
	visit = func(n *node) {
		switch state[n] {
		case 1:
			ps = append(ps, loopProblem(m, path[slices.Index(path, n):]))
			return
		case 2:
			return
		}
		state[n] = 1
		path = append(path, n)
		for _, d := range c.deps(n) {
			visit(d)
		}
		path = path[:len(path)-1]
		state[n] = 2
	}
	for _, n := range m.nodes {
		visit(n)
	}
	outs := map[*port][]*port{}
	for _, p := range m.ports {
		if p.dir == "out" {
			outs[p] = c.support(p.node)
		}
	}
	c[m] = outs
	return ps
}

// deps returns the nodes that a node depends on in the same cycle.
func (c combPaths) deps(n *node) []*node {
	if n.op == opMemAsync && n.read.mem.apart && n.read.mem.write != nil {
		w := n.read.mem.write // decides whether the word is poisoned
		return append(slices.Clone(n.args), w.en, w.addr)
	}
	if n.op != opInstOut {
		return n.args // of registered reads and registers there are none
	}
	var out []*node
	for _, in := range c[n.inst.sub][n.port] {
		for _, pin := range n.inst.pins {
			if pin.port == in {
				out = append(out, pin)
			}
		}
	}
	return out
}

// support is the input ports a node depends on.
func (c combPaths) support(n *node) (ins []*port) {
	seen := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.op == opInput {
			ins = append(ins, n.port)
		}
		for _, d := range c.deps(n) {
			visit(d)
		}
	}
	visit(n)
	return ins
}

// loopProblem describes a loop; path runs from each value to one it depends on.
func loopProblem(m *Module, path []*node) Problem {
	path = slices.Clone(path)
	slices.Reverse(path)
	var names []string
	site := path[0].site
	first := -1
	for _, n := range path {
		name := n.name
		if n.inst != nil {
			name = n.inst.name + "." + n.port.name
		}
		if name == "" {
			continue
		}
		names = append(names, name)
		if first < 0 || name < names[first] {
			first, site = len(names)-1, n.site
		}
	}
	names = append(names[first:], names[:first]...)
	names = append(names, names[0])
	return Problem{
		Pos: site.pos(), Module: m.name,
		Message: "combinational loop: " + strings.Join(names, " -> "),
		Hint:    "put a register into it; a loop between different bits of one wire needs a wire per bit",
	}
}
