// Package hpcc is the golden model of HPCC++, bit-exact in integers. It is written from docs/numeric.md and
// draft-an-ccwg-hpcc-00 section 4, independently of the generator.
//
// Design holds the values that a configuration fixes. It is the engine.Law: Step is the per-ACK procedure, a function
// of the tables, one flow's context and one ACK. Model and Clocked are the engine over this law, operation by operation
// and cycle by cycle.
//
// All values are raw fixed-point integers in the formats of the configuration. An operand wider than its port is
// truncated to the port's width, as wires would.
package hpcc
