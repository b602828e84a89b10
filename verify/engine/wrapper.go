package engine

import (
	"fmt"
	"strings"
)

// wrapper returns the module that Verilator gets as its top: the design, with
// its ports under positional names and its taps brought out by hierarchical
// references. It exists in simulation only; nothing is added to the design.
func wrapper(s *Source) string {
	var ports, conns, body []string
	if s.Clock {
		ports = append(ports, "  input  wire clk")
		conns = append(conns, fmt.Sprintf("    .%s(clk)", s.clockPin()))
	}
	for i, slot := range s.Layout.Inputs {
		ports = append(ports, fmt.Sprintf("  input  wire %sin%d", vectorRange(slot.Width), i))
		name, expr := s.port(slot, fmt.Sprintf("in%d", i))
		conns = append(conns, fmt.Sprintf("    .%s(%s)", name, expr))
	}
	for i, slot := range s.Layout.Outputs {
		ports = append(ports, fmt.Sprintf("  output wire %sout%d", vectorRange(slot.Width), i))
		conns = append(conns, fmt.Sprintf("    .%s(out%d)", slot.Name, i))
	}
	for i, slot := range s.Layout.Taps {
		ports = append(ports, fmt.Sprintf("  output wire %stap%d", vectorRange(slot.Width), i))
		body = append(body, fmt.Sprintf("  assign tap%d = u_dut.%s;\n", i, s.TapPaths[i]))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Simulation only: the ports and taps of %s under positional names.\n", s.Top)
	fmt.Fprintf(&b, "`default_nettype none\n\nmodule %s (\n%s\n);\n\n", benchModule, strings.Join(ports, ",\n"))
	fmt.Fprintf(&b, "  %s u_dut (\n%s\n  );\n\n", s.Top, strings.Join(conns, ",\n"))
	b.WriteString(strings.Join(body, ""))
	b.WriteString("\nendmodule\n\n`default_nettype wire\n")
	return b.String()
}
