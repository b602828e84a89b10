package vgen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// tapped has taps in two levels, of modules of which one is used twice and one has none.
func tapped() *vgen.Module {
	leaf := vgen.NewModule("leaf", "Adds and remembers")
	a := leaf.Input("a", 70, "")
	sum := leaf.Reg("sum_q", 70, vgen.Reset(0), vgen.Control())
	leaf.Next(sum, sum.Add(a))
	leaf.Tap("sum", sum, 1, "sum so far")
	leaf.Tap("odd", a.Bit(0), 0, "")
	leaf.Assign(leaf.Output("b", 70, ""), sum.Not())
	plain := vgen.NewModule("plain", "Nothing to see")
	plain.Assign(plain.Output("b", 70, ""), plain.Input("a", 70, "").Shr(1))
	top := vgen.NewModule("top", "Two leaves")
	at := top.Input("a", 70, "")
	top.Tap("in", at, 0, "what comes in")
	for _, i := range []*vgen.Instance{top.Instance("u_first", leaf), top.Instance("u_plain", plain),
		top.Instance("u_second", leaf)} {
		top.Assign(i.Port("a"), at)
		at = i.Port("b")
	}
	top.Assign(top.Output("b", 70, ""), at)
	return top
}

// Latencies of taps count from the input of the design, through the stages in which instances begin.
func TestBegin(t *testing.T) {
	middle := vgen.NewModule("middle", "Holds a block that begins late")
	late := middle.Instance("u_late", tapped())
	middle.Assign(late.Port("a"), middle.Input("a", 70, ""))
	middle.Assign(middle.Output("b", 70, ""), late.Port("b"))
	middle.Begin(late.Port("a"), 2)
	top := vgen.NewModule("outer", "Holds it, and begins late")
	in := top.Instance("u_middle", middle)
	top.Assign(in.Port("a"), top.Input("a", 70, ""))
	top.Assign(top.Output("b", 70, ""), in.Port("b"))
	top.Begin(in.Port("a"), 5)
	top.Begin(in.Port("a"), 5)
	require.NoError(t, vgen.Check(top))
	var got []int
	for _, tap := range vgen.Taps(top) {
		got = append(got, tap.Latency)
	}
	assert.Equal(t, []int{7, 8, 7, 8, 7}, got)

	top.Begin(in.Port("a"), 6)
	top.Begin(in.Port("b"), 1)
	top.Begin(vgen.Signal{}, 1)
	err := vgen.Check(top)
	assert.ErrorContains(t, err, `Begin: instance "u_middle" begins in stage 6`)
	assert.ErrorContains(t, err, "so far 5")
	assert.ErrorContains(t, err, `Begin: "u_middle.b" is no input of an instance`)
	assert.ErrorContains(t, err, "Begin: a signal that was never set is no input of an instance")
}

// The outputs that ExposeTaps adds are the taps, in their order.
func TestExposeTaps(t *testing.T) {
	top := tapped()
	names := vgen.ExposeTaps(top)
	assert.Equal(t, []string{"tap0_in", "tap1_u_first", "tap2_u_first", "tap3_u_second", "tap4_u_second"}, names)
	sim, err := vgen.NewSim(top)
	require.NoError(t, err)
	l := sim.LayoutTaps()
	require.Len(t, l.Taps, len(names))
	require.Len(t, l.Outputs, 1+len(names))
	const cycles = 100
	in, out := make([]uint64, cycles*l.InWords), make([]uint64, cycles*l.OutWords)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range in {
		in[i] = r.Uint64()
		if i%l.InWords == 0 {
			in[i] = uint64(r.IntN(8) / 7)
		}
	}
	require.NoError(t, sim.RunTaps(cycles, in, out))
	seen := map[uint64]bool{}
	for c := range cycles {
		for i := range names {
			tap, port := l.Taps[i], l.Outputs[1+i]
			require.Equal(t, tap.Words, port.Words)
			for w := range tap.Words {
				v := out[c*l.OutWords+tap.Offset+w]
				require.Equal(t, v, out[c*l.OutWords+port.Offset+w], "%s, cycle %d", port.Name, c)
				seen[v] = true
			}
		}
	}
	assert.Greater(t, len(seen), cycles)
	_, err = vgen.Emit(top, vgen.EmitOptions{})
	require.NoError(t, err)
	assert.Empty(t, vgen.ExposeTaps(vgen.NewModule("none", "No taps")))
}
