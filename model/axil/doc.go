// Package axil is the AXI4-Lite interface of a design, cycle by cycle, with the registers that software reads as it has
// written them. It is written from docs/csig.md, Register bus, and knows nothing of the generator.
package axil
