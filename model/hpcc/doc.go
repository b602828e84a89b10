// Package hpcc is the golden model of the HPCC++ engine: integers, bit-exact, and in Clocked
// cycle-accurate. It is written from docs/numeric.md, docs/architecture.md and
// draft-an-ccwg-hpcc-00 section 4, and knows nothing of the generator.
//
// Design holds what a configuration fixes; Design.Step is the per-ACK procedure, a function of the
// tables, one flow's context and one ACK. Model keeps the tables and all contexts and takes one
// operation after the other. Clocked puts streams, latency and back-pressure around a Model.
//
// All values are raw fixed-point integers in the formats of the configuration. An operand wider
// than its port is cut to the port's width, as wires would.
package hpcc
