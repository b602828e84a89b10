// Package board generates the FPGA top of a design: a top module with a host link, over which a host steps the design
// and observes every output of every cycle. docs/board-link.md is the contract of the link.
//
// The link core is a vgen module with one clock, so it runs in the interpreter; the outermost module, with the pins,
// the PLL and the two clock domains, is text.
package board
