package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// wideCounter is a design with a memory, ports of odd and wide widths, and taps
// at two levels. flaw changes one constant, for tests that must fail.
func wideCounter(flaw bool) *vgen.Module {
	core := vgen.NewModule("wide_core", "Adds wide words up, one sum for each address.")
	valid := core.Input("s_valid", 1, "a word comes")
	addr := core.Input("s_addr", 3, "the sum it is for")
	data := core.Input("s_data", 100, "the word")
	sums := core.Memory("sums", 8, 100, "the sums")
	sum := sums.ReadAsync(addr).Add(data).Named("u_sum")
	sums.Write(valid, addr, sum)
	last := core.RegNext("sum_q", sum)
	core.Assign(core.Output("m_sum", 100, "the sum, a cycle later"), last)
	core.Tap("sum", sum, 0, "the sum as it is formed")

	top := vgen.NewModule("wide_counter", "Counts and adds up wide words.")
	topValid := top.Input("s_valid", 1, "a word comes")
	topAddr := top.Input("s_addr", 3, "the sum it is for")
	topData := top.Input("s_data", 100, "the word")
	inst := top.Instance("u_core", core)
	top.Assign(inst.Port("s_valid"), topValid)
	top.Assign(inst.Port("s_addr"), topAddr)
	top.Assign(inst.Port("s_data"), topData)
	step := uint64(1)
	if flaw {
		step = 2
	}
	count := top.Reg("count_q", 33, vgen.Reset(1<<32+5), vgen.Enable(topValid))
	top.Next(count, count.Add(vgen.Const(33, step)))
	top.Assign(top.Output("m_count", 33, "words so far"), count)
	top.Assign(top.Output("m_sum", 100, "the sum, a cycle later"), inst.Port("m_sum"))
	top.Assign(top.Output("m_odd", 1, "parity of the word"), topData.Parity())
	top.Tap("count", count, 1, "words so far")
	return top
}

// stimulus makes input records for a layout: random words, reset in the second
// cycle and now and then.
func stimulus(l *vgen.Layout, cycles int, seed uint64) []uint64 {
	in := make([]uint64, cycles*l.InWords)
	for i := range in {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		in[i] = seed
	}
	if hasReset(l) {
		for c := range cycles {
			in[c*l.InWords] = 0
			if c == 1 || c%50 == 40 {
				in[c*l.InWords] = 1
			}
		}
	}
	return in
}

func openDesign(t testing.TB, name string, d Design, o Options) Engine {
	t.Helper()
	switch name {
	case "verilator":
		needTools(t, toolchain.Verilator, toolchain.CXX)
	case "icarus":
		needTools(t, toolchain.Iverilog, toolchain.VVP)
	case "netlist":
		needTools(t, toolchain.Yosys, toolchain.Verilator, toolchain.CXX)
	}
	if o.CacheDir == "" {
		o.CacheDir = sharedCache
	}
	e, err := Open(name, d, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func TestEnginesAgree(t *testing.T) {
	const cycles = 300
	for _, taps := range []bool{false, true} {
		d := Design{Top: wideCounter(false), Taps: taps}
		ref := openDesign(t, "go", d, Options{})
		in := stimulus(ref.Layout(), cycles, 1)
		want := make([]uint64, cycles*ref.Layout().OutWords)
		require.NoError(t, ref.Run(cycles, in, want))
		for _, name := range Simulators() {
			if taps && !HasTaps(name, Hardware{}) {
				continue
			}
			t.Run(fmt.Sprintf("%s/taps=%v", name, taps), func(t *testing.T) {
				e := openDesign(t, name, d, Options{})
				require.Equal(t, name, e.Name())
				require.Equal(t, ref.Layout(), e.Layout())
				got := make([]uint64, len(want))
				require.NoError(t, e.Run(100, in, got))
				require.NoError(t, e.Run(cycles-100, in[100*e.Layout().InWords:], got[100*e.Layout().OutWords:]))
				require.Equal(t, want, got)

				if !taps {
					return
				}
				wrong := openDesign(t, name, Design{Top: wideCounter(true), Taps: taps}, Options{})
				require.NoError(t, wrong.Run(cycles, in, got))
				assert.NotEqual(t, want, got, "a flaw in the design shows")
			})
		}
	}
}

// With an asynchronous reset the outputs of the cycle that asserts it may be
// reset already; all other cycles agree.
func TestEnginesAgreeWithAsynchronousReset(t *testing.T) {
	const cycles = 300
	d := Design{Top: wideCounter(false), Reset: vgen.AsyncLow}
	ref := openDesign(t, "go", d, Options{})
	l := ref.Layout()
	in := stimulus(l, cycles, 2)
	want := make([]uint64, cycles*l.OutWords)
	require.NoError(t, ref.Run(cycles, in, want))
	for _, name := range []string{"verilator", "icarus"} {
		t.Run(name, func(t *testing.T) {
			e := openDesign(t, name, d, Options{})
			got := make([]uint64, len(want))
			require.NoError(t, e.Run(cycles, in, got))
			early := 0
			for c := range cycles {
				w, g := want[c*l.OutWords:(c+1)*l.OutWords], got[c*l.OutWords:(c+1)*l.OutWords]
				if in[c*l.InWords] == 0 {
					require.Equal(t, w, g, "cycle %d", c)
					continue
				}
				require.Equal(t, uint64(1<<32+5), g[0], "the counter is reset at once, cycle %d", c)
				early++
			}
			require.Positive(t, early)
		})
	}
}

func TestEnginesRunCombinationalDesigns(t *testing.T) {
	top := vgen.NewModule("comb", "No state, so no clock.")
	a := top.Input("a", 70, "a number")
	top.Assign(top.Output("y", 70, "its complement"), a.Not())
	d := Design{Top: top}
	for _, name := range Simulators() {
		t.Run(name, func(t *testing.T) {
			e := openDesign(t, name, d, Options{})
			out := make([]uint64, 4)
			require.NoError(t, e.Run(2, []uint64{0, 0, 5, 0x15}, out))
			assert.Equal(t, []uint64{^uint64(0), 0x3f, ^uint64(5), 0x2a}, out)
		})
	}
}

// Verilator keeps ports of up to 8, 16, 32, 64 bits and wider ones each in its own
// way: these are the widths around the changes.
func TestWidths(t *testing.T) {
	top := vgen.NewModule("widths", "Ports of many widths, complemented and delayed.")
	widths := []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 191, 193, 1000}
	for _, w := range widths {
		a := top.Input(fmt.Sprintf("a%d", w), w, "a number")
		q := top.RegNext(fmt.Sprintf("q%d_q", w), a)
		top.Assign(top.Output(fmt.Sprintf("y%d", w), w, "its complement, a cycle later"), q.Not())
		top.Tap(fmt.Sprintf("q%d", w), q, 1, "the number, a cycle later")
	}
	d := Design{Top: top, Taps: true}
	ref := openDesign(t, "go", d, Options{})
	l := ref.Layout()
	const cycles = 20
	in := stimulus(l, cycles, 3)
	want := make([]uint64, cycles*l.OutWords)
	require.NoError(t, ref.Run(cycles, in, want))
	for i, w := range widths { // the reference is right
		y, a := l.Outputs[i], l.Inputs[i+1]
		last := y.Words - 1
		mask := ^uint64(0) >> uint((64-w%64)%64)
		assert.Equal(t, ^in[a.Offset+last]&mask, want[l.OutWords+y.Offset+last], "width %d", w)
	}
	for _, name := range []string{"verilator", "icarus"} {
		t.Run(name, func(t *testing.T) {
			got := make([]uint64, len(want))
			for i := range got {
				got[i] = 0xdeadbeefdeadbeef // every word is written
			}
			require.NoError(t, openDesign(t, name, d, Options{}).Run(cycles, in, got))
			require.Equal(t, want, got)
		})
	}
}

func TestOpenErrors(t *testing.T) {
	_, err := Open("fpga", Design{Top: wideCounter(false)}, Options{})
	assert.EqualError(t, err, `unknown engine "fpga"; there are go, verilator, icarus, netlist, board`)
	bad := vgen.NewModule("bad", "An output that nobody drives.")
	bad.Output("y", 3, "nobody drives it")
	for _, name := range Simulators() {
		_, err = Open(name, Design{}, Options{})
		assert.EqualError(t, err, "engine: a design needs a top module")
		_, err = Open(name, Design{Top: bad}, Options{})
		var problems vgen.Problems
		assert.ErrorAs(t, err, &problems)
	}
	for want, s := range map[string]*Source{
		"engine: a source needs the name of its top module": {},
		"engine: source a has no files":                     {Top: "a"},
		"engine: source a has no layout":                    {Top: "a", Files: []vgen.File{{Name: "a.v"}}},
		"engine: source a has 1 tap paths for 0 taps": {Top: "a", Files: []vgen.File{{Name: "a.v"}},
			Layout: &vgen.Layout{}, TapPaths: []string{"x"}},
		`engine: source a: "../a.v" is not a plain file name`: {Top: "a", Files: []vgen.File{{Name: "../a.v"}},
			Layout: &vgen.Layout{}},
	} {
		_, err := OpenSource("verilator", s, Options{})
		assert.EqualError(t, err, want)
	}
	_, err = OpenSource("go", sampleSource(), Options{})
	assert.EqualError(t, err, `engine "go" does not run Verilog text; verilator and icarus do`)
}
