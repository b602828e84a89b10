// Package vgen describes hardware in Go and prints it as Verilog.
//
// A generator builds [Module] objects from ports, [Signal] expressions, registers,
// memories and instances of other modules. [Check] looks for mistakes, [Emit] prints
// Verilog-2005.
package vgen
