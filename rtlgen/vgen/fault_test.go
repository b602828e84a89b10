package vgen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// placeFaults are faults at every kind of place of the design sequential, and of every helper.
var placeFaults = []vgen.Fault{
	{Name: "output", Module: "sequential", At: "acc", Change: vgen.Off(-1)},
	{Name: "wire", Module: "sequential", At: "back", Change: vgen.Operator(vgen.Signal.Sub)},
	{Name: "same wire", Module: "sequential", At: "back", Change: vgen.With("n", vgen.StuckAt(3))},
	{Name: "named value", Module: "sequential", At: "delay_five", Change: vgen.Inverted},
	{Name: "register", Module: "lane", At: "d_q", Change: vgen.With("b_q", vgen.Is("u_q"))},
	{Name: "enable", Module: "lane", At: "b_q.enable", Change: vgen.StuckAt(1)},
	{Name: "no enable", Module: "lane", At: "a_q.enable", Change: vgen.Is("en")},
	{Name: "no reset", Module: "lane", At: "d_q.reset", Change: vgen.NoReset},
	{Name: "other reset", Module: "lane", At: "d_q.reset", Change: vgen.Off(1)},
	{Name: "write enable", Module: "sequential", At: "narrow.enable", Change: vgen.Inverted},
	{Name: "write address", Module: "sequential", At: "narrow.address", Change: vgen.Is("raddr")},
	{Name: "write data", Module: "sequential", At: "wide.data", Change: vgen.Off(1)},
	{Name: "read address", Module: "sequential", At: "wide_q.address", Change: vgen.Is("addr")},
	{Name: "read enable", Module: "sequential", At: "narrow_en_q.enable", Change: vgen.StuckAt(1)},
	{Name: "address of a table", Module: "sequential", At: "rom_q.address", Change: vgen.Is("addr")},
	{Name: "instance", Module: "sequential", At: "u_lane1.d", Change: vgen.With("u_lane0.x", vgen.StuckAt(0))},
	{Name: "made", Module: "sequential", At: "lane_c", Change: func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
		return was.Xor(n.Net("n").Trunc(8))
	}},
	{Name: "operator inside", Module: "lane", At: "q", Change: vgen.Inside("Add", vgen.Left)},
	{Name: "address of a word", Module: "sequential", At: "narrow_async", Change: vgen.With("raddr", vgen.StuckAt(3))},
	{Name: "address of an entry", Module: "sequential", At: "rom_async", Change: vgen.With("addr", vgen.StuckAt(3))},
	{Name: "operand", Module: "lane", At: "q", Change: vgen.Operand(1, vgen.StuckAt(0))},
	{Name: "bits", Module: "lane", At: "q", Change: vgen.All(vgen.Without(3), vgen.With("u_q", vgen.Only(7, 2)))},
	{Name: "made of names", Module: "sequential", At: "lane_q", Change: vgen.Made(func(of ...vgen.Signal) vgen.Signal {
		return of[0].Xor(of[1])
	}, "u_lane1.q", "acc_q")},
}

// selecting is the stimulus with the fault of a number; a negative number is another one in each cycle.
func selecting(top *vgen.Module, in []uint64, number int) []uint64 {
	words := vgen.NewLayout(top, false).InWords
	var out []uint64
	for c := range len(in) / words {
		k := uint64(number)
		if number < 0 {
			k = uint64(c*7) % uint64(len(placeFaults)+1)
		}
		out = append(append(out, in[c*words:(c+1)*words]...), k)
	}
	return out
}

func interpret(t *testing.T, top *vgen.Module, cycles int, in []uint64) []uint64 {
	t.Helper()
	sim, err := vgen.NewSim(top)
	require.NoError(t, err)
	out := make([]uint64, cycles*sim.Layout().OutWords)
	require.NoError(t, sim.Run(cycles, in, out))
	return out
}

// Each fault shows, alone as when selected among others; with none selected, the design is unchanged.
func TestFaults(t *testing.T) {
	const cycles = 300
	top := sequential()
	before, err := vgen.Emit(top, vgen.EmitOptions{})
	require.NoError(t, err)
	in := sequentialStimulus(top, cycles, true)
	right := interpret(t, top, cycles, in)
	mutants, err := vgen.Mutants(top, placeFaults)
	require.NoError(t, err)
	assert.Equal(t, right, interpret(t, mutants, cycles, selecting(top, in, 0)))
	for i, f := range placeFaults {
		t.Run(f.Name, func(t *testing.T) {
			wrong := interpret(t, mutants, cycles, selecting(top, in, i+1))
			assert.NotEqual(t, right, wrong)
			alone, err := vgen.Broken(top, f)
			require.NoError(t, err)
			assert.Equal(t, wrong, interpret(t, alone, cycles, in))
			_, err = vgen.Emit(alone, vgen.EmitOptions{})
			assert.NoError(t, err)
		})
	}
	after, err := vgen.Emit(top, vgen.EmitOptions{})
	require.NoError(t, err)
	assert.Equal(t, before, after, "the design stays")
}

// All engines agree about a design with faults.
func TestFaultsInAllEngines(t *testing.T) {
	top := sequential()
	in := sequentialStimulus(top, 300, true)
	mutants, err := vgen.Mutants(top, placeFaults)
	require.NoError(t, err)
	layout := vgen.NewLayout(mutants, false)
	assert.Equal(t, vgen.MutationSelect, layout.Inputs[len(layout.Inputs)-1].Name)
	allLegs(t, mutants, false, 300, 30, selecting(top, in, -1))
}

// All variants of a module have a fault, and a prefix does not count.
func TestFaultOfVariants(t *testing.T) {
	top := beside(counter(3, 1), counter(4, 8), counter(200, 70))
	top.Prefix("chip_")
	for _, at := range []string{"count.reset", "count"} {
		mutants, err := vgen.Mutants(top, []vgen.Fault{
			{Name: "off by one", Module: "counter", At: at, Change: vgen.Off(1)},
			{Name: "stuck", Module: "chip_counter", At: "word", Change: vgen.With("d", vgen.Inverted)},
		})
		require.NoError(t, err)
		_, err = vgen.Emit(mutants, vgen.EmitOptions{})
		require.NoError(t, err)
	}
}

// The first of several stages is meant.
func TestFaultOfAStage(t *testing.T) {
	m := vgen.NewModule("staged", "A value that waits")
	v := m.RegNext("v_s3", m.Input("d", 2, "").Not())
	m.Assign(m.Output("q", 2, ""), m.RegNext("v_s10", v))
	broken, err := vgen.Broken(m, vgen.Fault{Name: "stuck", Module: "staged", At: "v_s*", Change: vgen.StuckAt(2)})
	require.NoError(t, err)
	files, err := vgen.Emit(broken, vgen.EmitOptions{})
	require.NoError(t, err)
	assert.Contains(t, string(files[0].Text), "v_s3 <= 2'd2;")
	assert.Contains(t, string(files[0].Text), "v_s10 <= v_s3;")
}

// An impossible fault is refused, and the message lists the possible ones.
func TestFaultMessages(t *testing.T) {
	for _, c := range []struct {
		fault vgen.Fault
		says  string
	}{
		{vgen.Fault{Module: "lanes", At: "d_q", Change: vgen.Inverted},
			`the design has no module "lanes"; there is lane, sequential`},
		{vgen.Fault{Module: "lane", At: "d_p", Change: vgen.Inverted},
			`module lane has no place "d_p"; there is d_q, a_q, b_q`},
		{vgen.Fault{Module: "lane", At: "d_q.rest", Change: vgen.Inverted},
			`module lane has no place "d_q.rest"; there is d_q.reset, d_q.enable`},
		{vgen.Fault{Module: "lane", At: "a_q.reset", Change: vgen.NoReset},
			`module lane has no place "a_q.reset"; there is a_q.enable`},
		{vgen.Fault{Module: "sequential", At: "narow.data", Change: vgen.Inverted},
			`module sequential has no place "narow.data"; there is narrow, narrow_q, acc`},
		{vgen.Fault{Module: "sequential", At: "u_lane0.q", Change: vgen.Inverted},
			`module sequential has no place "u_lane0.q"; there is u_lane0.d, u_lane0.en`},
		{vgen.Fault{Module: "lane", At: "en", Change: vgen.Inverted},
			"en of lane is an input; where it is connected is a place, or what reads it"},
		{vgen.Fault{Module: "sequential", At: "wide_q", Change: vgen.Inverted},
			"wide_q of sequential is what a memory gives; its places are wide_q.address and wide_q.enable"},
		{vgen.Fault{Module: "lane", At: "d_q", Change: vgen.Is("b_p")},
			`d_q of lane: module lane has no signal "b_p"; there is b_q, a_q, c_q`},
		{vgen.Fault{Module: "lane", At: "d_q", Change: vgen.With("u_q", vgen.Inverted)},
			`d_q of lane: "u_q" is not among what it is computed from: a_q, b_q`},
		{vgen.Fault{Module: "lane", At: "d_q", Change: vgen.Is("en")},
			"d_q of lane: the change gives 1 bit, there are 16"},
		{vgen.Fault{Module: "lane", At: "d_q", Change: vgen.With("b_q", vgen.Is("b_q"))}, "d_q of lane: the change is none"},
		{vgen.Fault{Module: "lane", At: "d_q", Change: vgen.Operator(vgen.Signal.Xor)}, "d_q of lane: the change is none"},
		{vgen.Fault{Module: "lane", At: "a_q", Change: vgen.Operator(vgen.Signal.Xor)},
			`a_q of lane: "d" has not two operands`},
		{vgen.Fault{Module: "lane", At: "a_q", Change: vgen.Operand(0, vgen.Inverted)}, `a_q of lane: "d" has no operand 0`},
		{vgen.Fault{Module: "lane", At: "q", Change: vgen.Inside("Mux", vgen.Inverted)},
			"q of lane: it is computed with 0 operators Mux, not one"},
		{vgen.Fault{Module: "lane", At: "c_q", Change: vgen.Without(8)}, "c_q of lane: there is no bit 8 of Add result"},
		{vgen.Fault{Module: "lane", At: "c_q", Change: vgen.Only(0, 1)}, "c_q of lane: there are no bits 0:1 of Add result"},
		{vgen.Fault{Module: "lane", At: "a_q", Change: vgen.NoReset}, "a_q of lane: the change gives no signal"},
		{vgen.Fault{Module: "lane", At: "c_q", Change: vgen.StuckAt(256)},
			"c_q of lane: Const: 256 does not fit in 8 bits"},
		{vgen.Fault{Module: "lane", At: "c_q", Change: func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
			return was.And(n.Net("en"))
		}}, `c_q of lane: And: widths differ: Add result has 8 bits, "en" has 1`},
		{vgen.Fault{Module: "lane", At: "d_q.reset", Change: vgen.Is("d_q")},
			"d_q.reset of lane: a reset value is a constant"},
		{vgen.Fault{Module: "lane", At: "d_q"}, "no change is told"},
	} {
		c.fault.Name = "wrong"
		for _, insert := range []func(*vgen.Module) (*vgen.Module, error){
			func(top *vgen.Module) (*vgen.Module, error) { return vgen.Mutants(top, []vgen.Fault{c.fault}) },
			func(top *vgen.Module) (*vgen.Module, error) { return vgen.Broken(top, c.fault) },
		} {
			top := sequential()
			_, err := insert(top)
			assert.EqualError(t, err, fmt.Sprintf("fault %q: %s", "wrong", c.says))
			assert.NoError(t, vgen.Check(top))
		}
	}
	_, err := vgen.Mutants(nil, nil)
	assert.EqualError(t, err, "faults: the module is nil")
}
