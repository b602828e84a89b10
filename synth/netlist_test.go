package synth

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Yosys 0.23 prints the tree of modules into its JSON; 0.52 does not.
func TestReadCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cells.json")
	modules := `{ "creator": "Yosys", "invocation": "stat -json ",
   "modules": {
      "\\add": { "num_cells": 3, "num_cells_by_type": { "SB_LUT4": 2, "SB_DFFE": 1 } },
      "\\t": { "num_cells": 3, "num_cells_by_type": { "add": 2, "SB_CARRY": 1 } }
   },`
	for name, rest := range map[string]string{
		"0.23": "\n\n=== design hierarchy ===\n\n   t 1\n      add 2\n      \"design\": { \"num_cells\": 7 }\n}\n",
		"0.52": "\n \"design\": { \"num_cells\": 7 }\n}\n",
	} {
		require.NoError(t, os.WriteFile(path, []byte(modules+rest), 0o666))
		counts, err := readCounts(path)
		require.NoError(t, err, name)
		sum := map[string]int{}
		total(counts, "t", 1, sum)
		assert.Equal(t, map[string]int{"SB_LUT4": 4, "SB_DFFE": 2, "SB_CARRY": 1}, sum, name)
		assert.Equal(t, Cells{LUT: Use{Used: 4}, FF: Use{Used: 2}, Carry: Use{Used: 1}}, ICE40.count(sum))
	}
	require.NoError(t, os.WriteFile(path, []byte("nothing"), 0o666))
	_, err := readCounts(path)
	assert.ErrorContains(t, err, "the statistics of Yosys")
}

// The key of a netlist does not know the header of a file, which names the configuration, and knows all else.
func TestSourceParts(t *testing.T) {
	file := func(text string) []string { return sourceParts([]vgen.File{{Name: "rtl/m.v", Text: []byte(text)}}) }
	assert.Equal(t, file("// configuration a\nmodule m; endmodule\n"), file("// configuration b\nmodule m; endmodule\n"))
	assert.NotEqual(t, file("module m; endmodule\n"), file("module m; wire a; endmodule\n"))
	assert.NotEqual(t, file("// a\nmodule m; endmodule\n"), file("module m; endmodule\n"),
		"line numbers are in the netlist")
}
