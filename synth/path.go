package synth

import (
	"fmt"
	"strings"
)

// Path is a critical path: the slowest from one clock to another, or to the same.
type Path struct {
	From      string  `json:"from"` // clock
	To        string  `json:"to"`
	DelayNs   float64 `json:"delay_ns"`
	LogicNs   float64 `json:"logic_ns"` // cells, from the clock of the first flip-flop to the set-up of the last
	RoutingNs float64 `json:"routing_ns"`
	Modules   []Stay  `json:"modules"`
	Hops      []Hop   `json:"hops"`
}

// Hop is one delay of a path: through a cell, or along a wire from a cell to the next.
type Hop struct {
	Kind     string  `json:"kind"` // clk-to-q, logic, routing, setup
	DelayNs  float64 `json:"delay_ns"`
	Instance string  `json:"instance"` // path of the instance that the cell, or the driver of the wire, is in; "" for the top
	Module   string  `json:"module"`
	Cell     string  `json:"cell"`
	Port     string  `json:"port"`
	Net      string  `json:"net,omitempty"`
}

// Stay is the delay of a path in one instance before it enters another.
type Stay struct {
	Instance  string  `json:"instance"`
	Module    string  `json:"module"`
	Cells     int     `json:"cells"` // that it passes or ends in
	LogicNs   float64 `json:"logic_ns"`
	RoutingNs float64 `json:"routing_ns"` // of wires that begin in the instance
}

// sum adds up the hops.
func (p *Path) sum() {
	for _, h := range p.Hops {
		if len(p.Modules) == 0 || p.Modules[len(p.Modules)-1].Instance != h.Instance {
			p.Modules = append(p.Modules, Stay{Instance: h.Instance, Module: h.Module})
		}
		stay := &p.Modules[len(p.Modules)-1]
		p.DelayNs += h.DelayNs
		if h.Kind == "routing" {
			p.RoutingNs += h.DelayNs
			stay.RoutingNs += h.DelayNs
		} else {
			p.LogicNs += h.DelayNs
			stay.LogicNs += h.DelayNs
			stay.Cells++
		}
	}
	p.DelayNs, p.LogicNs, p.RoutingNs = thousandths(p.DelayNs), thousandths(p.LogicNs), thousandths(p.RoutingNs)
	for i := range p.Modules {
		p.Modules[i].LogicNs, p.Modules[i].RoutingNs = thousandths(p.Modules[i].LogicNs), thousandths(p.Modules[i].RoutingNs)
	}
}

// Route names the modules that a path passes, in order.
func (p Path) Route() string {
	var list []string
	for _, s := range p.Modules {
		list = append(list, s.Name())
	}
	return strings.Join(list, " -> ")
}

// Name is the module, with the instance that it is.
func (s Stay) Name() string {
	if s.Instance == "" {
		return s.Module
	}
	return fmt.Sprintf("%s (%s)", s.Module, s.Instance)
}
