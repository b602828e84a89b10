// Package fold moves registers of an ECP5 netlist into adjacent blocks: the register after a block memory into the
// memory, those around a multiplier into the multiplier. Yosys maps memories and products to DP16KD and MULT18X18D
// without any of their registers; a word then takes 5.8 ns from the clock to the pins of its memory, and with the
// memory's own output register 1.0 ns (speed 6). Two-input lookup tables before carry cells are moved into the cells,
// which have free inputs: Yosys makes tables and a sum of a sum that adds or subtracts.
//
// The netlist is the JSON of Yosys (write_json), and its function is unchanged in every cycle: a register moves only if
// the block's register is equal to it in clock, edge, enable and reset, and if nothing else reads the signal between
// the two. The one exception is the value before a register's first clock edge with enable: it was 0, and in a block it
// is the block's.
//
// The blocks are described in Lattice's ECP5 and ECP5-5G Memory Usage Guide (FPGA-TN-02204, formerly TN1264) and sysDSP
// Usage Guide (FPGA-TN-02205, formerly TN1267).
package fold

// Version changes whenever the result for some netlist does: it is part of the keys under which results are kept.
const Version = "3"
