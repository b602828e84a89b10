package mutate

import (
	"bytes"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// WriteTo writes a mutant into a folder as a user would have it from another tool: one file of Verilog whose top module
// has the name and the ports of the design. Number 0 is the netlist without a change.
func (m *Mutants) WriteTo(dir string, number int) error {
	top := m.source.Top
	inner := top + "_netlist"
	netlist := bytes.Replace(m.source.Files[0].Text, []byte("module "+top+"("), []byte("module "+inner+"("), 1)
	if !bytes.Contains(netlist, []byte("module "+inner+"(")) {
		return fmt.Errorf("the netlist of %s has no module %s", m.Subject.Name, top)
	}
	var ports, pins []string
	add := func(direction string, slots ...vgen.Slot) {
		for _, s := range slots {
			ports = append(ports, fmt.Sprintf("    %s wire [%d:0] %s", direction, s.Width-1, s.Name))
			pins = append(pins, fmt.Sprintf("        .%s(%[1]s)", s.Name))
		}
	}
	add("input", vgen.Slot{Name: "clk", Width: 1})
	add("input", m.layout.Inputs...)
	add("output", m.layout.Outputs...)
	width := bits.Len(uint(len(m.List) + m.Impossible))
	pins = append(pins, fmt.Sprintf("        .%s(%d'd%d)", selector, width, number))
	text := fmt.Appendf(netlist, "\nmodule %s (\n%s\n);\n    %s netlist (\n%s\n    );\nendmodule\n", top,
		strings.Join(ports, ",\n"), inner, strings.Join(pins, ",\n"))
	return os.WriteFile(filepath.Join(dir, top+".v"), text, 0o666)
}
