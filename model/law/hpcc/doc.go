// Package hpcc is the golden model of HPCC++: integers, bit-exact. It is written from docs/numeric.md and
// draft-an-ccwg-hpcc-00 section 4, and knows nothing of the generator.
//
// Design holds what a configuration fixes. It is the engine.Law: Step is the per-ACK procedure, a function of the
// tables, one flow's context and one ACK. Model and Clocked are the engine over this law, operation by operation and
// cycle by cycle.
//
// All values are raw fixed-point integers in the formats of the configuration. An operand wider than its port is cut to
// the port's width, as wires would.
package hpcc
