// Package mutate checks the checks: yosys changes one bit of a design's logic at a time, and the
// comparison with the reference has to notice.
//
// A design is flattened, and yosys mutate puts a number of mutations into it, each behind a value of an additional
// input, so that one build holds all of them and the design itself. A mutant that the comparison does not
// notice is either proven to be no change, or a hole.
package mutate
