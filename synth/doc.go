// Package synth drives Yosys and nextpnr: from Verilog to cells, clock frequencies, critical paths by module, and
// bitstreams.
//
// [Run] builds a design with its pins for a part. [Measure] returns the cells and the frequency of a bare module,
// whatever its ports: it stands between shift registers, so that all its paths go from register to register. Both give
// a [Report]. Results are kept in the build cache, by the hash of sources, flags, constraints, seed and versions of the
// tools.
package synth
