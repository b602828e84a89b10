package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStart(t *testing.T) {
	d := Design{Top: wideCounter(false), Taps: true}
	for _, name := range []string{"verilator", "icarus"} {
		t.Run(name, func(t *testing.T) {
			e := openDesign(t, name, d, Options{Start: StartOnes})
			l := e.Layout()
			in := make([]uint64, 2*l.InWords)
			in[l.InWords] = 1 // reset in the second cycle
			out := make([]uint64, 2*l.OutWords)
			require.NoError(t, e.Run(2, in, out))
			top := uint64(1<<36 - 1)
			count, sum, tap := l.Outputs[0].Offset, l.Outputs[1].Offset, l.Taps[1].Offset
			assert.Equal(t, uint64(1<<33-1), out[count], "a register")
			assert.Equal(t, []uint64{^uint64(0), top}, out[sum:sum+2], "a wide register")
			assert.Equal(t, []uint64{^uint64(0), top}, out[tap:tap+2], "a memory")
			require.NoError(t, e.Run(1, in, out))
			assert.Equal(t, uint64(1<<32+5), out[count], "after reset")
		})
	}
	_, err := Open("go", d, Options{Start: StartOnes})
	assert.EqualError(t, err, "the engine go cannot start from ones; it can from zero")
	_, err = Open("verilator", d, Options{Start: StartUnknown})
	assert.EqualError(t, err, "the engine verilator cannot start from unknown; it can from zero ones")
}
