// Package cells has simulation models of FPGA cells for which Yosys has none. A model covers the modes that Yosys
// emits, and the registers that package fold uses. It refuses other modes, at elaboration if parameters select them,
// with $stop if signals do.
package cells

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.v
var models embed.FS

// Model is the Verilog of a cell, and false when there is none here.
func Model(cell string) ([]byte, bool) {
	text, err := fs.ReadFile(models, strings.ToLower(cell)+".v")
	return text, err == nil
}
