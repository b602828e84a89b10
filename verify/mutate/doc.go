// Package mutate checks the checks: yosys changes one bit of a design's logic at a time, and the comparison with the
// reference has to detect it.
//
// A design is flattened, and yosys mutate inserts a number of mutations, each selected by a value of an additional
// input, so that one build holds all of them and the design itself. A mutant that the comparison does not detect is
// either proven equivalent, or a gap.
package mutate
