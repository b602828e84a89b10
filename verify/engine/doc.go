// Package engine runs a generated design for batches of cycles, in one of several ways behind one interface: the Go
// interpreter ("go"), the emitted Verilog in Verilator ("verilator"), the emitted Verilog in Icarus Verilog ("icarus"),
// and its FPGA cells from Yosys ("netlist").
//
// # Cycles and records
//
// A cycle is: apply the inputs, settle the combinational logic, sample outputs and taps, rising clock edge. One record
// in and one record out per cycle; their layout is that of [vgen.Layout]: each port takes ceil(width/64) little-endian
// 64-bit words. Bits of an input above its width are ignored. State persists from one Run to the next. A fresh instance
// starts with everything zero, as FPGAs do, which makes the engines comparable before reset.
//
// The reset slot of a layout is active high whatever the style of the emitted reset: for a design with an asynchronous
// active-low reset the engines drive rst_n with its inverse. Verilator and Icarus show an asynchronous reset as it is:
// outputs are already reset in the cycle that asserts it.
//
// # Netlists
//
// The netlist engine synthesizes a design as the flow for boards does, flattened, and runs the cells in Verilator with
// Yosys' simulation models, or those of sim/cells where Yosys has none. A netlist has the ports of the design and no
// taps. Its initial state is that of the cells, and synthesis may let a register start at its reset value: compare from
// the first reset on.
//
// # Waveforms
//
// With Options.VCD an engine writes a value change dump. Cycle k takes the times 10k to 10k+9 ns: it begins with the
// rising edge, at which inputs and registers change, and the clock falls at 10k+5.
//
// # Tools
//
// Verilator, Icarus and Yosys are external programs. When one is missing, Open returns a [toolchain.Missing], which
// tells how to install it.
package engine
