package vgen

import "fmt"

// ExposeTaps gives a design its taps as outputs, up through the hierarchy: the top module gets an output for each of
// [Taps], in that order, after its other ports. It returns their names. The design is changed: a design that is to be
// emitted without them is built again.
func ExposeTaps(top *Module) []string {
	e := exposer{here(), map[*Module][]*port{}}
	var names []string
	for _, p := range e.expose(top) {
		names = append(names, p.name)
	}
	return names
}

type exposer struct {
	site callSite
	done map[*Module][]*port // a module may be used more than once
}

// expose adds the outputs of a module for its own taps and those of its instances.
func (e *exposer) expose(m *Module) []*port {
	if list, ok := e.done[m]; ok {
		return list
	}
	list := []*port{}
	add := func(name, doc string, from *node) {
		out := m.declarePort(fmt.Sprintf("tap%d_%s", len(list), name), "out", from.width, "", doc, e.site)
		m.Assign(out, Signal{from})
		list = append(list, out.n.port)
	}
	taps := len(m.taps) > 0
	for _, i := range m.instances {
		taps = taps || len(e.expose(i.sub)) > 0
	}
	if taps {
		m.Section("Taps")
	}
	for _, t := range m.taps {
		add(t.name, "tap: "+t.doc, t.node)
	}
	for _, i := range m.instances {
		for _, p := range e.expose(i.sub) {
			pin := &node{op: opInstOut, width: p.width, mod: m, inst: i, port: p, site: e.site}
			m.claim(i.wireName(p), "instance port", e.site)
			m.add(pin)
			i.pins = append(i.pins, pin)
			add(i.name, p.doc, pin)
		}
	}
	e.done[m] = list
	return list
}
