package vgen

import (
	"maps"
	"slices"
)

// copier copies a design, so that the copy can be changed. Constants, which belong to no module, stay the same.
type copier struct {
	modules   map[*Module]*Module
	nodes     map[*node]*node
	ports     map[*port]*port
	registers map[*register]*register
	memories  map[*Memory]*Memory
	roms      map[*ROM]*ROM
	instances map[*Instance]*Instance
}

func newCopier() *copier {
	return &copier{map[*Module]*Module{}, map[*node]*node{}, map[*port]*port{}, map[*register]*register{},
		map[*Memory]*Memory{}, map[*ROM]*ROM{}, map[*Instance]*Instance{}}
}

// copied returns a copy of *p, made once, in which fill replaces the pointers.
func copied[T any](made map[*T]*T, p *T, fill func(to *T)) *T {
	if p == nil {
		return nil
	}
	if to, ok := made[p]; ok {
		return to
	}
	to := new(T)
	*to, made[p] = *p, to
	fill(to)
	return to
}

// each is a list of what one makes of each of a list.
func each[T, U any](list []T, one func(T) U) []U {
	out := make([]U, len(list))
	for i, p := range list {
		out[i] = one(p)
	}
	return out
}

func (c *copier) module(m *Module) *Module {
	return copied(c.modules, m, func(to *Module) {
		to.nodes = each(m.nodes, c.node)
		to.ports = each(m.ports, c.port)
		to.regs = each(m.regs, c.register)
		to.mems = each(m.mems, c.memory)
		to.roms = each(m.roms, c.rom)
		to.instances = each(m.instances, c.instance)
		to.taps = each(m.taps, func(t *tap) *tap { return &tap{t.name, t.doc, t.latency, c.node(t.node)} })
		to.ignored = each(m.ignored, func(i ignored) ignored { return ignored{c.node(i.node), i.why} })
		to.absorbed = each(m.absorbed, c.node)
		to.problems, to.names = slices.Clone(m.problems), maps.Clone(m.names)
	})
}

func (c *copier) node(n *node) *node {
	if n == nil || n.mod == nil {
		return n
	}
	return copied(c.nodes, n, func(to *node) {
		to.mod, to.reg, to.inst, to.port = c.module(n.mod), c.register(n.reg), c.instance(n.inst), c.port(n.port)
		to.args = each(n.args, c.node)
		if r := n.read; r != nil {
			to.read = &readPort{c.memory(r.mem), c.rom(r.rom), c.node(r.addr), c.node(r.enable), r.raw}
		}
	})
}

func (c *copier) port(p *port) *port {
	return copied(c.ports, p, func(to *port) { to.node = c.node(p.node) })
}

func (c *copier) register(r *register) *register {
	return copied(c.registers, r, func(to *register) {
		to.node, to.next, to.enable = c.node(r.node), c.node(r.next), c.node(r.enable)
	})
}

func (c *copier) memory(mem *Memory) *Memory {
	return copied(c.memories, mem, func(to *Memory) {
		to.m, to.reads = c.module(mem.m), each(mem.reads, c.node)
		if w := mem.write; w != nil {
			to.write = &writePort{c.node(w.en), c.node(w.addr), c.node(w.data)}
		}
	})
}

func (c *copier) rom(r *ROM) *ROM {
	return copied(c.roms, r, func(to *ROM) { to.m, to.reads = c.module(r.m), each(r.reads, c.node) })
}

func (c *copier) instance(i *Instance) *Instance {
	return copied(c.instances, i, func(to *Instance) {
		to.m, to.sub, to.pins = c.module(i.m), c.module(i.sub), each(i.pins, c.node)
	})
}
