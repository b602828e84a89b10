package vgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

func TestNoCollisionMarksTheMemory(t *testing.T) {
	for _, apart := range []bool{false, true} {
		m := vgen.NewModule("store", "Stores")
		mem := m.Memory("words", 4, 8, "kept")
		if apart {
			mem.NoCollision()
		}
		mem.Write(m.Input("we", 1, "write"), m.Input("waddr", 2, "word written"), m.Input("d", 8, "data"))
		m.Assign(m.Output("q", 8, "word read"), mem.Read("q_reg", m.Input("raddr", 2, "word read")))
		files, err := vgen.Emit(m, vgen.EmitOptions{})
		require.NoError(t, err)
		if apart {
			require.Contains(t, string(files[0].Text),
				"    (* no_rw_check, rw_addr_collision = \"no\", ramstyle = \"no_rw_check\" *)\n"+
					"    reg [7:0] words [0:3]; // kept")
		} else {
			require.NotContains(t, string(files[0].Text), "no_rw_check")
		}
	}
}
