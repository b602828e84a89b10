// Package fold puts registers of an ECP5 netlist into the blocks beside them: the register after a block memory into
// the memory, those around a multiplier into the multiplier. Yosys maps memories and products to DP16KD and MULT18X18D
// without any of their registers; a word then takes 5.8 ns from the clock to the pins of its memory, where the memory's
// own output register takes 1.0 ns (speed 6). Lookup tables of two inputs before carry cells go into those, which have
// inputs left: Yosys makes a sum that adds or subtracts from tables and a sum.
//
// The netlist is the JSON of Yosys (write_json), and does the same in every cycle as it did: a register moves only if
// the block's is equal to it in clock, edge, enable and reset, and if the wire between the two has no other reader.
// What a register holds before its first clock edge with enable is the one exception: it was 0, and in a block it is
// what the block has.
//
// The blocks are described in Lattice's ECP5 and ECP5-5G Memory Usage Guide (FPGA-TN-02204, formerly TN1264) and sysDSP
// Usage Guide (FPGA-TN-02205, formerly TN1267).
package fold

// Version changes whenever the result for some netlist does: it is part of the keys under which results are kept.
const Version = "3"
