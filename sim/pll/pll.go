// Package pll has simulation models of the PLLs of board tops: they pass the oscillator through. The link core counts
// cycles of its clock and knows no time, so nothing else of a PLL matters to it.
package pll

import _ "embed"

//go:embed models.v
var models []byte

// Models is the Verilog of all of them.
func Models() []byte { return models }
