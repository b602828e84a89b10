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

// fileList is a list of the Verilog files for tools that take one; the paths are relative to its folder.
func (d *Design) fileList() []byte {
	var b bytes.Buffer
	name := d.Config.DesignName()
	fmt.Fprintf(&b, "// %s: Verilog files, children before parents; top module %s\n", name, d.Top)
	fmt.Fprintln(&b, "// The paths are relative to this file. -F reads them so, from any folder: verilator -F PATH/"+name+".f.")
	fmt.Fprintln(&b, "// With -f, or a tool that has no -F (iverilog), run the tool in this folder.")
	for _, file := range d.sources() {
		fmt.Fprintln(&b, file)
	}
	return b.Bytes()
}

// fuseSoC is a core description for FuseSoC (CAPI2), in the keys of its tool API. It has a target for the Verilog test
// bench where the design has one.
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
`, d.Config.DesignName())
	name, bench := d.Config.DesignName(), "tb/"+d.Config.DesignName()+"_tb.v"
	sim := slices.ContainsFunc(d.Files, func(f File) bool { return f.Path == bench })
	if sim {
		fmt.Fprintf(&b, `  tb:
    file_type: verilogSource-2005
    files:
      - %s
`, bench)
	}
	fmt.Fprintf(&b, `
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
`, name, d.Top)
	if sim {
		fmt.Fprintf(&b, `  sim:
    description: "the self-checking test bench on Icarus Verilog"
    filesets: [rtl, tb]
    toplevel: %s_tb
    default_tool: icarus
    tools:
      icarus:
        iverilog_options: ["-g2005"]
`, name)
	}
	fmt.Fprintf(&b, `  synth:
    description: "the %[3]s alone: Yosys for the ECP5, or --tool vivado --part PART"
    filesets: [rtl, constraints]
    toplevel: %[2]s
    default_tool: yosys
    tools:
      yosys:
        arch: ecp5
        output_format: json
      vivado:
        pnr: none
`, d.Config.DesignName(), d.Top, d.kind.short)
	return b.Bytes()
}

// DefaultClockMHz is the clock in the constraints of a design.
const DefaultClockMHz = 150

// Constrain puts another clock into the constraints of a design, in MHz.
func (d *Design) Constrain(mhz float64) { d.put(d.constraintsPath(), d.constraints(mhz)) }

func (d *Design) constraintsPath() string { return "constraints/" + d.Config.DesignName() + ".sdc" }

// constraints is the timing constraint of a design's one clock. It has no control flow, so that Vivado reads it as XDC
// and nextpnr takes it too.
func (d *Design) constraints(mhz float64) []byte {
	return fmt.Appendf(nil, `# %[1]s: clock constraint of %[2]s (SDC; legal as XDC too), %[5]g MHz.
# Another clock: hpccgen generate --clock MHZ, or another period (ns) here.
#
# The %[3]s has one clock, clk, %[4]s. This file is for the %[3]s alone, as the top of
# a synthesis. Inside a larger design the clock of that design serves, and this file is not needed. The ports have no
# delays here (set_input_delay, set_output_delay): those, pins and I/O standards belong to what surrounds the %[3]s.
create_clock -name clk -period %.3[6]f [get_ports clk]
`, d.Config.DesignName(), d.Top, d.kind.short, d.kind.outputs, mhz, 1000/mhz)
}
