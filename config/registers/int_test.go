package registers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

func TestINTMap(t *testing.T) {
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTIFA, config.INTMD, config.INTIOAM} {
		c := &config.INT{Ports: 3, DataBits: 256, Format: f, MaxHops: 7, Reserved: true, Hash: "0123456789abcdef",
			Port: make([]config.INTPort, 3)}
		m := registers.NewINT(c)
		last := uint32(0)
		for i, r := range m.Registers {
			if i > 0 {
				assert.Greater(t, r.Offset, last, r.Name)
			}
			last = r.Offset
			got, port, found := m.At(r.Offset + uint32(r.Count-1)*r.Stride)
			require.True(t, found)
			assert.Equal(t, r.Name, got.Name)
			assert.Equal(t, r.Count-1, port)
		}
		for _, w := range registers.ProgramINT(c) {
			r, _, found := m.At(w.Offset)
			require.True(t, found, "%s %#x", f, w.Offset)
			assert.True(t, r.Writable())
		}
		for _, gone := range []uint32{0x1000 + 64*3, 0x1000 + 40, 0x94, 0x50} {
			_, _, found := m.At(gone)
			assert.False(t, found)
		}
		r, found := m.Named("FORMAT")
		require.True(t, found)
		assert.Equal(t, f == config.INTHPCC, r.Reset()>>8 == 0x71)
	}
}
