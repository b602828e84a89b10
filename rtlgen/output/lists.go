package output

import (
	"bytes"
	"fmt"
	"slices"
)

// sources are the Verilog files, children before parents.
func (d *Design) sources() (list []string) {
	for _, m := range d.Modules {
		if !slices.Contains(list, m.File) {
			list = append(list, m.File)
		}
	}
	return list
}

// fileList is a list of the Verilog files for tools that take one with -f; the paths are relative to its folder.
func (d *Design) fileList() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s: Verilog files, children before parents; top module %s\n", d.Config.DesignName(), d.Top)
	for _, file := range d.sources() {
		fmt.Fprintln(&b, file)
	}
	return b.Bytes()
}

// fuseSoC is a core description for FuseSoC (CAPI2).
func (d *Design) fuseSoC() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `CAPI=2:

name: "hdlpkg:hpccgen:%[1]s:%[2]s"
description: "%[4]s %[1]s, configuration %[3]s"

filesets:
  rtl:
    file_type: verilogSource-2005
    files:
`, d.Config.DesignName(), Version, d.Config.DesignHash(), d.kind.title)
	for _, file := range d.sources() {
		fmt.Fprintf(&b, "      - %s\n", file)
	}
	fmt.Fprintf(&b, `  constraints:
    file_type: SDC
    files:
      - constraints/%[1]s.sdc

targets:
  default:
    filesets: [rtl]
    toplevel: %[2]s
  lint:
    description: "verilator --lint-only -Wall"
    filesets: [rtl]
    toplevel: %[2]s
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: ["-Wall"]
  synth:
    description: "the %[3]s alone, with its clock constraint"
    filesets: [rtl, constraints]
    toplevel: %[2]s
`, d.Config.DesignName(), d.Top, d.kind.short)
	return b.Bytes()
}

// constraints is the timing constraint of a design's one clock, for tools that read SDC.
func (d *Design) constraints() []byte {
	return fmt.Appendf(nil, `# %[1]s: clock constraint of %[2]s (SDC).
#
# The %[3]s has one clock, clk, %[4]s. Set %[5]s (ns) before this file is read, or change
# the default below. Inside a larger design the clock of that design serves, and this file is not needed.
# Pins, I/O standards and the delays at the ports belong to a board and are not here.
if {![info exists %[5]s]} { set %[5]s 6.667 }
create_clock -name clk -period $%[5]s [get_ports clk]
`, d.Config.DesignName(), d.Top, d.kind.short, d.kind.outputs, d.kind.period)
}
