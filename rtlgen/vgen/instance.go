package vgen

import (
	"fmt"
	"slices"
)

// Instance is one use of a module inside another.
type Instance struct {
	m    *Module
	name string
	sub  *Module
	pins []*node // one per port of sub, in its order
	site callSite
	at   place

	stage int // of m at which sub has its stage 0
	begun bool
}

// Instance puts sub into the module. All ports of sub must be declared before.
func (m *Module) Instance(name string, sub *Module) *Instance {
	return m.instance(name, sub, here())
}

func (m *Module) instance(name string, sub *Module, site callSite) *Instance {
	i := &Instance{m: m, name: name, sub: sub, site: site, at: m.place()}
	if sub == nil {
		m.fail(site, fmt.Sprintf("instance %q: the module is nil", name), "")
		return i
	}
	if slices.Contains(hierarchy(sub), m) {
		m.fail(site, fmt.Sprintf("instance %q: module %s would contain itself", name, m.name), "")
		i.sub = nil
		return i
	}
	m.claim(name, "instance", site)
	for _, p := range sub.ports {
		n := &node{op: opInstOut, width: p.width, mod: m, inst: i, port: p, site: site}
		if p.dir == "in" {
			n.op = opWire
		}
		m.claim(i.wireName(p), "instance port", site)
		m.add(n)
		i.pins = append(i.pins, n)
	}
	m.instances = append(m.instances, i)
	return i
}

// Begin states that the instance with this input has its stage 0 in stage k of the module: latencies of taps inside it
// count on from there. An instance of which nothing is stated begins in stage 0.
func (m *Module) Begin(input Signal, k int) {
	i := (*Instance)(nil)
	if input.Exists() && input.n.op == opWire && input.n.mod == m {
		i = input.n.inst
	}
	switch {
	case i == nil:
		m.fail(here(), fmt.Sprintf("Begin: %s is no input of an instance", input.n.describe()), "")
	case k < 0 || i.begun && i.stage != k:
		m.fail(here(), fmt.Sprintf("Begin: instance %q begins in stage %d", i.name, k),
			fmt.Sprintf("once, 0 or more; so far %d", i.stage))
	default:
		i.stage, i.begun = k, true
	}
}

// wireName is the name of the wire at a port, where it needs one.
func (i *Instance) wireName(p *port) string { return i.name + "_" + p.name }

// Name is the name of the instance.
func (i *Instance) Name() string { return i.name }

// Module is the module that the instance is of.
func (i *Instance) Module() *Module { return i.sub }

// Port is the signal at a port of the instance: to be assigned when it is an input
// of the module, to be read when it is an output.
func (i *Instance) Port(name string) Signal {
	for _, n := range i.pins {
		if n.port.name == name {
			return Signal{n}
		}
	}
	if i.sub != nil {
		i.m.fail(here(), fmt.Sprintf("instance %q: module %s has no port %q", i.name, i.sub.name, name), "")
	}
	return Signal{&node{op: opAbsent, mod: i.m, name: name, site: i.site}}
}
