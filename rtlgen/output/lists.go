package output

import (
	"bytes"
	"fmt"
)

// fileList is a list of the Verilog files for tools that take one with -f; the paths are relative to its folder.
func (d *Design) fileList() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s: Verilog files, children before parents; top module %s\n", d.Config.Name, d.Top)
	for _, m := range d.Modules {
		fmt.Fprintln(&b, m.File)
	}
	return b.Bytes()
}

// fuseSoC is a core description for FuseSoC (CAPI2).
func (d *Design) fuseSoC() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `CAPI=2:

name: "hdlpkg:hpccgen:%[1]s:%[2]s"
description: "HPCC++ engine %[1]s, configuration %[3]s"

filesets:
  rtl:
    file_type: verilogSource-2005
    files:
`, d.Config.Name, Version, d.Config.Hash)
	for _, m := range d.Modules {
		fmt.Fprintf(&b, "      - %s\n", m.File)
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
    description: "the engine alone, with its clock constraint"
    filesets: [rtl, constraints]
    toplevel: %[2]s
`, d.Config.Name, d.Top)
	return b.Bytes()
}

// constraints is the timing constraint of the engine's one clock, for tools that read SDC.
func (d *Design) constraints() []byte {
	return fmt.Appendf(nil, `# %[1]s: clock constraint of %[2]s (SDC).
#
# The engine has one clock, clk, and every output is a register. Set hpcc_clk_period (ns) before this file is read, or change
# the default below. Inside a larger design the clock of that design serves, and this file is not needed.
# Pins, I/O standards and the delays at the ports belong to a board and are not here.
if {![info exists hpcc_clk_period]} { set hpcc_clk_period 6.667 }
create_clock -name clk -period $hpcc_clk_period [get_ports clk]
`, d.Config.Name, d.Top)
}
