// Package synth drives Yosys and nextpnr: from Verilog to cells, clock frequencies, critical paths by module, and
// bitstreams.
//
// [Run] builds a design with its pins for a part. [Measure] returns the cells and the frequency of a bare module with
// any ports: it is placed between shift registers, so that all its paths are from register to register. Both return a
// [Report]. Results are kept in the build cache, keyed by a hash of sources, flags, constraints, seed and tool
// versions.
package synth
