// Package pll has simulation models of the PLLs of board tops. They pass the oscillator through: the link core counts
// cycles of its clock and does not depend on its frequency.
package pll

import _ "embed"

//go:embed models.v
var models []byte

// Models is the Verilog of all of them.
func Models() []byte { return models }
