package vgen

import "fmt"

// ModuleInfo describes one emitted module, for a manifest: of a module with parameters one variant.
type ModuleInfo struct {
	Module     string          `json:"module"`
	File       string          `json:"file"`
	Purpose    string          `json:"purpose"`
	Parameters []ParameterInfo `json:"parameters,omitempty"`
	Latency    int             `json:"latency"`
	Interval   int             `json:"interval"`
	Ports      []PortInfo      `json:"ports"`
}

// ParameterInfo describes one parameter, with its value in a variant.
type ParameterInfo struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
	Least int    `json:"least"` // legal value, and the default
	Doc   string `json:"doc"`
}

// Variant names a module in tables, with its parameters: "fifo DEPTH=16 WIDTH=8".
func (m ModuleInfo) Variant() string {
	text := m.Module
	for _, p := range m.Parameters {
		text += fmt.Sprintf(" %s=%d", p.Name, p.Value)
	}
	return text
}

// PortInfo describes one port.
type PortInfo struct {
	Name  string `json:"name"`
	Dir   string `json:"dir"` // in or out
	Width int    `json:"width"`
	Role  string `json:"role,omitempty"`
	Doc   string `json:"doc,omitempty"`
}

// Ports lists the declared ports; clk and the reset are not among them.
func (m *Module) Ports() []PortInfo {
	ports := []PortInfo{}
	for _, p := range m.ports {
		ports = append(ports, PortInfo{p.name, p.dir, p.width, p.role, p.doc})
	}
	return ports
}

// HasState reports whether the module, or one in it, has registers or memories, and
// therefore the ports clk and reset.
func (m *Module) HasState() bool { return m.stateful() }

// Manifest describes all modules of a design in the order of [Emit], each once, and each variant of a module with
// parameters.
// Clock and reset are listed as the synchronous style has them.
func Manifest(top *Module) []ModuleInfo {
	var out []ModuleInfo
	seen := map[string]bool{}
	for _, m := range hierarchy(top) {
		info := ModuleInfo{Module: m.name, File: m.name + ".v", Purpose: m.purpose, Latency: m.latency, Interval: m.interval}
		for _, p := range m.params {
			info.Parameters = append(info.Parameters, ParameterInfo{p.name, p.value, p.least, p.doc})
		}
		if seen[info.Variant()] {
			continue
		}
		seen[info.Variant()] = true
		if m.stateful() {
			info.Ports = append(info.Ports,
				PortInfo{"clk", "in", 1, "clock", "clock"},
				PortInfo{"rst", "in", 1, "reset", "synchronous reset, active high"})
		}
		info.Ports = append(info.Ports, m.Ports()...)
		out = append(out, info)
	}
	return out
}

// Tap is a named observation point of a design.
type Tap struct {
	Name    string // as the golden model calls the value
	Path    string // where it is in the hierarchy: "u_core.u_lane0.u_sat"
	Doc     string
	Width   int
	Latency int // cycles after the design's input: its own in its module, and where the instances around it begin
}

// Taps lists the taps of a whole design: a module's own first, then those of its
// instances in their order.
func Taps(top *Module) []Tap {
	var out []Tap
	var visit func(m *Module, prefix string, stage int)
	visit = func(m *Module, prefix string, stage int) {
		for _, t := range m.taps {
			out = append(out, Tap{Name: t.name, Path: prefix + t.node.reference(), Doc: t.doc, Width: t.node.width,
				Latency: stage + t.latency})
		}
		for _, i := range m.instances {
			visit(i.sub, prefix+i.name+".", stage+i.stage)
		}
	}
	if top != nil {
		visit(top, "", 0)
	}
	return out
}

// reference is the identifier of a value in the RTL, "" when it has none of its own.
func (n *node) reference() string {
	if n.inst != nil {
		return n.inst.wireName(n.port)
	}
	return n.name
}
