// Package axil is how software reaches the registers of a design: an AXI4-Lite slave, a register bus behind it, and a
// register file made from a map of config/registers.
//
//	slave.go  the AXI4-Lite slave
//	bus.go    the register bus
//	file.go   the register file
package axil
