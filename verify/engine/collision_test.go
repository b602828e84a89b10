package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// meeting is a memory that is read in every way, with or without a promise that no read collides with a write.
func meeting(promise bool) *vgen.Module {
	m := vgen.NewModule("meeting", "Reads and writes that may meet")
	mem := m.Memory("words", 4, 70, "kept")
	if promise {
		mem.NoCollision()
	}
	we, en := m.Input("we", 1, "write"), m.Input("en", 1, "read")
	mem.Write(we, m.Input("waddr", 2, "word written"), m.Input("d", 70, "data"))
	addr := m.Input("raddr", 2, "word read")
	m.Assign(m.Output("q", 70, "word read"), mem.Read("q_reg", addr))
	m.Assign(m.Output("gated", 70, "word read when enabled"), mem.ReadEn("gated_reg", addr, en))
	m.Assign(m.Output("now", 70, "word of this cycle"), mem.ReadAsync(addr))
	return m
}

// A read that collides with a write returns the old word; where the design declared that none does, its inverse, so
// that any use of it is detected.
func TestBrokenPromiseIsPoisoned(t *testing.T) {
	needTools(t, toolchain.Iverilog, toolchain.VVP, toolchain.Verilator)
	for _, name := range []string{"go", "icarus", "verilator"} {
		for _, promise := range []bool{false, true} {
			e, err := Open(name, Design{Top: meeting(promise)}, Options{CacheDir: sharedCache})
			require.NoError(t, err)
			const low, high = 0x123456789abcdef0, 0x2a
			in := [][]uint64{ // rst, we, en, waddr, d, d above, raddr
				{0, 1, 1, 2, low, high, 1}, // write word 2
				{0, 1, 0, 1, 5, 0, 2},      // read it while another is written
				{0, 1, 1, 2, 7, 1, 2},      // read it while it is written
				{0, 0, 1, 2, 9, 9, 2},      // not written: the new word
				{0, 0, 1, 2, 9, 9, 2},
			}
			var rows []uint64
			for _, r := range in {
				rows = append(rows, r...)
			}
			out := make([]uint64, len(in)*6)
			require.NoError(t, e.Run(len(in), rows, out))
			require.NoError(t, e.Close())
			met := []uint64{low, high}
			if promise {
				met = []uint64{^uint64(low), ^uint64(high) & 0x3f}
			}
			row := func(c int) []uint64 { return out[6*c : 6*c+6] }
			assert.Equal(t, []uint64{low, high}, row(1)[4:], "%s: now, nothing meets", name)
			assert.Equal(t, []uint64{low, high}, row(2)[:2], "%s: q, nothing meets", name)
			assert.Equal(t, met, row(2)[4:], "%s, promise %t: now", name, promise)
			assert.Equal(t, append(append([]uint64{}, met...), met...), row(3)[:4], "%s, promise %t: registers", name, promise)
			assert.Equal(t, []uint64{7, 1, 7, 1, 7, 1}, row(4), "%s: the new word", name)
		}
	}
}
