package vgen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// counter counts to a last value, which it also shows in its upper bits, and holds words of some width.
func counter(last, width int) *vgen.Module {
	m := vgen.NewModule("counter", "Counts, and keeps a word")
	end := m.Parameter("LAST", last, 3, "last count")
	bits := m.Parameter("WIDTH", width, 1, "bits of a word")
	m.SetTiming(last, 1)
	m.LatencyIs(end)
	d := m.Input("d", width, "word").Sized(bits)
	q := m.Output("q", width, "word, a cycle later").Sized(bits)
	count := m.Local("COUNT_BITS", end.Plus(1).Log2(), "bits of the count")
	n := m.State("count", count.Int()).Sized(count)
	m.Next(n, vgen.Mux(n.Eq(end.Const(n)), n.Like(0), n.Plus(1)))
	top := m.Output("top", 1, "the count's upper bit")
	m.Assign(top, n.Top())
	m.Assign(q, m.RegNext("word", vgen.Mux(n.Is(2), d, d.Not())))
	return m
}

// beside puts modules with the ports d, q and top side by side.
func beside(list ...*vgen.Module) *vgen.Module {
	m := vgen.NewModule("pair", "Modules side by side")
	for i, sub := range list {
		n := string(rune('a' + i))
		u := m.Instance("u_"+n, sub)
		m.Assign(u.Port("d"), m.Input("d_"+n, sub.Ports()[0].Width, "word"))
		m.Assign(m.Output("q_"+n, sub.Ports()[1].Width, "word"), u.Port("q"))
		m.Assign(m.Output("top_"+n, 1, "bit"), u.Port("top"))
	}
	return m
}

// Variants are one file, whose text has the parameters; instances give them values.
func TestVariantsAreOneFile(t *testing.T) {
	top := beside(counter(3, 1), counter(4, 8), counter(200, 70))
	files, err := vgen.Emit(top, vgen.EmitOptions{})
	require.NoError(t, err)
	require.Len(t, files, 2)
	family, pair := string(files[0].Text), string(files[1].Text)
	for _, text := range []string{
		"// Latency LAST cycles, initiation interval 1.", "    // last count, 3 or more\n    parameter LAST = 3,\n",
		"    parameter WIDTH = 1\n) (", "input  wire [WIDTH-1:0] d",
		"localparam COUNT_BITS = $clog2(LAST+1); // bits of the count",
		"reg [COUNT_BITS-1:0] count;", "count == LAST[COUNT_BITS-1:0]", "{COUNT_BITS{1'b0}} : (count + 1'b1)",
		"assign top = count[COUNT_BITS-1];", "count == 2", "count <= {COUNT_BITS{1'b0}};",
	} {
		assert.Contains(t, family, text)
	}
	assert.Contains(t, pair, "counter #(.LAST(4), .WIDTH(8)) u_b (")
	assert.Contains(t, pair, "counter #(.LAST(200), .WIDTH(70)) u_c (")

	info := vgen.Manifest(top)
	require.Len(t, info, 4)
	assert.Equal(t, "counter LAST=200 WIDTH=70", info[2].Variant())
	assert.Equal(t, []any{"counter.v", 200, 70}, []any{info[2].File, info[2].Latency, info[2].Ports[2].Width})

	// By itself, with no instance that gives them, they are those of the variant.
	files, err = vgen.Emit(counter(4, 8), vgen.EmitOptions{})
	require.NoError(t, err)
	assert.Contains(t, string(files[0].Text), "parameter LAST = 4,")
	assert.Contains(t, string(files[0].Text), "parameter WIDTH = 8\n")
}

// What is not the same in all variants, and does not follow from a parameter, is a problem.
func TestVariantsThatDiffer(t *testing.T) {
	build := func(width int) *vgen.Module {
		m := vgen.NewModule("mask", "Keeps low bits")
		bits := m.Parameter("WIDTH", width, 2, "bits of a word")
		d := m.Input("d", width, "word").Sized(bits)
		m.Assign(m.Output("q", width, "word").Sized(bits), d.And(vgen.Const(width, 1))) // a number, not a size
		m.Assign(m.Output("top", 1, "bit"), d.Top())
		return m
	}
	_, err := vgen.Emit(beside(build(4), build(5)), vgen.EmitOptions{})
	require.ErrorContains(t, err, "another, different module of this name")
	_, err = vgen.Emit(beside(build(4), build(4)), vgen.EmitOptions{})
	require.NoError(t, err)
	_, err = vgen.Emit(build(1), vgen.EmitOptions{})
	require.ErrorContains(t, err, "parameter WIDTH is 1")

	m := vgen.NewModule("wrong", "Has a wrong size")
	bits := m.Parameter("WIDTH", 4, 1, "bits of a word")
	m.Assign(m.Output("q", 5, "word").Sized(bits), m.Input("d", 5, "word"))
	_, err = vgen.Emit(m, vgen.EmitOptions{})
	require.ErrorContains(t, err, `Sized: "q" has 5 bits, WIDTH is 4`)
}
