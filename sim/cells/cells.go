// Package cells has simulation models of FPGA cells for which Yosys, from whose netlists they come, has none. A model
// covers the modes that Yosys emits, and registers that package fold turns on; others it refuses, at elaboration where
// parameters tell, with $stop where signals do.
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
